// The regularized incomplete gamma functions P(a, x) and Q(a, x) = 1 - P(a, x), and the derivative of P with respect to a.
//
//   P(a, x) = Σ tₙ,  tₙ = x^(a+n) · e⁻ˣ / Γ(a + n + 1)      for x ≤ a + 1, and for the derivative
//   Q(a, x) = x^a · e⁻ˣ / Γ(a) · 1 / (x + 1 - a - 1·(1 - a) / (x + 3 - a - …))   beyond (Lentz's method)
import type { Builder } from '../../hlo/builder.ts';
import { Formula } from '../../hlo/ops/special-functions/formula.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import type { Context } from '../surface/row.ts';
import { epsilonOf, loop, withGradient } from './linalg/batches.ts';

const mostTerms = 5000;
const gamma = (b: Builder, name: 'chlo.lgamma' | 'chlo.digamma', x: Value): Value => b.emit1(name, [x], {});
const anyOf = (b: Builder, x: Value): Value =>
  b.reduce(
    'or',
    x,
    b.fill('i1', [], false),
    shapeOf(x).map((_, d) => d),
  );
/** log of x^a · e⁻ˣ / Γ(a). */
function logWeight(f: Formula, b: Builder, a: Value, x: Value): Value {
  return f.subtract(f.subtract(f.multiply(a, f.log(x)), x), gamma(b, 'chlo.lgamma', a));
}
/** For t₀ = `first`: Σ tₙ, and Σ tₙ · (log x - ψ(a + n + 1)), its derivative with respect to a. */
function series(b: Builder, a: Value, x: Value, first: Value): readonly [sum: Value, slope: Value] {
  const f = new Formula(b, x);
  const distance = f.subtract(f.log(x), gamma(b, 'chlo.digamma', f.add(a, 1)));
  const [, , , sum, slope] = loop(
    b,
    mostTerms,
    [f.add(a, 1), first, distance, first, f.multiply(first, distance), x],
    (inner, _, [place, term, off, total, slopes, z]) => {
      const h = new Formula(inner, place!);
      const next = h.divide(h.multiply(term!, z!), place!);
      const nextOff = h.subtract(off!, h.divide(1, place!));
      return [h.add(place!, 1), next, nextOff, h.add(total!, next), h.add(slopes!, h.multiply(next, nextOff)), z!];
    },
    (inner, [place, term, off, total, , z]) => {
      const h = new Formula(inner, place!);
      const size = h.multiply(h.abs(term!), h.maximum(h.abs(off!), 1));
      const isLarge = h.compare('GT', size, h.multiply(total!, epsilonOf(x) / 4));
      return anyOf(inner, h.or(isLarge, h.compare('LT', place!, z!)));
    },
  );
  return [sum!, slope!];
}
function fraction(b: Builder, a: Value, x: Value): Value {
  const f = new Formula(b, x);
  const start = f.add(f.subtract(x, a), 1);
  const tiny = 1e-30;
  const d = f.divide(1, start);
  const [, , , value] = loop(
    b,
    mostTerms,
    [start, f.value(1 / tiny), d, d, f.value(2), a],
    (inner, k, [place, c, before, total, , shape]) => {
      const h = new Formula(inner, place!);
      const i = inner.broadcastInDim(
        inner.convert(inner.add(k, inner.fill('i32', [], 1)), h.elementType),
        [],
        shapeOf(x),
      );
      const weight = h.negate(h.multiply(i, h.subtract(i, shape!)));
      const at = h.add(place!, 2);
      const away = (v: Value): Value => h.select(h.compare('LT', h.abs(v), tiny), tiny, v);
      const nextD = h.divide(1, away(h.add(h.multiply(weight, before!), at)));
      const nextC = away(h.add(at, h.divide(weight, c!)));
      const factor = h.multiply(nextC, nextD);
      return [at, nextC, nextD, h.multiply(total!, factor), factor, shape!];
    },
    (inner, [place, , , , factor]) => {
      const h = new Formula(inner, place!);
      return anyOf(inner, h.compare('GT', h.abs(h.subtract(factor!, 1)), epsilonOf(x)));
    },
  );
  return f.multiply(f.exp(logWeight(f, b, a, x)), value!);
}
/** P(a, x), or Q(a, x) if `isUpper`; gradients flow to x alone. */
export function incompleteGamma(c: Context, a: Value, x: Value, isUpper: boolean): Value {
  const { b } = c;
  const f = new Formula(b, x);
  const isValid = b.binary('and', f.compare('GT', a, 0), f.compare('GT', x, 0));
  const isProper = b.binary('and', isValid, f.compare('LT', f.maximum(a, x), Number.POSITIVE_INFINITY));
  const isSeries = f.compare('LE', x, f.add(a, 1));
  const part = (isOn: Value): [Value, Value] => {
    const isHere = b.binary('and', isProper, isOn);
    return [f.select(isHere, a, 1), f.select(isHere, x, isOn === isSeries ? 1 : 4)];
  };
  const [shape, bound] = part(isSeries);
  const first = f.exp(f.subtract(logWeight(f, b, shape, bound), f.log(shape)));
  const lower = series(b, shape, bound, first)[0];
  const upper = fraction(b, ...part(b.unary('not', isSeries)));
  const inside = isUpper
    ? f.select(isSeries, f.subtract(1, lower), upper)
    : f.select(isSeries, lower, f.subtract(1, upper));
  const isBad = f.or(
    f.or(f.compare('LT', a, 0), f.compare('LT', x, 0)),
    f.or(f.compare('NE', a, a), f.compare('NE', x, x)),
  );
  const isZero = f.compare('EQ', x, 0);
  const noShape = f.compare('EQ', a, 0);
  const [full, none] = isUpper ? [0, 1] : [1, 0];
  const atEnd = f.select(isZero, f.select(noShape, Number.NaN, none), full);
  const finite = f.select(isBad, Number.NaN, f.select(isProper, inside, atEnd));
  // an infinite shape keeps all of the weight beyond any finite bound
  const isBeyond = f.compare('EQ', a, Number.POSITIVE_INFINITY);
  const beyond = f.select(f.compare('EQ', x, Number.POSITIVE_INFINITY), Number.NaN, none);
  const value = f.select(b.binary('and', isBeyond, b.unary('not', isBad)), beyond, finite);
  return withGradient(c, 'Igamma', [a, x], [value], ({ b: back, cotangents: [g] }) => {
    const h = new Formula(back, x);
    const density = h.exp(h.subtract(logWeight(h, back, a, x), h.log(x)));
    return [undefined, h.multiply(isUpper ? h.negate(g!) : g!, density)];
  })[0]!;
}
/** The derivative with respect to a of a sample x of the gamma distribution: -(∂P/∂a) / (∂P/∂x), where t₀ cancels. */
export function sampleSlope(b: Builder, a: Value, x: Value): Value {
  const f = new Formula(b, x);
  const [, slope] = series(b, a, x, f.value(1));
  return f.negate(f.divide(f.multiply(slope, x), a));
}
