// Pooling over one, two or three spatial dims: x [N, C, …] or, without a batch, [C, …].
import type { Builder } from '../../hlo/builder.ts';
import { literal } from '../../hlo/literal.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { elementCount, isInteger, tensorType } from '../../hlo/types.ts';
import { wrongArgument } from '../check-arguments.ts';
import { noComplex, toFloat } from './elementwise.ts';
import { gather, indexSelect } from './move.ts';
import { inWide } from './narrow.ts';
import type { Found } from './positions.ts';
import { argExtreme, lowestOf, mean } from './reduce.ts';
import { broadcastTo, mismatch } from './shapes.ts';
import { type Size, sizesOf } from './sizes.ts';

/** The settings of max pooling; the stride is the kernel's size by default, also for an empty list. */
export interface MaxPool {
  readonly stride?: Size | undefined;
  readonly padding?: Size | undefined;
  readonly dilation?: Size | undefined;
  /** The last window may reach over the edge. */
  readonly ceilMode?: boolean | undefined;
}
/** The settings of average pooling. */
export interface AvgPool extends Omit<MaxPool, 'dilation'> {
  /** Zeros of the padding count in the mean; true by default. */
  readonly countIncludePad?: boolean | undefined;
  /** The divisor of the sums, instead of the size of the window. */
  readonly divisorOverride?: number | undefined;
}

/** A product with a matrix [to, from] along each of the last dims; undefined leaves a dim unchanged. */
export function contractDims(
  b: Builder,
  x: Value,
  matrices: readonly (readonly (readonly number[])[] | undefined)[],
): Value {
  const floats = toFloat(b, x);
  const { elementType } = tensorTypeOf(floats);
  return matrices.reduce((y: Value, rows, i) => {
    if (rows === undefined) return y;
    const shape = shapeOf(y);
    const rank = shape.length;
    const dim = rank - matrices.length + i;
    const matrix = b.constant(literal(elementType, [rows.length, shape[dim]!], rows.flat()));
    const product = b.dotGeneral(y, matrix, {
      lhsBatchingDimensions: [],
      rhsBatchingDimensions: [],
      lhsContractingDimensions: [dim],
      rhsContractingDimensions: [1],
    });
    // The new dim is the last one.
    const order = Array.from({ length: rank }, (_, d) => (d < dim ? d : d === dim ? rank - 1 : d - 1));
    return dim === rank - 1 ? product : b.transpose(product, order);
  }, floats);
}

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

export function windowsOf(
  b: Builder,
  call: string,
  n: number,
  shape: readonly number[],
  kernelSize: Size,
  options: MaxPool,
): Windows {
  const kernel = sizesOf(call, 'kernelSize', kernelSize, n);
  const { stride: given = [] } = options;
  const stride = Array.isArray(given) && given.length === 0 ? kernel : sizesOf(call, 'stride', given, n);
  const low = sizesOf(call, 'padding', options.padding ?? 0, n, 0);
  const dilation = sizesOf(call, 'dilation', options.dilation ?? 1, n);
  const letters = ['L', 'H, W', 'D, H, W'][n - 1];
  if (shape.length !== n + 2 && shape.length !== n + 1)
    throw mismatch(b, call, shape, kernel, `the input must be [N, C, ${letters}] or [C, ${letters}]`);
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
    const rounded = (options.ceilMode ? Math.ceil : Math.floor)(free / stride[i]!) + 1;
    // A window that starts in the padding at the end is empty.
    const count = options.ceilMode && (rounded - 1) * stride[i]! >= size + low[i]! ? rounded - 1 : rounded;
    if (count < 1) throw mismatch(b, call, shape, kernel, 'the window is larger than the padded input');
    return count;
  });
  const high = sizes.map((size, i) =>
    Math.max(low[i]!, (counts[i]! - 1) * stride[i]! + dilation[i]! * (kernel[i]! - 1) + 1 - size - low[i]!),
  );
  return { kernel, stride, low, high, dilation, counts };
}

/** The attributes of reduce_window with these windows over the last dims. */
export function attributesOf(rank: number, w: Windows) {
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
  const { elementType } = tensorTypeOf(name === 'maximum' ? noComplex(b, 'max pooling', x) : x);
  const start = b.fill(elementType, [], name === 'add' ? 0 : lowestOf(elementType, name));
  return b.emit1('reduce_window', [x, start], attributesOf(shapeOf(x).length, w), [b.combiner(name, elementType)]);
}

/** The largest element of each window. A tie sends its gradient to the first. */
export const maxPool = (b: Builder, n: number, x: Value, kernel: Size, options: MaxPool): Value =>
  reduceWindows(b, 'maximum', x, windowsOf(b, `maxPool${n}d`, n, shapeOf(x), kernel, options));

/** The index of the largest element of each window among the flattened spatial dims: the first of several, the last NaN. */
export function maxPoolIndices(b: Builder, n: number, x: Value, kernel: Size, options: MaxPool): Value {
  const { elementType, shape } = tensorTypeOf(x);
  const windows = windowsOf(b, `maxPool${n}d`, n, shape, kernel, options);
  const sizes = shape.slice(-n);
  const flat = b.iota(tensorType('i32', [elementCount(sizes)]), 0);
  const positions = broadcastTo(b, b.reshape(flat, sizes), shape);
  const [value, position] = [tensorType(elementType), tensorType('i32')];
  const region = b.region([value, position, value, position], (inner, [a, i, c, j]) => {
    const isTie = inner.binary('and', inner.compare('EQ', a!, c!), inner.compare('LT', i!, j!));
    const isLarger = inner.binary('or', inner.compare('GT', a!, c!), isTie);
    const [isBad, isOtherBad] = [inner.compare('NE', a!, a!), inner.compare('NE', c!, c!)];
    const isLast = inner.binary('or', inner.unary('not', isOtherBad), inner.compare('GT', i!, j!));
    const keep = inner.select(isBad, isLast, inner.binary('and', isLarger, inner.unary('not', isOtherBad)));
    return [inner.select(keep, a!, c!), inner.select(keep, i!, j!)];
  });
  const starts = [b.fill(elementType, [], lowestOf(elementType, 'maximum')), b.fill('i32', [], 2 ** 31 - 1)];
  const attributes = attributesOf(shape.length, windows);
  return b.convert(b.emit('reduce_window', [x, positions, ...starts], attributes, [region])[1]!, 'i64');
}

/** The divisors of integers, for other types one over each, as values that broadcast to the result. */
function shares(b: Builder, call: string, sizes: readonly number[], w: Windows, options: AvgPool, like: Value): Value {
  const { countIncludePad = true, divisorOverride } = options;
  if (divisorOverride === 0) throw wrongArgument({ call, argument: 'divisorOverride' }, 0, 'a number other than 0');
  const { elementType } = tensorTypeOf(like);
  const share = (count: number): number => (isInteger(elementType) ? count : 1 / count);
  if (divisorOverride !== undefined) return b.like(like, share(divisorOverride));
  const lengths = w.counts.map((count, d) =>
    Array.from({ length: count }, (_, i) => {
      const from = i * w.stride[d]! - w.low[d]!;
      const [first, last] = countIncludePad ? [from, sizes[d]! + w.low[d]!] : [Math.max(0, from), sizes[d]!];
      return Math.min(from + w.kernel[d]!, last) - first;
    }),
  );
  const isEven = lengths.every(list => list.every(length => length === list[0]));
  if (isEven) return b.like(like, share(lengths.reduce((product, list) => product * list[0]!, 1)));
  const rank = shapeOf(like).length;
  return lengths
    .map((list, d): Value => {
      const inverse = b.constant(literal(elementType, [list.length], list.map(share)));
      return b.broadcastInDim(inverse, [rank - lengths.length + d], shapeOf(like));
    })
    .reduce((x, y) => b.multiply(x, y));
}
/** The mean of each window, of integers rounded toward 0. */
export function avgPool(b: Builder, n: number, x: Value, kernel: Size, options: AvgPool): Value {
  const call = `avgPool${n}d`;
  const shape = shapeOf(x);
  const windows = windowsOf(b, call, n, shape, kernel, options);
  const { elementType } = tensorTypeOf(x);
  const isWhole = isInteger(elementType);
  const mean = inWide(b, isWhole ? b.convert(x, 'i64') : x, wide => {
    const total = reduceWindows(b, 'add', wide, windows);
    const share = shares(b, call, shape.slice(-n), windows, options, total);
    return isWhole ? b.divide(total, share) : b.multiply(total, share);
  });
  return isWhole ? b.convert(mean, elementType) : mean;
}

/** An output size for each dim; null or undefined keeps the input's. */
export type OutputSize = number | readonly (number | null | undefined)[];
function outputSizes(b: Builder, call: string, n: number, shape: readonly number[], size: OutputSize): number[] {
  const letters = ['L', 'H, W', 'D, H, W'][n - 1];
  const list = typeof size === 'number' ? new Array<number>(n).fill(size) : size;
  if (!Array.isArray(list) || list.length !== n || list.some(s => s != null && !(Number.isInteger(s) && s >= 0)))
    throw wrongArgument({ call, argument: 'outputSize' }, size, `an integer, or ${n} of them`);
  if (shape.length !== n + 2 && shape.length !== n + 1)
    throw mismatch(b, call, shape, list as number[], `the input must be [N, C, ${letters}] or [C, ${letters}]`);
  return list.map((s, i) => s ?? shape.at(i - n)!);
}
/** Where each of `to` windows that cover `from` elements begins and ends. */
const spans = (from: number, to: number): [number, number][] =>
  Array.from({ length: to }, (_, i) => [Math.floor((i * from) / to), Math.ceil(((i + 1) * from) / to)]);

/** The mean over windows that cover the input evenly, however many there are. */
export function adaptiveAvgPool(b: Builder, n: number, x: Value, size: OutputSize): Value {
  const shape = shapeOf(x);
  const to = outputSizes(b, `adaptiveAvgPool${n}d`, n, shape, size);
  const from = shape.slice(-n);
  const lead = shape.slice(0, -n);
  if (from.every((f, i) => f > 0 && to[i]! > 0 && f % to[i]! === 0)) {
    const split = from.flatMap((f, i) => [to[i]!, f / to[i]!]);
    const over = from.map((_, i) => lead.length + 2 * i + 1);
    return mean(b, b.reshape(x, [...lead, ...split]), over, false);
  }
  return inWide(b, x, wide =>
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
}
/** The largest element of windows that cover the input evenly. */
export function adaptiveMaxPool(b: Builder, n: number, x: Value, size: OutputSize): Value {
  const call = `adaptiveMaxPool${n}d`;
  const shape = shapeOf(x);
  const to = outputSizes(b, call, n, shape, size);
  const from = shape.slice(-n);
  if (from.every((f, i) => f > 0 && to[i]! > 0 && f % to[i]! === 0)) {
    const kernel = from.map((f, i) => f / to[i]!);
    return reduceWindows(b, 'maximum', x, windowsOf(b, call, n, shape, kernel, {}));
  }
  return adaptiveMaxPoolIndices(b, n, x, size)[0];
}
/** The elements of each window of an evenly covered dim, with the first repeated where a window has fewer than others. */
function evenWindows(from: number, to: number): readonly (readonly number[])[] {
  const all = spans(from, to);
  const widest = Math.max(...all.map(([start, end]) => end - start));
  return all.map(([start, end]) => Array.from({ length: widest }, (_, k) => (start + k < end ? start + k : start)));
}
/** `adaptiveMaxPool`, and the index of each largest element in the flattened spatial dims: the first of several, the last NaN. */
export function adaptiveMaxPoolIndices(b: Builder, n: number, x: Value, size: OutputSize): Found {
  const shape = shapeOf(noComplex(b, `adaptiveMaxPool${n}d`, x));
  const to = outputSizes(b, `adaptiveMaxPool${n}d`, n, shape, size);
  const [from, lead] = [shape.slice(-n), shape.slice(0, -n)];
  if (elementCount(to) === 0)
    return [b.fill(tensorTypeOf(x).elementType, [...lead, ...to], 0), b.fill('i64', [...lead, ...to], 0)];
  // the elements of each window in the flattened input, row by row
  const windows = from.reduce<readonly (readonly number[])[]>(
    (list, width, i) =>
      list.flatMap(window =>
        evenWindows(width, to[i]!).map(along => window.flatMap(at => along.map(k => at * width + k))),
      ),
    [[0]],
  );
  const sizes = [windows.length, windows[0]!.length];
  const index = b.constant(literal('i32', sizes, windows.flat()));
  const flat = b.reshape(x, [...lead, elementCount(from)]);
  const elements = indexSelect(b, 'adaptiveMaxPool', flat, lead.length, index);
  const best = argExtreme(b, 'maximum', elements, -1, true);
  const table = broadcastTo(b, index, [...lead, ...sizes]);
  const bad = b.select(b.compare('NE', elements, elements), table, b.like(table, -1));
  const lastBad = b.reshape(b.reduce('maximum', bad, b.fill('i32', [], -1), [lead.length + 1]), [
    ...lead,
    sizes[0]!,
    1,
  ]);
  const largest = gather(b, table, -1, best);
  const places = b.reshape(b.select(b.compare('GE', lastBad, b.like(lastBad, 0)), lastBad, largest), [
    ...lead,
    sizes[0]!,
  ]);
  const shaped = (of: Value): Value => b.reshape(of, [...lead, ...to]);
  return [shaped(gather(b, flat, -1, places)), b.convert(shaped(places), 'i64')];
}
