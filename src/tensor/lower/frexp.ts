// Mantissa and exponent of floats, from their bits: x = mantissa · 2 to the exponent, 0.5 ≤ |mantissa| < 1.
import { TrenioError } from '../../base/errors.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { isFloat, tensorType } from '../../hlo/types.ts';
import type { Context } from '../surface/row.ts';
import { withGradient } from './linalg/batches.ts';
import { dtypeOf, typeOf } from './narrow.ts';

/** @throws {BAD_DTYPE} for other than floats */
export function frexp(c: Context, x: Value): [mantissa: Value, exponent: Value] {
  const { b } = c;
  const type = typeOf(x);
  if (!isFloat(type))
    throw new TrenioError('BAD_DTYPE', { op: 'frexp', got: dtypeOf(x), expected: 'floats' }, { location: b.location });
  const isWide = type === 'f64';
  const wide = isWide ? x : b.convert(x, 'f32');
  const [bits, width, bias] = isWide ? (['i64', 52n, 1022n] as const) : (['i32', 23n, 126n] as const);
  const shape = shapeOf(x);
  const whole = (value: bigint): Value => b.fill(bits, shape, value);
  // subnormal numbers do not store their exponent
  const scale = isWide ? 2 ** 54 : 2 ** 25;
  const smallest = isWide ? 2 ** -1022 : 2 ** -126;
  const isTiny = b.compare('LT', b.unary('abs', wide), b.like(wide, smallest));
  const scaled = b.select(isTiny, b.multiply(wide, b.like(wide, scale)), wide);
  const pattern = b.emit1('bitcast_convert', [scaled], { type: tensorType(bits, shape) });
  const mask = isWide ? 0x7ffn : 0xffn;
  const biased = b.binary('and', b.binary('shift_right_logical', pattern, whole(width)), whole(mask));
  const offset = b.select(isTiny, whole(bias + BigInt(Math.log2(scale))), whole(bias));
  const fraction = b.binary('or', b.binary('and', pattern, whole(~(mask << width))), whole(bias << width));
  const mantissa = b.emit1('bitcast_convert', [fraction], { type: tensorType(isWide ? 'f64' : 'f32', shape) });
  const isZero = b.compare('EQ', wide, b.like(wide, 0));
  const isSame = b.binary('or', isZero, b.unary('not', b.emit1('is_finite', [wide], {})));
  const exponent = b.convert(b.select(isSame, whole(0n), b.subtract(biased, offset)), 'i32');
  const value = b.convert(b.select(isSame, wide, mantissa), type);
  c.stop(exponent);
  const [result] = withGradient(c, 'Frexp', [x], [value], ({ b: back, cotangents: [g] }) => {
    const power = back.unary(
      'exponential',
      back.multiply(back.convert(exponent, type), back.fill(type, shape, Math.LN2)),
    );
    return [back.divide(g!, power)];
  });
  return [result!, exponent];
}
