// The namespace fft: transforms (rows of the table), and the frequencies of their results.
import { checkCount } from '../check-arguments.ts';
import type { Tensor } from '../tensor.ts';
import { type TensorOptions, tensor } from './create.ts';

export * from '../generated/fft.ts';

/**
 * The frequencies of the elements of `fft`, for samples `d` apart: [0, 1, …, -2, -1] / (d · n). PyTorch: `torch.fft.fftfreq`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * fft.fftfreq(4) // [0, 0.25, -0.5, -0.25]
 */
export function fftfreq(n: number, d = 1, options: TensorOptions = {}): Tensor {
  checkCount('fft.fftfreq', 'n', n, 1);
  const half = Math.floor((n - 1) / 2);
  return tensor(
    Array.from({ length: n }, (_, i) => (i > half ? i - n : i) / (n * d)),
    options,
  );
}
/**
 * The frequencies of the elements of `rfft`: [0, 1, …, n / 2] / (d · n). PyTorch: `torch.fft.rfftfreq`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * fft.rfftfreq(4, 0.5) // [0, 0.5, 1]
 */
export function rfftfreq(n: number, d = 1, options: TensorOptions = {}): Tensor {
  checkCount('fft.rfftfreq', 'n', n, 1);
  return tensor(
    Array.from({ length: Math.floor(n / 2) + 1 }, (_, i) => i / (n * d)),
    options,
  );
}
