// Discrete Fourier transforms along given dims, one after another: PyTorch's lengths and norms on top of the op `fft`.

import { TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { moveDims } from './arrange.ts';
import { asComplex, conj, isComplex } from './complex.ts';
import { slice } from './move.ts';
import { dtypeOf, typeOf } from './narrow.ts';
import { dimOf, mismatch } from './shapes.ts';

/** Which direction is divided by the length: the inverse, both by its square root, or the forward one. */
export type FftNorm = 'backward' | 'ortho' | 'forward';
const opposite = { backward: 'forward', ortho: 'ortho', forward: 'backward' } as const;

/** The scale of a transform; the op already divides the inverse by n. */
function factorOf(norm: FftNorm, isInverse: boolean, n: number): number {
  const forward = norm === 'backward' ? 1 : norm === 'ortho' ? 1 / Math.sqrt(n) : 1 / n;
  return isInverse ? 1 / forward : forward;
}
const scaled = (b: Builder, x: Value, factor: number): Value => (factor === 1 ? x : b.multiply(x, b.like(x, factor)));

/** Truncated or zero-padded to n elements along a dim. */
function resized(b: Builder, x: Value, dim: number, n: number): Value {
  const shape = shapeOf(x);
  const size = shape[dim]!;
  if (size > n) return slice(b, x, dim, 0, n, 1);
  if (size === n) return x;
  const none = shape.map(() => 0);
  return b.pad(x, b.fill(typeOf(x), [], 0), none, none.with(dim, n - size));
}
function lengthOf(b: Builder, op: string, x: Value, dim: number, n: number | undefined): number {
  const length = n ?? shapeOf(x)[dim]!;
  if (length < 1) throw mismatch(b, op, shapeOf(x), [length], 'a transform needs at least one element');
  return length;
}
function along(b: Builder, op: string, x: Value, dim: number): number {
  if (shapeOf(x).length === 0) throw mismatch(b, op, shapeOf(x), [-1], 'at least one dim is needed');
  return dimOf(b, op, shapeOf(x), dim);
}
const atEnd = (b: Builder, x: Value, dim: number, body: (last: Value) => Value): Value =>
  dim === shapeOf(x).length - 1 ? body(x) : moveDims(b, body(moveDims(b, x, dim, -1)), -1, dim);
/** Integers as f32; low-precision floats are rejected, as in PyTorch. */
function checked(b: Builder, op: string, x: Value): Value {
  const type = typeOf(x);
  if (type === 'bf16' || type === 'f16')
    throw new TrenioError(
      'BAD_DTYPE',
      { op, got: dtypeOf(x), expected: 'float32, float64 or complex numbers' },
      { location: b.location },
    );
  return isComplex(x) || type === 'f32' || type === 'f64' ? x : b.convert(x, 'f32');
}
function checkedReal(b: Builder, op: string, x: Value): Value {
  if (isComplex(x))
    throw new TrenioError('BAD_DTYPE', { op, got: dtypeOf(x), expected: 'real numbers' }, { location: b.location });
  return checked(b, op, x);
}

/** Complex to complex, along one dim. The inverse of real numbers is the conjugate of their transform, as in PyTorch. */
export function transform(
  b: Builder,
  op: string,
  x: Value,
  n: number | undefined,
  dim: number,
  norm: FftNorm,
  isInverse: boolean,
): Value {
  if (isInverse && !isComplex(x)) return conj(b, transform(b, op, x, n, dim, opposite[norm], false));
  const z = asComplex(b, checked(b, op, x));
  const at = along(b, op, z, dim);
  const length = lengthOf(b, op, z, at, n);
  const fftType = isInverse ? 'IFFT' : 'FFT';
  const result = atEnd(b, resized(b, z, at, length), at, last =>
    b.emit1('fft', [last], { fftType, fftLength: [length] }),
  );
  return scaled(b, result, factorOf(norm, isInverse, length));
}
/** Real to the first half of the result: n / 2 + 1 elements. */
export function realTransform(
  b: Builder,
  op: string,
  x: Value,
  n: number | undefined,
  dim: number,
  norm: FftNorm,
): Value {
  const real = checkedReal(b, op, x);
  const at = along(b, op, real, dim);
  const length = lengthOf(b, op, real, at, n);
  const result = atEnd(b, resized(b, real, at, length), at, last =>
    b.emit1('fft', [last], { fftType: 'RFFT', fftLength: [length] }),
  );
  return scaled(b, result, factorOf(norm, false, length));
}
/** The inverse of `realTransform`: n elements, by default 2 · (size − 1). */
export function inverseRealTransform(
  b: Builder,
  op: string,
  x: Value,
  n: number | undefined,
  dim: number,
  norm: FftNorm,
): Value {
  const z = asComplex(b, checked(b, op, x));
  const at = along(b, op, z, dim);
  const length = lengthOf(b, op, z, at, n ?? 2 * (shapeOf(z)[at]! - 1));
  const result = atEnd(b, resized(b, z, at, Math.floor(length / 2) + 1), at, last =>
    b.emit1('fft', [last], { fftType: 'IRFFT', fftLength: [length] }),
  );
  return scaled(b, result, factorOf(norm, true, length));
}
export const hermitian = (b: Builder, op: string, x: Value, n: number | undefined, dim: number, norm: FftNorm): Value =>
  inverseRealTransform(b, op, conj(b, asComplex(b, checked(b, op, x))), n, dim, opposite[norm]);
export const inverseHermitian = (
  b: Builder,
  op: string,
  x: Value,
  n: number | undefined,
  dim: number,
  norm: FftNorm,
): Value => conj(b, realTransform(b, op, x, n, dim, opposite[norm]));

export type FftKind = 'fft' | 'ifft' | 'rfft' | 'irfft' | 'hfft' | 'ihfft';
/** Along several dims: all by default, or as many of the last ones as there are lengths. */
export function several(
  b: Builder,
  op: string,
  kind: FftKind,
  x: Value,
  lengths: readonly number[] | undefined,
  dims: readonly number[] | undefined,
  norm: FftNorm,
): Value {
  if (kind === 'hfft')
    return several(b, op, 'irfft', conj(b, asComplex(b, checked(b, op, x))), lengths, dims, opposite[norm]);
  if (kind === 'ihfft') return conj(b, several(b, op, 'rfft', x, lengths, dims, opposite[norm]));
  const shape = shapeOf(x);
  const count = lengths?.length ?? shape.length;
  const all = (dims ?? Array.from({ length: count }, (_, i) => i - count)).map(d => along(b, op, x, d));
  if (new Set(all).size !== all.length) throw mismatch(b, op, shape, all, 'each dim may be named once');
  if (lengths !== undefined && lengths.length !== all.length)
    throw mismatch(b, op, lengths, all, 'each dim needs a length');
  const sizeOf = (i: number): number | undefined => (lengths?.[i] === -1 ? undefined : lengths?.[i]);
  if (all.length === 0) return kind === 'fft' || kind === 'ifft' ? asComplex(b, checked(b, op, x)) : x;
  const last = all.length - 1;
  const isInverse = kind === 'ifft' || kind === 'irfft';
  const over = (value: Value, until: number): Value =>
    all.slice(0, until).reduce((v, d, i) => transform(b, op, v, sizeOf(i), d, norm, isInverse), value);
  if (kind === 'rfft') return over(realTransform(b, op, x, sizeOf(last), all[last]!, norm), last);
  if (kind === 'irfft') return inverseRealTransform(b, op, over(x, last), sizeOf(last), all[last]!, norm);
  return over(x, all.length);
}
