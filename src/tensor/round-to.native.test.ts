// Rounding to formats that tensors are not stored in: values equal to the reference, and straight-through gradients.
import { afterEach, describe, expect, test } from 'vitest';
import { cfp8, type NumberFormat, numberFormat, round } from '../numerics/index.ts';
import { device, manualSeed, setDefaultDevice, type Tensor, tensor } from './index.ts';

afterEach(() => setDefaultDevice(undefined));

const formats: readonly NumberFormat[] = [
  cfp8({ exponentBits: 4 }),
  cfp8({ exponentBits: 5, bias: 20 }),
  cfp8({ exponentBits: 2, bias: 0 }),
  cfp8({ exponentBits: 3, infinities: true }),
  numberFormat('f8E5M2'),
  numberFormat('f16'),
  numberFormat('i8'),
  numberFormat('ui8'),
];
const values = [
  ...Array.from({ length: 400 }, (_, i) => Math.fround(Math.sin(i * 3.7) * 2 ** ((i % 40) - 25))),
  ...[0, -0, 1e-30, -1e-45, 0.5, 1.5, 2.5, -2.5, 127.5, 128, 255.5, -128.5, 3e38, Infinity, -Infinity, NaN],
];
const numbers = (t: Tensor): number[] => Array.from(t.literal().data, Number);

describe.each(['interpreter', 'cpu'] as const)('on %s', name => {
  test.each(formats.map(format => [format.name, format] as const))('%s to the nearest', (_, format) => {
    setDefaultDevice(device(name));
    const got = numbers(tensor(values).roundTo(format));
    values.forEach((x, i) => {
      const expected = round(x, format, 'nearest-even');
      expect(got[i], `${x}`).toBe(expected);
    });
  });
});

test.each(formats.map(format => [format.name, format] as const))(
  '%s stochastically: neighbors, and the mean',
  (_, format) => {
    setDefaultDevice(device('cpu'));
    manualSeed(5);
    const x = 0.3;
    const count = 20_000;
    const got = numbers(tensor(new Float32Array(count).fill(x)).roundTo(format, { rounding: 'stochastic' }));
    const neighbors = [...new Set(got)].sort((a, b) => a - b);
    expect(neighbors).toHaveLength(2);
    const [low, high] = neighbors as [number, number];
    expect(low).toBeLessThan(x);
    expect(high).toBeGreaterThan(x);
    const mean = got.reduce((sum, y) => sum + y, 0) / count;
    // five standard deviations of the mean
    expect(Math.abs(mean - Math.fround(x))).toBeLessThan((5 * (high - low)) / 2 / Math.sqrt(count));
  },
);

test('gradients pass straight through', () => {
  setDefaultDevice(device('cpu'));
  const x = tensor([0.3, 1000, -2]).requiresGrad_();
  x.roundTo(cfp8({ exponentBits: 4 }))
    .mul(tensor([1, 2, 3]))
    .sum()
    .backward();
  expect(numbers(x.grad!)).toEqual([1, 2, 3]);
});

test('an unknown rounding mode is an error', () => {
  setDefaultDevice(device('cpu'));
  expect(() => tensor([1]).roundTo(cfp8({ exponentBits: 4 }), { rounding: 'up' as 'stochastic' })).toThrow(/rounding/);
});
