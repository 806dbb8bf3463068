// Tests of the namespace fft in addition to its rows: frequencies, and lengths of every kind.
import { expect, test } from 'vitest';
import { fft, randn } from '../index.ts';

test('frequencies', () => {
  expect(fft.fftfreq(4).toArray()).toEqual([0, 0.25, -0.5, -0.25]);
  expect(fft.fftfreq(5, 0.5, { dtype: 'f64' }).toArray()).toEqual([0, 0.4, 0.8, -0.8, -0.4]);
  expect(fft.rfftfreq(4).toArray()).toEqual([0, 0.25, 0.5]);
  expect(fft.rfftfreq(5, 0.5, { dtype: 'f64' }).toArray()).toEqual([0, 0.4, 0.8]);
});
test('inverses, at lengths with large prime factors', () => {
  for (const n of [1, 2, 3, 64, 97, 210]) {
    const x = randn([2, n], { dtype: 'f64' });
    const back = fft.irfft(fft.rfft(x), n);
    expect(back.sub(x).abs().max().item()).toBeLessThan(1e-12);
    expect(fft.ifft(fft.fft(x)).real().sub(x).abs().max().item()).toBeLessThan(1e-12);
  }
});
