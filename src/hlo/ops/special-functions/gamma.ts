// The logarithm of |Γ| and its derivatives.
//
// Γ by Lanczos' approximation, with g = 7 and nine coefficients (C. Lanczos, "A precision approximation of the gamma
// function", SIAM J. Numer. Anal. B 1, 1964):
//
//   Γ(z + 1) = √(2π) · t^(z + 1/2) · e^(-t) · a(z),   t = z + g + 1/2,   a(z) = c₀ + Σ cₖ / (z + k)
//
// and below 1/2 by Euler's reflection Γ(x)·Γ(1 - x) = π / sin πx.
import type { Value } from '../../program.ts';
import type { Formula } from './formula.ts';

const g = 7;
const c0 = 0.9999999999998099;
const coefficients = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 0.000009984369578019572, 1.5056327351493116e-7,
];

/** Shared by both functions: whether x is reflected, z, t and log t. */
function lanczos(f: Formula, x: Value) {
  const reflected = f.compare('LT', x, 0.5);
  const z = f.select(reflected, f.negate(x), f.subtract(x, 1));
  const t = f.add(z, g + 0.5);
  const logT = f.add(Math.log(g + 0.5), f.log1p(f.divide(z, g + 0.5)));
  return { reflected, z, t, logT };
}

/** log |Γ(x)|. */
export function lgamma(f: Formula, x: Value): Value {
  const { reflected, z, t, logT } = lanczos(f, x);
  let a = f.value(c0);
  coefficients.forEach((c, i) => {
    a = f.add(a, f.divide(c, f.add(z, i + 1)));
  });
  // (z + 1/2)·log t - t, grouped so that it is finite if the result is.
  const power = f.multiply(f.subtract(f.add(z, 0.5), f.divide(t, logT)), logT);
  const direct = f.add(f.add((Math.log(2) + Math.log(Math.PI)) / 2, power), f.log(a));

  // log |sin πx| from the distance to the nearest integer, which is exact and at most 1/2.
  const size = f.abs(x);
  const fraction = f.subtract(size, f.floor(size));
  const distance = f.select(f.compare('GT', fraction, 0.5), f.subtract(1, fraction), fraction);
  const logSine = f.log(f.sine(f.multiply(Math.PI, distance)));
  // At a pole the infinite term of the sine takes precedence.
  const reflection = f.select(
    f.isFinite(logSine),
    f.subtract(f.subtract(Math.log(Math.PI), logSine), direct),
    f.negate(logSine),
  );
  const result = f.select(reflected, reflection, direct);
  return f.select(f.compare('EQ', size, Infinity), Infinity, result);
}

/** ψ(x) = d/dx log |Γ(x)|; NaN at its poles 0, -1, -2 …. */
export function digamma(f: Formula, x: Value): Value {
  const { reflected, z, t, logT } = lanczos(f, x);
  let a = f.value(c0);
  let slope = f.value(0);
  coefficients.forEach((c, i) => {
    const term = f.add(z, i + 1);
    slope = f.subtract(slope, f.divide(c, f.square(term)));
    a = f.add(a, f.divide(c, term));
  });
  const direct = f.subtract(f.add(logT, f.divide(slope, a)), f.divide(g, t));

  // ψ(x) = ψ(1 - x) - π·cot πx, with x shifted by an integer into [-1/2, 1/2] for accuracy.
  const moved = f.multiply(Math.PI, f.add(x, f.abs(f.floor(f.add(x, 0.5)))));
  const cotangent = f.divide(f.multiply(Math.PI, f.cosine(moved)), f.sine(moved));
  const result = f.select(reflected, f.subtract(direct, cotangent), direct);
  const isPole = f.and(f.compare('LE', x, 0), f.compare('EQ', x, f.floor(x)));
  return f.select(isPole, Number.NaN, result);
}
