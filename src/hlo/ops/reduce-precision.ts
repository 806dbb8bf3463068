// A number of one float format rounded to another of given exponent and mantissa bits, IEEE-like: to nearest even, overflow to
// infinity. If the other format has fewer exponents, values that would be subnormal in it are flushed to a zero of the same sign,
// as in XLA. NaN stays NaN, except in a format without mantissa bits, where it becomes infinity.
import type { FloatFormat } from '../../numerics/small-floats.ts';
import { roundHalfEven } from './scalar-functions.ts';

export function reducePrecision(
  value: number,
  source: FloatFormat,
  exponentBits: number,
  mantissaBits: number,
): number {
  if (Number.isNaN(value)) return mantissaBits === 0 ? Infinity : value;
  if (!Number.isFinite(value) || value === 0) return value;
  const exponent = Math.max(exponentOf(value), 1 - source.bias);
  const ulp = 2 ** (exponent - mantissaBits);
  const rounded = mantissaBits >= source.mantissaBits ? value : roundHalfEven(value / ulp) * ulp;
  if (exponentBits >= source.exponentBits || rounded === 0) return rounded;
  const bias = 2 ** (exponentBits - 1) - 1;
  const after = exponentOf(rounded);
  if (after > bias) return Math.sign(value) * Infinity;
  return after < 1 - bias ? Math.sign(value) * 0 : rounded;
}

/** floor(log2 |value|) of a finite number that is not zero, exactly. */
function exponentOf(value: number): number {
  const magnitude = Math.abs(value);
  let exponent = Math.floor(Math.log2(magnitude));
  if (2 ** exponent > magnitude) exponent--;
  else if (2 ** (exponent + 1) <= magnitude) exponent++;
  return exponent;
}
