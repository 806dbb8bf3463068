// The error function to f64 accuracy. Not fast: the reference that kernels are tested against.
//
//   |x| < 3    Maclaurin series with positive terms:  erf x = 2/√π · e^(-x²) · Σ 2ⁿ x^(2n+1) / (1·3·5…(2n+1))
//   3 ≤ |x|    1 - erfc x, erfc by Lentz's continued fraction (Abramowitz and Stegun 7.1.6, 7.1.14)
//
// The series has no cancellation, so its error is a few units in the last place; from 3 on erfc is below 2.3e-5, so
// that even a rough one leaves erf exact.

/** erf(x): odd, from -1 to 1. */
export function erf(x: number): number {
  if (Number.isNaN(x)) return x;
  const a = Math.abs(x);
  if (a >= 6) return Math.sign(x);
  const value = a < 3 ? series(a) : 1 - continuedFraction(a);
  return x < 0 || Object.is(x, -0) ? -value : value;
}

function series(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; term > sum * 1e-18; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

function continuedFraction(x: number): number {
  // erfc x = e^(-x²)/√π · 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + …)))), evaluated from the inside out.
  let tail = x;
  for (let k = 60; k >= 1; k--) tail = x + k / 2 / tail;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / tail;
}
