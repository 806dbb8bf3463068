// Convolutions over one, two or three spatial dims, and their transposes: x [N, C, …] or, without a batch,
// [C, …]. Products are rounded like those of a matrix multiply of the type, and summed in f32.
import type { ConvolutionDimensionNumbers } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { wrongArgument, wrongText } from '../check-arguments.ts';
import { productType, widen } from './narrow.ts';
import { mismatch } from './shapes.ts';
import { type Size, sizesOf } from './sizes.ts';

/** The settings of a convolution, as given. */
interface Conv {
  readonly stride: Size;
  /** Zeros on each side; 'same' for an output of the size of the input (with stride 1), 'valid' for none. */
  readonly padding: Size | 'same' | 'valid';
  readonly dilation: Size;
  readonly groups: number;
}
/** Those of a transposed one: `padding` removes that much from each side of the output, `outputPadding` is added to one side. */
interface ConvTranspose extends Conv {
  readonly padding: Size;
  readonly outputPadding: Size;
}

/** The dims of [N, C, …] with a weight [O, I, …], or (for a transpose) [I, O, …]. */
function dimensionNumbers(spatial: number, transposed = false): ConvolutionDimensionNumbers {
  const dims = Array.from({ length: spatial }, (_, i) => i + 2);
  return {
    inputBatchDimension: 0,
    inputFeatureDimension: 1,
    inputSpatialDimensions: dims,
    kernelOutputFeatureDimension: transposed ? 1 : 0,
    kernelInputFeatureDimension: transposed ? 0 : 1,
    kernelSpatialDimensions: dims,
    outputBatchDimension: 0,
    outputFeatureDimension: 1,
    outputSpatialDimensions: dims,
  };
}

/** [low, high] zeros around each spatial dim. */
export function convPadding(
  call: string,
  padding: Size | 'same' | 'valid',
  kernel: readonly number[],
  stride: readonly number[],
  dilation: readonly number[],
): [number, number][] {
  if (padding === 'valid') return kernel.map(() => [0, 0]);
  if (padding !== 'same') return sizesOf(call, 'padding', padding, kernel.length, 0).map(p => [p, p]);
  if (stride.some(s => s !== 1))
    throw wrongText(
      { call, argument: 'stride' },
      `[${stride}]`,
      "1 where padding is 'same'",
      'give the padding as a number',
    );
  return kernel.map((k, i) => {
    const total = dilation[i]! * (k - 1);
    return [Math.floor(total / 2), total - Math.floor(total / 2)];
  });
}

/** The arguments of any convolution, checked against the input. */
interface Checked {
  /** The input had no batch dim: it gets one, which is removed from the result. */
  readonly isSingle: boolean;
  readonly spatial: readonly number[];
}
function checkInput(
  b: Builder,
  call: string,
  n: number,
  x: readonly number[],
  weight: readonly number[],
  groups: number,
  transposed: boolean,
): Checked {
  const inputs = transposed ? weight[0] : weight[1]! * groups;
  const outputs = transposed ? groups : weight[0]!;
  const isSingle = x.length === n + 1;
  const channels = x[isSingle ? 0 : 1];
  const letters = ['L', 'H, W', 'D, H, W'][n - 1];
  if ((x.length !== n + 2 && !isSingle) || weight.length !== n + 2)
    throw mismatch(b, call, x, weight, `the input must be [N, C, ${letters}] or [C, ${letters}]`);
  if (!Number.isInteger(groups) || groups < 1 || channels! % groups !== 0 || outputs % groups !== 0)
    throw mismatch(b, call, x, weight, `${groups} groups must divide the channels of the input and of the output`);
  if (channels !== inputs)
    throw mismatch(b, call, x, weight, `the input has ${channels} channels, the weight expects ${inputs}`);
  return { isSingle, spatial: x.slice(isSingle ? 1 : 2) };
}

/** x [N, C, …] with weight [O, C / groups, …kernel] and bias [O] → [N, O, …], over n spatial dims. */
export function convolve(b: Builder, n: number, x: Value, w: Value, bias: Value | undefined, given: Conv): Value {
  const call = `conv${n}d`;
  const stride = sizesOf(call, 'stride', given.stride, n);
  const dilation = sizesOf(call, 'dilation', given.dilation, n);
  const [shape, weight] = [shapeOf(x), shapeOf(w)];
  const { isSingle, spatial } = checkInput(b, call, n, shape, weight, given.groups, false);
  const kernel = weight.slice(2);
  const padding = convPadding(call, given.padding, kernel, stride, dilation);
  const reach = kernel.map((k, i) => dilation[i]! * (k - 1) + 1);
  if (reach.some((r, i) => r > spatial[i]! + padding[i]![0] + padding[i]![1]))
    throw mismatch(b, call, shape, weight, `the kernel covers [${reach}], more than the padded input`);
  return run(b, x, w, bias, isSingle, {
    windowStrides: stride,
    padding,
    lhsDilation: stride.map(() => 1),
    rhsDilation: dilation,
    windowReversal: stride.map(() => false),
    dimensionNumbers: dimensionNumbers(n),
    featureGroupCount: given.groups,
  });
}

type Window = Parameters<Builder['emit1']>[2] & object;
function run(b: Builder, v: Value, w: Value, bias: Value | undefined, isSingle: boolean, window: Window): Value {
  const type = productType(v, w);
  const read = (x: Value): Value => widen(b, b.convert(x, type));
  const x = isSingle ? b.reshape(v, [1, ...shapeOf(v)]) : v;
  const y = b.emit1('convolution', [read(x), read(w)], {
    ...(window as Omit<Parameters<typeof b.emit1<'convolution'>>[2], 'batchGroupCount' | 'precision'>),
    batchGroupCount: 1,
    precision: ['DEFAULT', 'DEFAULT'],
  });
  const sum = bias === undefined ? y : b.add(y, b.broadcastInDim(widen(b, bias), [1], shapeOf(y)));
  const result = b.convert(sum, type);
  return isSingle ? b.reshape(result, shapeOf(result).slice(1)) : result;
}

/** The transpose of `convolve`, its gradient with respect to x: weight [I, O / groups, …kernel]. */
export function convolveTransposed(
  b: Builder,
  n: number,
  x: Value,
  w: Value,
  bias: Value | undefined,
  { groups, ...given }: ConvTranspose,
): Value {
  const call = `convTranspose${n}d`;
  const stride = sizesOf(call, 'stride', given.stride, n);
  const dilation = sizesOf(call, 'dilation', given.dilation, n);
  const padding = sizesOf(call, 'padding', given.padding, n, 0);
  const outputPadding = sizesOf(call, 'outputPadding', given.outputPadding, n, 0);
  outputPadding.forEach((p, i) => {
    if (p >= stride[i]! && p >= dilation[i]!)
      throw wrongArgument({ call, argument: 'outputPadding' }, p, 'less than the stride or the dilation');
  });
  const { isSingle } = checkInput(b, call, n, shapeOf(x), shapeOf(w), groups, true);
  return run(b, x, byOutputs(b, w, groups), bias, isSingle, {
    windowStrides: stride.map(() => 1),
    // The kernel starts outside by its extent minus the padding.
    padding: shapeOf(w)
      .slice(2)
      .map((k, i) => {
        const edge = dilation[i]! * (k - 1) - padding[i]!;
        return [edge, edge + outputPadding[i]!];
      }),
    lhsDilation: stride,
    rhsDilation: dilation,
    windowReversal: stride.map(() => true),
    dimensionNumbers: dimensionNumbers(n, true),
    featureGroupCount: groups,
  });
}
/** [I, O / groups, …] with the groups in the input channels → [I / groups, O, …] with them in the output channels. */
function byOutputs(b: Builder, w: Value, groups: number): Value {
  if (groups === 1) return w;
  const [inputs, outputs, ...kernel] = shapeOf(w) as [number, number, ...number[]];
  const apart = b.reshape(w, [groups, inputs / groups, outputs, ...kernel]);
  const moved = b.transpose(apart, [1, 0, 2, ...kernel.map((_, i) => i + 3)]);
  return b.reshape(moved, [inputs / groups, groups * outputs, ...kernel]);
}
