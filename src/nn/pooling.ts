// Pooling over one, two or three spatial dims, as functions of tensors: x [N, C, …] or, without a batch, [C, …].
import type { Builder } from '../hlo/builder.ts';
import { literal } from '../hlo/literal.ts';
import { shapeOf, tensorTypeOf, type Value } from '../hlo/program.ts';
import { elementCount, tensorType } from '../hlo/types.ts';
import { lower, record, type Tensor, wrongArgument } from '../tensor/index.ts';
import { contractDims } from './resample.ts';
import { type Settings, settle } from './settings.ts';
import { type Size, sizesOf } from './sizes.ts';

/** Options of max pooling. */
export interface MaxPoolOptions {
  /** The kernel's size by default. */
  readonly stride?: Size | undefined;
  readonly padding?: Size;
  readonly dilation?: Size;
  /** The last window may reach over the edge. */
  readonly ceilMode?: boolean;
}
/** Options of average pooling. */
export interface AvgPoolOptions {
  /** The kernel's size by default. */
  readonly stride?: Size | undefined;
  readonly padding?: Size;
  readonly ceilMode?: boolean;
  /** Zeros of the padding count in the mean; true by default. */
  readonly countIncludePad?: boolean;
  /** What sums are divided by, in place of the size of the window. */
  readonly divisorOverride?: number | undefined;
}
const maxOrder = ['stride', 'padding', 'dilation', 'ceilMode'] as const;
const avgOrder = ['stride', 'padding', 'ceilMode', 'countIncludePad', 'divisorOverride'] as const;
/** The arguments of max pooling after the kernel size: in PyTorch's order, or by name. */
export type MaxRest = Settings<MaxPoolOptions, typeof maxOrder>;
/** The arguments of average pooling after the kernel size: in PyTorch's order, or by name. */
export type AvgRest = Settings<AvgPoolOptions, typeof avgOrder>;

/** Windows over the spatial dims of an input. */
interface Windows {
  readonly kernel: readonly number[];
  readonly stride: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly dilation: readonly number[];
  /** Windows along each dim. */
  readonly counts: readonly number[];
}

function windowsOf(
  b: Builder,
  call: string,
  n: number,
  shape: readonly number[],
  kernelSize: Size,
  options: {
    readonly stride?: Size | undefined;
    readonly padding?: Size;
    readonly dilation?: Size;
    readonly ceilMode?: boolean;
  },
): Windows {
  const kernel = sizesOf(call, 'kernelSize', kernelSize, n);
  const stride = sizesOf(call, 'stride', options.stride ?? kernel, n);
  const low = sizesOf(call, 'padding', options.padding ?? 0, n, 0);
  const dilation = sizesOf(call, 'dilation', options.dilation ?? 1, n);
  const letters = ['L', 'H, W', 'D, H, W'][n - 1];
  if (shape.length !== n + 2 && shape.length !== n + 1)
    throw lower.mismatch(b, call, shape, kernel, `the input is [N, C, ${letters}] or [C, ${letters}]`);
  low.forEach((p, i) => {
    if (2 * p > dilation[i]! * (kernel[i]! - 1) + 1)
      throw wrongArgument(
        { call, argument: 'padding' },
        p,
        `at most half of the window, ${Math.floor(kernel[i]! / 2)}`,
      );
  });
  const sizes = shape.slice(-n);
  const counts = sizes.map((size, i) => {
    const free = size + 2 * low[i]! - dilation[i]! * (kernel[i]! - 1) - 1;
    if (free < 0) throw lower.mismatch(b, call, shape, kernel, 'the window is larger than the padded input');
    const count = (options.ceilMode ? Math.ceil : Math.floor)(free / stride[i]!) + 1;
    // A window that starts in the padding at the end holds nothing.
    return options.ceilMode && (count - 1) * stride[i]! >= size + low[i]! ? count - 1 : count;
  });
  const high = sizes.map((size, i) =>
    Math.max(low[i]!, (counts[i]! - 1) * stride[i]! + dilation[i]! * (kernel[i]! - 1) + 1 - size - low[i]!),
  );
  return { kernel, stride, low, high, dilation, counts };
}

/** The attributes of reduce_window with these windows over the last dims. */
function attributesOf(rank: number, w: Windows) {
  const lead = new Array<number>(rank - w.kernel.length);
  const ones = lead.fill(1);
  return {
    windowDimensions: [...ones, ...w.kernel],
    windowStrides: [...ones, ...w.stride],
    baseDilations: new Array<number>(rank).fill(1),
    windowDilations: [...ones, ...w.dilation],
    padding: [...ones.map((): [number, number] => [0, 0]), ...w.low.map((p, i): [number, number] => [p, w.high[i]!])],
  };
}
function reduceWindows(b: Builder, name: 'maximum' | 'add', x: Value, w: Windows): Value {
  const { elementType } = tensorTypeOf(x);
  const start = b.fill(elementType, [], name === 'add' ? 0 : -Infinity);
  return b.emit1('reduce_window', [x, start], attributesOf(shapeOf(x).length, w), [b.combiner(name, elementType)]);
}

const maxPool = (n: number, x: Tensor, kernel: Size, rest: readonly unknown[]): Tensor => {
  const call = `maxPool${n}d`;
  const options = settle<MaxPoolOptions>(call, maxOrder, rest);
  return record(call, [x], (b, [v]) =>
    reduceWindows(b, 'maximum', v!, windowsOf(b, call, n, x.shape, kernel, options)),
  );
};
/**
 * The largest element of each window: x [N, C, L] → [N, C, L']. A tie sends its gradient to the first.
 * @throws {SHAPE_MISMATCH} where the window is larger than the padded input
 * @throws {UNKNOWN_ARGUMENT}
 */
export const maxPool1d = (x: Tensor, kernelSize: Size, ...rest: MaxRest): Tensor => maxPool(1, x, kernelSize, rest);
/** The largest element of each window of images [N, C, H, W]. Errors as `maxPool1d`. */
export const maxPool2d = (x: Tensor, kernelSize: Size, ...rest: MaxRest): Tensor => maxPool(2, x, kernelSize, rest);
/** The largest element of each window of volumes [N, C, D, H, W]. Errors as `maxPool1d`. */
export const maxPool3d = (x: Tensor, kernelSize: Size, ...rest: MaxRest): Tensor => maxPool(3, x, kernelSize, rest);

/** Where the largest element of each window of x is among its spatial places, as int32 [N, C, …]; as `returnIndices` in PyTorch. */
function maxPoolIndices(n: number, x: Tensor, kernel: Size, rest: readonly unknown[]): Tensor {
  const call = `maxPool${n}dIndices`;
  const options = settle<MaxPoolOptions>(call, maxOrder, rest);
  return record(
    call,
    [x],
    (b, [v]) => {
      const windows = windowsOf(b, call, n, x.shape, kernel, options);
      const { elementType } = tensorTypeOf(v!);
      const sizes = x.shape.slice(-n);
      const flat = b.iota(tensorType('i32', [elementCount(sizes)]), 0);
      const places = lower.broadcastTo(b, b.reshape(flat, sizes), x.shape);
      const [value, place] = [tensorType(elementType), tensorType('i32')];
      const region = b.region([value, place, value, place], (inner, [a, i, c, j]) => {
        const isTie = inner.binary('and', inner.compare('EQ', a!, c!), inner.compare('LT', i!, j!));
        const keep = inner.binary('or', inner.compare('GT', a!, c!), isTie);
        return [inner.select(keep, a!, c!), inner.select(keep, i!, j!)];
      });
      const starts = [b.fill(elementType, [], -Infinity), b.fill('i32', [], 2 ** 31 - 1)];
      return b.emit('reduce_window', [v!, places, ...starts], attributesOf(x.ndim, windows), [region])[1]!;
    },
    { differentiable: false },
  );
}
/** A max pooling that also returns the positions of the maxima. */
export type WithIndices = (x: Tensor, kernelSize: Size, ...rest: MaxRest) => readonly [Tensor, Tensor];
/** `[maxPool1d, the place of each maximum in its row]`, as PyTorch's with `return_indices`; the places are int32. */
export const maxPool1dWithIndices: WithIndices = (x, k, ...rest) => [
  maxPool(1, x, k, rest),
  maxPoolIndices(1, x, k, rest),
];
/** [maxPool2d, the place of each maximum in its flattened image]. */
export const maxPool2dWithIndices: WithIndices = (x, k, ...rest) => [
  maxPool(2, x, k, rest),
  maxPoolIndices(2, x, k, rest),
];
/** [maxPool3d, the place of each maximum in its flattened volume]. */
export const maxPool3dWithIndices: WithIndices = (x, k, ...rest) => [
  maxPool(3, x, k, rest),
  maxPoolIndices(3, x, k, rest),
];

/** One over the number of elements of each window, as values that broadcast to the result; a number where all are equal. */
function shares(
  b: Builder,
  call: string,
  sizes: readonly number[],
  w: Windows,
  options: AvgPoolOptions,
  like: Value,
): Value {
  const { countIncludePad = true, divisorOverride } = options;
  if (divisorOverride === 0) throw wrongArgument({ call, argument: 'divisorOverride' }, 0, 'a number other than 0');
  if (divisorOverride !== undefined) return b.like(like, 1 / divisorOverride);
  const lengths = w.counts.map((count, d) =>
    Array.from({ length: count }, (_, i) => {
      const from = i * w.stride[d]! - w.low[d]!;
      const [first, last] = countIncludePad ? [from, sizes[d]! + w.low[d]!] : [Math.max(0, from), sizes[d]!];
      return Math.min(from + w.kernel[d]!, last) - first;
    }),
  );
  const isEven = lengths.every(list => list.every(length => length === list[0]));
  if (isEven) return b.like(like, 1 / lengths.reduce((product, list) => product * list[0]!, 1));
  const { elementType } = tensorTypeOf(like);
  const rank = shapeOf(like).length;
  return lengths
    .map((list, d): Value => {
      const inverse = b.constant(
        literal(
          elementType,
          [list.length],
          list.map(length => 1 / length),
        ),
      );
      return b.broadcastInDim(inverse, [rank - lengths.length + d], shapeOf(like));
    })
    .reduce((x, y) => b.multiply(x, y));
}
const avgPool = (n: number, x: Tensor, kernel: Size, rest: readonly unknown[]): Tensor => {
  const call = `avgPool${n}d`;
  const options = settle<AvgPoolOptions>(call, avgOrder, rest);
  return record(call, [x], (b, [v]) => {
    const windows = windowsOf(b, call, n, x.shape, kernel, options);
    return lower.inWide(b, v!, wide => {
      const total = reduceWindows(b, 'add', wide, windows);
      return b.multiply(total, shares(b, call, x.shape.slice(-n), windows, options, total));
    });
  });
};
/**
 * The mean of each window: x [N, C, L] → [N, C, L'].
 * @throws {SHAPE_MISMATCH} where the window is larger than the padded input
 * @throws {UNKNOWN_ARGUMENT}
 */
export const avgPool1d = (x: Tensor, kernelSize: Size, ...rest: AvgRest): Tensor => avgPool(1, x, kernelSize, rest);
/** The mean of each window of images [N, C, H, W]. Errors as `avgPool1d`. */
export const avgPool2d = (x: Tensor, kernelSize: Size, ...rest: AvgRest): Tensor => avgPool(2, x, kernelSize, rest);
/** The mean of each window of volumes [N, C, D, H, W]. Errors as `avgPool1d`. */
export const avgPool3d = (x: Tensor, kernelSize: Size, ...rest: AvgRest): Tensor => avgPool(3, x, kernelSize, rest);

/** (Σ xᵖ)^(1/p) over windows, as PyTorch's `lp_pool`. */
function lpPool(n: number, x: Tensor, normType: number, kernelSize: Size, stride?: Size, ceilMode = false): Tensor {
  const kernel = sizesOf(`lpPool${n}d`, 'kernelSize', kernelSize, n);
  const count = kernel.reduce((a, c) => a * c, 1);
  const mean = avgPool(n, x.pow(normType), kernel, [{ stride, ceilMode }]);
  return mean
    .sign()
    .mul(mean.abs().relu())
    .mul(count)
    .pow(1 / normType);
}
/** (Σ xᵖ)^(1/p) over windows of sequences. */
export const lpPool1d = (x: Tensor, normType: number, kernelSize: Size, stride?: Size, ceilMode?: boolean): Tensor =>
  lpPool(1, x, normType, kernelSize, stride, ceilMode);
/** (Σ xᵖ)^(1/p) over windows of images. */
export const lpPool2d = (x: Tensor, normType: number, kernelSize: Size, stride?: Size, ceilMode?: boolean): Tensor =>
  lpPool(2, x, normType, kernelSize, stride, ceilMode);
/** (Σ xᵖ)^(1/p) over windows of volumes. */
export const lpPool3d = (x: Tensor, normType: number, kernelSize: Size, stride?: Size, ceilMode?: boolean): Tensor =>
  lpPool(3, x, normType, kernelSize, stride, ceilMode);

/** An output size for each dim; null or undefined keeps the input's. */
export type OutputSize = number | readonly (number | null | undefined)[];
function outputSizes(b: Builder, call: string, n: number, shape: readonly number[], size: OutputSize): number[] {
  const letters = ['L', 'H, W', 'D, H, W'][n - 1];
  const list = typeof size === 'number' ? new Array<number>(n).fill(size) : size;
  if (!Array.isArray(list) || list.length !== n || list.some(s => s != null && !(Number.isInteger(s) && s >= 0)))
    throw wrongArgument({ call, argument: 'outputSize' }, size, `a whole number, or ${n} of them`);
  if (shape.length !== n + 2 && shape.length !== n + 1)
    throw lower.mismatch(b, call, shape, list as number[], `the input is [N, C, ${letters}] or [C, ${letters}]`);
  return list.map((s, i) => s ?? shape.at(i - n)!);
}
/** Where each of `to` windows that cover `from` elements begins and ends. */
const spans = (from: number, to: number): [number, number][] =>
  Array.from({ length: to }, (_, i) => [Math.floor((i * from) / to), Math.ceil(((i + 1) * from) / to)]);

function adaptiveAvgPool(n: number, x: Tensor, size: OutputSize): Tensor {
  const call = `adaptiveAvgPool${n}d`;
  return record(call, [x], (b, [v]) => {
    const to = outputSizes(b, call, n, x.shape, size);
    const from = x.shape.slice(-n);
    const lead = x.shape.slice(0, -n);
    if (from.every((f, i) => f > 0 && to[i]! > 0 && f % to[i]! === 0)) {
      const split = from.flatMap((f, i) => [to[i]!, f / to[i]!]);
      const over = from.map((_, i) => lead.length + 2 * i + 1);
      return lower.mean(b, b.reshape(v!, [...lead, ...split]), over, false);
    }
    return lower.inWide(b, v!, wide =>
      contractDims(
        b,
        wide,
        from.map((f, i) =>
          f === to[i]
            ? undefined
            : spans(f, to[i]!).map(([start, end]) =>
                Array.from({ length: f }, (_, j) => (j >= start && j < end ? 1 / (end - start) : 0)),
              ),
        ),
      ),
    );
  });
}
/** The mean over windows that cover the sequence evenly, however many there are: x [N, C, L] → [N, C, size]. */
export const adaptiveAvgPool1d = (x: Tensor, outputSize: OutputSize): Tensor => adaptiveAvgPool(1, x, outputSize);
/** The mean over windows that cover the image evenly: x [N, C, H, W] → [N, C, …size]. */
export const adaptiveAvgPool2d = (x: Tensor, outputSize: OutputSize): Tensor => adaptiveAvgPool(2, x, outputSize);
/** The mean over windows that cover the volume evenly: x [N, C, D, H, W] → [N, C, …size]. */
export const adaptiveAvgPool3d = (x: Tensor, outputSize: OutputSize): Tensor => adaptiveAvgPool(3, x, outputSize);

function adaptiveMaxPool(n: number, x: Tensor, size: OutputSize): Tensor {
  const call = `adaptiveMaxPool${n}d`;
  return record(call, [x], (b, [v]) => {
    const to = outputSizes(b, call, n, x.shape, size);
    const from = x.shape.slice(-n);
    if (from.every((f, i) => f > 0 && to[i]! > 0 && f % to[i]! === 0))
      return reduceWindows(
        b,
        'maximum',
        v!,
        windowsOf(
          b,
          call,
          n,
          x.shape,
          from.map((f, i) => f / to[i]!),
          {},
        ),
      );
    // Windows of different sizes: one dim after the other, window by window.
    return from.reduce((y: Value, f, i) => {
      const dim = shapeOf(y).length - n + i;
      if (f === to[i]) return y;
      const tops = spans(f, to[i]!).map(([start, end]) =>
        lower.extreme(b, 'maximum', lower.slice(b, y, dim, start, end, 1), dim, true),
      );
      return lower.cat(b, tops, dim);
    }, v!);
  });
}
/** The largest element of windows that cover the sequence evenly: x [N, C, L] → [N, C, size]. */
export const adaptiveMaxPool1d = (x: Tensor, outputSize: OutputSize): Tensor => adaptiveMaxPool(1, x, outputSize);
/** The largest element of windows that cover the image evenly. */
export const adaptiveMaxPool2d = (x: Tensor, outputSize: OutputSize): Tensor => adaptiveMaxPool(2, x, outputSize);
/** The largest element of windows that cover the volume evenly. */
export const adaptiveMaxPool3d = (x: Tensor, outputSize: OutputSize): Tensor => adaptiveMaxPool(3, x, outputSize);

/**
 * Puts the maxima of a pooling back to their places, zeros elsewhere: x and the places that `maxPool…dWithIndices` gave → [N, C, …size].
 * @throws {SHAPE_MISMATCH} where values and places differ in shape
 */
export function maxUnpool(x: Tensor, indices: Tensor, outputSize: readonly number[]): Tensor {
  return record('maxUnpool', [x, indices], (b, [v, places]) => {
    if (x.ndim !== indices.ndim || x.shape.some((d, i) => d !== indices.shape[i]))
      throw lower.mismatch(b, 'maxUnpool', x.shape, indices.shape, 'each value has a place');
    const n = outputSize.length;
    const lead = x.shape.slice(0, -n);
    const [rows, count] = [elementCount(lead), elementCount(x.shape.slice(-n))];
    const total = elementCount(outputSize);
    const flat = b.reshape(b.convert(places!, 'i32'), [rows, count]);
    // A place that several windows chose gets its value once: the first window's.
    const hits = b.compare(
      'EQ',
      b.broadcastInDim(flat, [0, 1], [rows, count, total]),
      b.iota(tensorType('i32', [rows, count, total]), 2),
    );
    const order = b.iota(tensorType('i32', [rows, count, total]), 1);
    const chosen = b.select(hits, order, b.fill('i32', [rows, count, total], count));
    const first = b.reduce('minimum', chosen, b.fill('i32', [], count), [1]);
    const isFirst = b.binary(
      'and',
      hits,
      b.compare('EQ', order, b.broadcastInDim(first, [0, 2], [rows, count, total])),
    );
    const values = b.broadcastInDim(b.reshape(v!, [rows, count]), [0, 1], [rows, count, total]);
    const spread = b.sum(b.select(isFirst, values, b.like(values, 0)), [1]);
    return b.reshape(spread, [...lead, ...outputSize]);
  });
}
