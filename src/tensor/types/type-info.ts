// The limits of data types, like PyTorch's `finfo` and `iinfo`.
import { TrenioError } from '../../base/errors.ts';
import type { ElementType } from '../../hlo/types.ts';
import { userLocation } from '../location.ts';
import { type DType, type DTypeName, dtypeName, elementTypeOf } from './dtype.ts';

/** The limits of a floating-point type. */
export interface FloatInfo {
  /** The data type. */
  readonly dtype: DTypeName;
  /** The number of bits. */
  readonly bits: number;
  /** The difference between 1 and the next larger number. */
  readonly eps: number;
  /** The largest finite number. */
  readonly max: number;
  /** The smallest finite number. */
  readonly min: number;
  /** The smallest positive number of full precision. */
  readonly tiny: number;
  /** The smallest positive normal number. */
  readonly smallestNormal: number;
}
/** The limits of an integer type. */
export interface IntegerInfo {
  /** The data type. */
  readonly dtype: DTypeName;
  /** The number of bits. */
  readonly bits: number;
  /** The largest number. */
  readonly max: bigint;
  /** The smallest number. */
  readonly min: bigint;
}

const floats: Partial<Record<ElementType, readonly [bits: number, eps: number, max: number, tiny: number]>> = {
  f64: [64, Number.EPSILON, Number.MAX_VALUE, 2.2250738585072014e-308],
  f32: [32, 2 ** -23, 3.4028234663852886e38, 1.1754943508222875e-38],
  f16: [16, 2 ** -10, 65504, 6.103515625e-5],
  bf16: [16, 2 ** -7, 3.3895313892515355e38, 1.1754943508222875e-38],
};
const integers: Partial<Record<ElementType, readonly [bits: number, isSigned: boolean]>> = {
  i64: [64, true],
  i32: [32, true],
  i16: [16, true],
  i8: [8, true],
  ui64: [64, false],
  ui32: [32, false],
  ui16: [16, false],
  ui8: [8, false],
};

/**
 * The limits of a floating-point type.
 * @throws {BAD_DTYPE}
 * @example
 * finfo('float32').max // 3.4028234663852886e+38
 * finfo('bfloat16').eps // 0.0078…
 */
export function finfo(dtype: DType): FloatInfo {
  const type = elementTypeOf(dtype);
  const found = floats[type];
  if (found === undefined) throw badType('finfo', type, 'float64, float32, float16 or bfloat16');
  const [bits, eps, max, tiny] = found;
  return { dtype: dtypeName(type), bits, eps, max, min: -max, tiny, smallestNormal: tiny };
}
/**
 * The limits of an integer type.
 * @throws {BAD_DTYPE}
 * @example
 * iinfo('int8').max // 127
 */
export function iinfo(dtype: DType): IntegerInfo {
  const type = elementTypeOf(dtype);
  const found = integers[type];
  if (found === undefined) throw badType('iinfo', type, 'an integer type');
  const [bits, isSigned] = found;
  const span = 2n ** BigInt(isSigned ? bits - 1 : bits);
  return { dtype: dtypeName(type), bits, max: span - 1n, min: isSigned ? -span : 0n };
}
const badType = (op: string, got: ElementType, expected: string): TrenioError =>
  new TrenioError('BAD_DTYPE', { op, got: dtypeName(got), expected }, { location: userLocation() });
