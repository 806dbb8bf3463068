// tanh: an odd polynomial below 0.625 (Cephes' tanhf), 1 - 2 / (e^(2|x|) + 1) above; from 20 on that is 1.
import { expNear } from './exp.ts';
import { mathFunction } from './math-function.ts';

const coefficients = [-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1];

export const tanh = mathFunction('tanh', (m, x) => {
  const a = m.name('a', m.abs(x));
  const s = m.name('s', m.multiply(x, x));
  const p = m.polynomial(s, coefficients);
  const near = m.name('near', m.multiplyAdd(m.multiply(p, s), x, x));
  const c = m.select(m.compare(a, 'GT', 20), 20, a);
  const e = m.name('e', expNear(m, m.name('twice', m.multiply(2, c))));
  const far = m.name('far', m.subtract(1, m.divide(2, m.add(e, 1))));
  // near 0 for x = -0, too
  return m.copySign(m.select(m.compare(a, 'GE', 0.625), far, near), x);
});
