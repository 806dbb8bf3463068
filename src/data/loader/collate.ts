// Items become a batch, as in PyTorch's `default_collate`: values at the same position are stacked along a new first dim, and
// the structure around them stays.
//
//   [x₀, y₀], [x₁, y₁]               [ stack(x₀, x₁), stack(y₀, y₁) ]        tuples
//   { x: x₀ }, { x: x₁ }        ──▶  { x: stack(x₀, x₁) }                    objects
//   'a', 'b'                         ['a', 'b']                              texts
//
// JavaScript has one kind of number and one kind of array, so two rules differ from PyTorch's. A batch of integers is i64 (class
// labels), any other batch of numbers f32, as in `tensor(data)`. An array that is the item is a tuple; an array of numbers
// within an item is data, a row of the batch, where PyTorch would transpose the list.
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import { bytesOf, type Literal, type LiteralData, literal, literalOfBytes } from '../../hlo/literal.ts';
import { byteSize, formatType, sameType, tensorType } from '../../hlo/types.ts';
import { literalFrom, type NestedNumbers } from '../../tensor/types/host-data.ts';
import { literalOf, type ReadableTensor } from '../files/host-array.ts';

type Scalar = number | bigint | boolean;
type Numbers = Scalar | readonly Numbers[];

/** The form of a part of an item in a batch. */
export type CollatedPart<T> = T extends Scalar | Literal | LiteralData | Uint8ClampedArray | ReadableTensor
  ? Literal
  : T extends string
    ? readonly string[]
    : T extends readonly Numbers[]
      ? Literal
      : T extends object
        ? { readonly [K in keyof T]: CollatedPart<T[K]> }
        : never;

/** The batch that the default collate makes of items of type `T`. */
export type Collated<T> = T extends Literal | LiteralData | Uint8ClampedArray | ReadableTensor
  ? Literal
  : T extends readonly unknown[]
    ? { readonly [K in keyof T]: CollatedPart<T[K]> }
    : CollatedPart<T>;

/**
 * Stacks items into a batch: numbers, typed arrays, (nested) arrays of numbers, literals and tensors along a new first dim; texts
 * into an array; tuples and objects entry by entry. The default `collateFn` of `DataLoader`.
 * @throws {CANNOT_COLLATE} if items differ in structure, shape or type, or contain something else
 * @example
 * const [x, y] = defaultCollate([[Float32Array.of(1, 2), 0], [Float32Array.of(3, 4), 1]]);
 * tensor(x) // [[1, 2], [3, 4]]
 */
export function defaultCollate<const T>(items: readonly T[]): Collated<T> {
  return collated(items, false);
}

/** `isOurs`: nothing else refers to the items, so rows that are contiguous in memory can be used as the batch without a copy. */
export function collated<const T>(items: readonly T[], isOurs: boolean): Collated<T> {
  if (items.length === 0) throw failure('', 'there are no items', 'at least one item');
  const [first] = items;
  // The item itself is a tuple, not data.
  return (Array.isArray(first) ? tuple(items, '', isOurs) : part(items, '', isOurs)) as Collated<T>;
}

const failure = (path: string, problem: string, expected: string): TrenioError =>
  new TrenioError('CANNOT_COLLATE', { path: path === '' ? 'the item' : `item${path}`, problem, expected });

function part(values: readonly unknown[], path: string, isOurs: boolean): unknown {
  const [first] = values;
  switch (typeof first) {
    case 'number':
    case 'bigint':
    case 'boolean':
      return scalars(values, path);
    case 'string':
      requireAll(values, path, v => typeof v === 'string', 'a text');
      return [...values];
    case 'object':
      if (first === null) break;
      if (Array.isArray(first))
        return isNumbers(first) ? stack(values, path, nested(path), isOurs) : tuple(values, path, isOurs);
      if (literalOf(first) !== undefined) return stack(values, path, literalOf, isOurs);
      if (isRecord(first)) return record(values as readonly Record<string, unknown>[], path, isOurs);
  }
  throw failure(path, `it is ${described(first)}`, 'numbers, texts, arrays, tensors, or objects and arrays of these');
}

function scalars(values: readonly unknown[], path: string): Literal {
  const kind = typeof values[0];
  requireAll(values, path, v => typeof v === kind, `a ${kind}`);
  const type =
    kind === 'boolean' ? 'i1' : kind === 'bigint' || values.every(v => Number.isSafeInteger(v)) ? 'i64' : 'f32';
  return literal(type, [values.length], values as readonly Scalar[]);
}

function tuple(values: readonly unknown[], path: string, isOurs: boolean): unknown {
  const { length } = values[0] as readonly unknown[];
  requireAll(values, path, v => Array.isArray(v) && v.length === length, `an array of ${length} entries`);
  return Array.from({ length }, (_, i) =>
    part(
      values.map(v => (v as readonly unknown[])[i]),
      `${path}[${i}]`,
      isOurs,
    ),
  );
}

function record(values: readonly Record<string, unknown>[], path: string, isOurs: boolean): unknown {
  const names = Object.keys(values[0]!);
  requireAll(
    values,
    path,
    v => isRecord(v) && Object.keys(v).length === names.length && names.every(name => name in v),
    `an object with ${names.join(', ')}`,
  );
  return Object.fromEntries(
    names.map(name => [
      name,
      part(
        values.map(v => v[name]),
        `${path}.${name}`,
        isOurs,
      ),
    ]),
  );
}

function stack(
  values: readonly unknown[],
  path: string,
  read: (value: unknown) => Literal | undefined,
  isOurs: boolean,
): Literal {
  const rows = values.map(read);
  const { type } = rows[0]!;
  rows.forEach((row, i) => {
    if (row === undefined) throw failure(path, `it is ${described(values[i])} in item ${i}`, formatType(type));
    if (!sameType(row.type, type))
      throw failure(path, `it is ${formatType(row.type)} in item ${i}`, `${formatType(type)}, as in item 0`);
  });
  const size = byteSize(type);
  const batch = tensorType(type.elementType, [rows.length, ...type.shape]);
  if (isOurs) {
    const { buffer } = bytesOf(rows[0]!);
    const isWhole = rows.every((row, i) => {
      const bytes = bytesOf(row!);
      return bytes.buffer === buffer && bytes.byteOffset === i * size;
    });
    if (isWhole && buffer.byteLength === size * rows.length) return literalOfBytes(batch, new Uint8Array(buffer));
  }
  const bytes = new Uint8Array(size * rows.length);
  rows.forEach((row, i) => {
    bytes.set(bytesOf(row!), i * size);
  });
  return literalOfBytes(batch, bytes);
}

const nested =
  (path: string) =>
  (value: unknown): Literal | undefined => {
    if (!Array.isArray(value)) return undefined;
    try {
      return literalFrom(value as NestedNumbers, undefined, undefined);
    } catch (error) {
      if (!isTrenioError(error, 'BAD_TENSOR_DATA')) throw error;
      throw failure(path, error.data.problem, 'arrays of one size at each depth');
    }
  };

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
/** Whether it is data: numbers, or arrays of them. */
const isNumbers = (value: readonly unknown[]): boolean =>
  value.length > 0 &&
  (value.every(isScalar) || (value.every(Array.isArray) && isNumbers(value[0] as readonly unknown[])));
const isRecord = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

function requireAll(
  values: readonly unknown[],
  path: string,
  fits: (value: unknown) => boolean,
  expected: string,
): void {
  const other = values.findIndex(value => !fits(value));
  if (other >= 0)
    throw failure(path, `it is ${described(values[other])} in item ${other}`, `${expected}, as in item 0`);
}

function described(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return `an array of ${value.length} entries`;
  if (isRecord(value)) return `an object with ${Object.keys(value).slice(0, 8).join(', ') || 'nothing'}`;
  if (typeof value === 'object') return `of class ${value.constructor?.name ?? 'Object'}`;
  return `a ${typeof value}`;
}
