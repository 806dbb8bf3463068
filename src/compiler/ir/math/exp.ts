// e^x, and parts of it that are shared with other functions.
//
// Range reduction (Cody and Waite): x = n ln 2 + f with |f| ≤ ln 2 / 2, so e^x = 2^n e^f. ln 2 is subtracted in two parts, of which
// the first has few enough bits that n times it is exact. e^f is a minimax polynomial of degree 6 (0.05 units in the last place);
// 2^n is assembled from bits. After Cephes' expf; with refitted coefficients.
import { type MathBuilder, type MathValue, mathFunction } from './math-function.ts';

export const log2OfE = Math.LOG2E;
/** ln 2 = `high` - `low`. */
export const ln2 = { high: 0.693359375, low: 2.1219444e-4 } as const;
const coefficients = [1.3814602e-3, 8.3687156e-3, 4.1668389e-2, 1.6666521e-1, 4.9999994e-1, 1, 1].map(Math.fround);

/** x - n ln 2. */
export const reduced = (m: MathBuilder, x: MathValue, n: MathValue): MathValue =>
  m.name('f', m.multiplyAdd(n, ln2.low, m.multiplyAdd(n, -ln2.high, x)));

/**
 * `exponential` = e^f, in [1/√2, √2], times `scale`; the low bits of `bits` are n + bias, where the magic number is 1.5 · 2^23
 * + bias: adding it rounds x / ln 2 to an integer and leaves that in the low bits of the sum.
 */
function parts(m: MathBuilder, x: MathValue, magic: number, scale = 1): { exponential: MathValue; bits: MathValue } {
  const t = m.name('t', m.multiplyAdd(x, log2OfE, magic));
  const n = m.name('n', m.subtract(t, magic));
  const f = reduced(m, x, n);
  const exponential = m.polynomial(
    f,
    coefficients.map(c => c * scale),
  );
  return { exponential, bits: m.bitcast(t, 'ui32') };
}
const magic = 12582912;

/** e^x for |x| < 87: n is added to the bits of the exponent; higher bits are shifted out. */
export function expNear(m: MathBuilder, x: MathValue): MathValue {
  const { exponential, bits } = parts(m, x, magic);
  return m.bitcast(m.add(m.bitcast(exponential, 'ui32'), m.shiftLeft(bits, 23)), 'f32');
}

// Half of n is added to the exponent bits, the rest is a factor, because 2^n alone may overflow; so a subnormal number occurs
// only if the result is subnormal (they are slow). Beyond 0 and infinity, and for NaN, the computed value is not used: two
// selections cost less than keeping x in range.
export const exp = mathFunction('exp', (m, x) => {
  const { exponential, bits } = parts(m, x, magic);
  const k = m.name('k', m.shiftLeft(bits, 23));
  const halved = m.bitcast(m.shiftRight(m.bitcast(k, 'i32'), 1), 'ui32');
  const half = m.name('half', m.and(halved, 0xff800000));
  const rest = m.name('rest', m.bitcast(m.add(m.subtract(k, half), 0x3f800000), 'f32'));
  const scaled = m.multiply(m.bitcast(m.add(m.bitcast(exponential, 'ui32'), half), 'f32'), rest);
  const r = m.name('r', m.select(m.compare(x, 'LT', -104), 0, scaled));
  return m.select(m.compare(x, 'LE', 89), r, m.add(x, Infinity));
});

/**
 * e^x for x up to 0, NaN included; the bits of `exp`. 2^n times 2^25 is representable for all n down to -151, and the polynomial
 * is scaled by 2^-25: a single product, whose rounding is the only one for a subnormal result.
 */
export function expNonPositive(m: MathBuilder, x: MathValue): MathValue {
  const { exponential, bits } = parts(m, x, magic + 127 + 25, 2 ** -25);
  const r = m.name('r', m.multiply(exponential, m.bitcast(m.shiftLeft(bits, 23), 'f32')));
  return m.select(m.compare(x, 'LT', -104), 0, r);
}
export const expBelow = mathFunction('exp_below', expNonPositive);
