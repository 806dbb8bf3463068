// Short-time Fourier transforms: of overlapping frames of a signal, each multiplied by a window; and the inverse.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { asComplex, isComplex, real } from './complex.ts';
import { inverseRealTransform, realTransform, transform } from './fft.ts';
import { indexSelect } from './move.ts';
import { typeOf } from './narrow.ts';
import { mismatch } from './shapes.ts';

export interface Frames {
  readonly nFft: number;
  /** From the start of a frame to that of the next. */
  readonly hop: number;
  readonly winLength: number;
  readonly window: Value | undefined;
  readonly isCentered: boolean;
  readonly isNormalized: boolean;
}
const slice = (b: Builder, x: Value, from: number, to: number): Value => b.slice(x, [0, from], [shapeOf(x)[0]!, to]);

/** [nFft], in a real type: ones without a window; a shorter window is centered. */
function windowOf(b: Builder, op: string, { nFft, winLength, window }: Frames, type: 'f32' | 'f64'): Value {
  if (winLength < 1 || winLength > nFft)
    throw mismatch(b, op, [winLength], [nFft], 'the window is not longer than the transform');
  const given = window === undefined ? b.fill(type, [winLength], 1) : b.convert(window, type);
  if (shapeOf(given).length !== 1 || shapeOf(given)[0] !== winLength)
    throw mismatch(b, op, shapeOf(given), [winLength], 'the window has one dim, of the length of the window');
  const left = Math.floor((nFft - winLength) / 2);
  return b.pad(given, b.fill(type, [], 0), [left], [nFft - winLength - left]);
}
const partType = (x: Value): 'f32' | 'f64' => (typeOf(x).includes('f64') ? 'f64' : 'f32');
/** Half a frame more at both ends: mirrored, or zeros. */
function centered(b: Builder, x: Value, by: number, mode: 'reflect' | 'constant'): Value {
  const length = shapeOf(x)[1]!;
  if (mode === 'constant') return b.pad(x, b.fill(typeOf(x), [], 0), [0, by], [0, by]);
  if (by >= length) throw mismatch(b, 'stft', shapeOf(x), [by], 'the signal must be longer than half a frame');
  const turned = (part: Value): Value => b.emit1('reverse', [part], { dimensions: [1] });
  const [head, tail] = [slice(b, x, 1, by + 1), slice(b, x, length - 1 - by, length - 1)];
  return b.concatenate([turned(head), x, turned(tail)], 1);
}

/** [batch?, length] → [batch?, frequencies, frames]. */
export function stft(
  b: Builder,
  x: Value,
  frames: Frames,
  padMode: 'reflect' | 'constant',
  onesided: boolean | undefined,
): Value {
  const { nFft, hop, isCentered, isNormalized } = frames;
  const shape = shapeOf(x);
  if (shape.length !== 1 && shape.length !== 2)
    throw mismatch(b, 'stft', shape, [-1, -1], 'one or two dims are needed');
  if (nFft < 1 || hop < 1) throw mismatch(b, 'stft', shape, [nFft, hop], 'frames and hops have at least one element');
  const rows = shape.length === 1 ? b.reshape(x, [1, shape[0]!]) : x;
  const signal = isCentered ? centered(b, rows, Math.floor(nFft / 2), padMode) : rows;
  const [batch, length] = shapeOf(signal) as [number, number];
  if (length < nFft) throw mismatch(b, 'stft', shape, [nFft], 'the signal is not shorter than a frame');
  const count = 1 + Math.floor((length - nFft) / hop);
  const type = tensorType('i32', [count, nFft]);
  const starts = b.multiply(b.iota(type, 0), b.fill('i32', type.shape, hop));
  const parts = indexSelect(b, 'stft', signal, 1, b.add(starts, b.iota(type, 1)));
  const window = windowOf(b, 'stft', frames, partType(x));
  const wide = b.broadcastInDim(isComplex(x) ? asComplex(b, window) : window, [2], [batch, count, nFft]);
  const weighted = b.multiply(parts, wide);
  const norm = isNormalized ? 'ortho' : 'backward';
  const isHalf = onesided ?? !isComplex(x);
  const spectrum = isHalf
    ? realTransform(b, 'stft', weighted, undefined, -1, norm)
    : transform(b, 'stft', weighted, undefined, -1, norm, false);
  const turned = b.transpose(spectrum, [0, 2, 1]);
  return shape.length === 1 ? b.reshape(turned, shapeOf(turned).slice(1)) : turned;
}

/** Frames [batch, count, size] added where they overlap: [batch, size + hop · (count - 1)]. */
function overlapped(b: Builder, x: Value, hop: number): Value {
  const [batch, count, size] = shapeOf(x) as [number, number, number];
  const pieces = Math.ceil(size / hop);
  const zero = b.fill(typeOf(x), [], 0);
  const whole = b.pad(x, zero, [0, 0, 0], [0, 0, pieces * hop - size]);
  // piece j of each frame lies j hops after the start of the frame
  const sums = Array.from({ length: pieces }, (_, j) => {
    const piece = b.slice(whole, [0, 0, j * hop], [batch, count, (j + 1) * hop]);
    return b.pad(b.reshape(piece, [batch, count * hop]), zero, [0, j * hop], [0, (pieces - 1 - j) * hop]);
  });
  return slice(
    b,
    sums.reduce((p, q) => b.add(p, q)),
    0,
    size + hop * (count - 1),
  );
}
/** [batch?, frequencies, frames] → [batch?, length]: frames are added, and divided by the sum of squared windows. */
export function istft(
  b: Builder,
  x: Value,
  frames: Frames,
  onesided: boolean | undefined,
  length: number | undefined,
  isComplexResult: boolean,
): Value {
  const { nFft, hop, isCentered, isNormalized } = frames;
  const shape = shapeOf(x);
  if (shape.length !== 2 && shape.length !== 3)
    throw mismatch(b, 'istft', shape, [-1, -1, -1], 'two or three dims are needed');
  const isHalf = onesided ?? shape.at(-2) !== nFft;
  const expected = isHalf ? Math.floor(nFft / 2) + 1 : nFft;
  if (shape.at(-2) !== expected) throw mismatch(b, 'istft', shape, [nFft], `${expected} frequencies are needed`);
  const rows = shape.length === 2 ? b.reshape(x, [1, ...shape]) : x;
  const spectrum = b.transpose(rows, [0, 2, 1]);
  const norm = isNormalized ? 'ortho' : 'backward';
  const back = isHalf
    ? inverseRealTransform(b, 'istft', spectrum, nFft, -1, norm)
    : transform(b, 'istft', spectrum, undefined, -1, norm, true);
  const parts = isComplexResult ? asComplex(b, back) : real(b, back);
  const window = windowOf(b, 'istft', frames, partType(x));
  const wide = b.broadcastInDim(isComplexResult ? asComplex(b, window) : window, [2], shapeOf(parts));
  const sum = overlapped(b, b.multiply(parts, wide), hop);
  const [batch, count] = shapeOf(parts) as [number, number];
  const envelope = overlapped(b, b.broadcastInDim(b.multiply(window, window), [2], [1, count, nFft]), hop);
  const total = shapeOf(sum)[1]!;
  const start = isCentered ? Math.floor(nFft / 2) : 0;
  const end = length === undefined ? total - (isCentered ? Math.floor(nFft / 2) : 0) : start + length;
  const cut = (value: Value): Value => slice(b, value, start, Math.min(end, total));
  const squares = b.reshape(cut(envelope), [Math.min(end, total) - start]);
  const divisor = b.broadcastInDim(
    isComplexResult ? asComplex(b, squares) : squares,
    [1],
    [batch, shapeOf(squares)[0]!],
  );
  const signal = b.divide(cut(sum), divisor);
  const filled = end > total ? b.pad(signal, b.fill(typeOf(signal), [], 0), [0, 0], [0, end - total]) : signal;
  return shape.length === 2 ? b.reshape(filled, [shapeOf(filled)[1]!]) : filled;
}
