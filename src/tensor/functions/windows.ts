// Window functions for `stft`: computed on the host in f64, and rounded once.
import { checkCount } from '../check-arguments.ts';
import type { Tensor } from '../tensor.ts';
import { type TensorOptions, tensor } from './create.ts';

/** A periodic window is a symmetric one of one more element, without the last. */
function windowOf(
  name: string,
  length: number,
  periodic: boolean,
  options: TensorOptions,
  value: (place: number) => number,
): Tensor {
  checkCount(name, 'windowLength', length, 0);
  const last = periodic ? length : length - 1;
  const values = Array.from({ length }, (_, i) => (length === 1 ? 1 : value(i / last)));
  return tensor(values, { ...options, shape: [length] });
}
const cosines =
  (...weights: readonly number[]) =>
  (place: number): number =>
    weights.reduce((sum, weight, k) => sum + (k % 2 === 0 ? 1 : -1) * weight * Math.cos(2 * Math.PI * k * place), 0);

/**
 * 0.5 − 0.5 · cos(2πn / N). PyTorch: `torch.hann_window`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * hannWindow(4) // [0, 0.5, 1, 0.5]
 */
export const hannWindow = (windowLength: number, periodic = true, options: TensorOptions = {}): Tensor =>
  windowOf('hannWindow', windowLength, periodic, options, cosines(0.5, 0.5));
/**
 * alpha − beta · cos(2πn / N). PyTorch: `torch.hamming_window`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * hammingWindow(4) // [0.08, 0.54, 1, 0.54]
 */
export const hammingWindow = (
  windowLength: number,
  periodic = true,
  alpha = 0.54,
  beta = 0.46,
  options: TensorOptions = {},
): Tensor => windowOf('hammingWindow', windowLength, periodic, options, cosines(alpha, beta));
/**
 * 0.42 − 0.5 · cos(2πn / N) + 0.08 · cos(4πn / N). PyTorch: `torch.blackman_window`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * blackmanWindow(4).shape // [4]
 */
export const blackmanWindow = (windowLength: number, periodic = true, options: TensorOptions = {}): Tensor =>
  windowOf('blackmanWindow', windowLength, periodic, options, cosines(0.42, 0.5, 0.08));
/**
 * A triangle from 0 to 1 and back. PyTorch: `torch.bartlett_window`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * bartlettWindow(5) // [0, 0.4, 0.8, 0.8, 0.4]
 */
export const bartlettWindow = (windowLength: number, periodic = true, options: TensorOptions = {}): Tensor =>
  windowOf('bartlettWindow', windowLength, periodic, options, place => 1 - Math.abs(2 * place - 1));
/**
 * I₀(β · √(1 − (2n / N − 1)²)) / I₀(β). PyTorch: `torch.kaiser_window`.
 * @throws {WRONG_ARGUMENT}
 * @example
 * kaiserWindow(4).shape // [4]
 */
export const kaiserWindow = (windowLength: number, periodic = true, beta = 12, options: TensorOptions = {}): Tensor =>
  windowOf(
    'kaiserWindow',
    windowLength,
    periodic,
    options,
    place => besselI0(beta * Math.sqrt(Math.max(0, 1 - (2 * place - 1) ** 2))) / besselI0(beta),
  );
/** The modified Bessel function of order 0, by its power series. */
function besselI0(x: number): number {
  let [sum, term] = [1, 1];
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
