// The error function to f64 accuracy (one unit in the last place). Not fast: the reference that kernels are tested against.
//
//   |x| < 2    Maclaurin series, in double-double because its terms alternate:  erf x = 2/√π · Σ (-1)ⁿ x^(2n+1) / (n! (2n+1))
//   2 ≤ |x|    1 - erfc x, erfc by its continued fraction (Abramowitz and Stegun 7.1.6, 7.1.14)
//
// For x ≥ 2, erfc is below 0.005, so its errors are negligible in 1 - erfc.
import { type DoubleDouble, product, quotient, sum, twoProduct } from '../../numerics/double-double.ts';

/** erf(x): odd, from -1 to 1. */
export function erf(x: number): number {
  if (Number.isNaN(x)) return x;
  const a = Math.abs(x);
  if (a >= 6) return Math.sign(x);
  const value = a < 2 ? series(a) : 1 - continuedFraction(a);
  return x < 0 || Object.is(x, -0) ? -value : value;
}

/** 2/√π */
const factor: DoubleDouble = [1.1283791670955126, 1.533545961316588e-17];

function series(x: number): number {
  const [square, squareLow] = twoProduct(x, x);
  let power: DoubleDouble = [1, 0];
  let total: DoubleDouble = [1, 0];
  for (let n = 1; Math.abs(power[0]) > 1e-20; n++) {
    power = quotient(product(power, [-square, -squareLow]), n);
    total = sum(total, quotient(power, 2 * n + 1));
  }
  return product(product(total, factor), [x, 0])[0];
}

/** e^(-x²): x is split so that the square of its high part is exact, as rounding x² would cost x² units. */
function gaussian(x: number): number {
  const high = Math.fround(x);
  return Math.exp(-high * high) * Math.exp(-(x - high) * (x + high));
}

function continuedFraction(x: number): number {
  // erfc x = e^(-x²)/√π · 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + …)))), evaluated from the inside out.
  let tail = x;
  const terms = 20 + Math.ceil(200 / (x * x));
  for (let k = terms; k >= 1; k--) tail = x + k / 2 / tail;
  return gaussian(x) / Math.sqrt(Math.PI) / tail;
}
