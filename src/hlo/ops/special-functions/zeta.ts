// The Hurwitz zeta function ζ(x, q) = Σ (q + n)^(-x) over n ≥ 0, by the Euler–Maclaurin formula: nine terms of the sum, and an
// expansion in Bernoulli numbers for the rest (F. Johansson, "Rigorous high-precision computation of the Hurwitz zeta function
// and its derivatives", Numer. Algorithms 69, 2015, formula 5).
import type { Value } from '../../program.ts';
import { type Formula, limitsOf } from './formula.ts';
import { digamma, lgamma } from './gamma.ts';

const terms = 9;
/** (2k)! / B₂ₖ for k = 12, 11 … 1. */
const quotients = [
  -7166165256175667000, 181521054019435460, -4597978722407473, 116467828143500.67, -2950130727918.164, 7.47242496e10,
  -1892437580.3183792, 47900160, -1209600, 30240, -720, 12,
];

export function zeta(f: Formula, x: Value, q: Value): Value {
  const minusX = f.negate(x);
  let base = q;
  let sum = f.power(q, minusX);
  for (let n = 0; n < terms; n++) {
    base = f.add(base, 1);
    sum = f.add(sum, f.power(base, minusX));
  }
  base = f.add(base, 1);
  const last = f.power(base, minusX);
  const integral = f.divide(f.multiply(last, base), f.subtract(x, 1));
  const inverseSquare = f.divide(1, f.square(base));
  let tail = f.value(0);
  for (let k = 0; k < quotients.length - 1; k++) {
    const degree = 2 * (quotients.length - 1 - k);
    const factor = f.multiply(f.add(x, degree), f.add(x, degree - 1));
    tail = f.multiply(factor, f.multiply(inverseSquare, f.add(tail, 1 / quotients[k]!)));
  }
  const bernoulli = f.multiply(last, f.add(0.5, f.multiply(f.divide(x, base), f.add(1 / quotients.at(-1)!, tail))));
  const corrected = f.add(f.add(sum, integral), bernoulli);
  const isExact = f.compare('LE', f.abs(last), f.multiply(f.abs(sum), limitsOf(f.elementType).smallest));
  const inside = f.select(isExact, sum, corrected);

  // Arguments where it is undefined, and its poles.
  const isWhole = f.compare('EQ', x, f.floor(x));
  const isEven = f.and(isWhole, f.compare('EQ', f.remainder(x, 2), 0));
  const qNotPositive = f.compare('LE', q, 0);
  const fractional = f.and(qNotPositive, f.compare('NE', x, f.floor(x)));
  const atPole = f.and(qNotPositive, f.compare('EQ', q, f.floor(q)));
  const defined = f.select(f.or(f.compare('LT', x, 1), fractional), Number.NaN, inside);
  const withPoles = f.select(atPole, f.select(isEven, Infinity, Number.NaN), defined);
  return f.select(f.compare('EQ', x, 1), Infinity, withPoles);
}

/** The nth derivative of ψ(x), for whole n ≥ 0: (-1)^(n+1)·n!·ζ(n + 1, x). */
export function polygamma(f: Formula, n: Value, x: Value): Value {
  const sign = f.subtract(f.multiply(2, f.remainder(n, 2)), 1);
  const next = f.add(n, 1);
  const factorial = f.exp(lgamma(f, next));
  const derivative = f.multiply(f.multiply(sign, factorial), zeta(f, next, x));
  const result = f.select(f.compare('EQ', n, 0), digamma(f, x), derivative);
  const undefinedOrder = f.or(f.compare('NE', n, f.floor(n)), f.compare('LT', n, 0));
  return f.select(undefinedOrder, Number.NaN, result);
}
