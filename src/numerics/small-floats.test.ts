import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSmallFloat, type SmallFloat, smallFloatCodec, smallFloats } from './small-floats.ts';

const nan = Number.NaN;
const inf = Number.POSITIVE_INFINITY;
const greatest: Readonly<Record<SmallFloat, number>> = {
  f4E2M1FN: 6,
  f6E2M3FN: 7.5,
  f6E3M2FN: 28,
  f8E3M4: 15.5,
  f8E4M3: 240,
  f8E4M3B11FNUZ: 30,
  f8E4M3FN: 448,
  f8E4M3FNUZ: 240,
  f8E5M2: 57344,
  f8E5M2FNUZ: 57344,
  f8E8M0FNU: 2 ** 127,
};

test('the names', () => {
  expect(smallFloats).toHaveLength(11);
  expect(isSmallFloat('f8E4M3')).toBe(true);
  expect(isSmallFloat('f16')).toBe(false);
});

describe.each(smallFloats)('%s', name => {
  const { values, encode } = smallFloatCodec(name);
  const numbers = [...values].filter(v => !Number.isNaN(v));
  const finite = [...new Set(numbers)].filter(Number.isFinite).sort((a, b) => a - b);

  test('every code except NaN round-trips through its value', () => {
    values.forEach((value, code) => {
      if (Number.isNaN(value)) expect(values[encode(value)]).toSatisfy(v => Number.isNaN(v));
      else expect(encode(value)).toBe(code);
    });
  });
  test('the greatest value', () => {
    expect(finite.at(-1)).toBe(greatest[name]);
  });
  test('a number is rounded to the nearest value', () => {
    const [low, high] = [finite[0]!, finite.at(-1)!];
    fc.assert(
      fc.property(fc.double({ min: low, max: high, noNaN: true }), x => {
        const distance = Math.abs(values[encode(x)]! - x);
        expect(distance).toBe(Math.min(...finite.map(v => Math.abs(v - x))));
      }),
    );
  });
  test('ties round to the even code', () => {
    for (let i = 1; i < finite.length; i++) {
      const code = encode((finite[i - 1]! + finite[i]!) / 2);
      // A power of two has no mantissa bit to be even: there, halfway rounds up.
      if (name === 'f8E8M0FNU') expect(values[code]).toBe(finite[i]);
      else expect(code % 2).toBe(0);
    }
  });
});

test.each<[SmallFloat, number, number]>([
  ['f8E5M2', 1e6, inf],
  ['f8E5M2', -61440, -inf],
  ['f8E5M2', 61439, 57344],
  ['f8E4M3', inf, inf],
  ['f8E4M3FN', 464, 448],
  ['f8E4M3FN', 465, nan],
  ['f8E4M3FN', inf, nan],
  ['f8E4M3FNUZ', 248, nan],
  ['f8E4M3FNUZ', -0, 0],
  ['f6E3M2FN', inf, 28],
  ['f4E2M1FN', -1e9, -6],
  ['f4E2M1FN', nan, -0],
  ['f8E8M0FNU', 3, 4],
  ['f8E8M0FNU', 1e-300, 2 ** -127],
  ['f8E8M0FNU', -1, nan],
  ['f8E8M0FNU', 0, nan],
  ['f8E8M0FNU', inf, nan],
])('out of range: %s of %d is %d', (name, x, expected) => {
  const { values, encode } = smallFloatCodec(name);
  expect(values[encode(x)]).toBe(expected);
});
