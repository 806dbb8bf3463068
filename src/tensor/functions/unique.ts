// The distinct elements of a tensor, or its distinct slices along a dim. Their number depends on data, so the tensor is read, as
// by `nonzero`: the step is run up to it.
import { TrenioError } from '../../base/errors.ts';
import { bytesOf, type Literal, type LiteralData, numberAt } from '../../hlo/literal.ts';
import { tensorType } from '../../hlo/types.ts';
import { checkTensors, wrongArgument } from '../check-arguments.ts';
import { userLocation } from '../location.ts';
import { formatShape } from '../lower/shapes.ts';
import { checkOptionNames } from '../surface/call.ts';
import { type Tensor, uploadTo } from '../tensor.ts';

/** Options of `uniqueConsecutive`, and of `unique`. */
export interface UniqueConsecutiveOptions {
  /** Whether to give where each element, or slice, of the input is in the result. Default: false. */
  readonly returnInverse?: boolean | undefined;
  /** Whether to return the number of occurrences of each element. Default: false. */
  readonly returnCounts?: boolean | undefined;
  /** The dim whose slices are compared; without it, all elements are, as one vector. */
  readonly dim?: number | undefined;
}
/** Options of `unique`. */
export interface UniqueOptions extends UniqueConsecutiveOptions {
  /** Accepted for PyTorch: the result is always sorted. */
  readonly sorted?: boolean | undefined;
}
/** The result alone; or with the inverse and the counts, if requested. */
export type UniqueResult<O extends UniqueConsecutiveOptions> = O extends {
  /** Whether the indices into the unique elements are returned, too. */
  readonly returnInverse: true;
}
  ? O extends {
      /** Whether the counts are returned, too. */
      readonly returnCounts: true;
    }
    ? [output: Tensor, inverse: Tensor, counts: Tensor]
    : [output: Tensor, inverse: Tensor]
  : O extends {
        /** Whether the counts are returned, too. */
        readonly returnCounts: true;
      }
    ? [output: Tensor, counts: Tensor]
    : Tensor;

/**
 * The different elements, in ascending order; or the different slices along `dim`, ordered lexicographically.
 * Each NaN differs from all others. The tensor is read when this is called, because the shape of the result depends on it; no
 * gradient flows. PyTorch: `torch.unique`.
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE} for complex numbers
 * @example
 * unique(tensor([3, 1, 3])) // [1, 3]
 * const [output, inverse] = unique(tensor([3, 1, 3]), { returnInverse: true }); // [1, 3], [1, 0, 1]
 */
export function unique<const O extends UniqueOptions = Record<never, never>>(
  input: Tensor,
  options?: O,
): UniqueResult<O> {
  return differentOf(
    'unique',
    input,
    options ?? {},
    ['sorted', 'returnInverse', 'returnCounts', 'dim'],
    true,
  ) as UniqueResult<O>;
}
/**
 * The first of each run of equal elements; or of equal slices along `dim`. The tensor is read when this is called, because the
 * shape of the result depends on it; no gradient flows. PyTorch: `torch.unique_consecutive`.
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE} for complex numbers
 * @example
 * uniqueConsecutive(tensor([1, 1, 2, 1])) // [1, 2, 1]
 * const [output, counts] = uniqueConsecutive(tensor([1, 1, 2]), { returnCounts: true }); // [1, 2], [2, 1]
 */
export function uniqueConsecutive<const O extends UniqueConsecutiveOptions = Record<never, never>>(
  input: Tensor,
  options?: O,
): UniqueResult<O> {
  return differentOf(
    'uniqueConsecutive',
    input,
    options ?? {},
    ['returnInverse', 'returnCounts', 'dim'],
    false,
  ) as UniqueResult<O>;
}

function differentOf(
  op: string,
  input: Tensor,
  options: UniqueOptions,
  names: readonly string[],
  isSorted: boolean,
): Tensor | Tensor[] {
  checkTensors(op, { input });
  checkOptionNames(op, options, names);
  for (const name of ['sorted', 'returnInverse', 'returnCounts'] as const) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== 'boolean')
      throw wrongArgument({ call: op, argument: name }, value, 'true or false');
  }
  if (input.dtype.startsWith('complex'))
    throw new TrenioError(
      'BAD_DTYPE',
      { op, got: input.dtype, expected: 'real numbers' },
      { location: userLocation() },
    );
  const along = alongOf(op, input, options.dim ?? undefined);
  const read = input.literal();
  const slices = slicesOf(read, along);
  const { starts, inverse, counts } = runsOf(slices, isSorted);
  const outputShape = along === undefined ? [starts.length] : input.shape.with(along, starts.length);
  const upload = (value: Literal): Tensor => uploadTo(input.device, value.type, bytesOf(value), op);
  const indices = (shape: readonly number[], numbers: readonly number[]): Tensor =>
    upload({ type: tensorType('i64', shape), data: BigInt64Array.from(numbers, BigInt) });
  const output = upload({
    type: tensorType(input.type.elementType, outputShape),
    data: gathered(read.data, slices, starts),
  });
  const results = [output];
  if (options.returnInverse === true)
    results.push(indices(along === undefined ? input.shape : [slices.count], inverse));
  if (options.returnCounts === true) results.push(indices([starts.length], counts));
  return results.length === 1 ? output : results;
}

function alongOf(op: string, { shape, ndim }: Tensor, dim: number | undefined): number | undefined {
  if (dim === undefined) return undefined;
  if (!Number.isInteger(dim) || dim < -ndim || dim >= ndim)
    throw new TrenioError('BAD_DIM', { op, dim, shape: formatShape(shape), rank: ndim }, { location: userLocation() });
  const along = dim < 0 ? dim + ndim : dim;
  if (shape.some((size, i) => size === 0 && i !== along))
    throw wrongArgument({ call: op, argument: 'dim' }, dim, 'the dim that has no elements');
  return along;
}

/** The elements seen as [outer, count, inner]: each compared slice has outer · inner elements. */
interface Slices {
  readonly outer: number;
  readonly count: number;
  readonly inner: number;
  /** Less than 0 where a slice comes before another; NaN comes last. */
  readonly compare: (i: number, j: number) => number;
  readonly isEqual: (i: number, j: number) => boolean;
}
function slicesOf(read: Literal, along: number | undefined): Slices {
  const { shape } = read.type;
  const product = (sizes: readonly number[]): number => sizes.reduce((n, d) => n * d, 1);
  const [outer, count, inner] =
    along === undefined
      ? [1, product(shape), 1]
      : [product(shape.slice(0, along)), shape[along]!, product(shape.slice(along + 1))];
  const size = outer * inner;
  // numbers of 64 bits as bigints; bf16 and f8 are held as bits
  const values =
    read.data instanceof BigInt64Array || read.data instanceof BigUint64Array
      ? read.data
      : Array.from(read.data, (_, i) => numberAt(read, i));
  const at = (slice: number, i: number): number | bigint =>
    values[(Math.floor(i / inner) * count + slice) * inner + (i % inner)]!;
  return {
    outer,
    count,
    inner,
    compare: (i, j) => {
      for (let k = 0; k < size; k++) {
        const order = compareElements(at(i, k), at(j, k));
        if (order !== 0) return order;
      }
      return 0;
    },
    isEqual: (i, j) => {
      for (let k = 0; k < size; k++) if (at(i, k) !== at(j, k)) return false;
      return true;
    },
  };
}
function compareElements(x: number | bigint, y: number | bigint): number {
  if (x < y) return -1;
  if (x > y) return 1;
  return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
}

interface Runs {
  /** The first slice of each run of equal slices. */
  readonly starts: readonly number[];
  /** The run of each slice. */
  readonly inverse: readonly number[];
  readonly counts: readonly number[];
}
function runsOf({ count, compare, isEqual }: Slices, isSorted: boolean): Runs {
  const order = Array.from({ length: count }, (_, i) => i);
  if (isSorted) order.sort(compare);
  const starts: number[] = [];
  const counts: number[] = [];
  const inverse = new Array<number>(count).fill(0);
  for (const [k, slice] of order.entries()) {
    if (k === 0 || !isEqual(order[k - 1]!, slice)) {
      starts.push(slice);
      counts.push(0);
    }
    inverse[slice] = starts.length - 1;
    counts[starts.length - 1]!++;
  }
  return { starts, inverse, counts };
}

/** The elements of some slices. */
function gathered(data: LiteralData, { outer, count, inner }: Slices, slices: readonly number[]): LiteralData {
  const result = data.slice(0, outer * slices.length * inner);
  for (let row = 0; row < outer; row++)
    for (const [i, slice] of slices.entries()) {
      const from = (row * count + slice) * inner;
      result.set(data.subarray(from, from + inner) as never, (row * slices.length + i) * inner);
    }
  return result;
}
