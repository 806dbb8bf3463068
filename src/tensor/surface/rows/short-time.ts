// Short-time Fourier transforms.
import { asReal } from '../../lower/complex.ts';
import * as short from '../../lower/stft.ts';
import { flag, int, oneOf, optional, tensor } from '../params.ts';
import { group, row } from '../row.ts';

const facts = {
  forms: ['method', 'function'],
  gradient: 'smooth',
  throws: ['SHAPE_MISMATCH', 'BAD_DTYPE'],
} as const;
const framing = {
  nFft: int('the length of a frame'),
  hopLength: optional(int('from one frame to the next; a quarter of `nFft` by default')),
  winLength: optional(int('the length of the window; `nFft` by default')),
  window: optional(tensor('the window; ones by default')),
  center: optional(flag('whether frame t is centered at t · hopLength'), true),
};
const normalized = optional(flag('whether transforms are divided by the square root of `nFft`'), false);
const onesided = optional(flag('whether only half of the frequencies are returned; the default for real signals'));
type Framing = Readonly<{
  nFft: number;
  hopLength: number | undefined;
  winLength: number | undefined;
  center: boolean;
}>;
const framesOf = (
  { nFft, hopLength, winLength, center }: Framing,
  window: short.Frames['window'],
  isNormalized: boolean,
): short.Frames => ({
  nFft,
  hop: hopLength ?? Math.floor(nFft / 4),
  winLength: winLength ?? nFft,
  window,
  isCentered: center,
  isNormalized,
});

export const shortTime = group({
  stft: row({
    ...facts,
    summary: 'The short-time Fourier transform: the transform of overlapping frames, each multiplied by a window.',
    shape: '[frequencies, frames], after the batch dim if there is one',
    dtype: 'complex',
    example: `const signal = randn(1600);
signal.stft(400, { hopLength: 160, window: hannWindow(400), returnComplex: true }).shape // [201, 11]`,
    differs: '`returnComplex` is true by default; PyTorch requires it to be given.',
    params: {
      input: tensor('the signal, or a batch of signals'),
      ...framing,
      padMode: optional(oneOf('how the ends are padded when frames are centered', ['reflect', 'constant']), 'reflect'),
      normalized,
      onesided,
      returnComplex: optional(flag('false for pairs of real and imaginary parts'), true),
    },
    lower: ({ b }, { input, window, padMode, normalized, onesided, returnComplex, ...framing }) => {
      const result = short.stft(b, input, framesOf(framing, window, normalized), padMode, onesided);
      return returnComplex ? result : asReal(b, 'stft', result);
    },
  }),
  istft: row({
    ...facts,
    summary: 'The inverse short-time Fourier transform.',
    shape: '[length], after the batch dim if there is one',
    dtype: 'part',
    example: `const signal = tensor([0, 1, 2, 3, 4, 5, 6, 7]), window = hannWindow(4);
signal.stft(4, { window, returnComplex: true }).istft(4, { window }) // [0, 1, 2, 3, 4, 5, 6, 7]`,
    differs: 'Gaps between windows give NaN, because compiled programs cannot raise errors.',
    params: {
      input: tensor('the transform'),
      ...framing,
      normalized,
      onesided,
      length: optional(int('the length of the signal')),
      returnComplex: optional(flag('whether the signal is complex'), false),
    },
    lower: ({ b }, { input, window, normalized, onesided, length, returnComplex, ...framing }) =>
      short.istft(b, input, framesOf(framing, window, normalized), onesided, length, returnComplex),
  }),
});
