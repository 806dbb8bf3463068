// Functions of complex numbers, computed with real arithmetic from their real and imaginary parts.
//
// The inverse sine and related functions follow T. E. Hull, T. F. Fairgrieve and P. T. P. Tang, "Implementing the complex
// arcsine and arccosine functions using exception handling", ACM TOMS 23, 1997, with fewer cases, because every case is
// computed for every element. The formulas are those for x, y ≥ 0; the callers restore the signs.
import type { Value } from '../../program.ts';
import { cosh as realCosh, sinh as realSinh } from './elementary.ts';
import { type Formula, limitsOf } from './formula.ts';

/** The real and imaginary parts of complex numbers. */
export interface Complex {
  readonly re: Value;
  readonly im: Value;
}

/** √(a² + b²) of numbers that are not negative. */
function hypot(f: Formula, a: Value, b: Value): Value {
  const [larger, smaller] = [f.maximum(a, b), f.minimum(a, b)];
  const square = f.square(f.divide(smaller, larger));
  const root = f.sqrt(f.add(1, square));
  // If 1 + square rounds to 1, the first terms of the root's series are used.
  const lost = f.and(f.compare('EQ', root, 1), f.compare('GT', square, 0));
  const series = f.add(larger, f.divide(f.multiply(larger, square), 2));
  const unequal = f.select(lost, series, f.multiply(larger, root));
  return f.select(f.compare('EQ', larger, smaller), f.multiply(Math.SQRT2, larger), unequal);
}

/**
 * √(a² - x²) and log(a + √(a² - 1)) with a = (|z + 1| + |z - 1|)/2, x = |re z|: the common part of asin, acos, asinh and
 * acosh.
 */
export function asinAcosKernel(f: Formula, { re, im }: Complex): Complex {
  const [x, y] = [f.abs(re), f.abs(im)];
  const { largest, smallestNormal } = limitsOf(f.elementType);
  const safeMax = Math.sqrt(largest) / 8;
  const [x1, xm1] = [f.add(x, 1), f.subtract(x, 1)];
  const r = hypot(f, f.abs(x1), y);
  const s = hypot(f, f.abs(xm1), y);
  const a = f.multiply(0.5, f.add(r, s));
  const yy = f.square(y);
  const [rSum, sDifference, sSum] = [f.add(r, x1), f.subtract(s, xm1), f.add(s, xm1)];

  const half = f.multiply(0.5, f.add(a, x));
  const inner = f.sqrt(f.multiply(half, f.add(f.divide(yy, rSum), sDifference)));
  const outer = f.multiply(y, f.sqrt(f.add(f.divide(half, rSum), f.divide(half, sSum))));
  const realPart = f.select(
    f.compare('GE', f.maximum(x, y), safeMax),
    y,
    f.select(f.compare('LE', x, 1), inner, outer),
  );

  // For large |z|: log 2 + log |z|, which does not overflow.
  const yLimit = f.select(f.compare('LT', x, safeMax * 1e12), safeMax * 1e-6, safeMax * 100);
  const yIsFar = f.compare('GE', y, yLimit);
  const isFar = f.compare('GE', f.select(yIsFar, y, x), f.select(yIsFar, yLimit, safeMax));
  const ratio = f.select(f.and(yIsFar, f.compare('NE', y, Infinity)), f.divide(x, y), 0);
  const far = f.add(f.add(Math.LN2, f.log(f.select(yIsFar, y, x))), f.multiply(0.5, f.log1p(f.square(ratio))));
  // a - 1, without cancellation.
  const onAxis = f.and(f.compare('LT', y, Math.sqrt(smallestNormal) * 4), f.compare('LT', x, 1));
  const halfYY = f.multiply(0.5, yy);
  const share = f.divide(halfYY, rSum);
  const excess = f.select(
    onAxis,
    f.negate(f.divide(f.multiply(x1, xm1), f.add(a, 1))),
    f.select(
      f.compare('GE', x, 1),
      f.add(share, f.multiply(0.5, sSum)),
      f.select(f.compare('LE', a, 1.5), f.add(share, f.divide(halfYY, sDifference)), f.subtract(a, 1)),
    ),
  );
  const root = f.sqrt(f.multiply(excess, f.add(a, 1)));
  const close = f.select(onAxis, f.divide(y, root), f.log1p(f.add(excess, root)));
  return { re: realPart, im: f.select(isFar, far, close) };
}

const negateWhere = (f: Formula, negative: Value, x: Value): Value => f.select(negative, f.negate(x), x);
const isNegative = (f: Formula, x: Value): Value => f.compare('LT', x, 0);

export function asin(f: Formula, z: Complex): Complex {
  const w = asinAcosKernel(f, z);
  return { re: f.atan2(z.re, w.re), im: negateWhere(f, isNegative(f, z.im), w.im) };
}
export function acos(f: Formula, z: Complex): Complex {
  const w = asinAcosKernel(f, z);
  return { re: f.atan2(w.re, z.re), im: f.select(isNegative(f, z.im), w.im, f.negate(w.im)) };
}
export function acosh(f: Formula, z: Complex): Complex {
  const w = asinAcosKernel(f, z);
  return { re: w.im, im: negateWhere(f, isNegative(f, z.im), f.atan2(w.re, z.re)) };
}
export function asinh(f: Formula, z: Complex): Complex {
  const w = asinAcosKernel(f, { re: f.negate(z.im), im: z.re });
  return { re: negateWhere(f, isNegative(f, z.re), w.im), im: f.atan2(z.im, w.re) };
}

/**
 * With x = |re z|, y = im z: the real part is log1p(4x / ((x - 1)² + y²))/4 with the sign of re z, the imaginary part
 * half the angle of (1 - x²  - y², 2y). Where squares would overflow, the quotient is computed from x/y + y/x.
 */
export function atanh(f: Formula, { re, im: y }: Complex): Complex {
  const inverseEpsilon = f.elementType === 'f64' ? 2 ** 53 + 2 : 2 ** 24 + 2;
  const [x, size] = [f.abs(re), f.abs(y)];
  const limit = inverseEpsilon ** 2;
  const isSafe = f.and(f.compare('LT', x, limit), f.compare('LT', size, limit));
  const gap = f.subtract(1, x);
  const yy = f.square(y);
  const isInfinite = f.or(f.compare('EQ', x, Infinity), f.compare('EQ', size, Infinity));
  const quotient = f.select(
    isSafe,
    f.divide(x, f.add(f.square(gap), yy)),
    f.select(
      f.compare('LT', f.multiply(size, inverseEpsilon), x),
      f.divide(1, x),
      f.select(isInfinite, 0, f.divide(f.divide(1, f.add(f.divide(x, y), f.divide(y, x))), y)),
    ),
  );
  const signOf = (value: Value): Value => f.select(f.compare('GE', value, 0), 1, -1);
  const angle = f.select(
    isSafe,
    f.atan2(f.add(y, y), f.subtract(f.multiply(gap, f.add(1, x)), yy)),
    f.multiply(signOf(y), Math.PI),
  );
  return {
    re: f.multiply(f.multiply(signOf(re), f.log1p(f.multiply(4, quotient))), 0.25),
    im: f.multiply(angle, 0.5),
  };
}
export function atan(f: Formula, z: Complex): Complex {
  const w = atanh(f, { re: f.negate(z.im), im: z.re });
  return { re: w.im, im: f.negate(w.re) };
}

/** a·b, but 0 where b is 0, even if a is infinite. */
const scaled = (f: Formula, a: Value, b: Value): Value => f.select(f.compare('EQ', b, 0), b, f.multiply(a, b));
export const cosh = (f: Formula, { re, im }: Complex): Complex => ({
  re: f.multiply(realCosh(f, re), f.cosine(im)),
  im: scaled(f, realSinh(f, re), f.sine(im)),
});
export const sinh = (f: Formula, { re, im }: Complex): Complex => ({
  re: f.multiply(realSinh(f, re), f.cosine(im)),
  im: scaled(f, realCosh(f, re), f.sine(im)),
});
/** (x - y)(x + y) + 2xyi; the real part is 0, not NaN, where |x| = |y| is finite. */
export function square(f: Formula, { re: x, im: y }: Complex): Complex {
  const cancels = f.and(f.isFinite(x), f.compare('EQ', f.abs(x), f.abs(y)));
  return {
    re: f.select(cancels, 0, f.multiply(f.subtract(x, y), f.add(x, y))),
    im: f.multiply(2, f.multiply(x, y)),
  };
}
export const conj = (f: Formula, { re, im }: Complex): Complex => ({ re, im: f.negate(im) });
