// Convolutions over one, two or three spatial dims and their transposes, as functions of tensors: x [N, C, …] or, without a
// batch, [C, …]. Products are rounded as in a multiply of the type and summed in f32.
import type { ConvolutionDimensionNumbers } from '../hlo/attributes.ts';
import type { Builder } from '../hlo/builder.ts';
import { shapeOf, type Value } from '../hlo/program.ts';
import { lower, record, type Tensor, wrongArgument } from '../tensor/index.ts';
import { type Settings, settle, wrongText } from './settings.ts';
import { type Size, sizesOf } from './sizes.ts';

/** Options of `conv1d`, `conv2d` and `conv3d`. */
export interface ConvOptions {
  readonly stride?: Size;
  /** Zeros on each side; 'same' for an output as large as the input (with stride 1), 'valid' for none. */
  readonly padding?: Size | 'same' | 'valid';
  readonly dilation?: Size;
  readonly groups?: number;
}
/** Options of `convTranspose1d`, `convTranspose2d` and `convTranspose3d`. */
export interface ConvTransposeOptions {
  readonly stride?: Size;
  /** Takes that much off each side of the output. */
  readonly padding?: Size;
  /** Added to one side of the output. */
  readonly outputPadding?: Size;
  readonly groups?: number;
  readonly dilation?: Size;
}
const convOrder = ['stride', 'padding', 'dilation', 'groups'] as const;
const transposeOrder = ['stride', 'padding', 'outputPadding', 'groups', 'dilation'] as const;
/** The arguments of convolutions after the bias: in PyTorch's order, or by name. */
export type ConvRest = Settings<ConvOptions, typeof convOrder>;
/** The arguments of transposed convolutions after the bias: in PyTorch's order, or by name. */
export type TransposeRest = Settings<ConvTransposeOptions, typeof transposeOrder>;

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
  /** The input had no batch: it gets one, and the result loses it. */
  readonly isSingle: boolean;
  readonly spatial: readonly number[];
}
function checkInput(
  b: Builder,
  call: string,
  n: number,
  x: Tensor,
  weight: Tensor,
  groups: number,
  transposed: boolean,
): Checked {
  const inputs = transposed ? weight.shape[0] : weight.shape[1]! * groups;
  const outputs = transposed ? groups : weight.shape[0]!;
  const isSingle = x.ndim === n + 1;
  const channels = x.shape[isSingle ? 0 : 1];
  const letters = ['L', 'H, W', 'D, H, W'][n - 1];
  if ((x.ndim !== n + 2 && !isSingle) || weight.ndim !== n + 2)
    throw lower.mismatch(b, call, x.shape, weight.shape, `the input is [N, C, ${letters}] or [C, ${letters}]`);
  if (!Number.isInteger(groups) || groups < 1 || channels! % groups !== 0 || outputs % groups !== 0)
    throw lower.mismatch(
      b,
      call,
      x.shape,
      weight.shape,
      `${groups} groups must divide the channels of the input and of the output`,
    );
  if (channels !== inputs)
    throw lower.mismatch(
      b,
      call,
      x.shape,
      weight.shape,
      `the input has ${channels} channels, the weight takes ${inputs}`,
    );
  return { isSingle, spatial: x.shape.slice(isSingle ? 1 : 2) };
}

function convolve(n: number, x: Tensor, weight: Tensor, bias: Tensor | undefined, rest: readonly unknown[]): Tensor {
  const call = `conv${n}d`;
  const given = settle<ConvOptions>(call, convOrder, rest);
  const stride = sizesOf(call, 'stride', given.stride ?? 1, n);
  const dilation = sizesOf(call, 'dilation', given.dilation ?? 1, n);
  const groups = given.groups ?? 1;
  return record(call, bias === undefined ? [x, weight] : [x, weight, bias], (b, [v, w, c]) => {
    const { isSingle, spatial } = checkInput(b, call, n, x, weight, groups, false);
    const kernel = weight.shape.slice(2);
    const padding = convPadding(call, given.padding ?? 0, kernel, stride, dilation);
    const reach = kernel.map((k, i) => dilation[i]! * (k - 1) + 1);
    if (reach.some((r, i) => r > spatial[i]! + padding[i]![0] + padding[i]![1]))
      throw lower.mismatch(
        b,
        call,
        x.shape,
        weight.shape,
        `the kernel reaches over [${reach}], more than the padded input`,
      );
    return run(b, v!, w!, c, isSingle, {
      windowStrides: stride,
      padding,
      lhsDilation: stride.map(() => 1),
      rhsDilation: dilation,
      windowReversal: stride.map(() => false),
      dimensionNumbers: dimensionNumbers(n),
      featureGroupCount: groups,
    });
  });
}

type Window = Parameters<Builder['emit1']>[2] & object;
function run(b: Builder, v: Value, w: Value, bias: Value | undefined, isSingle: boolean, window: Window): Value {
  const type = lower.productType(v, w);
  const read = (x: Value): Value => lower.widen(b, b.convert(x, type));
  const x = isSingle ? b.reshape(v, [1, ...shapeOf(v)]) : v;
  const y = b.emit1('convolution', [read(x), read(w)], {
    ...(window as Omit<Parameters<typeof b.emit1<'convolution'>>[2], 'batchGroupCount' | 'precision'>),
    batchGroupCount: 1,
    precision: ['DEFAULT', 'DEFAULT'],
  });
  const sum = bias === undefined ? y : b.add(y, b.broadcastInDim(lower.widen(b, bias), [1], shapeOf(y)));
  const result = b.convert(sum, type);
  return isSingle ? b.reshape(result, shapeOf(result).slice(1)) : result;
}

/**
 * Convolution over sequences: x [N, C, L] with weight [O, C / groups, k] and bias [O] → [N, O, L'].
 * @throws {SHAPE_MISMATCH} where the channels differ, or the kernel is larger than the padded input
 * @throws {UNKNOWN_ARGUMENT}
 */
export const conv1d = (x: Tensor, weight: Tensor, bias?: Tensor, ...rest: ConvRest): Tensor =>
  convolve(1, x, weight, bias, rest);
/** Convolution over images: x [N, C, H, W] with weight [O, C / groups, kh, kw] and bias [O] → [N, O, H', W']. Errors as `conv1d`. */
export const conv2d = (x: Tensor, weight: Tensor, bias?: Tensor, ...rest: ConvRest): Tensor =>
  convolve(2, x, weight, bias, rest);
/** Convolution over volumes: x [N, C, D, H, W] with weight [O, C / groups, kd, kh, kw] and bias [O]. Errors as `conv1d`. */
export const conv3d = (x: Tensor, weight: Tensor, bias?: Tensor, ...rest: ConvRest): Tensor =>
  convolve(3, x, weight, bias, rest);

function convolveTransposed(
  n: number,
  x: Tensor,
  weight: Tensor,
  bias: Tensor | undefined,
  rest: readonly unknown[],
): Tensor {
  const call = `convTranspose${n}d`;
  const given = settle<ConvTransposeOptions>(call, transposeOrder, rest);
  const stride = sizesOf(call, 'stride', given.stride ?? 1, n);
  const dilation = sizesOf(call, 'dilation', given.dilation ?? 1, n);
  const padding = sizesOf(call, 'padding', given.padding ?? 0, n, 0);
  const outputPadding = sizesOf(call, 'outputPadding', given.outputPadding ?? 0, n, 0);
  const groups = given.groups ?? 1;
  outputPadding.forEach((p, i) => {
    if (p >= stride[i]! && p >= dilation[i]!)
      throw wrongArgument({ call, argument: 'outputPadding' }, p, 'less than the stride or the dilation');
  });
  return record(call, bias === undefined ? [x, weight] : [x, weight, bias], (b, [v, w, c]) => {
    const { isSingle } = checkInput(b, call, n, x, weight, groups, true);
    const kernel = weight.shape.slice(2);
    return run(b, v!, byOutputs(b, w!, groups), c, isSingle, {
      windowStrides: stride.map(() => 1),
      // The kernel starts as far out as it reaches, less the padding.
      padding: kernel.map((k, i) => {
        const edge = dilation[i]! * (k - 1) - padding[i]!;
        return [edge, edge + outputPadding[i]!];
      }),
      lhsDilation: stride,
      rhsDilation: dilation,
      windowReversal: stride.map(() => true),
      dimensionNumbers: dimensionNumbers(n, true),
      featureGroupCount: groups,
    });
  });
}
/** [I, O / groups, …] with the groups among the inputs → [I / groups, O, …] with them among the outputs. */
function byOutputs(b: Builder, w: Value, groups: number): Value {
  if (groups === 1) return w;
  const [inputs, outputs, ...kernel] = shapeOf(w) as [number, number, ...number[]];
  const apart = b.reshape(w, [groups, inputs / groups, outputs, ...kernel]);
  const moved = b.transpose(apart, [1, 0, 2, ...kernel.map((_, i) => i + 3)]);
  return b.reshape(moved, [inputs / groups, groups * outputs, ...kernel]);
}

/**
 * The transpose of `conv1d`, its gradient with respect to its input: x [N, I, L] with weight [I, O / groups, k] → [N, O, L'].
 * @throws {SHAPE_MISMATCH} where the channels differ
 * @throws {UNKNOWN_ARGUMENT}
 */
export const convTranspose1d = (x: Tensor, weight: Tensor, bias?: Tensor, ...rest: TransposeRest): Tensor =>
  convolveTransposed(1, x, weight, bias, rest);
/** The transpose of `conv2d`: x [N, I, H, W] with weight [I, O / groups, kh, kw] → [N, O, H', W']. Errors as `convTranspose1d`. */
export const convTranspose2d = (x: Tensor, weight: Tensor, bias?: Tensor, ...rest: TransposeRest): Tensor =>
  convolveTransposed(2, x, weight, bias, rest);
/** The transpose of `conv3d`. Errors as `convTranspose1d`. */
export const convTranspose3d = (x: Tensor, weight: Tensor, bias?: Tensor, ...rest: TransposeRest): Tensor =>
  convolveTransposed(3, x, weight, bias, rest);
