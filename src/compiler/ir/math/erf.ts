// erf: an odd polynomial below 0.928, 1 - e^r(|x|) above, r a polynomial; from 4 on that is 1. After N. Juffa's erff.
import { expNear } from './exp.ts';
import { mathFunction } from './math-function.ts';

const farCoefficients = [-1.06777877e-1, -6.34846687e-1, -1.28717512e-1];
const nearCoefficients = [-5.96761703e-4, 4.99119423e-3, -2.67681349e-2, 1.12819925e-1, -3.76125336e-1, 1.28379166e-1];

export const erf = mathFunction('erf', (m, x) => {
  const t = m.name('size', m.abs(x));
  const c = m.name('c', m.select(m.compare(t, 'GT', 4), 4, t));
  const s = m.name('s', m.multiply(c, c));
  const high = m.name('high', m.multiplyAdd(-1.7285347e-5, c, 3.83197126e-4));
  const low = m.name('low', m.multiplyAdd(-3.88396438e-3, c, 2.42546219e-2));
  const r = m.polynomial(c, [m.name('q', m.multiplyAdd(high, s, low)), ...farCoefficients, m.negate(c)], 'q');
  const far = m.name('far', m.copySign(m.subtract(1, expNear(m, r)), x));
  const near = m.name('near', m.multiplyAdd(m.polynomial(s, nearCoefficients, 'g'), x, x));
  return m.select(m.compare(t, 'GT', 0.927734375), far, near);
});
