// log(1 + x) accurate near 0. With u = 1 + x rounded, log(1 + x) = log u + (x - (u - 1)) / u, where the correction
// is the rounding error (Higham, "Accuracy and Stability of Numerical Algorithms", 1.14); below ¼ the polynomial of log.ts.
import { logOf, logSum } from './log.ts';
import { mathFunction } from './math-function.ts';

export const log1p = mathFunction('log1p', (m, x) => {
  const u = m.name('sum', m.add(1, x));
  const c = m.name('c', m.divide(m.subtract(x, m.subtract(u, 1)), u));
  const size = m.name('size', m.abs(x));
  const r = m.name('whole', m.add(logOf(m, u), m.select(m.compare(size, 'LT', 1e9), c, 0)));
  const small = m.select(m.compare(x, 'EQ', 0), x, m.name('small', logSum(m, x, 0)));
  const middle = m.select(m.compare(size, 'LT', 0.25), small, r);
  const edge = m.select(m.compare(x, 'EQ', -1), -Infinity, m.select(m.compare(x, 'EQ', Infinity), x, r));
  return m.select(m.and(m.compare(x, 'GT', -0.5), m.compare(x, 'LT', 1)), middle, edge);
});
