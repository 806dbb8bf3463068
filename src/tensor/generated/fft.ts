// The functions of the namespace fft that are rows of the table. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.
import { call } from '../surface/call.ts';
import { fourier } from '../surface/rows/fourier.ts';
import type { Tensor } from '../tensor.ts';
import type {
  Fft2Options,
  FftnOptions,
  FftOptions,
  FftshiftOptions,
  Hfft2Options,
  HfftnOptions,
  HfftOptions,
  Ifft2Options,
  IfftnOptions,
  IfftOptions,
  IfftshiftOptions,
  Ihfft2Options,
  IhfftnOptions,
  IhfftOptions,
  Irfft2Options,
  IrfftnOptions,
  IrfftOptions,
  Rfft2Options,
  RfftnOptions,
  RfftOptions,
} from './options.ts';

/**
 * The discrete Fourier transform, along one dim.
 *
 * PyTorch: `torch.fft.fft`.
 *
 * @param input - The tensor.
 * @param n - The length: the input is truncated or zero-padded to it.
 * @param dim - The dim. Default: -1.
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with another length at the dim; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.fft(tensor([0, 1, 0, 0])) // [1, -i, -1, i]
 */
export function fft(
  input: Tensor,
  n?: number | FftOptions | undefined,
  dim?: number | FftOptions | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | FftOptions | undefined,
): Tensor;
export function fft(...args: readonly unknown[]): unknown {
  return call(fourier.fft, undefined, args);
}

/**
 * The inverse of the discrete Fourier transform, along one dim.
 *
 * PyTorch: `torch.fft.ifft`.
 *
 * @param input - The tensor.
 * @param n - The length: the input is truncated or zero-padded to it.
 * @param dim - The dim. Default: -1.
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with another length at the dim; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.ifft(fft.fft(tensor([0, 1, 2, 3]))).real() // [0, 1, 2, 3]
 */
export function ifft(
  input: Tensor,
  n?: number | IfftOptions | undefined,
  dim?: number | IfftOptions | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | IfftOptions | undefined,
): Tensor;
export function ifft(...args: readonly unknown[]): unknown {
  return call(fourier.ifft, undefined, args);
}

/**
 * The discrete Fourier transform of real numbers: its first half, as the rest is conjugate, along one dim.
 *
 * PyTorch: `torch.fft.rfft`.
 *
 * @param input - The tensor.
 * @param n - The length: the input is truncated or zero-padded to it.
 * @param dim - The dim. Default: -1.
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with another length at the dim; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.rfft(tensor([0, 1, 0, 0])) // [1, -i, -1]
 */
export function rfft(
  input: Tensor,
  n?: number | RfftOptions | undefined,
  dim?: number | RfftOptions | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | RfftOptions | undefined,
): Tensor;
export function rfft(...args: readonly unknown[]): unknown {
  return call(fourier.rfft, undefined, args);
}

/**
 * The inverse of `rfft`: real numbers from half of a transform, along one dim.
 *
 * PyTorch: `torch.fft.irfft`.
 *
 * @param input - The tensor.
 * @param n - The length: the input is truncated or zero-padded to it.
 * @param dim - The dim. Default: -1.
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with another length at the dim; the real type of a complex input, or that of
 * the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.irfft(fft.rfft(tensor([0, 1, 2, 3]))) // [0, 1, 2, 3]
 */
export function irfft(
  input: Tensor,
  n?: number | IrfftOptions | undefined,
  dim?: number | IrfftOptions | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | IrfftOptions | undefined,
): Tensor;
export function irfft(...args: readonly unknown[]): unknown {
  return call(fourier.irfft, undefined, args);
}

/**
 * The discrete Fourier transform of a Hermitian signal, of which half is given, along one dim.
 *
 * PyTorch: `torch.fft.hfft`.
 *
 * @param input - The tensor.
 * @param n - The length: the input is truncated or zero-padded to it.
 * @param dim - The dim. Default: -1.
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with another length at the dim; the real type of a complex input, or that of
 * the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.hfft(tensor([1, 2, 3])) // [8, -2, 0, -2]
 */
export function hfft(
  input: Tensor,
  n?: number | HfftOptions | undefined,
  dim?: number | HfftOptions | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | HfftOptions | undefined,
): Tensor;
export function hfft(...args: readonly unknown[]): unknown {
  return call(fourier.hfft, undefined, args);
}

/**
 * The inverse of `hfft`: the first half of the result, along one dim.
 *
 * PyTorch: `torch.fft.ihfft`.
 *
 * @param input - The tensor.
 * @param n - The length: the input is truncated or zero-padded to it.
 * @param dim - The dim. Default: -1.
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with another length at the dim; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.ihfft(tensor([1, 2, 3, 2])).real() // [2, -0.5, 0]
 */
export function ihfft(
  input: Tensor,
  n?: number | IhfftOptions | undefined,
  dim?: number | IhfftOptions | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | IhfftOptions | undefined,
): Tensor;
export function ihfft(...args: readonly unknown[]): unknown {
  return call(fourier.ihfft, undefined, args);
}

/**
 * The discrete Fourier transform, along two dims: the last two by default.
 *
 * PyTorch: `torch.fft.fft2`.
 *
 * @param input - The tensor.
 * @param s - The lengths, one per dim.
 * @param dim - The dims. Default: [-2,-1].
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with other lengths at the dims; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.fft2(tensor([[1, 2], [3, 4]])).real() // [[10, -2], [-4, 0]]
 */
export function fft2(
  input: Tensor,
  s?: readonly number[] | Fft2Options | undefined,
  dim?: readonly number[] | Fft2Options | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | Fft2Options | undefined,
): Tensor;
export function fft2(...args: readonly unknown[]): unknown {
  return call(fourier.fft2, undefined, args);
}

/**
 * The inverse of the discrete Fourier transform, along two dims: the last two by default.
 *
 * PyTorch: `torch.fft.ifft2`.
 *
 * @param input - The tensor.
 * @param s - The lengths, one per dim.
 * @param dim - The dims. Default: [-2,-1].
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with other lengths at the dims; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.ifft2(fft.fft2(tensor([[1, 2], [3, 4]]))).real() // [[1, 2], [3, 4]]
 */
export function ifft2(
  input: Tensor,
  s?: readonly number[] | Ifft2Options | undefined,
  dim?: readonly number[] | Ifft2Options | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | Ifft2Options | undefined,
): Tensor;
export function ifft2(...args: readonly unknown[]): unknown {
  return call(fourier.ifft2, undefined, args);
}

/**
 * The discrete Fourier transform of real numbers: its first half, as the rest is conjugate, along two dims: the
 * last two by default.
 *
 * PyTorch: `torch.fft.rfft2`.
 *
 * @param input - The tensor.
 * @param s - The lengths, one per dim.
 * @param dim - The dims. Default: [-2,-1].
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with other lengths at the dims; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.rfft2(randn(8, 8)).shape // [8, 5]
 */
export function rfft2(
  input: Tensor,
  s?: readonly number[] | Rfft2Options | undefined,
  dim?: readonly number[] | Rfft2Options | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | Rfft2Options | undefined,
): Tensor;
export function rfft2(...args: readonly unknown[]): unknown {
  return call(fourier.rfft2, undefined, args);
}

/**
 * The inverse of `rfft`: real numbers from half of a transform, along two dims: the last two by default.
 *
 * PyTorch: `torch.fft.irfft2`.
 *
 * @param input - The tensor.
 * @param s - The lengths, one per dim.
 * @param dim - The dims. Default: [-2,-1].
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with other lengths at the dims; the real type of a complex input, or that of
 * the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.irfft2(fft.rfft2(tensor([[1, 2], [3, 4]]))) // [[1, 2], [3, 4]]
 */
export function irfft2(
  input: Tensor,
  s?: readonly number[] | Irfft2Options | undefined,
  dim?: readonly number[] | Irfft2Options | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | Irfft2Options | undefined,
): Tensor;
export function irfft2(...args: readonly unknown[]): unknown {
  return call(fourier.irfft2, undefined, args);
}

/**
 * The discrete Fourier transform of a Hermitian signal, of which half is given, along two dims: the last two by
 * default.
 *
 * PyTorch: `torch.fft.hfft2`.
 *
 * @param input - The tensor.
 * @param s - The lengths, one per dim.
 * @param dim - The dims. Default: [-2,-1].
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with other lengths at the dims; the real type of a complex input, or that of
 * the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.hfft2(tensor([[1, 2], [3, 4]])) // [[10, -2], [-4, 0]]
 */
export function hfft2(
  input: Tensor,
  s?: readonly number[] | Hfft2Options | undefined,
  dim?: readonly number[] | Hfft2Options | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | Hfft2Options | undefined,
): Tensor;
export function hfft2(...args: readonly unknown[]): unknown {
  return call(fourier.hfft2, undefined, args);
}

/**
 * The inverse of `hfft`: the first half of the result, along two dims: the last two by default.
 *
 * PyTorch: `torch.fft.ihfft2`.
 *
 * @param input - The tensor.
 * @param s - The lengths, one per dim.
 * @param dim - The dims. Default: [-2,-1].
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with other lengths at the dims; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.ihfft2(tensor([[1, 2], [3, 4]])).real() // [[2.5, -0.5], [-1, 0]]
 */
export function ihfft2(
  input: Tensor,
  s?: readonly number[] | Ihfft2Options | undefined,
  dim?: readonly number[] | Ihfft2Options | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | Ihfft2Options | undefined,
): Tensor;
export function ihfft2(...args: readonly unknown[]): unknown {
  return call(fourier.ihfft2, undefined, args);
}

/**
 * The discrete Fourier transform, along several dims: all by default.
 *
 * PyTorch: `torch.fft.fftn`.
 *
 * @param input - The tensor.
 * @param s - The lengths, one per dim.
 * @param dim - The dims; all by default.
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with other lengths at the dims; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.fftn(ones(2, 2, 2)).real() // [[[8, 0], [0, 0]], [[0, 0], [0, 0]]]
 */
export function fftn(
  input: Tensor,
  s?: readonly number[] | FftnOptions | undefined,
  dim?: readonly number[] | FftnOptions | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | FftnOptions | undefined,
): Tensor;
export function fftn(...args: readonly unknown[]): unknown {
  return call(fourier.fftn, undefined, args);
}

/**
 * The inverse of the discrete Fourier transform, along several dims: all by default.
 *
 * PyTorch: `torch.fft.ifftn`.
 *
 * @param input - The tensor.
 * @param s - The lengths, one per dim.
 * @param dim - The dims; all by default.
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with other lengths at the dims; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.ifftn(fft.fftn(tensor([[1, 2], [3, 4]]))).real() // [[1, 2], [3, 4]]
 */
export function ifftn(
  input: Tensor,
  s?: readonly number[] | IfftnOptions | undefined,
  dim?: readonly number[] | IfftnOptions | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | IfftnOptions | undefined,
): Tensor;
export function ifftn(...args: readonly unknown[]): unknown {
  return call(fourier.ifftn, undefined, args);
}

/**
 * The discrete Fourier transform of real numbers: its first half, as the rest is conjugate, along several dims:
 * all by default.
 *
 * PyTorch: `torch.fft.rfftn`.
 *
 * @param input - The tensor.
 * @param s - The lengths, one per dim.
 * @param dim - The dims; all by default.
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with other lengths at the dims; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.rfftn(randn(4, 6, 8)).shape // [4, 6, 5]
 */
export function rfftn(
  input: Tensor,
  s?: readonly number[] | RfftnOptions | undefined,
  dim?: readonly number[] | RfftnOptions | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | RfftnOptions | undefined,
): Tensor;
export function rfftn(...args: readonly unknown[]): unknown {
  return call(fourier.rfftn, undefined, args);
}

/**
 * The inverse of `rfft`: real numbers from half of a transform, along several dims: all by default.
 *
 * PyTorch: `torch.fft.irfftn`.
 *
 * @param input - The tensor.
 * @param s - The lengths, one per dim.
 * @param dim - The dims; all by default.
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with other lengths at the dims; the real type of a complex input, or that of
 * the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.irfftn(fft.rfftn(tensor([[1, 2], [3, 4]]))) // [[1, 2], [3, 4]]
 */
export function irfftn(
  input: Tensor,
  s?: readonly number[] | IrfftnOptions | undefined,
  dim?: readonly number[] | IrfftnOptions | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | IrfftnOptions | undefined,
): Tensor;
export function irfftn(...args: readonly unknown[]): unknown {
  return call(fourier.irfftn, undefined, args);
}

/**
 * The discrete Fourier transform of a Hermitian signal, of which half is given, along several dims: all by
 * default.
 *
 * PyTorch: `torch.fft.hfftn`.
 *
 * @param input - The tensor.
 * @param s - The lengths, one per dim.
 * @param dim - The dims; all by default.
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with other lengths at the dims; the real type of a complex input, or that of
 * the input; float32 for integers and booleans
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.hfftn(tensor([[1, 2], [3, 4]])) // [[10, -2], [-4, 0]]
 */
export function hfftn(
  input: Tensor,
  s?: readonly number[] | HfftnOptions | undefined,
  dim?: readonly number[] | HfftnOptions | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | HfftnOptions | undefined,
): Tensor;
export function hfftn(...args: readonly unknown[]): unknown {
  return call(fourier.hfftn, undefined, args);
}

/**
 * The inverse of `hfft`: the first half of the result, along several dims: all by default.
 *
 * PyTorch: `torch.fft.ihfftn`.
 *
 * @param input - The tensor.
 * @param s - The lengths, one per dim.
 * @param dim - The dims; all by default.
 * @param norm - Which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform,
 * 'ortho' both by its square root. Default: "backward".
 * @returns the shape of the input, with other lengths at the dims; the complex type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {SHAPE_MISMATCH}
 * @throws {BAD_DIM}
 * @throws {BAD_DTYPE}
 * @category Fourier transforms
 * @example
 * fft.ihfftn(tensor([[1, 2], [3, 4]])).real() // [[2.5, -0.5], [-1, 0]]
 */
export function ihfftn(
  input: Tensor,
  s?: readonly number[] | IhfftnOptions | undefined,
  dim?: readonly number[] | IhfftnOptions | undefined,
  norm?: 'backward' | 'ortho' | 'forward' | IhfftnOptions | undefined,
): Tensor;
export function ihfftn(...args: readonly unknown[]): unknown {
  return call(fourier.ihfftn, undefined, args);
}

/**
 * The zero frequency moved from the start to the middle.
 *
 * PyTorch: `torch.fft.fftshift`.
 *
 * @param input - The tensor.
 * @param dim - The dims; all by default.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Fourier transforms
 * @example
 * fft.fftshift(fft.fftfreq(4)) // [-0.5, -0.25, 0, 0.25]
 */
export function fftshift(input: Tensor, dim?: number | readonly number[] | FftshiftOptions | undefined): Tensor;
export function fftshift(...args: readonly unknown[]): unknown {
  return call(fourier.fftshift, undefined, args);
}

/**
 * The zero frequency moved from the middle to the start.
 *
 * PyTorch: `torch.fft.ifftshift`.
 *
 * @param input - The tensor.
 * @param dim - The dims; all by default.
 * @returns the shape of the input; the data type of the input
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {BAD_DIM}
 * @category Fourier transforms
 * @example
 * fft.ifftshift(tensor([-2, -1, 0, 1])) // [0, 1, -2, -1]
 */
export function ifftshift(input: Tensor, dim?: number | readonly number[] | IfftshiftOptions | undefined): Tensor;
export function ifftshift(...args: readonly unknown[]): unknown {
  return call(fourier.ifftshift, undefined, args);
}
