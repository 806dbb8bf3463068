// One element as plain data: a number, a bigint for 64-bit integers, the two parts of a complex number.

import { numberOf } from '../../hlo/element-codec.ts';
import type { Literal } from '../../hlo/literal.ts';
import { isBig, isComplex } from '../../hlo/ops/element-data.ts';
import type { ElementType } from '../../hlo/types.ts';

export type ScalarValue = number | bigint | readonly [real: number, imaginary: number];

/** Element `i` of a literal; exact. */
export function scalarValueAt({ type, data }: Literal, i: number): ScalarValue {
  const { elementType } = type;
  if (isComplex(elementType)) return [Number(data[2 * i]), Number(data[2 * i + 1])];
  const entry = data[i]!;
  if (isBig(elementType)) {
    const bits = BigInt(entry);
    return elementType === 'i64' ? BigInt.asIntN(64, bits) : BigInt.asUintN(64, bits);
  }
  if (elementType === 'i1') return entry ? 1 : 0;
  const value = numberOf(elementType);
  return value === undefined ? Number(entry) : value(Number(entry));
}

export const zeroOf = (type: ElementType): ScalarValue => (isComplex(type) ? [0, 0] : isBig(type) ? 0n : 0);

const keyOfNumber = (x: number): string => (Object.is(x, -0) ? '-0' : String(x));
/** Equal for equal values of a type; -0 is not 0, and NaNs are all equal. */
export function keyOfScalarValue(value: ScalarValue): string {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' ? keyOfNumber(value) : value.map(keyOfNumber).join();
}
