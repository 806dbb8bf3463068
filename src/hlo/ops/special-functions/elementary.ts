// Hyperbolic functions and the inverses of trigonometric and hyperbolic ones, of real numbers: textbook identities, each
// in the form that neither cancels nor overflows.
import type { Value } from '../../program.ts';
import { type Formula, limitsOf } from './formula.ts';

/** √(1 - x²), exact near ±1. */
const cosineOfSine = (f: Formula, x: Value): Value => f.sqrt(f.multiply(f.subtract(1, x), f.add(1, x)));

/** Twice the half angle: 2 · atan2(x, 1 + √(1 - x²)). */
export function asin(f: Formula, x: Value): Value {
  const half = f.atan2(x, f.add(1, cosineOfSine(f, x)));
  return f.add(half, half);
}
export const acos = (f: Formula, x: Value): Value => f.atan2(cosineOfSine(f, x), x);
export const atan = (f: Formula, x: Value): Value => f.atan2(x, 1);

/** log(x + √(x² - 1)), computed with log1p from x - 1; log 2x where that overflows. */
export function acosh(f: Formula, x: Value): Value {
  const low = f.sqrt(f.subtract(x, 1));
  const near = f.log1p(f.multiply(low, f.add(f.sqrt(f.add(x, 1)), low)));
  const far = f.add(Math.LN2, f.log(x));
  return f.select(f.compare('GE', x, limitsOf(f.elementType).largest / 2), far, near);
}
/** sign x · log(|x| + √(x² + 1)), computed in the same way. */
export function asinh(f: Formula, x: Value): Value {
  const size = f.abs(x);
  const square = f.square(size);
  const near = f.log1p(f.add(size, f.divide(square, f.add(1, f.sqrt(f.add(1, square))))));
  const far = f.add(Math.LN2, f.log(size));
  const isFar = f.compare('GE', size, Math.sqrt(limitsOf(f.elementType).largest));
  return f.multiply(f.sign(x), f.select(isFar, far, near));
}
/** Half of log((1 + x)/(1 - x)); NaN outside of -1 … 1. */
export function atanh(f: Formula, x: Value): Value {
  const inside = f.multiply(f.subtract(f.log1p(x), f.log1p(f.negate(x))), 0.5);
  return f.select(f.compare('GT', f.abs(x), 1), Number.NaN, inside);
}

/** e^x/2 and e^(-x)/2; halved within the exponent, so that they overflow no earlier than the result. */
function halfExponentials(f: Formula, x: Value): readonly [Value, Value] {
  return [f.exp(f.add(x, -Math.LN2)), f.exp(f.subtract(-Math.LN2, x))];
}
export function cosh(f: Formula, x: Value): Value {
  const [rising, falling] = halfExponentials(f, x);
  return f.add(rising, falling);
}
/** (e^x - e^(-x))/2; where that would cancel, by e^x - 1 = m: (m + m/(m + 1))/2. */
export function sinh(f: Formula, x: Value): Value {
  const [rising, falling] = halfExponentials(f, x);
  const m = f.expm1(x);
  const small = f.multiply(0.5, f.add(m, f.divide(m, f.add(m, 1))));
  return f.select(f.compare('LT', f.abs(x), 1), small, f.subtract(rising, falling));
}
