// Random cases of complex numbers and Fourier transforms. Arguments and results are real: gradients are compared with
// differences of real numbers.
import type { Builder } from '../../hlo/builder.ts';
import type { Value } from '../../hlo/program.ts';
import type { Random } from '../random.testing.ts';
import type { MakeCase } from './elementwise.testing.ts';

const part = (b: Builder, name: 'real' | 'imag', z: Value): Value => b.emit1(name, [z], {});
const shape = (r: Random): number[] => r.times(r.int(1, 2), () => r.int(1, 4));
/** The square of a complex number, so that the parts depend on each other. */
const squared = (b: Builder, x: Value, y: Value): Value => {
  const z = b.emit1('complex', [x, y], {});
  return b.multiply(z, z);
};
const ofParts =
  (...names: readonly ('real' | 'imag')[]): MakeCase =>
  r => {
    const dims = shape(r);
    return {
      args: [r.tensor(dims), r.tensor(dims)],
      build: (b, [x, y]) => names.map(name => part(b, name, squared(b, x!, y!))),
    };
  };

const fft: MakeCase = r => {
  const fftType = r.pick(['FFT', 'IFFT', 'RFFT', 'IRFFT'] as const);
  const fftLength = r.times(r.int(1, 2), () => r.int(1, 6));
  const half = Math.floor(fftLength.at(-1)! / 2) + 1;
  const dims = [2, ...(fftType === 'IRFFT' ? fftLength.with(-1, half) : fftLength)];
  const isReal = fftType === 'RFFT';
  return {
    args: isReal ? [r.tensor(dims)] : [r.tensor(dims), r.tensor(dims)],
    build: (b, [x, y]) => {
      const result = b.emit1('fft', [isReal ? x! : b.emit1('complex', [x!, y!], {})], { fftType, fftLength });
      if (fftType === 'IRFFT') return [b.multiply(result, result)];
      const square = b.multiply(result, result);
      return [part(b, 'real', square), part(b, 'imag', square)];
    },
  };
};

export const complexCases = {
  complex: ofParts('real', 'imag'),
  real: ofParts('real'),
  imag: ofParts('imag'),
  fft,
} satisfies Record<string, MakeCase>;
