// Converts between JavaScript arrays and the elements of a tensor.
import { described } from '../../base/described.ts';
import { TrenioError } from '../../base/errors.ts';
import { type Literal, type LiteralData, literal, numberAt } from '../../hlo/literal.ts';
import { type ElementType, elementCount, numberKind, tensorType } from '../../hlo/types.ts';
import { userLocation } from '../location.ts';
import { elementTypeOfArray } from './dtype.ts';

/** Numbers, nested to any depth; all arrays of one level have the same length. */
export type NestedNumbers = number | bigint | boolean | readonly NestedNumbers[];
/** Data that a tensor can be created from. */
export type TensorData = NestedNumbers | LiteralData | Literal;

export const isLiteral = (data: unknown): data is Literal =>
  typeof data === 'object' && data !== null && 'type' in data && 'data' in data && ArrayBuffer.isView(data.data);

function bad(problem: string): TrenioError {
  return new TrenioError('BAD_TENSOR_DATA', { problem }, { location: userLocation() });
}

const isNumber = (data: unknown): data is number | bigint | boolean =>
  typeof data === 'number' || typeof data === 'bigint' || typeof data === 'boolean';

/** False if `data` does not have the shape: `mismatch` explains why. */
function flatten(
  data: NestedNumbers,
  shape: readonly number[],
  depth: number,
  out: (number | bigint | boolean)[],
): boolean {
  if (depth === shape.length) return isNumber(data) && out.push(data) > 0;
  if (!Array.isArray(data) || data.length !== shape[depth]) return false;
  for (const entry of data as readonly NestedNumbers[]) if (!flatten(entry, shape, depth + 1, out)) return false;
  return true;
}

/** The first entry that is not a number, or is nested differently from its first sibling. */
function mismatch(data: unknown, shape: readonly number[], indices: readonly number[] = []): string | undefined {
  const depth = indices.length;
  const path = (at: readonly number[]): string => `data${at.map(i => `[${i}]`).join('')}`;
  const here = depth === 0 ? 'the data' : path(indices);
  const first = path(indices.map(() => 0));
  if (!Array.isArray(data)) {
    if (depth < shape.length && isNumber(data)) return `${here} is ${described(data)}, where ${first} is an array`;
    if (isNumber(data)) return undefined;
    return `${here} is ${described(data)}${typeof data === 'object' && data !== null && 'dtype' in data ? ': join tensors with stack()' : ''}`;
  }
  if (depth === shape.length) return `${here} is an array, where ${first} is a number`;
  if (data.length !== shape[depth])
    return `${here} has ${data.length} ${data.length === 1 ? 'entry' : 'entries'}, where ${first} has ${shape[depth]}`;
  for (let i = 0; i < data.length; i++) {
    const found = mismatch(data[i], shape, [...indices, i]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The widest kind among them: a boolean or an integer among numbers is a number. */
function typeOfNumbers(values: readonly (number | bigint | boolean)[]): ElementType {
  if (values.length === 0 || typeof values[0] === 'number') return 'f32';
  const kinds = new Set(values.map(value => typeof value));
  if (kinds.has('number')) return 'f32';
  return kinds.has('bigint') ? 'i64' : 'i1';
}

/**
 * The elements of `data` as a literal. Plain numbers become f32, bigints i64, booleans i1, and a mix of
 * them the first of these; typed arrays keep their type.
 */
export function literalFrom(
  data: TensorData,
  elementType: ElementType | undefined,
  shape: readonly number[] | undefined,
): Literal {
  if (isLiteral(data)) {
    if (elementType === undefined || elementType === data.type.elementType) return reshaped(data, shape);
    const numbers = Array.from({ length: data.data.length }, (_, i) => numberAt(data, i));
    const fitting = isComplex(data.type.elementType) ? numbers : entriesOf(elementType, numbers);
    return literal(elementType, shape ?? data.type.shape, fitting);
  }
  if (ArrayBuffer.isView(data)) {
    const type = elementTypeOfArray(data);
    const own = { type: tensorType(type, [data.length]), data };
    return elementType === undefined || elementType === type
      ? reshaped(own, shape ?? [data.length])
      : literalFrom(own, elementType, shape ?? [data.length]);
  }
  const found: number[] = [];
  for (
    let level: NestedNumbers | undefined = data as NestedNumbers;
    Array.isArray(level);
    level = (level as readonly NestedNumbers[])[0]
  )
    found.push(level.length);
  const values: (number | bigint | boolean)[] = [];
  if (!flatten(data as NestedNumbers, found, 0, values)) throw bad(mismatch(data, found) ?? 'it changed meanwhile');
  const type = elementType ?? typeOfNumbers(values);
  return reshaped(literal(type, found, entriesOf(type, values)), shape);
}

const isComplex = (type: ElementType): boolean => numberKind(type) === 'complex';
/** Real numbers as stored in a literal of a type: for a complex type, with imaginary parts of 0. */
const entriesOf = (
  type: ElementType,
  numbers: readonly (number | bigint | boolean)[],
): readonly (number | bigint | boolean)[] => (isComplex(type) ? numbers.flatMap(x => [x, 0]) : numbers);

function reshaped(value: Literal, shape: readonly number[] | undefined): Literal {
  if (shape === undefined) return value;
  const count = elementCount(shape);
  if (count !== elementCount(value.type.shape)) {
    throw bad(`${elementCount(value.type.shape)} elements for the shape [${shape.join(', ')}], which has ${count}`);
  }
  return { type: tensorType(value.type.elementType, shape), data: value.data };
}

/**
 * The elements as nested arrays of numbers (booleans for i1, pairs [real, imaginary] for complex ones); that of a scalar
 * as one number.
 */
export function nestedNumbers(value: Literal): NestedNumbers {
  const { shape, elementType } = value.type;
  const read = (i: number): NestedNumbers => {
    if (isComplex(elementType)) return [numberAt(value, 2 * i), numberAt(value, 2 * i + 1)];
    return elementType === 'i1' ? value.data[i] !== 0 : numberAt(value, i);
  };
  const build = (depth: number, at: number, size: number): NestedNumbers => {
    if (depth === shape.length) return read(at);
    const step = shape[depth] === 0 ? 0 : size / shape[depth]!;
    return Array.from({ length: shape[depth]! }, (_, i) => build(depth + 1, at + i * step, step));
  };
  return build(0, 0, elementCount(shape));
}

/** A typed array of the elements, owned by the caller; bf16 as f32. */
export function typedArray(value: Literal): LiteralData {
  if (value.type.elementType !== 'bf16') return value.data;
  return Float32Array.from({ length: value.data.length }, (_, i) => numberAt(value, i));
}
