// Functions of the bits of numbers: neighbors among floats, the high half of a product.
import type { BaseBuilder } from '../../base-builder.ts';
import { tensorTypeOf, type Value } from '../../program.ts';
import { type ElementType, numberKind, type TensorType } from '../../types.ts';
import { bitWidth } from '../element-data.ts';
import { Formula } from './formula.ts';

/** The float after x in the direction of y, as C's nextafter; undefined for types that are not IEEE's. */
export function nextAfter(b: BaseBuilder, x: Value, y: Value): Value | undefined {
  const type = tensorTypeOf(x);
  if (!['f64', 'f32', 'f16', 'bf16'].includes(type.elementType)) return undefined;
  const width = bitWidth(type.elementType);
  const floats = new Formula(b, x);
  const bitsOf = (value: Value): Value =>
    b.emit1('bitcast_convert', [value], { type: integersLike(type, `i${width}` as ElementType) });
  const [xBits, yBits] = [bitsOf(x), bitsOf(y)];
  const f = new Formula(b, xBits);
  const sign = width === 64 ? -(2n ** 63n) : -(2 ** (width - 1));
  const magnitude = width === 64 ? 2n ** 63n - 1n : 2 ** (width - 1) - 1;
  const [one, minusOne, zero] = width === 64 ? [1n, -1n, 0n] : [1, -1, 0];

  // The bits of floats, read as integers, increase with their magnitude: the neighbors of a float differ from it by one.
  const [xSize, ySize] = [f.and(xBits, magnitude), f.and(yBits, magnitude)];
  const [xSign, ySign] = [f.and(xBits, sign), f.and(yBits, sign)];
  const inwards = f.or(f.compare('GT', xSize, ySize), f.compare('NE', xSign, ySign));
  const stepped = f.add(xBits, f.select(inwards, minusOne, one));
  const fromZero = f.select(f.compare('EQ', ySize, zero), yBits, f.or(ySign, one));
  const moved = f.select(f.compare('EQ', xSize, zero), fromZero, stepped);
  const result = f.select(floats.compare('EQ', x, y), yBits, moved);
  const hasNaN = f.or(floats.compare('NE', x, x), floats.compare('NE', y, y));
  return floats.select(hasNaN, Number.NaN, b.emit1('bitcast_convert', [result], { type }));
}
const integersLike = (type: TensorType, elementType: ElementType): TensorType => ({ ...type, elementType });

/** The upper half of the bits of x·y. */
export function highProduct(b: BaseBuilder, x: Value, y: Value): Value {
  const { elementType } = tensorTypeOf(x);
  const isSigned = numberKind(elementType) === 'signed';
  const width = bitWidth(elementType);
  if (width < 64) {
    const wide = `${isSigned ? 'i' : 'ui'}${Math.max(8, 2 * width)}` as ElementType;
    const product = b.multiply(b.convert(x, wide), b.convert(y, wide));
    const shift = isSigned ? 'shift_right_arithmetic' : 'shift_right_logical';
    return b.convert(b.binary(shift, product, b.like(product, width)), elementType);
  }
  if (!isSigned) return highProductOf64Bits(new Formula(b, x), x, y);
  // The bits of a negative number, read as unsigned, are 2⁶⁴ too large: the result is too large by the other factor.
  const [p, q] = [b.convert(x, 'ui64'), b.convert(y, 'ui64')];
  const [signed, unsigned] = [new Formula(b, x), new Formula(b, p)];
  const excess = (factor: Value, other: Value): Value => unsigned.select(signed.compare('LT', factor, 0n), other, 0n);
  const high = unsigned.subtract(highProductOf64Bits(unsigned, p, q), excess(x, q));
  return b.convert(unsigned.subtract(high, excess(y, p)), elementType);
}

/** Computed for unsigned numbers from their 32-bit halves. */
function highProductOf64Bits(f: Formula, x: Value, y: Value): Value {
  const low = (value: Value): Value => f.and(value, 0xffff_ffffn);
  const high = (value: Value): Value => f.shiftRight(value, 32n);
  const carry = high(f.multiply(low(x), low(y)));
  const middle = f.add(f.multiply(low(x), high(y)), carry);
  const otherMiddle = f.add(f.multiply(high(x), low(y)), low(middle));
  return f.add(f.add(f.multiply(high(x), high(y)), high(middle)), high(otherMiddle));
}
