// Rounding to every format: to nearest, compared with other implementations; stochastic rounding, compared with its definition
// (the mean is the number, representable numbers are unchanged) and with statistical bounds.
import { describe, expect, test } from 'vitest';
import { cfp8, type FormatName, type NumberFormat, numberFormat } from './formats.ts';
import { philoxWords } from './philox.ts';
import { executionKeys, round, roundingBits, roundingKeys } from './rounding.ts';
import { isSmallFloat, smallFloatCodec } from './small-floats.ts';

const names: readonly FormatName[] = [
  'f32',
  'tf32',
  'bf16',
  'f16',
  'f8E3M4',
  'f8E4M3',
  'f8E4M3B11FNUZ',
  'f8E4M3FN',
  'f8E4M3FNUZ',
  'f8E5M2',
  'f8E5M2FNUZ',
  'f4E2M1FN',
  'f6E2M3FN',
  'f6E3M2FN',
];
const configurable = [
  cfp8({ exponentBits: 5, bias: 20 }),
  cfp8({ exponentBits: 4, bias: 3, infinities: true }),
  cfp8({ exponentBits: 3 }),
  cfp8({ exponentBits: 2, bias: 0 }),
];
const floats: readonly NumberFormat[] = [...names.map(numberFormat), ...configurable];

/** Numbers of every size that the format has, a few beyond it, and between its numbers. */
function samples(format: NumberFormat, count = 400): number[] {
  const bits = philoxWords(7n, 0n, 2 * count);
  const [low, high] =
    format.kind === 'float'
      ? [-format.bias - format.mantissaBits - 1, Math.log2(format.greatest) + 0.5]
      : [-3, Math.log2(format.greatest)];
  return Array.from({ length: count }, (_, i) => {
    const size = 2 ** (low + ((high - low) * bits[2 * i]!) / 2 ** 32);
    return bits[2 * i + 1]! & 1 ? -size : size;
  });
}

describe('to the nearest', () => {
  test.each(names.filter(name => isSmallFloat(name)))('%s matches its table of values', name => {
    const codec = smallFloatCodec(name);
    const format = numberFormat(name);
    for (const x of [...samples(format), 0, Infinity, -Infinity]) {
      expect(round(x, format, 'nearest-even') + 0).toBe(codec.values[codec.encode(x)]! + 0);
    }
  });
  test('f32 and f16 match JavaScript', () => {
    for (const x of samples(numberFormat('f32')))
      expect(round(x, numberFormat('f32'), 'nearest-even')).toBe(Math.fround(x));
    for (const x of samples(numberFormat('f16')))
      expect(round(x, numberFormat('f16'), 'nearest-even')).toBe(Math.f16round(x));
  });
  test('integers saturate, ties round to even, NaN becomes 0', () => {
    const [i8, ui8] = [numberFormat('i8'), numberFormat('ui8')];
    expect([0.5, 1.5, -2.5, 126.6, 127.5, 1e9, -1e9, -Infinity, NaN].map(x => round(x, i8, 'nearest-even'))).toEqual([
      0, 2, -2, 127, 127, 127, -128, -128, 0,
    ]);
    expect([-1, 254.5, 300].map(x => round(x, ui8, 'nearest-even'))).toEqual([0, 254, 255]);
  });
  test('a configurable float has the numbers of its width and bias', () => {
    const e4 = cfp8({ exponentBits: 4 });
    expect([e4.greatest, round(500, e4, 'nearest-even'), round(-1e9, e4, 'nearest-even')]).toEqual([448, 448, -448]);
    expect(round(NaN, e4, 'nearest-even')).toBeNaN();
    const e5 = cfp8({ exponentBits: 5, bias: 15, infinities: true });
    for (const x of samples(e5))
      expect(round(x, e5, 'nearest-even')).toBe(round(x, numberFormat('f8E5M2'), 'nearest-even'));
    // a bias that is larger by 4 makes every number 16 times smaller
    const moved = cfp8({ exponentBits: 5, bias: 19, infinities: true });
    for (const x of samples(e5)) expect(round(x / 16, moved, 'nearest-even') * 16).toBe(round(x, e5, 'nearest-even'));
  });
  test.each([
    [{ exponentBits: 1 }, 'exponentBits is 1'],
    [{ exponentBits: 6 }, 'exponentBits is 6'],
    [{ exponentBits: 4.5 }, 'exponentBits is 4.5'],
    [{ exponentBits: 4, bias: 64 }, 'bias is 64'],
    [{ exponentBits: 4, bias: -1 }, 'bias is -1'],
  ])('%o is refused', (options, text) => {
    expect(() => cfp8(options)).toThrow(text);
  });
});

describe('stochastically', () => {
  const word = (i: number): number => (i * 0x9e3779b1) >>> 0;

  test('representable numbers, NaN and infinities are unchanged for all random bits', () => {
    for (const format of floats) {
      for (const x of [0, -0, ...samples(format, 50).map(x => round(x, format, 'nearest-even'))]) {
        for (const bits of [0, 1, word(3), 0xffffffff]) expect(round(x, format, 'stochastic', bits)).toBe(x);
      }
      expect(round(NaN, format, 'stochastic', 0xffffffff)).toBeNaN();
    }
    for (const bits of [0, 0xffffffff]) {
      expect(round(-Infinity, numberFormat('bf16'), 'stochastic', bits)).toBe(-Infinity);
      expect(round(Infinity, numberFormat('f8E4M3FN'), 'stochastic', bits)).toBeNaN();
    }
  });
  test('the mean is the number: subnormal, normal, and beyond the largest', () => {
    for (const format of floats) {
      if (format.kind !== 'float' || format.name === 'f32') continue;
      const least = 2 ** (1 - format.bias - format.mantissaBits);
      const next = format.greatest + 2 ** (Math.floor(Math.log2(format.greatest)) - format.mantissaBits);
      for (const x of [...samples(format, 30), least * 0.3, -least * 2.7, format.greatest * 0.999]) {
        if (Math.abs(x) > format.greatest) continue;
        const count = 2 ** 14;
        let [sum, squares] = [0, 0];
        for (let i = 0; i < count; i++) {
          const got = round(x, format, 'stochastic', word(i));
          // beyond the largest number, rounding uses the next number that the format would have
          const value = Number.isFinite(got) ? got : Math.sign(x) * next;
          sum += value - x;
          squares += (value - x) ** 2;
        }
        // with evenly spaced words, the error of the mean is a counting error, not random
        const step = Math.sqrt(squares / count) + Number.EPSILON * Math.abs(x);
        expect(Math.abs(sum / count)).toBeLessThan(0.02 * step + Math.abs(x) * 1e-12 + least * 1e-3);
      }
    }
  });
  test('integers, which saturate', () => {
    const i8 = numberFormat('i8');
    let sum = 0;
    for (let i = 0; i < 10_000; i++) sum += round(-3.3, i8, 'stochastic', word(i));
    expect(sum / 10_000).toBeCloseTo(-3.3, 2);
    expect(round(127.9, i8, 'stochastic', 0xffffffff)).toBe(127);
  });
});

test('bits of an element: uniform, uncorrelated with neighbors and between uses, reproducible', () => {
  const at = (seed: number, step: number, place: number) => roundingKeys(executionKeys(seed, step, 0), place);
  const keys = [at(0, 0, 0), at(0, 0, 1), at(0, 1, 0), at(1, 0, 0)];
  expect(new Set(keys.flat()).size).toBe(8);
  expect(at(0, 1, 0)).toEqual(keys[2]);
  const count = 2 ** 16;
  const uniform = (k: number, i: number): number => roundingBits(i, keys[k]!) / 2 ** 32 - 0.5;
  const mean = (f: (i: number) => number): number => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += f(i);
    return sum / count;
  };
  // five standard deviations of the mean of a uniform distribution: 1/√12, and of products of two: 1/12
  const [one, two] = [5 / Math.sqrt(12 * count), 5 / (12 * Math.sqrt(count))];
  for (let k = 0; k < keys.length; k++) {
    expect(Math.abs(mean(i => uniform(k, i)))).toBeLessThan(one);
    expect(Math.abs(mean(i => uniform(k, i) * uniform(k, i + 1)))).toBeLessThan(two);
    expect(Math.abs(mean(i => uniform(k, i) * uniform((k + 1) % 4, i)))).toBeLessThan(two);
    for (let bit = 8; bit < 32; bit++)
      expect(Math.abs(mean(i => ((roundingBits(i, keys[k]!) >>> bit) & 1) - 0.5))).toBeLessThan(
        5 / (2 * Math.sqrt(count)),
      );
  }
});
