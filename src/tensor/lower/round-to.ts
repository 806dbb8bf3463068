// Rounds a tensor's numbers to a format without storing them in it, such as a configurable 8-bit float: the same operations as
// `round` of numerics, which is the reference.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import type { NumberFormat } from '../../numerics/index.ts';

/** x (f32) on the grid of the format: to the nearest, or stochastically with a random ui32 for each element. */
export function roundTo(b: Builder, x: Value, format: NumberFormat, bits: Value | undefined): Value {
  const isNan = b.compare('NE', x, x);
  const size = b.unary('abs', x);
  if (format.kind === 'integer') {
    const whole = withSign(b, cut(b, size, bits), x);
    const clamped = b.minimum(b.maximum(whole, b.like(x, format.least)), b.like(x, format.greatest));
    // integers have one zero
    return b.select(b.binary('or', isNan, b.compare('EQ', clamped, b.like(x, 0))), b.like(x, 0), clamped);
  }
  const { mantissaBits, bias, greatest, overflow } = format;
  const isNumber = b.emit1('is_finite', [x], {});
  const finite = b.select(isNumber, x, b.like(x, 0));
  const octave = fromWord(b, b.binary('and', toWord(b, finite), word(b, x, 0x7f800000)));
  const step = b.multiply(b.maximum(octave, b.like(x, 2 ** (1 - bias))), b.like(x, 2 ** -mantissaBits));
  const rounded = b.select(isNumber, b.multiply(cut(b, b.divide(b.unary('abs', finite), step), bits), step), size);
  const beyond = { infinity: Number.POSITIVE_INFINITY, nan: Number.NaN, saturate: greatest }[overflow];
  const held = b.select(b.compare('LE', rounded, b.like(x, greatest)), rounded, b.like(x, beyond));
  return b.select(isNan, x, withSign(b, held, x));
}

/** A number of at least 0 as one of its two neighbors among the integers. */
function cut(b: Builder, x: Value, bits: Value | undefined): Value {
  if (bits === undefined) return b.unary('round_nearest_even', x);
  const low = b.unary('floor', x);
  const fraction = b.convert(b.binary('shift_right_logical', bits, word(b, x, 8)), 'f32');
  const chance = b.multiply(fraction, b.like(x, 2 ** -24));
  const isUp = b.compare('GE', b.subtract(x, low), b.subtract(b.like(x, 1), chance));
  return b.select(isUp, b.add(low, b.like(x, 1)), low);
}

const word = (b: Builder, x: Value, value: number): Value => b.fill('ui32', shapeOf(x), value);
const toWord = (b: Builder, x: Value): Value =>
  b.emit1('bitcast_convert', [x], { type: tensorType('ui32', shapeOf(x)) });
const fromWord = (b: Builder, x: Value): Value =>
  b.emit1('bitcast_convert', [x], { type: tensorType('f32', shapeOf(x)) });
const withSign = (b: Builder, size: Value, x: Value): Value =>
  fromWord(b, b.binary('or', toWord(b, size), b.binary('and', toWord(b, x), word(b, x, 0x80000000))));
