// Sine and cosine.
//
// Range reduction: x = n π/2 + r with |r| ≤ π/4, in f64, π/2 in two parts (Cody and Waite); the low bits of n, the quadrant, choose
// sine or cosine of r and the sign. Polynomials: Cephes' sinf and cosf. From 2^30 on the quadrant would be lost, so the f64
// function of the C library is used there. In C that is a branch, which keeps these two out of vector code.
import { type MathBuilder, type MathValue, mathFunction } from './math-function.ts';

const halfPi = { high: Math.PI / 2, low: 6.123233995736766e-17 } as const;
const sineCoefficients = [-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1];
const cosineCoefficients = [2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2];

/** Sine of x + shift · π/2. */
function reducedSine(m: MathBuilder, x: MathValue, shift: number): MathValue {
  const wide = m.name('wide', m.convert(x, 'f64'));
  const n = m.name('n', m.roundEven(m.multiply(wide, 2 / Math.PI)));
  const d = m.fma(n, -halfPi.low, m.fma(n, -halfPi.high, wide));
  const r = m.name('r', m.convert(d, 'f32'));
  const turn = m.multiply(4, m.floor(m.multiply(n, 0.25)));
  const quarter = m.bitcast(m.integer(m.subtract(n, turn)), 'ui32');
  const q = m.name('q', shift === 0 ? quarter : m.add(quarter, shift));
  const z = m.name('z', m.multiply(r, r));
  const s = m.name('s', m.multiplyAdd(m.multiply(m.polynomial(z, sineCoefficients, 's'), z), r, r));
  const c = m.name(
    'c',
    m.multiplyAdd(m.multiply(m.polynomial(z, cosineCoefficients, 'c'), z), z, m.multiplyAdd(-0.5, z, 1)),
  );
  const v = m.name('v', m.select(m.compare(m.and(q, 1), 'NE', 0), c, s));
  const w = m.name('w', m.select(m.compare(m.and(q, 2), 'NE', 0), m.negate(v), v));
  return m.select(m.compare(x, 'EQ', x), w, x);
}
const isFar = (m: MathBuilder, x: MathValue): MathValue => m.compare(m.abs(x), 'GE', 2 ** 30);
const far = (m: MathBuilder, x: MathValue, name: 'sine' | 'cosine'): MathValue =>
  m.convert(m.library(name, m.convert(x, 'f64')), 'f32');

export const sin = mathFunction('sin', (m, x) => {
  const near = m.name('near', reducedSine(m, x, 0));
  return m.select(isFar(m, x), far(m, x, 'sine'), m.select(m.compare(x, 'EQ', 0), x, near));
});
export const cos = mathFunction('cos', (m, x) => {
  const near = m.name('near', reducedSine(m, x, 1));
  return m.select(isFar(m, x), far(m, x, 'cosine'), near);
});
