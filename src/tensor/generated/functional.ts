// The functions of nn.functional that are rows of the table. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.

import type { Scalar } from '../lower/elementwise.ts';
import { call } from '../surface/call.ts';
import { activations } from '../surface/rows/activations.ts';
import { moreActivations } from '../surface/rows/activations-more.ts';
import { classLossRows } from '../surface/rows/class-losses.ts';
import { convolutions } from '../surface/rows/convolutions.ts';
import { lossRows } from '../surface/rows/losses.ts';
import { normalizationRows } from '../surface/rows/normalization.ts';
import { poolingRows } from '../surface/rows/pooling.ts';
import { shuffleRows } from '../surface/rows/shuffles.ts';
import { Tensor } from '../tensor.ts';
import type {
  AdaptiveMaxPool1dOptions,
  AdaptiveMaxPool2dOptions,
  AdaptiveMaxPool3dOptions,
  AvgPool1dOptions,
  AvgPool2dOptions,
  AvgPool3dOptions,
  BatchNormOptions,
  BinaryCrossEntropyOptions,
  BinaryCrossEntropyWithLogitsOptions,
  CeluOptions,
  Conv1dOptions,
  Conv2dOptions,
  Conv3dOptions,
  ConvTranspose1dOptions,
  ConvTranspose2dOptions,
  ConvTranspose3dOptions,
  CosineEmbeddingLossOptions,
  CosineSimilarityOptions,
  CrossEntropyOptions,
  CtcLossOptions,
  EluOptions,
  GaussianNllLossOptions,
  GeluOptions,
  GluOptions,
  GroupNormOptions,
  GumbelSoftmaxOptions,
  HardshrinkOptions,
  HardtanhOptions,
  HingeEmbeddingLossOptions,
  HuberLossOptions,
  InstanceNormOptions,
  KlDivOptions,
  L1LossOptions,
  LayerNormOptions,
  LeakyReluOptions,
  LinearOptions,
  LogSoftmaxOptions,
  MarginRankingLossOptions,
  MaxPool1dOptions,
  MaxPool1dOptions2,
  MaxPool2dOptions,
  MaxPool2dOptions2,
  MaxPool3dOptions,
  MaxPool3dOptions2,
  MseLossOptions,
  MultilabelMarginLossOptions,
  MultilabelSoftMarginLossOptions,
  MultiMarginLossOptions,
  NllLossOptions,
  NormalizeOptions,
  PairwiseDistanceOptions,
  PoissonNllLossOptions,
  RmsNormOptions,
  RreluOptions,
  SmoothL1LossOptions,
  SoftMarginLossOptions,
  SoftmaxOptions,
  SoftminOptions,
  SoftplusOptions,
  SoftshrinkOptions,
  TripletMarginLossOptions,
  TripletMarginWithDistanceLossOptions,
} from './options.ts';

/**
 * max(x, 0): negative elements become 0.
 *
 * PyTorch: `torch.relu`, `Tensor.relu`, `torch.nn.functional.relu`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Activations
 * @example
 * tensor([-1, 2]).relu() // [0, 2]
 */
export function relu(input: Tensor): Tensor;
export function relu(...args: readonly unknown[]): unknown {
  return call(activations.relu, undefined, args);
}

/**
 * x · Φ(x), where Φ is the cumulative distribution function of the standard normal distribution.
 *
 * PyTorch: `torch.nn.functional.gelu`.
 *
 * @param input - The tensor.
 * @param approximate - `tanh` for the approximation of Hendrycks and Gimpel (2016). Default: "none".
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Activations
 * @example
 * tensor([-1, 0, 1]).gelu() // [-0.1586…, 0, 0.8413…]
 * tensor([-1, 0, 1]).gelu('tanh') // [-0.1588…, 0, 0.8411…]
 */
export function gelu(input: Tensor, approximate?: 'none' | 'tanh' | GeluOptions | undefined): Tensor;
export function gelu(...args: readonly unknown[]): unknown {
  return call(activations.gelu, undefined, args);
}

/**
 * x · sigmoid(x).
 *
 * PyTorch: `torch.nn.functional.silu`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category Activations
 * @example
 * nn.functional.silu(tensor([-1, 0, 1])) // [-0.2689…, 0, 0.731…]
 */
export function silu(input: Tensor): Tensor;
export function silu(...args: readonly unknown[]): unknown {
  return call(activations.silu, undefined, args);
}

/**
 * exp(x) divided by its sum along a dim: positive numbers that sum to 1.
 *
 * PyTorch: `torch.softmax`, `Tensor.softmax`, `torch.nn.functional.softmax`.
 *
 * @param input - The tensor.
 * @param dim - The dim along which the results sum to 1.
 * @param options.dtype - The data type to convert the input to first.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Activations
 * @example
 * tensor([[0, 0], [0, Math.log(3)]]).softmax(-1) // [[0.5, 0.5], [0.25, 0.75]]
 */
export function softmax(input: Tensor, dim: number, options?: SoftmaxOptions): Tensor;
/**
 * exp(x) divided by its sum along a dim: positive numbers that sum to 1.
 *
 * PyTorch: `torch.softmax`, `Tensor.softmax`, `torch.nn.functional.softmax`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim along which the results sum to 1.
 * @param named.dtype - The data type to convert the input to first.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Activations
 * @example
 * tensor([[0, 0], [0, Math.log(3)]]).softmax(-1) // [[0.5, 0.5], [0.25, 0.75]]
 */
export function softmax(input: Tensor, named: { readonly dim: number } & SoftmaxOptions): Tensor;
export function softmax(...args: readonly unknown[]): unknown {
  return call(activations.softmax, undefined, args);
}

/**
 * The logarithm of softmax, accurate where softmax underflows.
 *
 * PyTorch: `torch.log_softmax`, `Tensor.log_softmax`, `torch.nn.functional.log_softmax`.
 *
 * @param input - The tensor.
 * @param dim - The dim along which the results sum to 1.
 * @param options.dtype - The data type to convert the input to first.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Activations
 * @example
 * tensor([0, Math.log(3)]).logSoftmax(-1) // [-1.3862…, -0.2876…]
 */
export function logSoftmax(input: Tensor, dim: number, options?: LogSoftmaxOptions): Tensor;
/**
 * The logarithm of softmax, accurate where softmax underflows.
 *
 * PyTorch: `torch.log_softmax`, `Tensor.log_softmax`, `torch.nn.functional.log_softmax`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim along which the results sum to 1.
 * @param named.dtype - The data type to convert the input to first.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Activations
 * @example
 * tensor([0, Math.log(3)]).logSoftmax(-1) // [-1.3862…, -0.2876…]
 */
export function logSoftmax(input: Tensor, named: { readonly dim: number } & LogSoftmaxOptions): Tensor;
export function logSoftmax(...args: readonly unknown[]): unknown {
  return call(activations.logSoftmax, undefined, args);
}

/**
 * min(max(x, 0), 6).
 *
 * PyTorch: `torch.nn.functional.relu6`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @category More activations
 * @example
 * nn.functional.relu6(tensor([-1, 3, 8])) // [0, 3, 6]
 */
export function relu6(input: Tensor): Tensor;
export function relu6(...args: readonly unknown[]): unknown {
  return call(moreActivations.relu6, undefined, args);
}

/**
 * x · tanh(softplus(x)).
 *
 * PyTorch: `torch.nn.functional.mish`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.mish(tensor([-1, 0, 1])) // [-0.3034…, 0, 0.865…]
 */
export function mish(input: Tensor): Tensor;
export function mish(...args: readonly unknown[]): unknown {
  return call(moreActivations.mish, undefined, args);
}

/**
 * The self-normalizing activation of Klambauer et al., 2017.
 *
 * PyTorch: `torch.nn.functional.selu`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.selu(tensor([-1, 0, 1])) // [-1.1113…, 0, 1.0507]
 */
export function selu(input: Tensor): Tensor;
export function selu(...args: readonly unknown[]): unknown {
  return call(moreActivations.selu, undefined, args);
}

/**
 * relu6(x + 3) / 6.
 *
 * Differs from PyTorch: The gradient in float64 has that precision; PyTorch’s has that of float32.
 *
 * PyTorch: `torch.nn.functional.hardsigmoid`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.hardsigmoid(tensor([-4, 0, 3])) // [0, 0.5, 1]
 */
export function hardsigmoid(input: Tensor): Tensor;
export function hardsigmoid(...args: readonly unknown[]): unknown {
  return call(moreActivations.hardsigmoid, undefined, args);
}

/**
 * x · relu6(x + 3) / 6.
 *
 * PyTorch: `torch.nn.functional.hardswish`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.hardswish(tensor([-4, 1.5, 4])) // [0, 1.125, 4]
 */
export function hardswish(input: Tensor): Tensor;
export function hardswish(...args: readonly unknown[]): unknown {
  return call(moreActivations.hardswish, undefined, args);
}

/**
 * x - tanh(x).
 *
 * PyTorch: `torch.nn.functional.tanhshrink`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.tanhshrink(tensor([-1, 0, 1])) // [-0.2384…, 0, 0.2384…]
 */
export function tanhshrink(input: Tensor): Tensor;
export function tanhshrink(...args: readonly unknown[]): unknown {
  return call(moreActivations.tanhshrink, undefined, args);
}

/**
 * x / (1 + |x|).
 *
 * PyTorch: `torch.nn.functional.softsign`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.softsign(tensor([-1, 0, 3])) // [-0.5, 0, 0.75]
 */
export function softsign(input: Tensor): Tensor;
export function softsign(...args: readonly unknown[]): unknown {
  return call(moreActivations.softsign, undefined, args);
}

/**
 * log(sigmoid(x)), without overflow.
 *
 * PyTorch: `torch.nn.functional.logsigmoid`.
 *
 * @param input - The tensor.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.logsigmoid(tensor([-1, 0, 1])) // [-1.3132…, -0.6931…, -0.3132…]
 */
export function logsigmoid(input: Tensor): Tensor;
export function logsigmoid(...args: readonly unknown[]): unknown {
  return call(moreActivations.logsigmoid, undefined, args);
}

/**
 * x where x > 0, alpha · (exp(x) - 1) elsewhere.
 *
 * PyTorch: `torch.nn.functional.elu`.
 *
 * @param input - The tensor.
 * @param alpha - The limit for small x, negated. Default: 1.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.elu(tensor([-1, 0, 1]), 0.5) // [-0.316…, 0, 1]
 */
export function elu(input: Tensor, alpha?: number | EluOptions | undefined): Tensor;
export function elu(...args: readonly unknown[]): unknown {
  return call(moreActivations.elu, undefined, args);
}

/**
 * x where x > 0, alpha · (exp(x / alpha) - 1) elsewhere.
 *
 * PyTorch: `torch.nn.functional.celu`.
 *
 * @param input - The tensor.
 * @param alpha - The limit for small x, negated. Default: 1.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.celu(tensor([-1, 0, 1]), 0.5) // [-0.4323…, 0, 1]
 */
export function celu(input: Tensor, alpha?: number | CeluOptions | undefined): Tensor;
export function celu(...args: readonly unknown[]): unknown {
  return call(moreActivations.celu, undefined, args);
}

/**
 * x where x > 0, negativeSlope · x elsewhere.
 *
 * PyTorch: `torch.nn.functional.leaky_relu`.
 *
 * @param input - The tensor.
 * @param negativeSlope - The slope for negative x. Default: 0.01.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.leakyRelu(tensor([-1, 2]), 0.25) // [-0.25, 2]
 */
export function leakyRelu(input: Tensor, negativeSlope?: number | LeakyReluOptions | undefined): Tensor;
export function leakyRelu(...args: readonly unknown[]): unknown {
  return call(moreActivations.leakyRelu, undefined, args);
}

/**
 * x where x > 0, weight · x elsewhere; one slope, or one per channel of [N, C, …].
 *
 * PyTorch: `torch.nn.functional.prelu`.
 *
 * @param input - The tensor.
 * @param weight - The slopes: [1], or [C].
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category More activations
 * @example
 * nn.functional.prelu(tensor([-1, 2]), tensor([0.25])) // [-0.25, 2]
 */
export function prelu(input: Tensor, weight: Tensor): Tensor;
export function prelu(...args: readonly unknown[]): unknown {
  return call(moreActivations.prelu, undefined, args);
}

/**
 * leakyRelu with slopes sampled from [lower, upper] during training, and the mean of the bounds otherwise.
 *
 * Xu et al., 2015.
 *
 * PyTorch: `torch.nn.functional.rrelu`.
 *
 * @param input - The tensor.
 * @param lower - The smallest slope. Default: 0.125.
 * @param upper - The largest slope. Default: 0.3333333333333333.
 * @param training - Samples the slopes at random. Default: false.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.rrelu(tensor([-8, 4]), 0.25, 0.25) // [-2, 4]
 */
export function rrelu(
  input: Tensor,
  lower?: number | RreluOptions | undefined,
  upper?: number | RreluOptions | undefined,
  training?: boolean | RreluOptions | undefined,
): Tensor;
export function rrelu(...args: readonly unknown[]): unknown {
  return call(moreActivations.rrelu, undefined, args);
}

/**
 * x clamped to [minVal, maxVal].
 *
 * PyTorch: `torch.nn.functional.hardtanh`.
 *
 * @param input - The tensor.
 * @param minVal - The smallest result. Default: -1.
 * @param maxVal - The largest result. Default: 1.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DTYPE}
 * @throws {WRONG_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.hardtanh(tensor([-2, 0.5])) // [-1, 0.5]
 */
export function hardtanh(
  input: Tensor,
  minVal?: number | HardtanhOptions | undefined,
  maxVal?: number | HardtanhOptions | undefined,
): Tensor;
export function hardtanh(...args: readonly unknown[]): unknown {
  return call(moreActivations.hardtanh, undefined, args);
}

/**
 * x outside [-lambda, lambda], 0 inside.
 *
 * PyTorch: `torch.nn.functional.hardshrink`, `torch.hardshrink`, `Tensor.hardshrink`.
 *
 * @param input - The tensor.
 * @param lambda - Half the width of the gap. Default: 0.5.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.hardshrink(tensor([0.25, 2])) // [0, 2]
 */
export function hardshrink(input: Tensor, lambda?: number | HardshrinkOptions | undefined): Tensor;
export function hardshrink(...args: readonly unknown[]): unknown {
  return call(moreActivations.hardshrink, undefined, args);
}

/**
 * x shrunk towards 0 by lambda; 0 inside [-lambda, lambda].
 *
 * PyTorch: `torch.nn.functional.softshrink`.
 *
 * @param input - The tensor.
 * @param lambda - How far, at least 0. Default: 0.5.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.softshrink(tensor([0.25, 2])) // [0, 1.5]
 */
export function softshrink(input: Tensor, lambda?: number | SoftshrinkOptions | undefined): Tensor;
export function softshrink(...args: readonly unknown[]): unknown {
  return call(moreActivations.softshrink, undefined, args);
}

/**
 * log(1 + exp(beta · x)) / beta; x where beta · x is above the threshold.
 *
 * PyTorch: `torch.nn.functional.softplus`.
 *
 * @param input - The tensor.
 * @param beta - The sharpness of the bend. Default: 1.
 * @param threshold - Above this value of beta · x, the result is x. Default: 20.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.softplus(tensor([0])) // [0.6931…]
 */
export function softplus(
  input: Tensor,
  beta?: number | SoftplusOptions | undefined,
  threshold?: number | SoftplusOptions | undefined,
): Tensor;
export function softplus(...args: readonly unknown[]): unknown {
  return call(moreActivations.softplus, undefined, args);
}

/**
 * x where x is above the threshold, `value` elsewhere.
 *
 * PyTorch: `torch.nn.functional.threshold`.
 *
 * @param input - The tensor.
 * @param threshold - The threshold.
 * @param value - The replacement.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.threshold(tensor([1, 3]), 2, 0) // [0, 3]
 */
export function threshold(input: Tensor, threshold: number, value: number): Tensor;
/**
 * x where x is above the threshold, `value` elsewhere.
 *
 * PyTorch: `torch.nn.functional.threshold`.
 *
 * @param input - The tensor.
 * @param named.threshold - The threshold.
 * @param named.value - The replacement.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @category More activations
 * @example
 * nn.functional.threshold(tensor([1, 3]), 2, 0) // [0, 3]
 */
export function threshold(input: Tensor, named: { readonly threshold: number; readonly value: number }): Tensor;
export function threshold(...args: readonly unknown[]): unknown {
  return call(moreActivations.threshold, undefined, args);
}

/**
 * The first half along a dim times the sigmoid of the second half.
 *
 * PyTorch: `torch.nn.functional.glu`.
 *
 * @param input - The tensor.
 * @param dim - The dim to split in half. Default: -1.
 * @returns the shape of the input, with half the size along the dim; the data type of the input; float32 for
 * integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @category More activations
 * @example
 * nn.functional.glu(tensor([2, 0])) // [1]
 */
export function glu(input: Tensor, dim?: number | GluOptions | undefined): Tensor;
export function glu(...args: readonly unknown[]): unknown {
  return call(moreActivations.glu, undefined, args);
}

/**
 * softmax(-x) along a dim.
 *
 * PyTorch: `torch.nn.functional.softmin`.
 *
 * @param input - The tensor.
 * @param dim - The dim along which the results sum to 1.
 * @param options.dtype - The data type to convert the input to first.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More activations
 * @example
 * nn.functional.softmin(tensor([[0, Math.log(3)]]), 1) // [[0.75, 0.25]]
 */
export function softmin(input: Tensor, dim: number, options?: SoftminOptions): Tensor;
/**
 * softmax(-x) along a dim.
 *
 * PyTorch: `torch.nn.functional.softmin`.
 *
 * @param input - The tensor.
 * @param named.dim - The dim along which the results sum to 1.
 * @param named.dtype - The data type to convert the input to first.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More activations
 * @example
 * nn.functional.softmin(tensor([[0, Math.log(3)]]), 1) // [[0.75, 0.25]]
 */
export function softmin(input: Tensor, named: { readonly dim: number } & SoftminOptions): Tensor;
export function softmin(...args: readonly unknown[]): unknown {
  return call(moreActivations.softmin, undefined, args);
}

/**
 * A sample that is nearly one-hot along a dim: softmax((x + gumbel noise) / tau).
 *
 * Jang et al., 2017.
 *
 * PyTorch: `torch.nn.functional.gumbel_softmax`.
 *
 * @param logits - Log weights.
 * @param tau - The temperature; lower values give results closer to one-hot. Default: 1.
 * @param hard - Exactly one-hot values, with the gradient of the soft ones. Default: false.
 * @param eps - Accepted for compatibility; has no effect, as in PyTorch. Default: 1e-10.
 * @param dim - The dim along which the results sum to 1. Default: -1.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category More activations
 * @example
 * nn.functional.gumbelSoftmax(tensor([0, 100, 0]), { hard: true }) // [0, 1, 0]
 */
export function gumbelSoftmax(
  logits: Tensor,
  tau?: number | GumbelSoftmaxOptions | undefined,
  hard?: boolean | GumbelSoftmaxOptions | undefined,
  eps?: number | GumbelSoftmaxOptions | undefined,
  dim?: number | GumbelSoftmaxOptions | undefined,
): Tensor;
export function gumbelSoftmax(...args: readonly unknown[]): unknown {
  return call(moreActivations.gumbelSoftmax, undefined, args);
}

/**
 * Convolution over sequences.
 *
 * PyTorch: `torch.nn.functional.conv1d`, `torch.conv1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param weight - [O, C / groups, k].
 * @param bias - [O].
 * @param stride - The stride of the window: one number for all spatial dims, or one for each. Default: 1.
 * @param padding - Zeros on each side; `same` for an output of the size of the input, `valid` for none. Default:
 * 0.
 * @param dilation - The spacing of the elements of the kernel: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param groups - The number of groups of channels that are convolved separately. Default: 1.
 * @returns [N, O, L]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Convolutions
 * @example
 * nn.functional.conv1d(tensor([[[1, 2, 3, 4]]]), tensor([[[1, -1]]])) // [[[-1, -1, -1]]]
 */
export function conv1d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null | Conv1dOptions<Tensor> | undefined,
  stride?: number | readonly number[] | Conv1dOptions<Tensor> | undefined,
  padding?: number | readonly number[] | 'same' | 'valid' | Conv1dOptions<Tensor> | undefined,
  dilation?: number | readonly number[] | Conv1dOptions<Tensor> | undefined,
  groups?: number | Conv1dOptions<Tensor> | undefined,
): Tensor;
export function conv1d(...args: readonly unknown[]): unknown {
  return call(convolutions.conv1d, undefined, args);
}

/**
 * Convolution over images.
 *
 * PyTorch: `torch.nn.functional.conv2d`, `torch.conv2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param weight - [O, C / groups, kh, kw].
 * @param bias - [O].
 * @param stride - The stride of the window: one number for all spatial dims, or one for each. Default: 1.
 * @param padding - Zeros on each side; `same` for an output of the size of the input, `valid` for none. Default:
 * 0.
 * @param dilation - The spacing of the elements of the kernel: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param groups - The number of groups of channels that are convolved separately. Default: 1.
 * @returns [N, O, H, W]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Convolutions
 * @example
 * const x = randn(1, 3, 32, 32), weight = randn(8, 3, 3, 3);
 * nn.functional.conv2d(x, weight, { stride: 2, padding: 1 }).shape // [1, 8, 16, 16]
 */
export function conv2d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null | Conv2dOptions<Tensor> | undefined,
  stride?: number | readonly number[] | Conv2dOptions<Tensor> | undefined,
  padding?: number | readonly number[] | 'same' | 'valid' | Conv2dOptions<Tensor> | undefined,
  dilation?: number | readonly number[] | Conv2dOptions<Tensor> | undefined,
  groups?: number | Conv2dOptions<Tensor> | undefined,
): Tensor;
export function conv2d(...args: readonly unknown[]): unknown {
  return call(convolutions.conv2d, undefined, args);
}

/**
 * Convolution over volumes.
 *
 * PyTorch: `torch.nn.functional.conv3d`, `torch.conv3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param weight - [O, C / groups, kd, kh, kw].
 * @param bias - [O].
 * @param stride - The stride of the window: one number for all spatial dims, or one for each. Default: 1.
 * @param padding - Zeros on each side; `same` for an output of the size of the input, `valid` for none. Default:
 * 0.
 * @param dilation - The spacing of the elements of the kernel: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param groups - The number of groups of channels that are convolved separately. Default: 1.
 * @returns [N, O, D, H, W]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Convolutions
 * @example
 * const x = randn(1, 2, 4, 8, 8), weight = randn(4, 2, 3, 3, 3);
 * nn.functional.conv3d(x, weight, { padding: 1 }).shape // [1, 4, 4, 8, 8]
 */
export function conv3d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null | Conv3dOptions<Tensor> | undefined,
  stride?: number | readonly number[] | Conv3dOptions<Tensor> | undefined,
  padding?: number | readonly number[] | 'same' | 'valid' | Conv3dOptions<Tensor> | undefined,
  dilation?: number | readonly number[] | Conv3dOptions<Tensor> | undefined,
  groups?: number | Conv3dOptions<Tensor> | undefined,
): Tensor;
export function conv3d(...args: readonly unknown[]): unknown {
  return call(convolutions.conv3d, undefined, args);
}

/**
 * The transpose of `conv1d`: its gradient with respect to its input.
 *
 * PyTorch: `torch.nn.functional.conv_transpose1d`, `torch.conv_transpose1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param weight - [C, O / groups, k].
 * @param bias - [O].
 * @param stride - The spacing of the windows in the output: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param padding - How much to remove from each side of the output: one number for all spatial dims, or one for
 * each. Default: 0.
 * @param outputPadding - How much to add to one side of the output: one number for all spatial dims, or one for
 * each. Default: 0.
 * @param groups - The number of groups of channels that are convolved separately. Default: 1.
 * @param dilation - The spacing of the elements of the kernel: one number for all spatial dims, or one for each.
 * Default: 1.
 * @returns [N, O, L]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Convolutions
 * @example
 * nn.functional.convTranspose1d(tensor([[[1, 2]]]), tensor([[[1, 1]]]), { stride: 2 }) // [[[1, 1, 2, 2]]]
 */
export function convTranspose1d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null | ConvTranspose1dOptions<Tensor> | undefined,
  stride?: number | readonly number[] | ConvTranspose1dOptions<Tensor> | undefined,
  padding?: number | readonly number[] | ConvTranspose1dOptions<Tensor> | undefined,
  outputPadding?: number | readonly number[] | ConvTranspose1dOptions<Tensor> | undefined,
  groups?: number | ConvTranspose1dOptions<Tensor> | undefined,
  dilation?: number | readonly number[] | ConvTranspose1dOptions<Tensor> | undefined,
): Tensor;
export function convTranspose1d(...args: readonly unknown[]): unknown {
  return call(convolutions.convTranspose1d, undefined, args);
}

/**
 * The transpose of `conv2d`: its gradient with respect to its input.
 *
 * PyTorch: `torch.nn.functional.conv_transpose2d`, `torch.conv_transpose2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param weight - [C, O / groups, kh, kw].
 * @param bias - [O].
 * @param stride - The spacing of the windows in the output: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param padding - How much to remove from each side of the output: one number for all spatial dims, or one for
 * each. Default: 0.
 * @param outputPadding - How much to add to one side of the output: one number for all spatial dims, or one for
 * each. Default: 0.
 * @param groups - The number of groups of channels that are convolved separately. Default: 1.
 * @param dilation - The spacing of the elements of the kernel: one number for all spatial dims, or one for each.
 * Default: 1.
 * @returns [N, O, H, W]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Convolutions
 * @example
 * const x = randn(1, 8, 4, 4), weight = randn(8, 3, 2, 2);
 * nn.functional.convTranspose2d(x, weight, { stride: 2 }).shape // [1, 3, 8, 8]
 */
export function convTranspose2d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null | ConvTranspose2dOptions<Tensor> | undefined,
  stride?: number | readonly number[] | ConvTranspose2dOptions<Tensor> | undefined,
  padding?: number | readonly number[] | ConvTranspose2dOptions<Tensor> | undefined,
  outputPadding?: number | readonly number[] | ConvTranspose2dOptions<Tensor> | undefined,
  groups?: number | ConvTranspose2dOptions<Tensor> | undefined,
  dilation?: number | readonly number[] | ConvTranspose2dOptions<Tensor> | undefined,
): Tensor;
export function convTranspose2d(...args: readonly unknown[]): unknown {
  return call(convolutions.convTranspose2d, undefined, args);
}

/**
 * The transpose of `conv3d`: its gradient with respect to its input.
 *
 * PyTorch: `torch.nn.functional.conv_transpose3d`, `torch.conv_transpose3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param weight - [C, O / groups, kd, kh, kw].
 * @param bias - [O].
 * @param stride - The spacing of the windows in the output: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param padding - How much to remove from each side of the output: one number for all spatial dims, or one for
 * each. Default: 0.
 * @param outputPadding - How much to add to one side of the output: one number for all spatial dims, or one for
 * each. Default: 0.
 * @param groups - The number of groups of channels that are convolved separately. Default: 1.
 * @param dilation - The spacing of the elements of the kernel: one number for all spatial dims, or one for each.
 * Default: 1.
 * @returns [N, O, D, H, W]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Convolutions
 * @example
 * const x = randn(1, 4, 2, 2, 2), weight = randn(4, 2, 2, 2, 2);
 * nn.functional.convTranspose3d(x, weight, { stride: 2 }).shape // [1, 2, 4, 4, 4]
 */
export function convTranspose3d(
  input: Tensor,
  weight: Tensor,
  bias?: Tensor | null | ConvTranspose3dOptions<Tensor> | undefined,
  stride?: number | readonly number[] | ConvTranspose3dOptions<Tensor> | undefined,
  padding?: number | readonly number[] | ConvTranspose3dOptions<Tensor> | undefined,
  outputPadding?: number | readonly number[] | ConvTranspose3dOptions<Tensor> | undefined,
  groups?: number | ConvTranspose3dOptions<Tensor> | undefined,
  dilation?: number | readonly number[] | ConvTranspose3dOptions<Tensor> | undefined,
): Tensor;
export function convTranspose3d(...args: readonly unknown[]): unknown {
  return call(convolutions.convTranspose3d, undefined, args);
}

/**
 * x · weightᵀ + bias.
 *
 * PyTorch: `torch.nn.functional.linear`.
 *
 * @param input - […, in].
 * @param weight - [out, in], or [in].
 * @param bias - [out].
 * @returns […, out]; the promoted data type of the operands
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Convolutions
 * @example
 * nn.functional.linear(tensor([1, 2]), tensor([[3, 4]])) // [11]
 */
export function linear(input: Tensor, weight: Tensor, bias?: Tensor | null | LinearOptions<Tensor> | undefined): Tensor;
export function linear(...args: readonly unknown[]): unknown {
  return call(convolutions.linear, undefined, args);
}

/**
 * Normalizes over the last dims, then scales by weight and shifts by bias.
 *
 * PyTorch: `torch.nn.functional.layer_norm`, `torch.layer_norm`.
 *
 * @param input - The tensor.
 * @param normalizedShape - The last dims of the input, to normalize over.
 * @param weight - The scale, of that shape.
 * @param bias - The shift, of that shape.
 * @param eps - Added to the variance. Default: 0.00001.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Normalization
 * @example
 * nn.functional.layerNorm(tensor([[1, 3], [2, 6]]), [2]) // [[-1, 1], [-1, 1]]
 */
export function layerNorm(
  input: Tensor,
  normalizedShape: readonly number[],
  weight?: Tensor | null | LayerNormOptions<Tensor> | undefined,
  bias?: Tensor | null | LayerNormOptions<Tensor> | undefined,
  eps?: number | LayerNormOptions<Tensor> | undefined,
): Tensor;
/**
 * Normalizes over the last dims, then scales by weight and shifts by bias.
 *
 * PyTorch: `torch.nn.functional.layer_norm`, `torch.layer_norm`.
 *
 * @param input - The tensor.
 * @param named.normalizedShape - The last dims of the input, to normalize over.
 * @param named.weight - The scale, of that shape.
 * @param named.bias - The shift, of that shape.
 * @param named.eps - Added to the variance. Default: 0.00001.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Normalization
 * @example
 * nn.functional.layerNorm(tensor([[1, 3], [2, 6]]), [2]) // [[-1, 1], [-1, 1]]
 */
export function layerNorm(
  input: Tensor,
  named: { readonly normalizedShape: readonly number[] } & LayerNormOptions<Tensor>,
): Tensor;
export function layerNorm(...args: readonly unknown[]): unknown {
  return call(normalizationRows.layerNorm, undefined, args);
}

/**
 * x divided by its root mean square over the last dims, times weight.
 *
 * Zhang and Sennrich, 2019.
 *
 * PyTorch: `torch.nn.functional.rms_norm`, `torch.rms_norm`.
 *
 * @param input - The tensor.
 * @param normalizedShape - The last dims of the input, to normalize over.
 * @param weight - The scale, of that shape.
 * @param eps - Added to the mean of squares. Default: the epsilon of the data type.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Normalization
 * @example
 * nn.functional.rmsNorm(tensor([[3, 4]]), [2]) // [[0.8485…, 1.1313…]]
 */
export function rmsNorm(
  input: Tensor,
  normalizedShape: readonly number[],
  weight?: Tensor | null | RmsNormOptions<Tensor> | undefined,
  eps?: number | RmsNormOptions<Tensor> | undefined,
): Tensor;
/**
 * x divided by its root mean square over the last dims, times weight.
 *
 * Zhang and Sennrich, 2019.
 *
 * PyTorch: `torch.nn.functional.rms_norm`, `torch.rms_norm`.
 *
 * @param input - The tensor.
 * @param named.normalizedShape - The last dims of the input, to normalize over.
 * @param named.weight - The scale, of that shape.
 * @param named.eps - Added to the mean of squares. Default: the epsilon of the data type.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Normalization
 * @example
 * nn.functional.rmsNorm(tensor([[3, 4]]), [2]) // [[0.8485…, 1.1313…]]
 */
export function rmsNorm(
  input: Tensor,
  named: { readonly normalizedShape: readonly number[] } & RmsNormOptions<Tensor>,
): Tensor;
export function rmsNorm(...args: readonly unknown[]): unknown {
  return call(normalizationRows.rmsNorm, undefined, args);
}

/**
 * Normalizes over each group of channels of [N, C, …], then scales and shifts each channel.
 *
 * Wu and He, 2018.
 *
 * PyTorch: `torch.nn.functional.group_norm`, `torch.group_norm`.
 *
 * @param input - The tensor.
 * @param numGroups - The number of groups; must divide C.
 * @param weight - The scale of each channel, [C].
 * @param bias - The shift of each channel, [C].
 * @param eps - Added to the variance. Default: 0.00001.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Normalization
 * @example
 * nn.functional.groupNorm(tensor([[[1], [3], [2], [6]]]), 2) // [[[-1], [1], [-1], [1]]]
 */
export function groupNorm(
  input: Tensor,
  numGroups: number,
  weight?: Tensor | null | GroupNormOptions<Tensor> | undefined,
  bias?: Tensor | null | GroupNormOptions<Tensor> | undefined,
  eps?: number | GroupNormOptions<Tensor> | undefined,
): Tensor;
/**
 * Normalizes over each group of channels of [N, C, …], then scales and shifts each channel.
 *
 * Wu and He, 2018.
 *
 * PyTorch: `torch.nn.functional.group_norm`, `torch.group_norm`.
 *
 * @param input - The tensor.
 * @param named.numGroups - The number of groups; must divide C.
 * @param named.weight - The scale of each channel, [C].
 * @param named.bias - The shift of each channel, [C].
 * @param named.eps - Added to the variance. Default: 0.00001.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Normalization
 * @example
 * nn.functional.groupNorm(tensor([[[1], [3], [2], [6]]]), 2) // [[[-1], [1], [-1], [1]]]
 */
export function groupNorm(input: Tensor, named: { readonly numGroups: number } & GroupNormOptions<Tensor>): Tensor;
export function groupNorm(...args: readonly unknown[]): unknown {
  return call(normalizationRows.groupNorm, undefined, args);
}

/**
 * weight · (x - mean) / √(variance + eps) + bias for each channel of [N, C, …].
 *
 * Uses the mean and variance of the batch during training, or if no running ones are given; otherwise the running
 * ones. Training updates the running ones with those of the batch; that variance is unbiased.
 *
 * PyTorch: `torch.nn.functional.batch_norm`.
 *
 * @param input - The tensor.
 * @param runningMean - The running mean of each channel, [C].
 * @param runningVar - The running variance of each channel, [C].
 * @param weight - The scale of each channel, [C].
 * @param bias - The shift of each channel, [C].
 * @param training - Whether to normalize by the batch and update the running statistics. Default: false.
 * @param momentum - The weight of the batch in the update of the running statistics. Default: 0.1.
 * @param eps - Added to the variance. Default: 0.00001.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Normalization
 * @example
 * const running = [tensor([2, 20]), tensor([1, 100])] as const;
 * nn.functional.batchNorm(tensor([[1, 10], [3, 30]]), ...running) // [[-1, -1], [1, 1]]
 */
export function batchNorm(
  input: Tensor,
  runningMean?: Tensor | null | BatchNormOptions<Tensor> | undefined,
  runningVar?: Tensor | null | BatchNormOptions<Tensor> | undefined,
  weight?: Tensor | null | BatchNormOptions<Tensor> | undefined,
  bias?: Tensor | null | BatchNormOptions<Tensor> | undefined,
  training?: boolean | BatchNormOptions<Tensor> | undefined,
  momentum?: Tensor | Scalar | null | BatchNormOptions<Tensor> | undefined,
  eps?: number | BatchNormOptions<Tensor> | undefined,
): Tensor;
export function batchNorm(...args: readonly unknown[]): unknown {
  return call(normalizationRows.batchNorm, undefined, args, Tensor.prototype);
}

/**
 * Normalizes over the spatial dims of each channel of each instance of [N, C, …].
 *
 * Running statistics, if given, are updated with the mean of those of the instances.
 *
 * PyTorch: `torch.nn.functional.instance_norm`.
 *
 * @param input - The tensor.
 * @param runningMean - The running mean of each channel, [C].
 * @param runningVar - The running variance of each channel, [C].
 * @param weight - The scale of each channel, [C].
 * @param bias - The shift of each channel, [C].
 * @param useInputStats - Whether to normalize by each instance, or by the running statistics. Default: true.
 * @param momentum - The weight of the batch in the update of the running statistics. Default: 0.1.
 * @param eps - Added to the variance. Default: 0.00001.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Normalization
 * @example
 * nn.functional.instanceNorm(tensor([[[1, 3], [2, 6]]])) // [[[-1, 1], [-1, 1]]]
 */
export function instanceNorm(
  input: Tensor,
  runningMean?: Tensor | null | InstanceNormOptions<Tensor> | undefined,
  runningVar?: Tensor | null | InstanceNormOptions<Tensor> | undefined,
  weight?: Tensor | null | InstanceNormOptions<Tensor> | undefined,
  bias?: Tensor | null | InstanceNormOptions<Tensor> | undefined,
  useInputStats?: boolean | InstanceNormOptions<Tensor> | undefined,
  momentum?: number | InstanceNormOptions<Tensor> | undefined,
  eps?: number | InstanceNormOptions<Tensor> | undefined,
): Tensor;
export function instanceNorm(...args: readonly unknown[]): unknown {
  return call(normalizationRows.instanceNorm, undefined, args, Tensor.prototype);
}

/**
 * x / max(‖x‖ₚ, eps) along a dim.
 *
 * PyTorch: `torch.nn.functional.normalize`.
 *
 * @param input - The tensor.
 * @param p - The order of the norm. Default: 2.
 * @param dim - The dim of the vectors. Default: 1.
 * @param eps - The smallest norm. Default: 1e-12.
 * @returns the shape of the input; the data type of the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Normalization
 * @example
 * nn.functional.normalize(tensor([[3, 4]])) // [[0.6, 0.8]]
 */
export function normalize(
  input: Tensor,
  p?: number | NormalizeOptions | undefined,
  dim?: number | NormalizeOptions | undefined,
  eps?: number | NormalizeOptions | undefined,
): Tensor;
export function normalize(...args: readonly unknown[]): unknown {
  return call(normalizationRows.normalize, undefined, args);
}

/**
 * The largest element of each window of sequences.
 *
 * Among equal elements, the first gets the gradient. With `returnIndices`, also the index of each largest element
 * among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.max_pool1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the size
 * of the windows.
 * @param padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param dilation - The spacing of the elements of a window: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param returnIndices - Whether the indices of the largest elements are returned too.
 * @returns [N, C, L]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.maxPool1d(tensor([[1, 5, 2, 4]]), 2) // [[5, 4]]
 */
export function maxPool1d(
  input: Tensor,
  kernelSize: number | readonly number[],
  stride?: number | readonly number[] | MaxPool1dOptions | undefined,
  padding?: number | readonly number[] | MaxPool1dOptions | undefined,
  dilation?: number | readonly number[] | MaxPool1dOptions | undefined,
  ceilMode?: boolean | MaxPool1dOptions | undefined,
  returnIndices?: false | MaxPool1dOptions | undefined,
): Tensor;
/**
 * The largest element of each window of sequences.
 *
 * Among equal elements, the first gets the gradient. With `returnIndices`, also the index of each largest element
 * among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.max_pool1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param named.kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param named.stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the
 * size of the windows.
 * @param named.padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param named.dilation - The spacing of the elements of a window: one number for all spatial dims, or one for
 * each. Default: 1.
 * @param named.ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param named.returnIndices - Whether the indices of the largest elements are returned too.
 * @returns [N, C, L]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.maxPool1d(tensor([[1, 5, 2, 4]]), 2) // [[5, 4]]
 */
export function maxPool1d(
  input: Tensor,
  named: { readonly kernelSize: number | readonly number[] } & MaxPool1dOptions,
): Tensor;
/**
 * The largest element of each window of sequences.
 *
 * Among equal elements, the first gets the gradient. With `returnIndices`, also the index of each largest element
 * among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.max_pool1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the size
 * of the windows.
 * @param padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param dilation - The spacing of the elements of a window: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, L]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.maxPool1d(tensor([[1, 5, 2, 4]]), 2) // [[5, 4]]
 */
export function maxPool1d(
  input: Tensor,
  kernelSize: number | readonly number[],
  stride: number | readonly number[] | null | undefined,
  padding: number | readonly number[] | null | undefined,
  dilation: number | readonly number[] | null | undefined,
  ceilMode: boolean | null | undefined,
  returnIndices: true,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The largest element of each window of sequences.
 *
 * Among equal elements, the first gets the gradient. With `returnIndices`, also the index of each largest element
 * among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.max_pool1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param named.kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param named.stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the
 * size of the windows.
 * @param named.padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param named.dilation - The spacing of the elements of a window: one number for all spatial dims, or one for
 * each. Default: 1.
 * @param named.ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param named.returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, L]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.maxPool1d(tensor([[1, 5, 2, 4]]), 2) // [[5, 4]]
 */
export function maxPool1d(
  input: Tensor,
  named: { readonly kernelSize: number | readonly number[]; readonly returnIndices: true } & MaxPool1dOptions2,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The largest element of each window of sequences.
 *
 * Among equal elements, the first gets the gradient. With `returnIndices`, also the index of each largest element
 * among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.max_pool1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param named.stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the
 * size of the windows.
 * @param named.padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param named.dilation - The spacing of the elements of a window: one number for all spatial dims, or one for
 * each. Default: 1.
 * @param named.ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param named.returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, L]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.maxPool1d(tensor([[1, 5, 2, 4]]), 2) // [[5, 4]]
 */
export function maxPool1d(
  input: Tensor,
  kernelSize: number | readonly number[],
  named: { readonly returnIndices: true } & MaxPool1dOptions2,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
export function maxPool1d(...args: readonly unknown[]): unknown {
  return call(poolingRows.maxPool1d, undefined, args);
}

/**
 * The largest element of each window of images.
 *
 * Among equal elements, the first gets the gradient. With `returnIndices`, also the index of each largest element
 * among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.max_pool2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the size
 * of the windows.
 * @param padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param dilation - The spacing of the elements of a window: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param returnIndices - Whether the indices of the largest elements are returned too.
 * @returns [N, C, H, W]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.maxPool2d(tensor([[[1, 2, 5, 6], [3, 4, 7, 8]]]), 2) // [[[4, 8]]]
 */
export function maxPool2d(
  input: Tensor,
  kernelSize: number | readonly number[],
  stride?: number | readonly number[] | MaxPool2dOptions | undefined,
  padding?: number | readonly number[] | MaxPool2dOptions | undefined,
  dilation?: number | readonly number[] | MaxPool2dOptions | undefined,
  ceilMode?: boolean | MaxPool2dOptions | undefined,
  returnIndices?: false | MaxPool2dOptions | undefined,
): Tensor;
/**
 * The largest element of each window of images.
 *
 * Among equal elements, the first gets the gradient. With `returnIndices`, also the index of each largest element
 * among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.max_pool2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param named.kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param named.stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the
 * size of the windows.
 * @param named.padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param named.dilation - The spacing of the elements of a window: one number for all spatial dims, or one for
 * each. Default: 1.
 * @param named.ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param named.returnIndices - Whether the indices of the largest elements are returned too.
 * @returns [N, C, H, W]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.maxPool2d(tensor([[[1, 2, 5, 6], [3, 4, 7, 8]]]), 2) // [[[4, 8]]]
 */
export function maxPool2d(
  input: Tensor,
  named: { readonly kernelSize: number | readonly number[] } & MaxPool2dOptions,
): Tensor;
/**
 * The largest element of each window of images.
 *
 * Among equal elements, the first gets the gradient. With `returnIndices`, also the index of each largest element
 * among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.max_pool2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the size
 * of the windows.
 * @param padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param dilation - The spacing of the elements of a window: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, H, W]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.maxPool2d(tensor([[[1, 2, 5, 6], [3, 4, 7, 8]]]), 2) // [[[4, 8]]]
 */
export function maxPool2d(
  input: Tensor,
  kernelSize: number | readonly number[],
  stride: number | readonly number[] | null | undefined,
  padding: number | readonly number[] | null | undefined,
  dilation: number | readonly number[] | null | undefined,
  ceilMode: boolean | null | undefined,
  returnIndices: true,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The largest element of each window of images.
 *
 * Among equal elements, the first gets the gradient. With `returnIndices`, also the index of each largest element
 * among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.max_pool2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param named.kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param named.stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the
 * size of the windows.
 * @param named.padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param named.dilation - The spacing of the elements of a window: one number for all spatial dims, or one for
 * each. Default: 1.
 * @param named.ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param named.returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, H, W]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.maxPool2d(tensor([[[1, 2, 5, 6], [3, 4, 7, 8]]]), 2) // [[[4, 8]]]
 */
export function maxPool2d(
  input: Tensor,
  named: { readonly kernelSize: number | readonly number[]; readonly returnIndices: true } & MaxPool2dOptions2,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The largest element of each window of images.
 *
 * Among equal elements, the first gets the gradient. With `returnIndices`, also the index of each largest element
 * among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.max_pool2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param named.stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the
 * size of the windows.
 * @param named.padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param named.dilation - The spacing of the elements of a window: one number for all spatial dims, or one for
 * each. Default: 1.
 * @param named.ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param named.returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, H, W]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.maxPool2d(tensor([[[1, 2, 5, 6], [3, 4, 7, 8]]]), 2) // [[[4, 8]]]
 */
export function maxPool2d(
  input: Tensor,
  kernelSize: number | readonly number[],
  named: { readonly returnIndices: true } & MaxPool2dOptions2,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
export function maxPool2d(...args: readonly unknown[]): unknown {
  return call(poolingRows.maxPool2d, undefined, args);
}

/**
 * The largest element of each window of volumes.
 *
 * Among equal elements, the first gets the gradient. With `returnIndices`, also the index of each largest element
 * among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.max_pool3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the size
 * of the windows.
 * @param padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param dilation - The spacing of the elements of a window: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param returnIndices - Whether the indices of the largest elements are returned too.
 * @returns [N, C, D, H, W]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.maxPool3d(randn(1, 4, 8, 8, 8), 3, { stride: 2, padding: 1 }).shape // [1, 4, 4, 4, 4]
 */
export function maxPool3d(
  input: Tensor,
  kernelSize: number | readonly number[],
  stride?: number | readonly number[] | MaxPool3dOptions | undefined,
  padding?: number | readonly number[] | MaxPool3dOptions | undefined,
  dilation?: number | readonly number[] | MaxPool3dOptions | undefined,
  ceilMode?: boolean | MaxPool3dOptions | undefined,
  returnIndices?: false | MaxPool3dOptions | undefined,
): Tensor;
/**
 * The largest element of each window of volumes.
 *
 * Among equal elements, the first gets the gradient. With `returnIndices`, also the index of each largest element
 * among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.max_pool3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param named.kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param named.stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the
 * size of the windows.
 * @param named.padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param named.dilation - The spacing of the elements of a window: one number for all spatial dims, or one for
 * each. Default: 1.
 * @param named.ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param named.returnIndices - Whether the indices of the largest elements are returned too.
 * @returns [N, C, D, H, W]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.maxPool3d(randn(1, 4, 8, 8, 8), 3, { stride: 2, padding: 1 }).shape // [1, 4, 4, 4, 4]
 */
export function maxPool3d(
  input: Tensor,
  named: { readonly kernelSize: number | readonly number[] } & MaxPool3dOptions,
): Tensor;
/**
 * The largest element of each window of volumes.
 *
 * Among equal elements, the first gets the gradient. With `returnIndices`, also the index of each largest element
 * among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.max_pool3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the size
 * of the windows.
 * @param padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param dilation - The spacing of the elements of a window: one number for all spatial dims, or one for each.
 * Default: 1.
 * @param ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, D, H, W]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.maxPool3d(randn(1, 4, 8, 8, 8), 3, { stride: 2, padding: 1 }).shape // [1, 4, 4, 4, 4]
 */
export function maxPool3d(
  input: Tensor,
  kernelSize: number | readonly number[],
  stride: number | readonly number[] | null | undefined,
  padding: number | readonly number[] | null | undefined,
  dilation: number | readonly number[] | null | undefined,
  ceilMode: boolean | null | undefined,
  returnIndices: true,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The largest element of each window of volumes.
 *
 * Among equal elements, the first gets the gradient. With `returnIndices`, also the index of each largest element
 * among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.max_pool3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param named.kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param named.stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the
 * size of the windows.
 * @param named.padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param named.dilation - The spacing of the elements of a window: one number for all spatial dims, or one for
 * each. Default: 1.
 * @param named.ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param named.returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, D, H, W]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.maxPool3d(randn(1, 4, 8, 8, 8), 3, { stride: 2, padding: 1 }).shape // [1, 4, 4, 4, 4]
 */
export function maxPool3d(
  input: Tensor,
  named: { readonly kernelSize: number | readonly number[]; readonly returnIndices: true } & MaxPool3dOptions2,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The largest element of each window of volumes.
 *
 * Among equal elements, the first gets the gradient. With `returnIndices`, also the index of each largest element
 * among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.max_pool3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param named.stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the
 * size of the windows.
 * @param named.padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param named.dilation - The spacing of the elements of a window: one number for all spatial dims, or one for
 * each. Default: 1.
 * @param named.ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param named.returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, D, H, W]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.maxPool3d(randn(1, 4, 8, 8, 8), 3, { stride: 2, padding: 1 }).shape // [1, 4, 4, 4, 4]
 */
export function maxPool3d(
  input: Tensor,
  kernelSize: number | readonly number[],
  named: { readonly returnIndices: true } & MaxPool3dOptions2,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
export function maxPool3d(...args: readonly unknown[]): unknown {
  return call(poolingRows.maxPool3d, undefined, args);
}

/**
 * The mean of each window of sequences.
 *
 * PyTorch: `torch.nn.functional.avg_pool1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the size
 * of the windows.
 * @param padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param countIncludePad - Whether the zeros of the padding count in the mean. Default: true.
 * @returns [N, C, L]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.avgPool1d(tensor([[1, 5, 2, 4]]), 2) // [[3, 3]]
 */
export function avgPool1d(
  input: Tensor,
  kernelSize: number | readonly number[],
  stride?: number | readonly number[] | AvgPool1dOptions | undefined,
  padding?: number | readonly number[] | AvgPool1dOptions | undefined,
  ceilMode?: boolean | AvgPool1dOptions | undefined,
  countIncludePad?: boolean | AvgPool1dOptions | undefined,
): Tensor;
/**
 * The mean of each window of sequences.
 *
 * PyTorch: `torch.nn.functional.avg_pool1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param named.kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param named.stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the
 * size of the windows.
 * @param named.padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param named.ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param named.countIncludePad - Whether the zeros of the padding count in the mean. Default: true.
 * @returns [N, C, L]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.avgPool1d(tensor([[1, 5, 2, 4]]), 2) // [[3, 3]]
 */
export function avgPool1d(
  input: Tensor,
  named: { readonly kernelSize: number | readonly number[] } & AvgPool1dOptions,
): Tensor;
export function avgPool1d(...args: readonly unknown[]): unknown {
  return call(poolingRows.avgPool1d, undefined, args);
}

/**
 * The mean of each window of images.
 *
 * PyTorch: `torch.nn.functional.avg_pool2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the size
 * of the windows.
 * @param padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param countIncludePad - Whether the zeros of the padding count in the mean. Default: true.
 * @param divisorOverride - The divisor of the sums, instead of the size of the window.
 * @returns [N, C, H, W]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.avgPool2d(tensor([[[1, 2, 5, 6], [3, 4, 7, 8]]]), 2) // [[[2.5, 6.5]]]
 */
export function avgPool2d(
  input: Tensor,
  kernelSize: number | readonly number[],
  stride?: number | readonly number[] | AvgPool2dOptions | undefined,
  padding?: number | readonly number[] | AvgPool2dOptions | undefined,
  ceilMode?: boolean | AvgPool2dOptions | undefined,
  countIncludePad?: boolean | AvgPool2dOptions | undefined,
  divisorOverride?: number | AvgPool2dOptions | undefined,
): Tensor;
/**
 * The mean of each window of images.
 *
 * PyTorch: `torch.nn.functional.avg_pool2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param named.kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param named.stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the
 * size of the windows.
 * @param named.padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param named.ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param named.countIncludePad - Whether the zeros of the padding count in the mean. Default: true.
 * @param named.divisorOverride - The divisor of the sums, instead of the size of the window.
 * @returns [N, C, H, W]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.avgPool2d(tensor([[[1, 2, 5, 6], [3, 4, 7, 8]]]), 2) // [[[2.5, 6.5]]]
 */
export function avgPool2d(
  input: Tensor,
  named: { readonly kernelSize: number | readonly number[] } & AvgPool2dOptions,
): Tensor;
export function avgPool2d(...args: readonly unknown[]): unknown {
  return call(poolingRows.avgPool2d, undefined, args);
}

/**
 * The mean of each window of volumes.
 *
 * PyTorch: `torch.nn.functional.avg_pool3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the size
 * of the windows.
 * @param padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param countIncludePad - Whether the zeros of the padding count in the mean. Default: true.
 * @param divisorOverride - The divisor of the sums, instead of the size of the window.
 * @returns [N, C, D, H, W]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.avgPool3d(randn(1, 4, 8, 8, 8), 2).shape // [1, 4, 4, 4, 4]
 */
export function avgPool3d(
  input: Tensor,
  kernelSize: number | readonly number[],
  stride?: number | readonly number[] | AvgPool3dOptions | undefined,
  padding?: number | readonly number[] | AvgPool3dOptions | undefined,
  ceilMode?: boolean | AvgPool3dOptions | undefined,
  countIncludePad?: boolean | AvgPool3dOptions | undefined,
  divisorOverride?: number | AvgPool3dOptions | undefined,
): Tensor;
/**
 * The mean of each window of volumes.
 *
 * PyTorch: `torch.nn.functional.avg_pool3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param named.kernelSize - The size of the windows: one number for all spatial dims, or one for each.
 * @param named.stride - The stride of the windows: one number for all spatial dims, or one for each. Default: the
 * size of the windows.
 * @param named.padding - The padding of each side: one number for all spatial dims, or one for each. Default: 0.
 * @param named.ceilMode - Whether the last window may extend beyond the edge. Default: false.
 * @param named.countIncludePad - Whether the zeros of the padding count in the mean. Default: true.
 * @param named.divisorOverride - The divisor of the sums, instead of the size of the window.
 * @returns [N, C, D, H, W]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Pooling
 * @example
 * nn.functional.avgPool3d(randn(1, 4, 8, 8, 8), 2).shape // [1, 4, 4, 4, 4]
 */
export function avgPool3d(
  input: Tensor,
  named: { readonly kernelSize: number | readonly number[] } & AvgPool3dOptions,
): Tensor;
export function avgPool3d(...args: readonly unknown[]): unknown {
  return call(poolingRows.avgPool3d, undefined, args);
}

/**
 * The mean of windows that cover sequences evenly.
 *
 * PyTorch: `torch.nn.functional.adaptive_avg_pool1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param outputSize - The number of windows.
 * @returns [N, C, …outputSize]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveAvgPool1d(tensor([[1, 5, 2, 4]]), 2) // [[3, 3]]
 */
export function adaptiveAvgPool1d(input: Tensor, outputSize: number | readonly (number | null | undefined)[]): Tensor;
/**
 * The mean of windows that cover sequences evenly.
 *
 * PyTorch: `torch.nn.functional.adaptive_avg_pool1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param named.outputSize - The number of windows.
 * @returns [N, C, …outputSize]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveAvgPool1d(tensor([[1, 5, 2, 4]]), 2) // [[3, 3]]
 */
export function adaptiveAvgPool1d(
  input: Tensor,
  named: { readonly outputSize: number | readonly (number | null | undefined)[] },
): Tensor;
export function adaptiveAvgPool1d(...args: readonly unknown[]): unknown {
  return call(poolingRows.adaptiveAvgPool1d, undefined, args);
}

/**
 * The mean of windows that cover images evenly.
 *
 * PyTorch: `torch.nn.functional.adaptive_avg_pool2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param outputSize - The number of windows.
 * @returns [N, C, …outputSize]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveAvgPool2d(tensor([[[1, 2], [3, 6]]]), 1) // [[[3]]]
 */
export function adaptiveAvgPool2d(input: Tensor, outputSize: number | readonly (number | null | undefined)[]): Tensor;
/**
 * The mean of windows that cover images evenly.
 *
 * PyTorch: `torch.nn.functional.adaptive_avg_pool2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param named.outputSize - The number of windows.
 * @returns [N, C, …outputSize]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveAvgPool2d(tensor([[[1, 2], [3, 6]]]), 1) // [[[3]]]
 */
export function adaptiveAvgPool2d(
  input: Tensor,
  named: { readonly outputSize: number | readonly (number | null | undefined)[] },
): Tensor;
export function adaptiveAvgPool2d(...args: readonly unknown[]): unknown {
  return call(poolingRows.adaptiveAvgPool2d, undefined, args);
}

/**
 * The mean of windows that cover volumes evenly.
 *
 * PyTorch: `torch.nn.functional.adaptive_avg_pool3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param outputSize - The number of windows.
 * @returns [N, C, …outputSize]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveAvgPool3d(randn(1, 4, 5, 7, 9), 2).shape // [1, 4, 2, 2, 2]
 */
export function adaptiveAvgPool3d(input: Tensor, outputSize: number | readonly (number | null | undefined)[]): Tensor;
/**
 * The mean of windows that cover volumes evenly.
 *
 * PyTorch: `torch.nn.functional.adaptive_avg_pool3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param named.outputSize - The number of windows.
 * @returns [N, C, …outputSize]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveAvgPool3d(randn(1, 4, 5, 7, 9), 2).shape // [1, 4, 2, 2, 2]
 */
export function adaptiveAvgPool3d(
  input: Tensor,
  named: { readonly outputSize: number | readonly (number | null | undefined)[] },
): Tensor;
export function adaptiveAvgPool3d(...args: readonly unknown[]): unknown {
  return call(poolingRows.adaptiveAvgPool3d, undefined, args);
}

/**
 * The largest element of windows that cover sequences evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.adaptive_max_pool1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param outputSize - The number of windows.
 * @param returnIndices - Whether the indices of the largest elements are returned too.
 * @returns [N, C, …outputSize]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveMaxPool1d(tensor([[1, 5, 2, 4]]), 2) // [[5, 4]]
 */
export function adaptiveMaxPool1d(
  input: Tensor,
  outputSize: number | readonly (number | null | undefined)[],
  returnIndices?: false | AdaptiveMaxPool1dOptions | undefined,
): Tensor;
/**
 * The largest element of windows that cover sequences evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.adaptive_max_pool1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param named.outputSize - The number of windows.
 * @param named.returnIndices - Whether the indices of the largest elements are returned too.
 * @returns [N, C, …outputSize]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveMaxPool1d(tensor([[1, 5, 2, 4]]), 2) // [[5, 4]]
 */
export function adaptiveMaxPool1d(
  input: Tensor,
  named: { readonly outputSize: number | readonly (number | null | undefined)[] } & AdaptiveMaxPool1dOptions,
): Tensor;
/**
 * The largest element of windows that cover sequences evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.adaptive_max_pool1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param outputSize - The number of windows.
 * @param returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, …outputSize]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveMaxPool1d(tensor([[1, 5, 2, 4]]), 2) // [[5, 4]]
 */
export function adaptiveMaxPool1d(
  input: Tensor,
  outputSize: number | readonly (number | null | undefined)[],
  returnIndices: true,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The largest element of windows that cover sequences evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.adaptive_max_pool1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param named.outputSize - The number of windows.
 * @param named.returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, …outputSize]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveMaxPool1d(tensor([[1, 5, 2, 4]]), 2) // [[5, 4]]
 */
export function adaptiveMaxPool1d(
  input: Tensor,
  named: { readonly outputSize: number | readonly (number | null | undefined)[]; readonly returnIndices: true },
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The largest element of windows that cover sequences evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.adaptive_max_pool1d`.
 *
 * @param input - [N, C, L], or [C, L].
 * @param outputSize - The number of windows.
 * @param named.returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, …outputSize]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveMaxPool1d(tensor([[1, 5, 2, 4]]), 2) // [[5, 4]]
 */
export function adaptiveMaxPool1d(
  input: Tensor,
  outputSize: number | readonly (number | null | undefined)[],
  named: { readonly returnIndices: true },
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
export function adaptiveMaxPool1d(...args: readonly unknown[]): unknown {
  return call(poolingRows.adaptiveMaxPool1d, undefined, args);
}

/**
 * The largest element of windows that cover images evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.adaptive_max_pool2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param outputSize - The number of windows.
 * @param returnIndices - Whether the indices of the largest elements are returned too.
 * @returns [N, C, …outputSize]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveMaxPool2d(tensor([[[1, 2], [3, 6]]]), 1) // [[[6]]]
 */
export function adaptiveMaxPool2d(
  input: Tensor,
  outputSize: number | readonly (number | null | undefined)[],
  returnIndices?: false | AdaptiveMaxPool2dOptions | undefined,
): Tensor;
/**
 * The largest element of windows that cover images evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.adaptive_max_pool2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param named.outputSize - The number of windows.
 * @param named.returnIndices - Whether the indices of the largest elements are returned too.
 * @returns [N, C, …outputSize]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveMaxPool2d(tensor([[[1, 2], [3, 6]]]), 1) // [[[6]]]
 */
export function adaptiveMaxPool2d(
  input: Tensor,
  named: { readonly outputSize: number | readonly (number | null | undefined)[] } & AdaptiveMaxPool2dOptions,
): Tensor;
/**
 * The largest element of windows that cover images evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.adaptive_max_pool2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param outputSize - The number of windows.
 * @param returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, …outputSize]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveMaxPool2d(tensor([[[1, 2], [3, 6]]]), 1) // [[[6]]]
 */
export function adaptiveMaxPool2d(
  input: Tensor,
  outputSize: number | readonly (number | null | undefined)[],
  returnIndices: true,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The largest element of windows that cover images evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.adaptive_max_pool2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param named.outputSize - The number of windows.
 * @param named.returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, …outputSize]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveMaxPool2d(tensor([[[1, 2], [3, 6]]]), 1) // [[[6]]]
 */
export function adaptiveMaxPool2d(
  input: Tensor,
  named: { readonly outputSize: number | readonly (number | null | undefined)[]; readonly returnIndices: true },
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The largest element of windows that cover images evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.adaptive_max_pool2d`.
 *
 * @param input - [N, C, H, W], or [C, H, W].
 * @param outputSize - The number of windows.
 * @param named.returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, …outputSize]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveMaxPool2d(tensor([[[1, 2], [3, 6]]]), 1) // [[[6]]]
 */
export function adaptiveMaxPool2d(
  input: Tensor,
  outputSize: number | readonly (number | null | undefined)[],
  named: { readonly returnIndices: true },
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
export function adaptiveMaxPool2d(...args: readonly unknown[]): unknown {
  return call(poolingRows.adaptiveMaxPool2d, undefined, args);
}

/**
 * The largest element of windows that cover volumes evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.adaptive_max_pool3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param outputSize - The number of windows.
 * @param returnIndices - Whether the indices of the largest elements are returned too.
 * @returns [N, C, …outputSize]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveMaxPool3d(randn(1, 4, 5, 7, 9), 2).shape // [1, 4, 2, 2, 2]
 */
export function adaptiveMaxPool3d(
  input: Tensor,
  outputSize: number | readonly (number | null | undefined)[],
  returnIndices?: false | AdaptiveMaxPool3dOptions | undefined,
): Tensor;
/**
 * The largest element of windows that cover volumes evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.adaptive_max_pool3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param named.outputSize - The number of windows.
 * @param named.returnIndices - Whether the indices of the largest elements are returned too.
 * @returns [N, C, …outputSize]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveMaxPool3d(randn(1, 4, 5, 7, 9), 2).shape // [1, 4, 2, 2, 2]
 */
export function adaptiveMaxPool3d(
  input: Tensor,
  named: { readonly outputSize: number | readonly (number | null | undefined)[] } & AdaptiveMaxPool3dOptions,
): Tensor;
/**
 * The largest element of windows that cover volumes evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.adaptive_max_pool3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param outputSize - The number of windows.
 * @param returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, …outputSize]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveMaxPool3d(randn(1, 4, 5, 7, 9), 2).shape // [1, 4, 2, 2, 2]
 */
export function adaptiveMaxPool3d(
  input: Tensor,
  outputSize: number | readonly (number | null | undefined)[],
  returnIndices: true,
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The largest element of windows that cover volumes evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.adaptive_max_pool3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param named.outputSize - The number of windows.
 * @param named.returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, …outputSize]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveMaxPool3d(randn(1, 4, 5, 7, 9), 2).shape // [1, 4, 2, 2, 2]
 */
export function adaptiveMaxPool3d(
  input: Tensor,
  named: { readonly outputSize: number | readonly (number | null | undefined)[]; readonly returnIndices: true },
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
/**
 * The largest element of windows that cover volumes evenly.
 *
 * With `returnIndices`, also the index of each largest element among the flattened spatial dims.
 *
 * PyTorch: `torch.nn.functional.adaptive_max_pool3d`.
 *
 * @param input - [N, C, D, H, W], or [C, D, H, W].
 * @param outputSize - The number of windows.
 * @param named.returnIndices - True: the indices of the largest elements are returned too.
 * @returns `values` and `indices`, by name or in this order: [N, C, …outputSize]
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Pooling
 * @example
 * nn.functional.adaptiveMaxPool3d(randn(1, 4, 5, 7, 9), 2).shape // [1, 4, 2, 2, 2]
 */
export function adaptiveMaxPool3d(
  input: Tensor,
  outputSize: number | readonly (number | null | undefined)[],
  named: { readonly returnIndices: true },
): readonly [values: Tensor, indices: Tensor] & {
  /** The first result. */
  readonly values: Tensor;
  /** The second result. */
  readonly indices: Tensor;
};
export function adaptiveMaxPool3d(...args: readonly unknown[]): unknown {
  return call(poolingRows.adaptiveMaxPool3d, undefined, args);
}

/**
 * Channels become pixels: each square of r² channels one of r × r pixels.
 *
 * PyTorch: `torch.nn.functional.pixel_shuffle`, `torch.pixel_shuffle`.
 *
 * @param input - The images.
 * @param upscaleFactor - R: how much larger height and width become.
 * @returns [.., C · r², H, W] → [.., C, H · r, W · r]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category Channels and pixels
 * @example
 * nn.functional.pixelShuffle(tensor([[[[1]], [[2]], [[3]], [[4]]]]), 2) // [[[[1, 2], [3, 4]]]]
 */
export function pixelShuffle(input: Tensor, upscaleFactor: number): Tensor;
/**
 * Channels become pixels: each square of r² channels one of r × r pixels.
 *
 * PyTorch: `torch.nn.functional.pixel_shuffle`, `torch.pixel_shuffle`.
 *
 * @param input - The images.
 * @param named.upscaleFactor - R: how much larger height and width become.
 * @returns [.., C · r², H, W] → [.., C, H · r, W · r]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category Channels and pixels
 * @example
 * nn.functional.pixelShuffle(tensor([[[[1]], [[2]], [[3]], [[4]]]]), 2) // [[[[1, 2], [3, 4]]]]
 */
export function pixelShuffle(input: Tensor, named: { readonly upscaleFactor: number }): Tensor;
export function pixelShuffle(...args: readonly unknown[]): unknown {
  return call(shuffleRows.pixelShuffle, undefined, args);
}

/**
 * The inverse of `pixelShuffle`: each square of r × r pixels becomes r² channels.
 *
 * PyTorch: `torch.nn.functional.pixel_unshuffle`, `torch.pixel_unshuffle`.
 *
 * @param input - The images.
 * @param downscaleFactor - R: how much smaller height and width become.
 * @returns [.., C, H · r, W · r] → [.., C · r², H, W]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category Channels and pixels
 * @example
 * nn.functional.pixelUnshuffle(tensor([[[[1, 2], [3, 4]]]]), 2).flatten() // [1, 2, 3, 4]
 */
export function pixelUnshuffle(input: Tensor, downscaleFactor: number): Tensor;
/**
 * The inverse of `pixelShuffle`: each square of r × r pixels becomes r² channels.
 *
 * PyTorch: `torch.nn.functional.pixel_unshuffle`, `torch.pixel_unshuffle`.
 *
 * @param input - The images.
 * @param named.downscaleFactor - R: how much smaller height and width become.
 * @returns [.., C, H · r, W · r] → [.., C · r², H, W]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category Channels and pixels
 * @example
 * nn.functional.pixelUnshuffle(tensor([[[[1, 2], [3, 4]]]]), 2).flatten() // [1, 2, 3, 4]
 */
export function pixelUnshuffle(input: Tensor, named: { readonly downscaleFactor: number }): Tensor;
export function pixelUnshuffle(...args: readonly unknown[]): unknown {
  return call(shuffleRows.pixelUnshuffle, undefined, args);
}

/**
 * The channels [groups, C / groups] as [C / groups, groups].
 *
 * PyTorch: `torch.nn.functional.channel_shuffle`, `torch.channel_shuffle`.
 *
 * @param input - The images.
 * @param groups - How many groups of channels there are.
 * @returns the shape of the input, [N, C, ..]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category Channels and pixels
 * @example
 * nn.functional.channelShuffle(tensor([[[[1]], [[2]], [[3]], [[4]]]]), 2).flatten() // [1, 3, 2, 4]
 */
export function channelShuffle(input: Tensor, groups: number): Tensor;
/**
 * The channels [groups, C / groups] as [C / groups, groups].
 *
 * PyTorch: `torch.nn.functional.channel_shuffle`, `torch.channel_shuffle`.
 *
 * @param input - The images.
 * @param named.groups - How many groups of channels there are.
 * @returns the shape of the input, [N, C, ..]; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category Channels and pixels
 * @example
 * nn.functional.channelShuffle(tensor([[[[1]], [[2]], [[3]], [[4]]]]), 2).flatten() // [1, 3, 2, 4]
 */
export function channelShuffle(input: Tensor, named: { readonly groups: number }): Tensor;
export function channelShuffle(...args: readonly unknown[]): unknown {
  return call(shuffleRows.channelShuffle, undefined, args);
}

/**
 * The squared difference: the mean squared error.
 *
 * With `weight`, the mean divides by the sum of the weights. Different shapes are broadcast, which is rarely
 * intended: a warning is printed once.
 *
 * Differs from PyTorch: The losses of integers are float32; PyTorch raises errors for most of them.
 *
 * PyTorch: `torch.nn.functional.mse_loss`.
 *
 * @param input - The output of the model.
 * @param target - The target, with the same shape.
 * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
 * @param options.weight - A weight for each element, with the same shape.
 * @returns a scalar; with `reduction` none, one loss per element; the promoted data type of the operands; float32
 * for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Losses of pairs of elements
 * @example
 * nn.functional.mseLoss(tensor([1, 2]), tensor([1, 4]), { reduction: 'sum' }) // 4
 */
export function mseLoss(input: Tensor, target: Tensor, options?: MseLossOptions<Tensor>): Tensor;
export function mseLoss(...args: readonly unknown[]): unknown {
  return call(lossRows.mseLoss, undefined, args);
}

/**
 * The absolute difference.
 *
 * With `weight`, the mean divides by the sum of the weights. Different shapes are broadcast, which is rarely
 * intended: a warning is printed once.
 *
 * Differs from PyTorch: The losses of integers are float32; PyTorch raises errors for most of them.
 *
 * PyTorch: `torch.nn.functional.l1_loss`.
 *
 * @param input - The output of the model.
 * @param target - The target, with the same shape.
 * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
 * @param options.weight - A weight for each element, with the same shape.
 * @returns a scalar; with `reduction` none, one loss per element; the promoted data type of the operands; float32
 * for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Losses of pairs of elements
 * @example
 * nn.functional.l1Loss(tensor([1, 2]), tensor([1, 4])) // 1
 */
export function l1Loss(input: Tensor, target: Tensor, options?: L1LossOptions<Tensor>): Tensor;
export function l1Loss(...args: readonly unknown[]): unknown {
  return call(lossRows.l1Loss, undefined, args);
}

/**
 * The squared difference / (2 · beta) below beta, and |difference| - beta / 2 above.
 *
 * Different shapes are broadcast, which is rarely intended: a warning is printed once.
 *
 * PyTorch: `torch.nn.functional.smooth_l1_loss`.
 *
 * @param input - The output of the model.
 * @param target - The target, with the same shape.
 * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
 * @param options.beta - The difference at which the loss changes from quadratic to linear; 0 gives `l1Loss`.
 * Default: 1.
 * @returns a scalar; with `reduction` none, one loss per element; the promoted data type of the operands; float32
 * for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Losses of pairs of elements
 * @example
 * nn.functional.smoothL1Loss(tensor([0]), tensor([3]), { beta: 2 }) // 2
 */
export function smoothL1Loss(input: Tensor, target: Tensor, options?: SmoothL1LossOptions): Tensor;
export function smoothL1Loss(...args: readonly unknown[]): unknown {
  return call(lossRows.smoothL1Loss, undefined, args);
}

/**
 * The squared difference / 2 below delta, and delta · (|difference| - delta / 2) above.
 *
 * Different shapes are broadcast, which is rarely intended: a warning is printed once.
 *
 * PyTorch: `torch.nn.functional.huber_loss`.
 *
 * @param input - The output of the model.
 * @param target - The target, with the same shape.
 * @param reduction - How the losses are reduced of the elements. Default: "mean".
 * @param delta - The difference at which the loss changes from quadratic to linear. Default: 1.
 * @param weight - A weight for each element, with the same shape.
 * @returns a scalar; with `reduction` none, one loss per element; the promoted data type of the operands; float32
 * for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Losses of pairs of elements
 * @example
 * nn.functional.huberLoss(tensor([0]), tensor([3]), { delta: 2 }) // 4
 */
export function huberLoss(
  input: Tensor,
  target: Tensor,
  reduction?: 'mean' | 'sum' | 'none' | HuberLossOptions<Tensor> | undefined,
  delta?: number | HuberLossOptions<Tensor> | undefined,
  weight?: Tensor | null | HuberLossOptions<Tensor> | undefined,
): Tensor;
export function huberLoss(...args: readonly unknown[]): unknown {
  return call(lossRows.huberLoss, undefined, args);
}

/**
 * Binary cross-entropy of probabilities, for targets in [0, 1]: -(y · log x + (1 - y) · log(1 - x)).
 *
 * Logarithms are clamped to at least -100. See `binaryCrossEntropyWithLogits` for a form that is accurate for
 * large inputs.
 *
 * Differs from PyTorch: Probabilities outside [0, 1] raise no error, because compiled programs cannot raise
 * errors. At 0 and 1 the gradient of a clamped logarithm is 0; in PyTorch it is 1e12.
 *
 * PyTorch: `torch.nn.functional.binary_cross_entropy`.
 *
 * @param input - The output of the model.
 * @param target - The target, with the same shape.
 * @param weight - A weight for each element; broadcasts.
 * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
 * @returns a scalar; with `reduction` none, one loss per element; the promoted data type of the operands; float32
 * for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category Losses of pairs of elements
 * @example
 * nn.functional.binaryCrossEntropy(tensor([0.5]), tensor([1])) // 0.6931…
 */
export function binaryCrossEntropy(
  input: Tensor,
  target: Tensor,
  weight?: Tensor | null | BinaryCrossEntropyOptions<Tensor> | undefined,
  options?: BinaryCrossEntropyOptions<Tensor>,
): Tensor;
export function binaryCrossEntropy(...args: readonly unknown[]): unknown {
  return call(lossRows.binaryCrossEntropy, undefined, args);
}

/**
 * Binary cross-entropy of logits, for targets in [0, 1]: max(x, 0) - x · y + log(1 + exp(-|x|)).
 *
 * The same as `binaryCrossEntropy` of `sigmoid(x)`, without overflow.
 *
 * PyTorch: `torch.nn.functional.binary_cross_entropy_with_logits`.
 *
 * @param input - The output of the model.
 * @param target - The target, with the same shape.
 * @param weight - A weight for each element; broadcasts.
 * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
 * @param options.posWeight - The weight of positive targets; broadcasts over the last dims.
 * @returns a scalar; with `reduction` none, one loss per element; the promoted data type of the operands; float32
 * for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @category Losses of pairs of elements
 * @example
 * nn.functional.binaryCrossEntropyWithLogits(tensor([0]), tensor([1])) // 0.6931…
 */
export function binaryCrossEntropyWithLogits(
  input: Tensor,
  target: Tensor,
  weight?: Tensor | null | BinaryCrossEntropyWithLogitsOptions<Tensor> | undefined,
  options?: BinaryCrossEntropyWithLogitsOptions<Tensor>,
): Tensor;
export function binaryCrossEntropyWithLogits(...args: readonly unknown[]): unknown {
  return call(lossRows.binaryCrossEntropyWithLogits, undefined, args);
}

/**
 * log(1 + exp(-y · x)), for targets 1 and -1.
 *
 * Different shapes are broadcast, which is rarely intended: a warning is printed once.
 *
 * PyTorch: `torch.nn.functional.soft_margin_loss`.
 *
 * @param input - The output of the model.
 * @param target - The target, with the same shape.
 * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
 * @returns a scalar; with `reduction` none, one loss per element; the promoted data type of the operands; float32
 * for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Losses of pairs of elements
 * @example
 * nn.functional.softMarginLoss(tensor([0]), tensor([1])) // 0.6931…
 */
export function softMarginLoss(input: Tensor, target: Tensor, options?: SoftMarginLossOptions): Tensor;
export function softMarginLoss(...args: readonly unknown[]): unknown {
  return call(lossRows.softMarginLoss, undefined, args);
}

/**
 * x for targets 1, max(0, margin - x) for targets -1.
 *
 * Different shapes are broadcast, which is rarely intended: a warning is printed once.
 *
 * PyTorch: `torch.nn.functional.hinge_embedding_loss`.
 *
 * @param input - The output of the model.
 * @param target - The target, with the same shape.
 * @param margin - The margin for targets -1. Default: 1.
 * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
 * @returns a scalar; with `reduction` none, one loss per element; the promoted data type of the operands; float32
 * for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Losses of pairs of elements
 * @example
 * nn.functional.hingeEmbeddingLoss(tensor([0.25]), tensor([-1])) // 0.75
 */
export function hingeEmbeddingLoss(
  input: Tensor,
  target: Tensor,
  margin?: number | HingeEmbeddingLossOptions | undefined,
  options?: HingeEmbeddingLossOptions,
): Tensor;
export function hingeEmbeddingLoss(...args: readonly unknown[]): unknown {
  return call(lossRows.hingeEmbeddingLoss, undefined, args);
}

/**
 * target · (log target - input), for an input of log-probabilities.
 *
 * The Kullback-Leibler divergence with `reduction` batchmean. Different shapes are broadcast, which is rarely
 * intended: a warning is printed once.
 *
 * PyTorch: `torch.nn.functional.kl_div`.
 *
 * @param input - The output of the model.
 * @param target - The target, with the same shape.
 * @param options.reduction - How the losses are reduced of the elements; `batchmean` divides their sum by the
 * first dim. Default: "mean".
 * @param options.logTarget - Whether the target is given as a logarithm. Default: false.
 * @returns a scalar; with `reduction` none, one loss per element; the promoted data type of the operands; float32
 * for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Losses of pairs of elements
 * @example
 * const logProbabilities = tensor([[0.5, 0.5]]).log(), target = tensor([[0.25, 0.75]]);
 * nn.functional.klDiv(logProbabilities, target, { reduction: 'batchmean' }) // 0.1308…
 */
export function klDiv(input: Tensor, target: Tensor, options?: KlDivOptions): Tensor;
export function klDiv(...args: readonly unknown[]): unknown {
  return call(lossRows.klDiv, undefined, args);
}

/**
 * The negative log-likelihood of counts under Poisson distributions.
 *
 * Different shapes are broadcast, which is rarely intended: a warning is printed once.
 *
 * PyTorch: `torch.nn.functional.poisson_nll_loss`.
 *
 * @param input - The output of the model.
 * @param target - The target, with the same shape.
 * @param logInput - Whether the input is the logarithm of the rate. Default: true.
 * @param full - Whether to add Stirling’s approximation of the constant term. Default: false.
 * @param options.eps - Added to the rate before its logarithm is taken. Default: 1e-8.
 * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
 * @returns a scalar; with `reduction` none, one loss per element; the promoted data type of the operands; float32
 * for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Losses of pairs of elements
 * @example
 * nn.functional.poissonNllLoss(tensor([0]), tensor([2])) // 1
 */
export function poissonNllLoss(
  input: Tensor,
  target: Tensor,
  logInput?: boolean | PoissonNllLossOptions | undefined,
  full?: boolean | PoissonNllLossOptions | undefined,
  options?: PoissonNllLossOptions,
): Tensor;
export function poissonNllLoss(...args: readonly unknown[]): unknown {
  return call(lossRows.poissonNllLoss, undefined, args);
}

/**
 * The negative log-likelihood of a target under normal distributions.
 *
 * Differs from PyTorch: Negative variances raise no error, because compiled programs cannot raise errors: they
 * count as `eps`.
 *
 * PyTorch: `torch.nn.functional.gaussian_nll_loss`.
 *
 * @param input - The output of the model.
 * @param target - The target, with the same shape.
 * @param variance - The variance: for each element, for each row, or a number for all.
 * @param full - Whether to add the constant term. Default: false.
 * @param eps - The smallest variance. Default: 0.000001.
 * @param reduction - How the losses are reduced of the elements. Default: "mean".
 * @returns a scalar; with `reduction` none, one loss per element; the promoted data type of the operands; float32
 * for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Losses of pairs of elements
 * @example
 * nn.functional.gaussianNllLoss(tensor([0]), tensor([2]), tensor([1])) // 2
 */
export function gaussianNllLoss(
  input: Tensor,
  target: Tensor,
  variance: Tensor | Scalar,
  full?: boolean | GaussianNllLossOptions | undefined,
  eps?: number | GaussianNllLossOptions | undefined,
  reduction?: 'mean' | 'sum' | 'none' | GaussianNllLossOptions | undefined,
): Tensor;
export function gaussianNllLoss(...args: readonly unknown[]): unknown {
  return call(lossRows.gaussianNllLoss, undefined, args);
}

/**
 * The negative log-probability of the target: classes, or probabilities with the shape of the logits.
 *
 * The mean is weighted, over the targets that are not ignored. Classes may be floats with integer values. A class
 * that is out of range raises an error when a value is read.
 *
 * PyTorch: `torch.nn.functional.cross_entropy`.
 *
 * @param input - Logits [N, C], [N, C, …] or [C].
 * @param target - Classes [N], [N, …] or without dims, or probabilities.
 * @param weight - A weight for each class, [C].
 * @param options.ignoreIndex - Targets of this class are ignored. Default: -100.
 * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
 * @param options.labelSmoothing - The share of the target probability that is spread over all classes. Default: 0.
 * @returns a scalar; with `reduction` none, one loss per element; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {INDEX_OUT_OF_RANGE}
 * @throws {BAD_DTYPE}
 * @category Losses of classes, margins and alignments
 * @example
 * nn.functional.crossEntropy(tensor([[0, 0]]), tensor([1])) // 0.6931…
 */
export function crossEntropy(
  input: Tensor,
  target: Tensor,
  weight?: Tensor | null | CrossEntropyOptions<Tensor> | undefined,
  options?: CrossEntropyOptions<Tensor>,
): Tensor;
export function crossEntropy(...args: readonly unknown[]): unknown {
  return call(classLossRows.crossEntropy, undefined, args);
}

/**
 * The negative log-probabilities at the target classes.
 *
 * The mean is weighted, over the targets that are not ignored. Classes may be floats with integer values. A class
 * that is out of range raises an error when a value is read.
 *
 * PyTorch: `torch.nn.functional.nll_loss`.
 *
 * @param input - Log-probabilities [N, C], [N, C, …] or [C].
 * @param target - Classes [N], [N, …] or without dims.
 * @param weight - A weight for each class, [C].
 * @param options.ignoreIndex - Targets of this class are ignored. Default: -100.
 * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
 * @returns a scalar; with `reduction` none, one loss per element; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {INDEX_OUT_OF_RANGE}
 * @throws {BAD_DTYPE}
 * @category Losses of classes, margins and alignments
 * @example
 * nn.functional.nllLoss(tensor([[-1, -2]]), tensor([1])) // 2
 */
export function nllLoss(
  input: Tensor,
  target: Tensor,
  weight?: Tensor | null | NllLossOptions<Tensor> | undefined,
  options?: NllLossOptions<Tensor>,
): Tensor;
export function nllLoss(...args: readonly unknown[]): unknown {
  return call(classLossRows.nllLoss, undefined, args);
}

/**
 * The cosine similarity of vectors along a dim: x · y / (max(‖x‖, eps) · max(‖y‖, eps)).
 *
 * PyTorch: `torch.nn.functional.cosine_similarity`, `torch.cosine_similarity`.
 *
 * @param x1 - Vectors.
 * @param x2 - Vectors.
 * @param dim - The dim of the vectors. Default: 1.
 * @param eps - The smallest norm. Default: 1e-8.
 * @returns the broadcast shape of the inputs, without the dim; the promoted data type of the operands; float32 for
 * integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @category Losses of classes, margins and alignments
 * @example
 * nn.functional.cosineSimilarity(tensor([[1, 0]]), tensor([[1, 1]])) // [0.7071…]
 */
export function cosineSimilarity(
  x1: Tensor,
  x2: Tensor,
  dim?: number | CosineSimilarityOptions | undefined,
  eps?: number | CosineSimilarityOptions | undefined,
): Tensor;
export function cosineSimilarity(...args: readonly unknown[]): unknown {
  return call(classLossRows.cosineSimilarity, undefined, args);
}

/**
 * ‖x - y + eps‖ₚ over the last dim.
 *
 * PyTorch: `torch.nn.functional.pairwise_distance`, `torch.pairwise_distance`.
 *
 * @param x1 - Vectors.
 * @param x2 - Vectors.
 * @param p - The order of the norm. Default: 2.
 * @param eps - Added to the differences. Default: 0.000001.
 * @param keepDim - Keeps the last dim, with size 1. Default: false.
 * @returns the broadcast shape of the inputs, without the last dim; the promoted data type of the operands;
 * float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Losses of classes, margins and alignments
 * @example
 * nn.functional.pairwiseDistance(tensor([[3, 4]]), tensor([[0, 0]])) // [5]
 */
export function pairwiseDistance(
  x1: Tensor,
  x2: Tensor,
  p?: number | PairwiseDistanceOptions | undefined,
  eps?: number | PairwiseDistanceOptions | undefined,
  keepDim?: boolean | PairwiseDistanceOptions | undefined,
): Tensor;
export function pairwiseDistance(...args: readonly unknown[]): unknown {
  return call(classLossRows.pairwiseDistance, undefined, args);
}

/**
 * max(0, -y · (x1 - x2) + margin): y is 1 where x1 should be ranked higher, -1 where x2.
 *
 * PyTorch: `torch.nn.functional.margin_ranking_loss`.
 *
 * @param input1 - Scores.
 * @param input2 - Scores.
 * @param target - 1 or -1 for each pair.
 * @param margin - The margin between the scores. Default: 0.
 * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
 * @returns a scalar; with `reduction` none, one loss per element; the promoted data type of the operands; float32
 * for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Losses of classes, margins and alignments
 * @example
 * nn.functional.marginRankingLoss(tensor([1]), tensor([3]), tensor([1])) // 2
 */
export function marginRankingLoss(
  input1: Tensor,
  input2: Tensor,
  target: Tensor,
  margin?: number | MarginRankingLossOptions | undefined,
  options?: MarginRankingLossOptions,
): Tensor;
export function marginRankingLoss(...args: readonly unknown[]): unknown {
  return call(classLossRows.marginRankingLoss, undefined, args);
}

/**
 * 1 - cos(x1, x2) for targets 1, max(0, cos(x1, x2) - margin) for targets -1.
 *
 * PyTorch: `torch.nn.functional.cosine_embedding_loss`.
 *
 * @param input1 - Vectors [N, D] or [D].
 * @param input2 - Vectors [N, D] or [D].
 * @param target - 1 or -1 for each pair: [N], or no dims.
 * @param margin - For targets -1, cosines below this give no loss. Default: 0.
 * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
 * @returns a scalar; with `reduction` none, one loss per element; the promoted data type of the operands; float32
 * for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Losses of classes, margins and alignments
 * @example
 * nn.functional.cosineEmbeddingLoss(tensor([[1, 0]]), tensor([[0, 1]]), tensor([1])) // 1
 */
export function cosineEmbeddingLoss(
  input1: Tensor,
  input2: Tensor,
  target: Tensor,
  margin?: number | CosineEmbeddingLossOptions | undefined,
  options?: CosineEmbeddingLossOptions,
): Tensor;
export function cosineEmbeddingLoss(...args: readonly unknown[]): unknown {
  return call(classLossRows.cosineEmbeddingLoss, undefined, args);
}

/**
 * max(0, d(anchor, positive) - d(anchor, negative) + margin), where d is the distance of order p.
 *
 * PyTorch: `torch.nn.functional.triplet_margin_loss`.
 *
 * @param anchor - The vectors that distances are measured from, [N, D] or [D].
 * @param positive - Vectors that should be close to the anchor.
 * @param negative - Vectors that should be farther from the anchor, by the margin.
 * @param margin - The margin: how much farther the negative should be. Default: 1.
 * @param p - The order of the norm. Default: 2.
 * @param eps - Added to the differences. Default: 0.000001.
 * @param swap - Uses the distance between positive and negative where it is smaller (Balntas et al., 2016).
 * Default: false.
 * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
 * @returns a scalar; with `reduction` none, one loss per element; the promoted data type of the operands; float32
 * for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Losses of classes, margins and alignments
 * @example
 * nn.functional.tripletMarginLoss(tensor([[0]]), tensor([[2]]), tensor([[1]])) // 2
 */
export function tripletMarginLoss(
  anchor: Tensor,
  positive: Tensor,
  negative: Tensor,
  margin?: number | TripletMarginLossOptions | undefined,
  p?: number | TripletMarginLossOptions | undefined,
  eps?: number | TripletMarginLossOptions | undefined,
  swap?: boolean | TripletMarginLossOptions | undefined,
  options?: TripletMarginLossOptions,
): Tensor;
export function tripletMarginLoss(...args: readonly unknown[]): unknown {
  return call(classLossRows.tripletMarginLoss, undefined, args);
}

/**
 * `tripletMarginLoss` with any distance function.
 *
 * PyTorch: `torch.nn.functional.triplet_margin_with_distance_loss`.
 *
 * @param anchor - The vectors that distances are measured from, [N, D] or [D].
 * @param positive - Vectors that should be close to the anchor.
 * @param negative - Vectors that should be farther from the anchor, by the margin.
 * @param options.distanceFunction - The distance between two tensors [N, D], as [N]. Default: `pairwiseDistance`.
 * @param options.margin - The margin: how much farther the negative should be. Default: 1.
 * @param options.swap - Uses the distance between positive and negative where it is smaller (Balntas et al.,
 * 2016). Default: false.
 * @param options.reduction - How the losses are reduced. Default: "mean".
 * @returns a scalar; with `reduction` none, one loss per element; the promoted data type of the operands; float32
 * for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {WRONG_ARGUMENT}
 * @category Losses of classes, margins and alignments
 * @example
 * const a = tensor([[0, 0]]), p = tensor([[0, 1]]), n = tensor([[0, 3]]);
 * const distanceFunction = (x: Tensor, y: Tensor) => x.sub(y).abs().amax(-1);
 * nn.functional.tripletMarginWithDistanceLoss(a, p, n, { distanceFunction, margin: 4 }) // 2
 */
export function tripletMarginWithDistanceLoss(
  anchor: Tensor,
  positive: Tensor,
  negative: Tensor,
  options?: TripletMarginWithDistanceLossOptions<Tensor>,
): Tensor;
export function tripletMarginWithDistanceLoss(...args: readonly unknown[]): unknown {
  return call(classLossRows.tripletMarginWithDistanceLoss, undefined, args, Tensor.prototype);
}

/**
 * Σ over other classes of max(0, margin - x[y] + x[i])ᵖ / C.
 *
 * PyTorch: `torch.nn.functional.multi_margin_loss`.
 *
 * @param input - Scores [N, C] or [C].
 * @param target - Classes [N], or without dims.
 * @param p - 1 or 2. Default: 1.
 * @param margin - The margin by which the target should score higher. Default: 1.
 * @param weight - A weight for each class, [C].
 * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
 * @returns a scalar; with `reduction` none, one loss per element; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {INDEX_OUT_OF_RANGE}
 * @throws {WRONG_ARGUMENT}
 * @category Losses of classes, margins and alignments
 * @example
 * nn.functional.multiMarginLoss(tensor([[1, 0]]), tensor([0])) // 0
 */
export function multiMarginLoss(
  input: Tensor,
  target: Tensor,
  p?: number | MultiMarginLossOptions<Tensor> | undefined,
  margin?: number | MultiMarginLossOptions<Tensor> | undefined,
  weight?: Tensor | null | MultiMarginLossOptions<Tensor> | undefined,
  options?: MultiMarginLossOptions<Tensor>,
): Tensor;
export function multiMarginLoss(...args: readonly unknown[]): unknown {
  return call(classLossRows.multiMarginLoss, undefined, args);
}

/**
 * Multi-label hinge loss: each row of the target lists classes, up to the first -1.
 *
 * PyTorch: `torch.nn.functional.multilabel_margin_loss`.
 *
 * @param input - Scores [N, C] or [C].
 * @param target - Classes, with the same shape.
 * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
 * @returns a scalar; with `reduction` none, one loss per element; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {INDEX_OUT_OF_RANGE}
 * @category Losses of classes, margins and alignments
 * @example
 * nn.functional.multilabelMarginLoss(tensor([[1, 0, 0]]), tensor([[0, -1, -1]])) // 0
 */
export function multilabelMarginLoss(input: Tensor, target: Tensor, options?: MultilabelMarginLossOptions): Tensor;
export function multilabelMarginLoss(...args: readonly unknown[]): unknown {
  return call(classLossRows.multilabelMarginLoss, undefined, args);
}

/**
 * The mean over classes of the binary cross-entropy of logits, for targets 0 and 1.
 *
 * PyTorch: `torch.nn.functional.multilabel_soft_margin_loss`.
 *
 * @param input - Logits [N, C].
 * @param target - 0 or 1, with the same shape.
 * @param weight - A weight for each class; broadcasts.
 * @param options.reduction - How the losses are reduced of the elements. Default: "mean".
 * @returns a scalar; with `reduction` none, one loss per element; the promoted data type of the operands; float32
 * for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @category Losses of classes, margins and alignments
 * @example
 * nn.functional.multilabelSoftMarginLoss(tensor([[0, 0]]), tensor([[1, 0]])) // 0.6931…
 */
export function multilabelSoftMarginLoss(
  input: Tensor,
  target: Tensor,
  weight?: Tensor | null | MultilabelSoftMarginLossOptions<Tensor> | undefined,
  options?: MultilabelSoftMarginLossOptions<Tensor>,
): Tensor;
export function multilabelSoftMarginLoss(...args: readonly unknown[]): unknown {
  return call(classLossRows.multilabelSoftMarginLoss, undefined, args);
}

/**
 * Connectionist temporal classification (Graves et al., 2006); the recursion over time is unrolled.
 *
 * Differs from PyTorch: The gradient is that of the formula. PyTorch’s is with respect to logits, and so correct
 * only after `logSoftmax`, where both are equal.
 *
 * PyTorch: `torch.nn.functional.ctc_loss`.
 *
 * @param logProbs - Log-probabilities [T, N, C], or [T, C].
 * @param targets - Labels [N, S], padded, or all in one row.
 * @param inputLengths - The number of valid steps of each sequence.
 * @param targetLengths - The number of labels of each sequence.
 * @param blank - The class of the blank label. Default: 0.
 * @param reduction - How the losses are reduced; the mean first divides each by its number of labels. Default:
 * "mean".
 * @param zeroInfinity - Infinite losses, which occur for targets that are too long, count as zero. Default: false.
 * @returns a scalar; with `reduction` none, one loss per element; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {WRONG_ARGUMENT}
 * @throws {INDEX_OUT_OF_RANGE}
 * @category Losses of classes, margins and alignments
 * @example
 * const logProbabilities = zeros(4, 1, 3).logSoftmax(2);
 * nn.functional.ctcLoss(logProbabilities, tensor([[1, 2]], { dtype: 'int64' }), [4], [2], { reduction: 'sum' }) // 1.6864
 */
export function ctcLoss(
  logProbs: Tensor,
  targets: Tensor,
  inputLengths: readonly number[] | Tensor,
  targetLengths: readonly number[] | Tensor,
  blank?: number | CtcLossOptions | undefined,
  reduction?: 'mean' | 'sum' | 'none' | CtcLossOptions | undefined,
  zeroInfinity?: boolean | CtcLossOptions | undefined,
): Tensor;
export function ctcLoss(...args: readonly unknown[]): unknown {
  return call(classLossRows.ctcLoss, undefined, args);
}
