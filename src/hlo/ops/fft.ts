// The row of fft: the discrete Fourier transform along the last one to three dims, computed in f64 and rounded once.
//
//   FFT, IFFT   complex → complex
//   RFFT        real → complex: of the last dim, the first n/2 + 1 elements; the rest are their conjugates
//   IRFFT       complex → real: the inverse of RFFT
import { assertNever } from '../../base/errors.ts';
import type { OpAttributes } from '../attributes.ts';
import type { Literal } from '../literal.ts';
import { type Rows, tensors } from '../op-row.ts';
import { elementCount, formatType, stridesOf, type TensorType } from '../types.ts';
import { boundedType } from './bounds.ts';
import { complexType, partType } from './complex.ts';
import { countOf, streaming } from './costs.ts';
import { decodeNumbers, encode } from './element-data.ts';
import { transform, vectorOf } from './fourier.ts';
import { affineIndices } from './indices.ts';
import { checkElements } from './operand-checks.ts';
import { type Checker, checkerOf, dimsAgree, list } from './shape-checks.ts';

const require: Checker = checkerOf('fft');
/** Number of elements that determine the whole transform if the input or the result is real. */
const halfOf = (length: number): number => (length === 0 ? 0 : Math.floor(length / 2) + 1);

function checkFft(x: TensorType, { fftType, fftLength }: OpAttributes['fft']): void {
  const rank = fftLength.length;
  const what = (): string => `${fftType} of ${formatType(x)} with length ${list(fftLength)}`;
  require(rank >= 1 && rank <= 3, 3, () => `${what()}: expected one to three lengths`);
  checkElements(require, 2, [x], ['float', 'complex']);
  const real = fftType === 'RFFT';
  const taken = real ? x.elementType === 'f32' || x.elementType === 'f64' : x.elementType.startsWith('complex');
  require(taken, 2, () => `${what()}: takes ${real ? 'f32 or f64' : 'complex numbers'}`);
  require(x.shape.length >= rank, 1, () => `${what()}: more lengths than dims`);
  require(fftLength.every(n => n >= 0), 3, () => `${what()}: a length is negative`);
  const dims = x.shape.slice(-rank);
  const expected = fftType === 'IRFFT' ? fftLength.with(-1, halfOf(fftLength.at(-1)!)) : fftLength;
  if (fftType === 'RFFT' || fftType === 'IRFFT')
    require(dims.every((d, i) => dimsAgree(d, expected[i]!)), fftType === 'RFFT' ? 4 : 5, () =>
      `${what()}: the last dims must be ${list(expected)}`);
}

function resultType(x: TensorType, { fftType, fftLength }: OpAttributes['fft']): TensorType {
  const last = fftLength.at(-1)!;
  const shaped = (size: number): TensorType => boundedType(x, x.shape.with(-1, size), x.bounds?.with(-1, undefined));
  switch (fftType) {
    case 'FFT':
    case 'IFFT':
      return x;
    case 'RFFT':
      return { ...shaped(halfOf(last)), elementType: complexType(x.elementType) };
    case 'IRFFT':
      return { ...shaped(last), elementType: partType(x.elementType) };
    default:
      return assertNever(fftType);
  }
}

/** A tensor of complex numbers in f64, as pairs. */
interface Pairs {
  readonly shape: readonly number[];
  readonly values: Float64Array;
}

/** Transforms along one dim. */
function along({ shape, values }: Pairs, dim: number, inverse: boolean): void {
  const [n, stride] = [shape[dim]!, stridesOf(shape)[dim]!];
  const x = vectorOf(n);
  for (const start of affineIndices(shape.with(dim, 1), stridesOf(shape))) {
    for (let k = 0; k < n; k++) {
      x.real[k] = values[2 * (start + k * stride)]!;
      x.imag[k] = values[2 * (start + k * stride) + 1]!;
    }
    transform(x, inverse);
    for (let k = 0; k < n; k++) {
      values[2 * (start + k * stride)] = x.real[k]!;
      values[2 * (start + k * stride) + 1] = x.imag[k]!;
    }
  }
}

/** The first `size` elements of the last dim; if there are fewer, the missing elements are conjugates. */
function resized({ shape, values }: Pairs, size: number): Pairs {
  const from = shape.at(-1)!;
  const rows = elementCount(shape.slice(0, -1));
  const out = new Float64Array(2 * rows * size);
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < size; k++) {
      const mirrored = k >= from;
      const at = 2 * (row * from + (mirrored ? size - k : k));
      out[2 * (row * size + k)] = values[at]!;
      out[2 * (row * size + k) + 1] = mirrored ? -values[at + 1]! : values[at + 1]!;
    }
  }
  return { shape: shape.with(-1, size), values: out };
}

function fft(x: Literal, attributes: OpAttributes['fft']): Literal {
  const { fftType, fftLength } = attributes;
  const { shape } = x.type;
  const type = resultType(x.type, attributes);
  const numbers = decodeNumbers(x);
  const dims = fftLength.map((_, i) => shape.length - fftLength.length + i);
  const last = shape.length - 1;
  switch (fftType) {
    case 'FFT':
    case 'IFFT': {
      const pairs = { shape, values: Float64Array.from(numbers) };
      for (const d of dims.toReversed()) along(pairs, d, fftType === 'IFFT');
      return encode(type, pairs.values);
    }
    case 'RFFT': {
      const values = new Float64Array(2 * numbers.length);
      for (let i = 0; i < numbers.length; i++) values[2 * i] = numbers[i]!;
      const whole = { shape, values };
      along(whole, last, false);
      const half = resized(whole, halfOf(shape[last]!));
      for (const d of dims.slice(0, -1).toReversed()) along(half, d, false);
      return encode(type, half.values);
    }
    case 'IRFFT': {
      const half = { shape, values: Float64Array.from(numbers) };
      for (const d of dims.slice(0, -1)) along(half, d, true);
      const whole = resized(half, type.shape[last]!);
      along(whole, last, true);
      return encode(
        type,
        Float64Array.from({ length: elementCount(type.shape) }, (_, i) => whole.values[2 * i]!),
      );
    }
    default:
      return assertNever(fftType);
  }
}

export const fftRows: Rows<'fft'> = {
  fft: {
    name: 'fft',
    kind: 'opaque',
    pure: true,
    infer(operands, attributes) {
      const [x] = tensors('fft', operands);
      checkFft(x, attributes);
      return [resultType(x, attributes)];
    },
    evaluate: (op, [x]) => [fft(x, op.attributes)],
    // 5 · n · log n operations for a transform of n elements.
    cost(op) {
      const length = elementCount(op.attributes.fftLength);
      return streaming(op, 5 * countOf(op.operands[0].type) * Math.log2(Math.max(length, 2)));
    },
  },
};
