// The Bessel functions J and Y, the modified one of the second kind K (each of orders 0 and 1), and the Airy function Ai. The
// coefficients are in bessel-tables.ts. A select computes both of its branches, so each branch gets arguments at which it is
// finite.
import type { Builder } from '../../src/hlo/builder.ts';
import { Formula, type Term } from '../../src/hlo/ops/special-functions/formula.ts';
import type { Value } from '../../src/hlo/program.ts';
import { bessel } from '../../src/tensor/lower/bessel.ts';
import { withGradient } from '../../src/tensor/lower/linalg/batches.ts';
import type { Context } from '../../src/tensor/surface/row.ts';
import { airyAi, modifiedOne, modifiedZero, orderOne, orderZero } from './bessel-tables.ts';

type Order = 0 | 1;
const ratio = (f: Formula, above: readonly number[], below: readonly number[], x: Term): Value =>
  f.divide(f.polynomial(above, x), f.polynomial(below, x));

/** For x ≥ 0, up to 5 and beyond; each branch gets an `x` within its range. */
function firstKind(b: Builder, order: Order, x: Value): Value {
  const f = new Formula(b, x);
  const isNear = f.compare('LE', x, 5);
  const near = f.select(isNear, x, 1);
  const [square, { zeros, near: above, nearBelow: below }] = [f.square(near), order === 0 ? orderZero : orderOne];
  const roots = f.multiply(f.subtract(square, zeros[0]), f.subtract(square, zeros[1]));
  const inner = f.multiply(roots, ratio(f, above, [1, ...below], square));
  return f.select(isNear, order === 0 ? inner : f.multiply(inner, near), wave(f, order, f.select(isNear, 6, x), false));
}
/** √(2 / πx) times a cosine and a sine, for x > 5. */
function wave(f: Formula, order: Order, x: Value, isSecond: boolean): Value {
  const { cosine, cosineBelow, sine, sineBelow } = order === 0 ? orderZero : orderOne;
  const inverse = f.divide(5, x);
  const square = f.square(inverse);
  const [p, q] = [
    ratio(f, cosine, cosineBelow, square),
    f.multiply(inverse, ratio(f, sine, [1, ...sineBelow], square)),
  ];
  const angle = f.subtract(x, order === 0 ? Math.PI / 4 : 0.75 * Math.PI);
  const [c, s] = [f.cosine(angle), f.sine(angle)];
  const sum = isSecond ? f.add(f.multiply(p, s), f.multiply(q, c)) : f.subtract(f.multiply(p, c), f.multiply(q, s));
  return f.divide(f.multiply(sum, Math.sqrt(2 / Math.PI)), f.sqrt(x));
}
/** Bessel functions of the first kind. */
export function besselJ(c: Context, order: Order, x: Value): Value {
  const f = new Formula(c.b, x);
  const size = firstKind(c.b, order, f.abs(x));
  const value =
    order === 0 ? size : f.select(f.compare('GT', x, 0), size, f.select(f.compare('EQ', x, 0), x, f.negate(size)));
  return withGradient(c, 'BesselJ', [x], [value], ({ c: back, b, cotangents: [g] }) => {
    const h = new Formula(b, x);
    const other = besselJ(back, order === 0 ? 1 : 0, x);
    if (order === 0) return [h.negate(h.multiply(g!, other))];
    const isZero = h.compare('EQ', x, 0);
    const along = h.select(isZero, 0.5, h.divide(besselJ(back, 1, x), h.select(isZero, 1, x)));
    return [h.multiply(g!, h.subtract(other, along))];
  })[0]!;
}
/** Bessel functions of the second kind: -∞ at 0, NaN below. */
export function besselY(c: Context, order: Order, x: Value): Value {
  const { b } = c;
  const f = new Formula(b, x);
  const { second, secondBelow } = order === 0 ? orderZero : orderOne;
  const isNear = f.compare('LE', x, 5);
  const isInside = f.and(isNear, f.compare('GT', x, 0));
  const near = f.select(isInside, x, 1);
  const square = f.square(near);
  const rational = ratio(f, second, [1, ...secondBelow], square);
  const logarithm = f.multiply(firstKind(b, order, near), f.log(near));
  const inner =
    order === 0
      ? f.add(rational, f.multiply(2 / Math.PI, logarithm))
      : f.add(f.multiply(near, rational), f.multiply(2 / Math.PI, f.subtract(logarithm, f.divide(1, near))));
  const outer = wave(f, order, f.select(isNear, 6, x), true);
  const edge = f.select(f.compare('EQ', x, 0), Number.NEGATIVE_INFINITY, Number.NaN);
  const value = f.select(isInside, inner, f.select(f.compare('GT', x, 5), outer, edge));
  return withGradient(c, 'BesselY', [x], [value], ({ c: back, b: inside, cotangents: [g], results: [y] }) => {
    const h = new Formula(inside, x);
    const other = besselY(back, order === 0 ? 1 : 0, x);
    return [h.multiply(g!, order === 0 ? h.negate(other) : h.subtract(other, h.divide(y!, x)))];
  })[0]!;
}
/** Modified Bessel functions of the second kind, times exp(x) if `isScaled`: ∞ at 0, NaN below. */
export function besselK(c: Context, order: Order, isScaled: boolean, x: Value): Value {
  const { b } = c;
  const f = new Formula(b, x);
  const table = order === 0 ? modifiedZero : modifiedOne;
  const isNear = f.compare('LE', x, 2);
  const isInside = f.and(isNear, f.compare('GT', x, 0));
  const near = f.select(isInside, x, 1);
  const series = f.chebyshev(table.near, f.subtract(f.square(near), 2));
  const logarithm = f.multiply(f.log(f.multiply(0.5, near)), bessel(c, order === 0 ? 'i0' : 'i1', near));
  const inner = order === 0 ? f.subtract(series, logarithm) : f.add(logarithm, f.divide(series, near));
  const far = f.select(isNear, 3, x);
  const outer = f.divide(f.chebyshev(table.far, f.subtract(f.divide(8, far), 2)), f.sqrt(far));
  const edge = f.select(f.compare('EQ', x, 0), Number.POSITIVE_INFINITY, Number.NaN);
  const value = f.select(
    isInside,
    isScaled ? f.multiply(inner, f.exp(near)) : inner,
    f.select(f.compare('GT', x, 2), isScaled ? outer : f.multiply(outer, f.exp(f.negate(far))), edge),
  );
  return withGradient(c, 'BesselK', [x], [value], ({ c: back, b: inside, cotangents: [g], results: [y] }) => {
    const h = new Formula(inside, x);
    const other = h.negate(besselK(back, order === 0 ? 1 : 0, isScaled, x));
    const slope = order === 0 ? other : h.subtract(other, h.divide(y!, x));
    return [h.multiply(g!, isScaled ? h.add(slope, y!) : slope)];
  })[0]!;
}

/** The number of terms of the power series up to 2.09: the next term is below the last bit of f64. */
const seriesTerms = 14;
/** The Airy function Ai; NaN at infinities, 0 where it is below the smallest number. */
export function airy(b: Builder, x: Value): Value {
  const f = new Formula(b, x);
  const [isLeft, isRight] = [f.compare('LT', x, -2.09), f.compare('GE', x, 2.09)];
  const zeta = (z: Value): Value => f.multiply(2 / 3, f.multiply(z, f.sqrt(z)));
  // a wave on the left
  const left = f.select(isLeft, f.negate(x), 3);
  const inverse = f.divide(1, zeta(left));
  const square = f.square(inverse);
  const [sine, cosine] = [
    f.add(1, f.multiply(square, ratio(f, airyAi.sine, [1, ...airyAi.sineBelow], square))),
    f.multiply(inverse, ratio(f, airyAi.cosine, [1, ...airyAi.cosineBelow], square)),
  ];
  const angle = f.add(zeta(left), Math.PI / 4);
  const both = f.subtract(f.multiply(f.sine(angle), sine), f.multiply(f.cosine(angle), cosine));
  const onLeft = f.divide(f.multiply(1 / Math.sqrt(Math.PI), both), f.sqrt(f.sqrt(left)));
  // an exponential on the right
  const right = f.select(isRight, x, 3);
  const decay = zeta(right);
  const size = ratio(f, airyAi.right, airyAi.rightBelow, f.divide(1, decay));
  const root = f.multiply(2, f.multiply(f.sqrt(f.sqrt(right)), f.exp(decay)));
  const onRight = f.divide(f.multiply(1 / Math.sqrt(Math.PI), size), root);
  // a power series between them
  const middle = f.select(f.or(isLeft, isRight), 0, x);
  const cube = f.multiply(middle, f.square(middle));
  let [even, odd]: [Value, Value] = [f.value(1), middle];
  let [m, n]: [Value, Value] = [f.value(1), middle];
  for (let k = 1; k <= 3 * seriesTerms; k += 3) {
    m = f.multiply(f.multiply(m, cube), 1 / ((k + 1) * (k + 2)));
    n = f.multiply(f.multiply(n, cube), 1 / ((k + 2) * (k + 3)));
    even = f.add(even, m);
    odd = f.add(odd, n);
  }
  const between = f.subtract(f.multiply(0.3550280538878172, even), f.multiply(0.2588194037928068, odd));
  const value = f.select(isLeft, onLeft, f.select(isRight, onRight, between));
  const isInfinite = f.compare('EQ', f.abs(x), Number.POSITIVE_INFINITY);
  return f.select(isInfinite, Number.NaN, f.select(f.compare('GT', x, 103.892), 0, value));
}

/** sin(x) / x, 1 at 0: the spherical Bessel function of the first kind of order 0. */
export function sphericalJ0(b: Builder, x: Value): Value {
  const f = new Formula(b, x);
  const isNear = f.compare('LT', f.abs(x), 0.5);
  const isInfinite = f.compare('EQ', f.abs(x), Number.POSITIVE_INFINITY);
  const square = f.square(f.select(isNear, x, 0));
  const series = f.polynomial([1 / 6227020800, -1 / 39916800, 1 / 362880, -1 / 5040, 1 / 120, -1 / 6, 1], square);
  const far = f.select(f.or(isNear, isInfinite), 1, x);
  return f.select(isInfinite, 0, f.select(isNear, series, f.divide(f.sine(far), far)));
}
