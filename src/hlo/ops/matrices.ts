// Batches of matrices for linear algebra: as plain numbers, for evaluation, and as values, for decompositions.
import type { BaseBuilder } from '../base-builder.ts';
import type { Literal } from '../literal.ts';
import { shapeOf, type TensorValue, tensorTypeOf, type Value } from '../program.ts';
import { elementCount, tensorType } from '../types.ts';
import { decodeNumbers, encode, entriesOf, isComplex } from './element-data.ts';

/** A complex number as a pair. Real matrices have zeros for the imaginary parts. */
export type Scalar = readonly [real: number, imag: number];
export const multiply = ([a, b]: Scalar, [c, d]: Scalar): Scalar => [a * c - b * d, a * d + b * c];
export const subtract = ([a, b]: Scalar, [c, d]: Scalar): Scalar => [a - c, b - d];
export const conjugate = ([a, b]: Scalar): Scalar => [a, -b];
/** Scaled by the larger part of the divisor, so that nothing overflows (Smith). */
export function divide([a, b]: Scalar, [c, d]: Scalar): Scalar {
  if (d === 0) return [a / c, b / c];
  if (Math.abs(c) >= Math.abs(d)) {
    const r = d / c;
    const t = c + d * r;
    return [(a + b * r) / t, (b - a * r) / t];
  }
  const r = c / d;
  const t = c * r + d;
  return [(a * r + b) / t, (b * r - a) / t];
}

/** The matrices of a literal, in f64: read and written one element at a time. */
export class Matrices {
  readonly count: number;
  readonly rows: number;
  readonly columns: number;
  readonly #type: Literal['type'];
  readonly #entries: 1 | 2;
  readonly #values: Float64Array;

  constructor(type: Literal['type'], values: Float64Array) {
    [this.rows, this.columns] = type.shape.slice(-2) as [number, number];
    this.count = elementCount(type.shape.slice(0, -2));
    this.#type = type;
    this.#entries = entriesOf(type.elementType) as 1 | 2;
    this.#values = values;
  }
  static of(x: Literal): Matrices {
    return new Matrices(x.type, Float64Array.from(decodeNumbers(x)));
  }
  static zeros(type: Literal['type']): Matrices {
    return new Matrices(type, new Float64Array(elementCount(type.shape) * entriesOf(type.elementType)));
  }
  #at(matrix: number, row: number, column: number): number {
    return ((matrix * this.rows + row) * this.columns + column) * this.#entries;
  }
  get(matrix: number, row: number, column: number): Scalar {
    const at = this.#at(matrix, row, column);
    return [this.#values[at]!, this.#entries === 2 ? this.#values[at + 1]! : 0];
  }
  set(matrix: number, row: number, column: number, [real, imag]: Scalar): void {
    const at = this.#at(matrix, row, column);
    this.#values[at] = real;
    if (this.#entries === 2) this.#values[at + 1] = imag;
  }
  literal(): Literal {
    return encode(this.#type, this.#values);
  }
}

/** x with rows and columns swapped. */
export function swapped(b: BaseBuilder, x: Value): TensorValue {
  const rank = shapeOf(x).length;
  const batch = Array.from({ length: rank - 2 }, (_, d) => d);
  return b.transpose(x, [...batch, rank - 1, rank - 2]);
}
export function conjugated(b: BaseBuilder, x: Value): TensorValue {
  if (!isComplex(tensorTypeOf(x).elementType)) return x as TensorValue;
  const imag = b.negate(b.emit1('imag', [x], {}));
  return b.emit1('complex', [b.emit1('real', [x], {}), imag], {});
}
/** Converts real numbers to another type, which may be complex. */
export function likeElements(b: BaseBuilder, real: Value, x: Value): TensorValue {
  const { elementType } = tensorTypeOf(x);
  return isComplex(elementType) ? b.emit1('complex', [real, b.like(real, 0)], {}) : (real as TensorValue);
}
export const realPart = (b: BaseBuilder, x: Value): TensorValue =>
  isComplex(tensorTypeOf(x).elementType) ? b.emit1('real', [x], {}) : (x as TensorValue);

/** The product of each pair of matrices. */
export function product(b: BaseBuilder, x: Value, y: Value): TensorValue {
  const rank = shapeOf(x).length;
  const batch = Array.from({ length: rank - 2 }, (_, d) => d);
  return b.dotGeneral(x, y, {
    lhsBatchingDimensions: batch,
    rhsBatchingDimensions: batch,
    lhsContractingDimensions: [rank - 1],
    rhsContractingDimensions: [rank - 2],
  });
}

/** Zeros of a shape, in the elements of x. */
export const zerosOf = (b: BaseBuilder, x: Value, shape: readonly number[]): TensorValue =>
  b.fill(tensorTypeOf(x).elementType, shape, 0);
/** A mask in the shape of x: true where the comparison of row and column index holds. */
export function triangle(b: BaseBuilder, x: Value, direction: 'GE' | 'GT' | 'LE' | 'LT' | 'EQ'): TensorValue {
  const shape = shapeOf(x);
  const rank = shape.length;
  const type = tensorType('i32', shape);
  return b.compare(direction, b.iota(type, rank - 2), b.iota(type, rank - 1));
}
/** The elements of x where the comparison of row and column index holds; zeros elsewhere. */
export function trianglePart(b: BaseBuilder, x: Value, direction: 'GE' | 'GT' | 'LE' | 'LT'): TensorValue {
  return b.select(triangle(b, x, direction), x, zerosOf(b, x, shapeOf(x)));
}
