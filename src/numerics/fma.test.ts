import { describe, expect, test } from 'vitest';
import { fmaF32, fmaF64 } from './fma.ts';

/** A finite number as integer · 2^exponent. */
function parts(x: number): [bigint, number] {
  if (x === 0) return [0n, 0];
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(x))), -1022) - 54;
  const scaled = exponent < -1000 ? x * 2 ** 1000 * 2 ** (-exponent - 1000) : x * 2 ** -exponent;
  return [BigInt(scaled), exponent];
}
/**
 * Rounds integer · 2^exponent to a number of bits, with `least` as the smallest exponent of the last bit: to nearest, ties to
 * even.
 */
function rounded(integer: bigint, exponent: number, bits: number, least: number): number {
  const size = integer < 0n ? -integer : integer;
  const drop = Math.max(size.toString(2).length - bits, least - exponent, 0);
  let kept = size >> BigInt(drop);
  const rest = size - (kept << BigInt(drop));
  const half = drop === 0 ? 0n : 1n << BigInt(drop - 1);
  if (drop > 0 && (rest > half || (rest === half && kept % 2n === 1n))) kept++;
  const value = Number(kept) * 2 ** Math.max(exponent + drop, -1000) * 2 ** Math.min(0, exponent + drop + 1000);
  return integer < 0n ? -value : value;
}
function exact(a: number, b: number, c: number, bits: number, least: number): number {
  const [[ia, ea], [ib, eb], [ic, ec]] = [parts(a), parts(b), parts(c)];
  const e = Math.min(ea + eb, ec);
  return rounded(((ia * ib) << BigInt(ea + eb - e)) + (ic << BigInt(ec - e)), e, bits, least);
}

let state = 1;
const random = (): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const pick = (spread: number): number => (random() - 0.5) * 2 ** Math.round((random() - 0.5) * spread);

describe('fused multiply-adds are rounded once', () => {
  test('f32: equal to exact integer arithmetic', () => {
    for (let i = 0; i < 20_000; i++) {
      const [a, b] = [Math.fround(pick(120)), Math.fround(pick(120))];
      // near the product, near a tie of it, or anywhere
      const c = Math.fround(
        i % 3 === 0 ? pick(160) : i % 3 === 1 ? -a * b : a * b * 2 ** Math.round((random() - 0.5) * 60),
      );
      if (!Number.isFinite(c)) continue;
      expect(fmaF32(a, b, c), `${a} · ${b} + ${c}`).toBe(exact(a, b, c, 24, -149));
    }
  });
  test('f32: a case of double rounding', () => {
    // the product is 2^-24 - 2^-54: rounded to f64, the sum becomes an f32 tie, which would round up to even
    const [a, b, c] = [1 + 2 ** -15, 2 ** -24 * (1 - 2 ** -15), 1 + 2 ** -23];
    expect(Math.fround(a * b + c)).toBe(1 + 2 ** -22);
    expect(fmaF32(a, b, c)).toBe(1 + 2 ** -23);
  });
  test('f32: special values', () => {
    expect(fmaF32(Infinity, 2, -1)).toBe(Infinity);
    expect(fmaF32(Infinity, 0, 1)).toBeNaN();
    expect(fmaF32(2 ** 127, 2, -Infinity)).toBe(-Infinity);
    expect(fmaF32(2 ** 127, 2, -(2 ** 127))).toBe(2 ** 127);
    expect(fmaF32(-0, 1, -0)).toBe(-0);
    expect(fmaF32(2 ** -149, 0.5, 0)).toBe(0);
    expect(fmaF32(2 ** -149, 0.75, 0)).toBe(2 ** -149);
  });
  test('f64: equal to exact integer arithmetic', () => {
    for (let i = 0; i < 20_000; i++) {
      const [a, b] = [pick(60), pick(60)];
      const c = i % 2 === 0 ? pick(100) : -a * b * (1 + 2 ** -52 * Math.round(random() * 3));
      expect(fmaF64(a, b, c), `${a} · ${b} + ${c}`).toBe(exact(a, b, c, 53, -1074));
    }
  });
});
