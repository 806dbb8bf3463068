// The nearest integer, ties away from zero.
import { mathFunction } from './math-function.ts';

export const roundAway = mathFunction('round_away', (m, x) => {
  const a = m.name('a', m.abs(x));
  const f = m.name('f', m.floor(a));
  const rounded = m.select(m.compare(m.subtract(a, f), 'GE', 0.5), m.add(f, 1), f);
  return m.copySign(rounded, x);
});
