// Element-wise functions that take several ops.
import type { Builder } from '../../hlo/builder.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, isFloat } from '../../hlo/types.ts';
import type { Context } from '../surface/row.ts';
import { finfo } from '../types/type-info.ts';
import { isComplex, real } from './complex.ts';
import { binary, noComplex, type Operand, toFloat, truncated, unify } from './elementwise.ts';
import { inWide } from './narrow.ts';

const typeOf = (x: Value): ElementType => tensorTypeOf(x).elementType;

/** A function of floats, computed in f32 for low-precision ones; integers become f32. */
export const ofFloats = (b: Builder, x: Value, body: (x: Value) => Value): Value => inWide(b, toFloat(b, x), body);
/** A constant times a value. */
const times = (b: Builder, x: Value, factor: number): Value => b.multiply(x, b.like(x, factor));

export const exp2 = (b: Builder, x: Value): Value => b.unary('exponential', times(b, x, Math.LN2));
export const log2 = (b: Builder, x: Value): Value => times(b, b.unary('log', x), Math.LOG2E);
export const log10 = (b: Builder, x: Value): Value => times(b, b.unary('log', x), Math.LOG10E);
export const scaledBy =
  (factor: number) =>
  (b: Builder, x: Value): Value =>
    times(b, x, factor);
/** log(x / (1 − x)); outside [0, 1], the value and the slope are NaN. */
export function logit(b: Builder, x: Value): Value {
  const isInside = b.binary('and', b.compare('GE', x, b.like(x, 0)), b.compare('LE', x, b.like(x, 1)));
  const inside = b.multiply(x, b.select(isInside, b.like(x, 1), b.like(x, Number.NaN)));
  return b.subtract(b.unary('log', inside), b.unary('log_plus_one', b.negate(inside)));
}
/** As `chlo.digamma`, but at 0, from where it is −1 / x. */
export function digamma(b: Builder, x: Value): Value {
  const isZero = b.compare('EQ', x, b.like(x, 0));
  const atZero = b.divide(b.like(x, -1), b.select(isZero, x, b.like(x, 1)));
  return b.select(isZero, atZero, b.emit1('chlo.digamma', [b.select(isZero, b.like(x, 1), x)], {}));
}
/** The fractional part, with the sign of x. */
export const frac = (b: Builder, x: Value): Value => b.subtract(x, truncated(b, x));
/** sin(πx) / (πx), 1 at 0. */
export function sinc(b: Builder, x: Value): Value {
  const isZero = b.compare('EQ', x, b.like(x, 0));
  const angle = times(b, b.select(isZero, b.like(x, 1), x), Math.PI);
  return b.select(isZero, b.like(x, 1), b.divide(b.unary('sine', angle), angle));
}

const infinite = { both: 'abs', plus: undefined, minus: 'negate' } as const;
/** Whether x is infinite: of either sign, or of one. */
export function isInfinite(b: Builder, x: Value, sign: keyof typeof infinite): Value {
  if (!isFloat(typeOf(x))) return b.fill('i1', tensorTypeOf(x).shape, false);
  const turn = infinite[sign];
  return b.compare('EQ', turn === undefined ? x : b.unary(turn, x), b.like(x, Infinity));
}
export const isNan = (b: Builder, x: Value): Value =>
  isFloat(typeOf(x)) ? b.compare('NE', x, x) : b.fill('i1', tensorTypeOf(x).shape, false);
export const areFinite = (b: Builder, x: Value): Value =>
  isFloat(typeOf(x))
    ? b.compare('LT', b.unary('abs', x), b.like(x, Infinity))
    : b.fill('i1', tensorTypeOf(x).shape, true);
/** NaN and infinities replaced, infinities by the largest numbers of the type by default. */
export function nanToNum(b: Builder, x: Value, nan: number, high: number | undefined, low: number | undefined): Value {
  const type = typeOf(x);
  if (!isFloat(type)) return x;
  const { max, min } = finfo(type);
  const replaced = (value: Value, where: Value, by: number): Value => b.select(where, b.like(value, by), value);
  const noNan = replaced(x, isNan(b, x), nan);
  const noHigh = replaced(noNan, isInfinite(b, x, 'plus'), high ?? max);
  return replaced(noHigh, isInfinite(b, x, 'minus'), low ?? min);
}

/** The angle of the point (x, y), in (−π, π]. */
export const atan2 = (b: Builder, y: Operand, x: Operand): Value => binary(b, 'atan2', 'atan2', y, x, true);
/** √(x² + y²), without overflow if the result is finite. */
export function hypot({ b, stop }: Pick<Context, 'b' | 'stop'>, x: Operand, y: Operand): Value {
  const [p, q] = unify(b, 'hypot', x, y, true);
  return inWide(b, p, w => {
    const v = b.convert(q, typeOf(w));
    const larger = b.maximum(b.unary('abs', w), b.unary('abs', v));
    const isUsable = b.binary('and', b.compare('GT', larger, b.like(w, 0)), areFinite(b, larger));
    const scale = b.select(isUsable, larger, b.like(w, 1));
    stop(scale);
    const [s, t] = [b.divide(w, scale), b.divide(v, scale)];
    return b.multiply(scale, b.unary('sqrt', b.add(b.multiply(s, s), b.multiply(t, t))));
  });
}
/** log(exp(x) + exp(y)). */
export function logAddExp(b: Builder, x: Operand, y: Operand): Value {
  const [p, q] = unify(b, 'logaddexp', x, y, true);
  return inWide(b, p, w => {
    const v = b.convert(q, typeOf(w));
    if (isComplex(w)) {
      const isFirst = b.compare('GE', real(b, w), real(b, v));
      const [top, low] = [b.select(isFirst, w, v), b.select(isFirst, v, w)];
      return b.add(top, b.unary('log_plus_one', b.unary('exponential', b.subtract(low, top))));
    }
    const distance = b.unary('abs', b.subtract(w, v));
    const sum = b.add(b.maximum(w, v), b.unary('log_plus_one', b.unary('exponential', b.negate(distance))));
    // the distance of equal infinities is NaN
    const areSame = b.binary('and', b.compare('EQ', w, v), isInfinite(b, w, 'both'));
    return b.select(areSame, w, sum);
  });
}
/** x · log(y), 0 where x is 0. */
export function xlogy(b: Builder, x: Operand, y: Operand): Value {
  const [p, q] = unify(b, 'xlogy', x, y, true);
  return inWide(b, p, w => {
    const v = b.convert(q, typeOf(w));
    // where the logarithm is infinite; elsewhere it is the gradient of x, also at 0
    const isInfinite = b.binary('or', b.compare('LE', v, b.like(v, 0)), b.compare('EQ', v, b.like(v, Infinity)));
    const isZero = b.binary('and', b.compare('EQ', w, b.like(w, 0)), isInfinite);
    const safe = b.select(isZero, b.like(v, 1), v);
    return b.multiply(w, b.unary('log', safe));
  });
}
/** The larger or smaller of two numbers; NaN only if both are. */
export function ignoringNan(b: Builder, op: 'fmax' | 'fmin', x: Operand, y: Operand): Value {
  const [p, q] = unify(b, op, x, y);
  noComplex(b, op, p);
  const isFirst = b.compare(op === 'fmax' ? 'GE' : 'LE', p, q);
  return b.select(isFloat(typeOf(p)) ? b.binary('or', isFirst, isNan(b, q)) : isFirst, p, q);
}
/** |x − y| ≤ atol + rtol · |y|, and where both are equal. */
export function isClose(b: Builder, x: Value, y: Value, rtol: number, atol: number, equalNan: boolean): Value {
  const [p, q] = unify(b, 'isclose', x, y);
  const [u, v] = [toFloat(b, p), toFloat(b, q)];
  const size = b.unary('abs', v);
  const limit = b.add(b.like(size, atol), times(b, size, rtol));
  const distance = b.unary('abs', b.subtract(u, v));
  const isNear = b.binary('and', b.compare('LE', distance, limit), areFinite(b, distance));
  const near = b.binary('or', b.compare('EQ', u, v), isNear);
  return equalNan ? b.binary('or', near, b.binary('and', isNan(b, u), isNan(b, v))) : near;
}
