// Between JavaScript's arrays and the elements of a tensor.
import { TrenioError } from '../base/errors.ts';
import { type Literal, type LiteralData, literal, numberAt } from '../hlo/literal.ts';
import { type ElementType, elementCount, numberKind, tensorType } from '../hlo/types.ts';
import { elementTypeOfArray } from './dtype.ts';
import { userLocation } from './location.ts';

/** Numbers, nested to any depth; all arrays of one level equally long. */
export type NestedNumbers = number | bigint | boolean | readonly NestedNumbers[];
/** What a tensor can be made of. */
export type TensorData = NestedNumbers | LiteralData | Literal;

export const isLiteral = (data: unknown): data is Literal =>
  typeof data === 'object' && data !== null && 'type' in data && 'data' in data && ArrayBuffer.isView(data.data);

function bad(problem: string): TrenioError {
  return new TrenioError('BAD_TENSOR_DATA', { problem }, { location: userLocation() });
}

function flatten(
  data: NestedNumbers,
  shape: readonly number[],
  depth: number,
  out: (number | bigint | boolean)[],
): void {
  if (depth === shape.length) {
    if (typeof data !== 'number' && typeof data !== 'bigint' && typeof data !== 'boolean') {
      throw bad(
        Array.isArray(data)
          ? 'its arrays are nested to different depths'
          : `it holds ${data === null ? 'null' : `a ${typeof data}`}`,
      );
    }
    out.push(data);
    return;
  }
  if (!Array.isArray(data)) throw bad('its arrays are nested to different depths');
  if (data.length !== shape[depth]) {
    throw bad(`arrays at depth ${depth} have ${shape[depth]} and ${data.length} entries`);
  }
  for (const entry of data as readonly NestedNumbers[]) flatten(entry, shape, depth + 1, out);
}

/** The elements of `data` as a literal. Plain numbers become f32, booleans i1, bigints i64, typed arrays keep their type. */
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
  flatten(data as NestedNumbers, found, 0, values);
  const [first] = values;
  const type = elementType ?? (typeof first === 'boolean' ? 'i1' : typeof first === 'bigint' ? 'i64' : 'f32');
  return reshaped(literal(type, found, entriesOf(type, values)), shape);
}

const isComplex = (type: ElementType): boolean => numberKind(type) === 'complex';
/** Real numbers as a literal of a type stores them: with an imaginary part of 0 for a complex one. */
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

/** The elements as nested arrays of numbers (booleans for i1, pairs [real, imaginary] for complex ones); a scalar's as one. */
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

/** A typed array of the elements that is the caller's own; bf16 as f32. */
export function typedArray(value: Literal): LiteralData {
  if (value.type.elementType !== 'bf16') return value.data;
  return Float32Array.from({ length: value.data.length }, (_, i) => numberAt(value, i));
}
