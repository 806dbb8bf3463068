// Window functions compared with PyTorch's: torch.<name>_window(5, dtype=float64) and (4, periodic=False).
import { expect, test } from 'vitest';
import { bartlettWindow, blackmanWindow, hammingWindow, hannWindow, kaiserWindow, type Tensor } from '../index.ts';

const f64 = { dtype: 'f64' } as const;
const rounded = (x: Tensor): number[] => (x.toArray() as number[]).map(v => Math.round(v * 1e6) / 1e6 + 0);

test.each([
  ['hann', hannWindow(5, true, f64), hannWindow(4, false, f64), [0, 0.345492, 0.904508], [0, 0.75]],
  [
    'hamming',
    hammingWindow(5, true, 0.54, 0.46, f64),
    hammingWindow(4, false, 0.54, 0.46, f64),
    [0.08, 0.397852, 0.912148],
    [0.08, 0.77],
  ],
  ['blackman', blackmanWindow(5, true, f64), blackmanWindow(4, false, f64), [0, 0.20077, 0.84923], [0, 0.63]],
  ['bartlett', bartlettWindow(5, true, f64), bartlettWindow(4, false, f64), [0, 0.4, 0.8], [0, 0.666667]],
  [
    'kaiser',
    kaiserWindow(5, true, 12, f64),
    kaiserWindow(4, false, 12, f64),
    [0.000053, 0.10172, 0.79294],
    [0.000053, 0.518845],
  ],
] as const)('%s windows match PyTorch', (_, periodic, symmetric, five, four) => {
  expect(rounded(periodic)).toEqual([...five, five[2], five[1]]);
  expect(rounded(symmetric)).toEqual([...four, four[1], four[0]]);
});
test('windows with zero elements and with one', () => {
  expect(hannWindow(0).shape).toEqual([0]);
  expect(hannWindow(1).toArray()).toEqual([1]);
});
