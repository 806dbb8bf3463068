// Initial values of parameters, drawn on the host: the same for a seed on every rank, device and number of threads.
import { elementCount } from '../hlo/types.ts';
import {
  normalTable,
  normal as normalTensor,
  type Tensor,
  truncatedNormal as truncatedTensor,
  uniform as uniformTensor,
  zeros,
} from '../tensor/index.ts';

type Shape = readonly number[];
// While a model is built only to be loaded, drawing numbers for it is wasted: 110 million take seconds.
let skipping = false;

/** Builds modules whose parameters start as zeros, because they will be loaded. */
export function skipInit<T>(build: () => T): T {
  const before = skipping;
  skipping = true;
  try {
    return build();
  } finally {
    skipping = before;
  }
}

export const normal = (shape: Shape, mean = 0, std = 1): Tensor =>
  skipping ? zeros(shape) : normalTensor(shape, mean, std);
/** A table [count, width] of vectors, normal; that of `zeroRow`, if there is one, is zero. */
export const table = (shape: readonly [number, number], std: number, zeroRow: number | undefined): Tensor =>
  skipping || zeroRow === undefined || !(zeroRow >= 0 && zeroRow < shape[0])
    ? normal(shape, 0, std)
    : normalTable(shape, 0, std, zeroRow);
export const uniform = (shape: Shape, low: number, high: number): Tensor =>
  skipping ? zeros(shape) : uniformTensor(shape, low, high);
/** Normal, within two standard deviations. */
export const truncatedNormal = (shape: Shape, mean = 0, std = 1): Tensor =>
  skipping ? zeros(shape) : truncatedTensor(shape, mean, std);

/** Inputs and outputs of a weight [out, in, ...kernel]. */
export function fans(shape: Shape): { readonly fanIn: number; readonly fanOut: number } {
  const kernel = elementCount(shape.slice(2));
  return { fanIn: (shape[1] ?? 1) * kernel, fanOut: (shape[0] ?? 1) * kernel };
}
/** PyTorch's start for linear and convolution layers: uniform in ±1/√fanIn, of weights and biases. */
export function defaultWeight(shape: Shape): Tensor {
  const bound = 1 / Math.sqrt(fans(shape).fanIn);
  return uniform(shape, -bound, bound);
}
/** Glorot and Bengio's: uniform in ±gain·√(6 / (fanIn + fanOut)). */
export function xavierUniform(shape: Shape, gain = 1): Tensor {
  const { fanIn, fanOut } = fans(shape);
  const bound = gain * Math.sqrt(6 / (fanIn + fanOut));
  return uniform(shape, -bound, bound);
}
/** He et al.'s, for layers before a ReLU: normal with deviation √(2 / fan). */
export function kaimingNormal(shape: Shape, mode: 'fanIn' | 'fanOut' = 'fanIn'): Tensor {
  return normal(shape, 0, Math.sqrt(2 / fans(shape)[mode]));
}
