// a · b + c rounded once, for f32 and f64 numbers.

import { exactSum, twoProduct, twoSum } from './double-double.ts';

const words = new BigInt64Array(1);
const number = new Float64Array(words.buffer);

/**
 * high + low rounded to odd in f64: if it is not exact, the last bit is 1. A following rounding to a format of up to 51 bits
 * then gives the correctly rounded result (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
 */
function roundedToOdd(high: number, low: number): number {
  if (low === 0 || !Number.isFinite(high)) return high;
  number[0] = high;
  if ((words[0]! & 1n) === 0n) words[0]! += low > 0 === high > 0 ? 1n : -1n;
  return number[0]!;
}

/** The fused multiply-add of three f32 numbers, as an f32. */
export function fmaF32(a: number, b: number, c: number): number {
  // 48 bits: exact, and no f32 subnormal's product is one in f64
  const product = a * b;
  const [high, low] = twoSum(product, c);
  return Math.fround(roundedToOdd(high, low));
}

/** The fused multiply-add of three f64 numbers. Exact while no product of them, and no error of one, overflows or is subnormal: |a b| in [2^-960, 2^990] or 0. */
export function fmaF64(a: number, b: number, c: number): number {
  const plain = a * b + c;
  if (!Number.isFinite(plain) || a === 0 || b === 0) return plain;
  return exactSum([...twoProduct(a, b), c])[0];
}
