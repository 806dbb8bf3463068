// One number rounded to a format, to the nearest (ties to even) or stochastically: the reference for programs. Stochastic
// rounding rounds up with a probability equal to the distance from the lower neighbor:
//
//   below ●────────x──────● above        up if  (x - below) / (above - below) + u ≥ 1,  u = 24 random bits / 2^24
//
// so that the mean is x, and representable numbers do not change (Croci et al., "Stochastic
// rounding: implementation, error analysis and applications", 2022).
import type { NumberFormat } from './formats.ts';
import { philox4x32 } from './philox.ts';

/** How a number that a format cannot represent is rounded. */
export type Rounding = 'nearest-even' | 'stochastic';

/**
 * x rounded to the format. `bits` is a random 32-bit word; its upper 24 bits are used. NaN and infinities are kept if
 * the format has them; values that round beyond the largest number follow the format's `overflow`.
 */
export function round(x: number, format: NumberFormat, rounding: 'nearest-even'): number;
export function round(x: number, format: NumberFormat, rounding: 'stochastic', bits: number): number;
export function round(x: number, format: NumberFormat, rounding: Rounding, bits = 0): number {
  const cut = rounding === 'nearest-even' ? nearestEven : (t: number): number => stochastic(t, bits);
  if (format.kind === 'integer') {
    if (Number.isNaN(x)) return 0;
    const whole = Number.isFinite(x) ? Math.sign(x) * cut(Math.abs(x)) : x;
    return Math.min(Math.max(whole, format.least), format.greatest) + 0;
  }
  const { mantissaBits, bias, greatest, overflow } = format;
  if (Number.isNaN(x)) return NaN;
  const sign = x < 0 || Object.is(x, -0) ? -1 : 1;
  const size = Math.abs(x);
  const step = Number.isFinite(size) ? 2 ** (Math.max(exponentOf(size), 1 - bias) - mantissaBits) : 1;
  const rounded = Number.isFinite(size) ? cut(size / step) * step : size;
  if (rounded <= greatest) return sign * rounded;
  return overflow === 'infinity' ? sign * Infinity : overflow === 'nan' ? NaN : sign * greatest;
}

function nearestEven(t: number): number {
  const low = Math.floor(t);
  const rest = t - low;
  return rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low;
}
function stochastic(t: number, bits: number): number {
  const low = Math.floor(t);
  return t - low >= 1 - (bits >>> 8) / 2 ** 24 ? low + 1 : low;
}

const f64 = new Float64Array(1);
const words = new Uint32Array(f64.buffer);
/** The exponent of the largest power of two that is at most x > 0; far below all formats for 0 and f64 subnormals. */
function exponentOf(x: number): number {
  f64[0] = x;
  return ((words[1]! >>> 20) & 0x7ff) - 1023;
}

/** Two random words of 32 bits. */
export type RoundingKeys = readonly [number, number];

const high = (n: number): number => Math.floor(n / 2 ** 32) >>> 0;
/** The keys of an execution within a step: they change with each execution of a program. */
export function executionKeys(seed: number, step: number, execution: number): RoundingKeys {
  const out = new Uint32Array(4);
  philox4x32(execution >>> 0, 0, step >>> 0, high(step), seed >>> 0, high(seed), out);
  return [out[0]!, out[1]!];
}
/** Two words for each position in a program at which a value is rounded: constants of the program. */
export function positionKeys(position: number): RoundingKeys {
  const out = new Uint32Array(4);
  philox4x32(position >>> 0, 1, 0, 0, 0, 0, out);
  return [out[0]!, out[1]!];
}
/** The keys of a position in an execution. */
export const roundingKeys = (execution: RoundingKeys, position: number): RoundingKeys => {
  const words = positionKeys(position);
  return [mix32(execution[0] ^ words[0]), mix32(execution[1] ^ words[1])];
};

/** The multipliers of `mix32` and `roundingBits`, for programs that compute them with ops: those of Wellons' lowbias32. */
export const hashMultipliers = [0x7feb352d, 0x846ca68b] as const;
const mix32 = (x: number): number => roundingBits(x, [0, 0]);
/**
 * The random word of an element: a hash of its index in 32-bit operations that vectorize (lowbias32, with one of the two
 * keys between its multiplications, so that no stream is a shifted copy of another). It is random enough for rounding, not for
 * other purposes.
 */
export function roundingBits(index: number, keys: RoundingKeys): number {
  let x = (index + keys[0]) >>> 0;
  x = Math.imul(x ^ (x >>> 16), hashMultipliers[0]) ^ keys[1];
  x = Math.imul(x ^ (x >>> 15), hashMultipliers[1]);
  return (x ^ (x >>> 16)) >>> 0;
}
