// log x, and log(1 + f) for small f.
//
// Range reduction: x = 2^e m with m in [√½, √2), so log x = e ln 2 + log(1 + (m - 1)). Subtracting the bits of √½ makes the
// exponent's bits e and leaves m's; subnormals are scaled first. Polynomial: Cephes' logf.
import { ln2 } from './exp.ts';
import { type MathBuilder, type MathValue, mathFunction, type Operand } from './math-function.ts';

const coefficients = [
  7.0376836292e-2, -1.151461031e-1, 1.167699874e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
  2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
];

/** e ln 2 + log(1 + f) for 1 + f in [√½, √2). */
export function logSum(m: MathBuilder, f: MathValue, e: Operand): MathValue {
  const z = m.name('z', m.multiply(f, f));
  const p = m.polynomial(f, coefficients);
  const tail = m.name('tail', m.multiplyAdd(e, -ln2.low, m.multiply(m.multiply(p, f), z)));
  return m.multiplyAdd(e, ln2.high, m.add(m.multiplyAdd(-0.5, z, tail), f));
}

export function logOf(m: MathBuilder, x: MathValue): MathValue {
  const tiny = m.name('tiny', m.compare(x, 'LT', 2 ** -126));
  const y = m.select(tiny, m.multiply(x, 2 ** 23), x);
  const u = m.name('u', m.subtract(m.bitcast(y, 'ui32'), 0x3f3504f3));
  const e = m.name('e', m.shiftRight(m.bitcast(u, 'i32'), 23));
  const mantissa = m.name('m', m.bitcast(m.add(m.and(u, 0x007fffff), 0x3f3504f3), 'f32'));
  const scaled = m.subtract(e, m.select(tiny, m.constant('i32', 23), 0));
  const r = m.name('r', logSum(m, m.name('f', m.subtract(mantissa, 1)), m.name('exponent', m.convert(scaled, 'f32'))));
  const negative = m.select(m.compare(x, 'LT', 0), NaN, x);
  const special = m.name('special', m.select(m.compare(x, 'EQ', 0), -Infinity, negative));
  const isUsual = m.and(m.compare(x, 'GT', 0), m.compare(x, 'LT', Infinity));
  return m.select(isUsual, r, special);
}
export const log = mathFunction('log', logOf);
