// Odd functions with a polynomial from a table: the range is divided into equal segments, and a polynomial in the distance from
// the segment's middle is short.
//
//   |x| ──▶ segment i = round(|x| / width), d = |x| - i · width ──▶ c0[i] + c1[i] d + … + c5[i] d⁵, with the sign of x
//
// A permutation of a vector's lanes looks sixteen elements up in one instruction of AVX-512, which is where these are used; the
// last bits differ from those of the functions without tables.
import { type MathFunction, mathFunction } from './math-function.ts';

interface Segments {
  readonly name: string;
  /** The approximate number of segments per unit: it only selects the segment. */
  readonly perUnit: number;
  /** The width of a segment, as an f32. The midpoints of segments are exact multiples of it. */
  readonly width: number;
  /** Inside the last segment; beyond it all results are ±1, where the polynomial would round to just below. */
  readonly limit: number;
  /**
   * For each power, the minimax coefficient of each segment. Segment 0 has odd powers only, so that small values have small
   * errors.
   */
  readonly coefficients: readonly (readonly number[])[];
}

/** The look-ups depend on no other look-up, so a printer may do those of a whole vector between two loops over its elements. */
export const segmentedFunction = ({ name, perUnit, width, limit, coefficients }: Segments): MathFunction =>
  mathFunction(name, (m, x) => {
    const a = m.name('a', m.abs(x));
    const c = m.name('c', m.select(m.compare(a, 'GT', limit), limit, a));
    // adding 1.5 · 2^23 rounds to an integer and leaves it in the low bits
    const t = m.name('t', m.multiplyAdd(c, perUnit, 12582912));
    const d = m.name('d', m.multiplyAdd(m.subtract(t, 12582912), -width, c));
    const i = m.name('i', m.bitcast(t, 'ui32'));
    const powers = coefficients.map((table, k) => m.name(`c_${k}`, m.lookUp(table, i)));
    const near = m.polynomial(d, powers.reverse());
    // |x| is computed again, so that only the results of look-ups are passed between the loops of a block
    const p = m.select(m.compare(m.abs(x), 'GT', limit), 1, near);
    return m.bitcast(m.or(m.bitcast(p, 'ui32'), m.and(m.bitcast(x, 'ui32'), 0x80000000)), 'f32');
  });
