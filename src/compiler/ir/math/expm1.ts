// e^x - 1 accurate near 0: with x = n ln 2 + f as in exp.ts, q = e^f - 1 is a polynomial without its constant term
// (Cephes' expf), and e^x - 1 = 2^n q + (2^n - 1). Half of 2^n is used, which is a number up to the largest x.
import { log2OfE, reduced } from './exp.ts';
import { mathFunction } from './math-function.ts';

const coefficients = [
  1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1,
];

export const expm1 = mathFunction('expm1', (m, x) => {
  const low = m.name('low', m.select(m.compare(x, 'LT', -30), -30, x));
  const c = m.name('c', m.select(m.compare(low, 'GT', 89), 89, low));
  const n = m.name('n', m.roundEven(m.multiply(c, log2OfE)));
  const f = reduced(m, c, n);
  const p = m.polynomial(f, coefficients);
  const k = m.name('k', m.integer(n));
  const q = m.name('q', m.multiplyAdd(m.multiply(p, f), f, f));
  const exponent = m.add(m.bitcast(k, 'ui32'), 127 - 1);
  const half = m.name('half', m.bitcast(m.shiftLeft(exponent, 23), 'f32'));
  const r = m.name('r', m.multiply(m.multiplyAdd(half, q, m.subtract(half, 0.5)), 2));
  const near = m.select(m.compare(x, 'EQ', 0), x, q);
  return m.select(m.compare(k, 'EQ', 0), near, r);
});
