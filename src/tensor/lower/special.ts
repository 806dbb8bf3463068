// Functions of probability: tails of the normal distribution, entropies, logarithms of gamma functions of several variables.
import type { Builder } from '../../hlo/builder.ts';
import { Formula } from '../../hlo/ops/special-functions/formula.ts';
import type { Value } from '../../hlo/program.ts';
import type { Context } from '../surface/row.ts';
import { type Operand, unify } from './elementwise.ts';
import { withGradient } from './linalg/batches.ts';
import { inWide, typeOf } from './narrow.ts';

const erfc = (b: Builder, x: Value): Value => b.emit1('chlo.erfc', [x], {});
const fractionLevels = 40;

/** exp(x²) · erfc(x): by a continued fraction where erfc is small. */
export function erfcx(c: Context, x: Value): Value {
  const { b } = c;
  const f = new Formula(b, x);
  const isFar = f.compare('GT', x, 4);
  const inner = f.select(isFar, 0, x);
  const outer = f.select(isFar, x, 4);
  let below: Value = outer;
  for (let k = fractionLevels; k > 0; k--) below = f.add(outer, f.divide(k / 2, below));
  const near = f.multiply(f.exp(f.square(inner)), erfc(b, inner));
  const value = f.select(isFar, f.divide(1 / Math.sqrt(Math.PI), below), near);
  return withGradient(c, 'SpecialErfcx', [x], [value], ({ b: back, cotangents: [g], results: [y] }) => {
    const h = new Formula(back, x);
    return [h.multiply(g!, h.subtract(h.multiply(h.multiply(2, x), y!), 2 / Math.sqrt(Math.PI)))];
  })[0]!;
}
/** The distribution function of the normal distribution. */
export function ndtr(b: Builder, x: Value): Value {
  const f = new Formula(b, x);
  return f.multiply(0.5, erfc(b, f.multiply(x, -Math.SQRT1_2)));
}
/** Its logarithm, also far below 0. */
export function logNdtr(c: Context, x: Value): Value {
  const f = new Formula(c.b, x);
  const isLow = f.compare('LT', x, -1);
  const [low, high] = [f.select(isLow, x, -1), f.select(isLow, 0, x)];
  const tail = f.log(f.multiply(0.5, erfcx(c, f.multiply(low, -Math.SQRT1_2))));
  const above = f.log1p(f.multiply(-0.5, erfc(c.b, f.multiply(high, Math.SQRT1_2))));
  return f.select(isLow, f.subtract(tail, f.multiply(0.5, f.square(low))), above);
}
/** The quantile of the normal distribution: from a first guess, by Newton's method on the logarithm of the lower tail. */
export function ndtri(c: Context, p: Value): Value {
  const { b } = c;
  const f = new Formula(b, p);
  const isUpper = f.compare('GT', p, 0.5);
  const tail = f.select(isUpper, f.subtract(1, p), p);
  const isInside = f.compare('GT', tail, 0);
  const safe = f.select(isInside, tail, 0.5);
  const wanted = f.log(safe);
  const center = f.multiply(
    Math.SQRT2,
    b.emit1('chlo.erf_inv', [f.subtract(f.multiply(2, f.maximum(safe, 0.02)), 1)], {}),
  );
  const far = f.negate(f.sqrt(f.multiply(-2, f.minimum(wanted, Math.log(0.02)))));
  const quiet: Context = c;
  let z: Value = f.select(f.compare('LT', safe, 0.02), far, center);
  for (let i = 0; i < 4; i++) {
    const log = logNdtr(quiet, z);
    // (log Φ - wanted) · Φ / φ
    const ratio = f.multiply(Math.sqrt(2 * Math.PI), f.exp(f.add(log, f.multiply(0.5, f.square(z)))));
    z = f.subtract(z, f.multiply(f.subtract(log, wanted), ratio));
  }
  const lower = f.select(f.compare('EQ', tail, 0), Number.NEGATIVE_INFINITY, f.select(isInside, z, Number.NaN));
  const value = f.select(isUpper, f.negate(lower), lower);
  return withGradient(c, 'SpecialNdtri', [p], [value], ({ b: back, cotangents: [g], results: [y] }) => {
    const h = new Formula(back, p);
    return [h.multiply(g!, h.multiply(Math.sqrt(2 * Math.PI), h.exp(h.multiply(0.5, h.square(y!)))))];
  })[0]!;
}
/** -x · log(x); 0 at 0, -∞ below. Its slope is infinite at 0 and NaN below. */
export function entropyOf(c: Context, x: Value): Value {
  const f = new Formula(c.b, x);
  const isInside = f.compare('GT', x, 0);
  const inside = f.negate(f.multiply(x, f.log(f.select(isInside, x, 1))));
  const low = f.select(f.compare('LT', x, 0), Number.NEGATIVE_INFINITY, f.abs(x));
  const value = f.select(isInside, inside, low);
  return withGradient(c, 'SpecialEntr', [x], [value], ({ b, cotangents: [g] }) => {
    const h = new Formula(b, x);
    return [h.multiply(g!, h.subtract(-1, h.log(x)))];
  })[0]!;
}
/** x · log(1 + y), 0 where x is 0. */
export function xlog1py(b: Builder, x: Operand, y: Operand): Value {
  const [p, q] = unify(b, 'xlog1py', x, y, true);
  return inWide(b, p, w => {
    const f = new Formula(b, w);
    const v = b.convert(q, typeOf(w));
    const isInfinite = f.or(f.compare('LE', v, -1), f.compare('EQ', v, Number.POSITIVE_INFINITY));
    const isZero = b.binary('and', f.compare('EQ', w, 0), isInfinite);
    return f.multiply(w, f.log1p(f.select(isZero, 1, v)));
  });
}
/** The logarithm of the gamma function of p variables. */
export function multigammaln(b: Builder, x: Value, p: number): Value {
  const f = new Formula(b, x);
  const terms = Array.from({ length: p }, (_, j) => b.emit1('chlo.lgamma', [f.subtract(x, j / 2)], {}));
  return terms.reduce<Value>((sum, term) => f.add(sum, term), f.value((p * (p - 1) * Math.log(Math.PI)) / 4));
}
/** The n-th derivative of digamma: at its poles +∞ for odd n, and −∞ for even n, as in PyTorch. */
export function polygamma(c: Context, n: number, x: Value): Value {
  const { b } = c;
  if (n === 0) return b.emit1('chlo.digamma', [x], {});
  const f = new Formula(b, x);
  const atPole = b.binary('and', f.compare('LE', x, 0), f.compare('EQ', x, f.floor(x)));
  const inside = b.emit1('chlo.polygamma', [b.like(x, n), f.select(atPole, 1, x)], {});
  const value = f.select(atPole, n % 2 === 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY, inside);
  return withGradient(c, 'Polygamma', [x], [value], ({ c: back, b: inner, cotangents: [g] }) => [
    inner.multiply(g!, polygamma(back, n + 1, x)),
  ])[0]!;
}
/** The Hurwitz zeta function, with PyTorch's values at its poles, and NaN for exponents below 1. */
export function zeta(b: Builder, x: Value, q: Value): Value {
  const f = new Formula(b, x);
  const atPole = b.binary('and', f.compare('LE', q, 0), f.compare('EQ', q, f.floor(q)));
  const value = f.select(atPole, Number.POSITIVE_INFINITY, b.emit1('chlo.zeta', [x, f.select(atPole, 1, q)], {}));
  return f.select(f.compare('LT', x, 1), Number.NaN, value);
}
