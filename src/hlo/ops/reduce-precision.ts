// A number rounded to a float format of given exponent and mantissa bits, IEEE-like: to nearest even, overflow to
// infinity. What would be subnormal in the format is flushed to a zero of its sign, as XLA does.
import { roundHalfEven } from './scalar-functions.ts';

export function reducePrecision(value: number, exponentBits: number, mantissaBits: number): number {
  if (!Number.isFinite(value) || value === 0) return value;
  const bias = 2 ** (exponentBits - 1) - 1;
  const exponent = exponentOf(value);
  const ulp = 2 ** (exponent - Math.min(mantissaBits, 52));
  const rounded = mantissaBits >= 52 ? value : roundHalfEven(value / ulp) * ulp;
  if (bias < 1023) {
    const after = exponentOf(rounded);
    if (after > bias) return Math.sign(value) * Infinity;
    if (after < 1 - bias) return Math.sign(value) * 0;
  }
  return rounded;
}

/** floor(log2 |value|) of a finite number that is not zero, exactly. */
function exponentOf(value: number): number {
  const magnitude = Math.abs(value);
  let exponent = Math.floor(Math.log2(magnitude));
  if (2 ** exponent > magnitude) exponent--;
  else if (2 ** (exponent + 1) <= magnitude) exponent++;
  return exponent;
}
