// Fourier transforms compared with their definition, and with each other.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FftType } from '../attributes.ts';
import { Builder } from '../builder.ts';
import { type Literal, literal, toNumbers } from '../literal.ts';
import { sampleLiteral } from '../sample-literal.testing.ts';
import { type ElementType, elementCount, tensorType } from '../types.ts';
import { transform, vectorOf } from './fourier.ts';
import { constraintOf, run } from './ops.testing.ts';

const fft = (x: Literal, fftType: FftType, fftLength: readonly number[]): Literal =>
  run([x], (b, args) => b.emit1('fft', args, { fftType, fftLength }));
const close = (actual: Literal, expected: readonly number[], tolerance: number): void => {
  const numbers = toNumbers(actual);
  expect(numbers.length).toBe(expected.length);
  expect(Math.max(0, ...numbers.map((v, i) => Math.abs(v - expected[i]!)))).toBeLessThan(tolerance);
};

/** Σ x[n] · exp(-2πi · Σ kₐ nₐ / Nₐ) over all dims of a tensor of pairs. */
function definition(x: Literal): number[] {
  const { shape } = x.type;
  const values = toNumbers(x);
  const indices = Array.from({ length: elementCount(shape) }, (_, i) => {
    let rest = i;
    return shape.toReversed().map(size => {
      const at = rest % size;
      rest = Math.floor(rest / size);
      return at;
    });
  });
  const sizes = shape.toReversed();
  return indices.flatMap(k => {
    let [re, im] = [0, 0];
    indices.forEach((n, at) => {
      const turns = n.reduce((sum, value, d) => sum + ((value * k[d]!) % sizes[d]!) / sizes[d]!, 0);
      const [c, s] = [Math.cos(2 * Math.PI * turns), -Math.sin(2 * Math.PI * turns)];
      re += values[2 * at]! * c - values[2 * at + 1]! * s;
      im += values[2 * at]! * s + values[2 * at + 1]! * c;
    });
    return [re, im];
  });
}

describe('fft', () => {
  test('matches the defining sum, in one to three dims of any size', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
        fc.nat(99),
        (shape, seed) => {
          const x = sampleLiteral('complex<f64>', shape, seed);
          close(fft(x, 'FFT', shape), definition(x), 1e-10);
        },
      ),
      { numRuns: 30 },
    );
  });

  test.each([1, 2, 64, 7, 31, 37, 97, 100, 210, 256])('length %i', n => {
    const x = sampleLiteral('complex<f64>', [n]);
    close(fft(x, 'FFT', [n]), definition(x), 1e-10);
    close(fft(fft(x, 'FFT', [n]), 'IFFT', [n]), toNumbers(x), 1e-12);
  });

  test('transforms only the last dims', () => {
    const x = sampleLiteral('complex<f64>', [2, 3, 4]);
    const rows = [0, 1].flatMap(i =>
      definition(literal('complex<f64>', [3, 4], toNumbers(x).slice(24 * i, 24 * (i + 1)))),
    );
    close(fft(x, 'FFT', [3, 4]), rows, 1e-11);
  });

  test('of real numbers returns the first half; and back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
        fc.nat(99),
        (shape, seed) => {
          const x = sampleLiteral('f64', shape, seed);
          const half = fft(x, 'RFFT', shape);
          const [last, kept] = [shape.at(-1)!, Math.floor(shape.at(-1)! / 2) + 1];
          expect(half.type).toEqual(tensorType('complex<f64>', shape.with(-1, kept)));
          const whole = definition(
            literal(
              'complex<f64>',
              shape,
              toNumbers(x).flatMap(v => [v, 0]),
            ),
          );
          close(
            half,
            whole.filter((_, i) => Math.floor(i / 2) % last < kept),
            1e-10,
          );
          close(fft(half, 'IRFFT', shape), toNumbers(x), 1e-11);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('complex<f32> is exact to a rounding', () => {
    const x = sampleLiteral('complex<f32>', [12]);
    const wide = literal('complex<f64>', [12], toNumbers(x));
    close(fft(x, 'FFT', [12]), definition(wide), 2e-6);
  });

  test('of an empty tensor is empty', () => {
    expect(fft(literal('complex<f32>', [2, 0], []), 'FFT', [0]).data.length).toBe(0);
    expect(fft(literal('f32', [2, 0], []), 'RFFT', [0]).type.shape).toEqual([2, 0]);
  });

  test('constraints', () => {
    const refused = (type: ElementType, shape: readonly number[], fftType: FftType, fftLength: readonly number[]) =>
      constraintOf(() => {
        const b = new Builder();
        b.emit1('fft', [b.argument(tensorType(type, shape), 0)], { fftType, fftLength });
      });
    expect(refused('complex<f32>', [3], 'FFT', [3, 3])).toBe('fft_c1');
    expect(refused('f32', [3], 'FFT', [3])).toBe('fft_c2');
    expect(refused('complex<f32>', [3], 'RFFT', [3])).toBe('fft_c2');
    expect(refused('complex<f32>', [3], 'FFT', [])).toBe('fft_c3');
    expect(refused('complex<f32>', [1, 1, 1, 1], 'FFT', [1, 1, 1, 1])).toBe('fft_c3');
    expect(refused('f32', [3], 'RFFT', [4])).toBe('fft_c4');
    expect(refused('complex<f32>', [3], 'IRFFT', [8])).toBe('fft_c5');
    expect(refused('complex<f32>', [3], 'IRFFT', [4])).toBe('accepted');
    expect(refused('f32', [-1], 'RFFT', [4])).toBe('accepted');
  });
});

test('a large prime length is computed as a convolution', () => {
  const n = 4099;
  const x = vectorOf(n);
  x.real[1] = 1;
  transform(x, false);
  for (const k of [0, 1, 2050, n - 1]) {
    expect(x.real[k]).toBeCloseTo(Math.cos((2 * Math.PI * k) / n), 11);
    expect(x.imag[k]).toBeCloseTo(-Math.sin((2 * Math.PI * k) / n), 11);
  }
});
