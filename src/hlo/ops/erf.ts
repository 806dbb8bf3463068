// The error function to f64 accuracy (3 units in the last place). Not fast: the reference that kernels are tested against.
//
//   |x| < 1    Maclaurin series with positive terms:  erf x = 2/√π · e^(-x²) · Σ 2ⁿ x^(2n+1) / (1·3·5…(2n+1))
//   1 ≤ |x|    1 - erfc x, erfc by its continued fraction (Abramowitz and Stegun 7.1.6, 7.1.14)
//
// The series has no cancellation; and from 2 on erfc is below 0.005, so that its errors hardly count in 1 - erfc.

/** erf(x): odd, from -1 to 1. */
export function erf(x: number): number {
  if (Number.isNaN(x)) return x;
  const a = Math.abs(x);
  if (a >= 6) return Math.sign(x);
  const value = a < 1 ? series(a) : 1 - continuedFraction(a);
  return x < 0 || Object.is(x, -0) ? -value : value;
}

/** e^(-x²): x is split so that the square of its high part is exact, as rounding x² would cost x² units. */
function gaussian(x: number): number {
  const high = Math.fround(x);
  return Math.exp(-high * high) * Math.exp(-(x - high) * (x + high));
}

function series(x: number): number {
  let term = x;
  let sum = 0;
  for (let n = 1; term > x * 1e-19; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  // The first term is added last: the others are smaller, and their rounding errors with them.
  return (2 / Math.sqrt(Math.PI)) * gaussian(x) * (x + sum);
}

function continuedFraction(x: number): number {
  // erfc x = e^(-x²)/√π · 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + …)))), evaluated from the inside out.
  let tail = x;
  const terms = 20 + Math.ceil(200 / (x * x));
  for (let k = terms; k >= 1; k--) tail = x + k / 2 / tail;
  return gaussian(x) / Math.sqrt(Math.PI) / tail;
}
