// Fuses convolutions and linear layers with the batch normalization that follows, for evaluation: torch.nn.utils.fusion.
//
//   γ · (W·x + b − μ) / √(σ² + ε) + β   =   (s·W)·x + (b − μ)·s + β,   s = γ / √(σ² + ε)

import {
  Conv1d,
  Conv2d,
  Conv3d,
  ConvTranspose1d,
  ConvTranspose2d,
  ConvTranspose3d,
} from '../../src/nn/layers/convolution-layers.ts';
import { Linear } from '../../src/nn/layers/layers.ts';
import { BatchNorm1d, BatchNorm2d, BatchNorm3d } from '../../src/nn/layers/normalization-layers.ts';
import { Parameter } from '../../src/nn/module/parameter.ts';
import { noGrad, onesLike, type Tensor, wrongArgument, zerosLike } from '../../src/tensor/index.ts';

type Convolution = Conv1d | Conv2d | Conv3d | ConvTranspose1d | ConvTranspose2d | ConvTranspose3d;
type Norm = BatchNorm1d | BatchNorm2d | BatchNorm3d;
const convolutions = [Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d] as const;
const norms = [BatchNorm1d, BatchNorm2d, BatchNorm3d] as const;

function fused(
  weight: Tensor,
  bias: Tensor | null | undefined,
  mean: Tensor,
  variance: Tensor,
  eps: number,
  gamma: Tensor | null | undefined,
  beta: Tensor | null | undefined,
  dim: number,
): readonly [Parameter, Parameter] {
  return noGrad(() => {
    const scale = (gamma ?? onesLike(mean)).mul(variance.add(eps).rsqrt());
    const shape = weight.shape.map((_, i) => (i === dim ? -1 : 1));
    const shifted = (bias ?? zerosLike(mean))
      .sub(mean)
      .mul(scale)
      .add(beta ?? zerosLike(mean));
    const made = (x: Tensor): Parameter => new Parameter(x.to(weight.dtype), { requiresGrad: weight.requiresGrad });
    return [made(weight.mul(scale.reshape(shape))), made(shifted)] as const;
  });
}

/**
 * Weight [out, in, …] and bias [out] of a convolution with those of the batch normalization after it; of a transposed one with
 * `transpose`, weight [in, out, …].
 *
 *     const [weight, bias] = nn.utils.fuseConvBnWeights(conv.weight, conv.bias, bn.running_mean, bn.running_var, bn.eps,
 *     bn.weight, bn.bias);
 * @example
 * const [weight, bias] = nn.utils.fuseConvBnWeights(ones(1, 1, 1), zeros(1), ones(1), ones(1), 0, tensor([2]), tensor([1]));
 * weight // [[[2]]]
 */
export const fuseConvBnWeights = (
  convW: Tensor,
  convB: Tensor | null | undefined,
  bnRm: Tensor,
  bnRv: Tensor,
  bnEps: number,
  bnW: Tensor | null | undefined,
  bnB: Tensor | null | undefined,
  transpose = false,
): readonly [Parameter, Parameter] => fused(convW, convB, bnRm, bnRv, bnEps, bnW, bnB, transpose ? 1 : 0);

/**
 * Weight [out, in] and bias [out] of a linear layer with those of the batch normalization after it.
 * @example
 * const [weight, bias] = nn.utils.fuseLinearBnWeights(ones(1, 1), zeros(1), ones(1), ones(1), 0, tensor([2]), tensor([1]));
 * weight // [[2]]
 */
export const fuseLinearBnWeights = (
  linearW: Tensor,
  linearB: Tensor | null | undefined,
  bnRm: Tensor,
  bnRv: Tensor,
  bnEps: number,
  bnW: Tensor | null | undefined,
  bnB: Tensor | null | undefined,
): readonly [Parameter, Parameter] => fused(linearW, linearB, bnRm, bnRv, bnEps, bnW, bnB, 0);

function statistics(
  call: string,
  bn: unknown,
  channels: number,
): { readonly bn: Norm; readonly mean: Tensor; readonly variance: Tensor } {
  if (!norms.some(norm => bn instanceof norm))
    throw wrongArgument({ call, argument: 'bn' }, bn, 'a BatchNorm1d, BatchNorm2d or BatchNorm3d');
  const norm = bn as Norm;
  const { running_mean: mean, running_var: variance } = norm;
  if (mean == null || variance == null)
    throw wrongArgument({ call, argument: 'bn' }, norm, 'a batch normalization with running statistics');
  if (mean.shape[0] !== channels)
    throw wrongArgument({ call, argument: 'the channels of bn' }, mean.shape[0], String(channels));
  return { bn: norm, mean, variance };
}
function checkEvaluating(
  call: string,
  layer: { readonly training: boolean },
  bn: { readonly training: boolean },
): void {
  if (layer.training || bn.training)
    throw wrongArgument(
      { call, argument: 'the layers' },
      'in training',
      'both in evaluation',
      'call eval() on both first',
    );
}

/** A new layer with these parameters, in the mode of another. */
function withParameters<L extends Convolution | Linear>(
  made: L,
  [weight, bias]: readonly [Parameter, Parameter],
  training: boolean,
): L {
  made.weight = weight;
  made.bias = bias;
  made.train(training);
  return made;
}

/**
 * A new convolution equivalent to `bn(conv(x))` in evaluation mode; the two layers are not changed.
 *
 *     const fused = nn.utils.fuseConvBnEval(conv.eval(), bn.eval());
 *
 * @throws {WRONG_ARGUMENT} for other layers, layers in training, and other channels
 * @example
 * const conv = new nn.Conv2d(3, 8, 3).eval(), bn = new nn.BatchNorm2d(8).eval();
 * const fused = nn.utils.fuseConvBnEval(conv, bn), x = randn(1, 3, 5, 5);
 * fused(x).allclose(bn(conv(x)), { atol: 1e-5 }) // true
 */
export function fuseConvBnEval<
  C extends Conv1d | Conv2d | Conv3d | ConvTranspose1d | ConvTranspose2d | ConvTranspose3d,
>(conv: C, bn: BatchNorm1d | BatchNorm2d | BatchNorm3d): C {
  const call = 'fuseConvBnEval';
  const kind = convolutions.find(layer => conv instanceof layer);
  if (kind === undefined) throw wrongArgument({ call, argument: 'conv' }, conv, 'a convolution, such as a Conv2d');
  const { mean, variance } = statistics(call, bn, conv.outChannels);
  checkEvaluating(call, conv, bn);
  const isTransposed =
    conv instanceof ConvTranspose1d || conv instanceof ConvTranspose2d || conv instanceof ConvTranspose3d;
  if (isTransposed && conv.groups > 1)
    throw wrongArgument({ call, argument: 'the groups of a transposed convolution' }, conv.groups, '1');
  const { stride, padding, dilation, groups } = conv;
  const own = isTransposed
    ? { stride, padding, dilation, groups, outputPadding: conv.outputPadding }
    : { stride, padding, dilation, groups, paddingMode: (conv as Conv2d).paddingMode };
  const made = new (kind as unknown as new (i: number, o: number, k: readonly number[], s: object) => C)(
    conv.inChannels,
    conv.outChannels,
    conv.kernelSize,
    own,
  );
  const weights = fused(conv.weight, conv.bias, mean, variance, bn.eps, bn.weight, bn.bias, isTransposed ? 1 : 0);
  return withParameters(made, weights, conv.training);
}

/**
 * A new linear layer equivalent to `bn(linear(x))` in evaluation mode; the two layers are not changed.
 *
 *     const fused = nn.utils.fuseLinearBnEval(linear.eval(), bn.eval());
 *
 * @throws {WRONG_ARGUMENT} for other layers, layers in training, and other features
 * @example
 * const linear = new nn.Linear(3, 8).eval(), bn = new nn.BatchNorm1d(8).eval();
 * const fused = nn.utils.fuseLinearBnEval(linear, bn), x = randn(4, 3);
 * fused(x).allclose(bn(linear(x)), { atol: 1e-5 }) // true
 */
export function fuseLinearBnEval(linear: Linear, bn: BatchNorm1d | BatchNorm2d | BatchNorm3d): Linear {
  const call = 'fuseLinearBnEval';
  if (!(linear instanceof Linear)) throw wrongArgument({ call, argument: 'linear' }, linear, 'a Linear');
  const { mean, variance } = statistics(call, bn, linear.outFeatures);
  checkEvaluating(call, linear, bn);
  const made = new Linear(linear.inFeatures, linear.outFeatures);
  return withParameters(
    made,
    fused(linear.weight, linear.bias, mean, variance, bn.eps, bn.weight, bn.bias, 0),
    linear.training,
  );
}
