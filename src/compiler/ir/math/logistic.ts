// 1 / (1 + e^-x), from e = e^-|x| so that nothing overflows: 1 / (1 + e) for x ≥ 0, e / (1 + e) below.
import { expNonPositive } from './exp.ts';
import { mathFunction } from './math-function.ts';

export const logistic = mathFunction('logistic', (m, x) => {
  const e = m.name('e', expNonPositive(m, m.name('negative', m.negate(m.abs(x)))));
  const r = m.name('reciprocal', m.divide(1, m.add(1, e)));
  const below = m.select(m.compare(x, 'NE', x), x, m.multiply(e, r));
  return m.select(m.compare(x, 'GE', 0), r, below);
});
