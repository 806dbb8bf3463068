// The namespace fft: discrete Fourier transforms.
import { shapeOf } from '../../../hlo/program.ts';
import * as arrange from '../../lower/arrange.ts';
import * as fft from '../../lower/fft.ts';
import { dimOf } from '../../lower/shapes.ts';
import { dim, dims, int, ints, oneOf, optional, tensor } from '../params.ts';
import { type DTypeRule, group, row, type UnnamedRow } from '../row.ts';

const facts = { forms: ['fft'], gradient: 'smooth', throws: ['SHAPE_MISMATCH', 'BAD_DIM', 'BAD_DTYPE'] } as const;
const input = tensor('the tensor');
const norm = optional(
  oneOf(
    "which transform is divided by the length: 'backward' the inverse, 'forward' the forward transform, 'ortho' both by its square root",
    ['backward', 'ortho', 'forward'],
  ),
  'backward',
);
const n = optional(int('the length: the input is truncated or zero-padded to it'));
const s = optional(ints('the lengths, one per dim'));

const texts: Readonly<Record<fft.FftKind, readonly [summary: string, dtype: DTypeRule]>> = {
  fft: ['The discrete Fourier transform', 'complex'],
  ifft: ['The inverse of the discrete Fourier transform', 'complex'],
  rfft: ['The discrete Fourier transform of real numbers: its first half, as the rest is conjugate', 'complex'],
  irfft: ['The inverse of `rfft`: real numbers from half of a transform', 'floatPart'],
  hfft: ['The discrete Fourier transform of a Hermitian signal, of which half is given', 'floatPart'],
  ihfft: ['The inverse of `hfft`: the first half of the result', 'complex'],
};

const one = (kind: fft.FftKind, example: string): UnnamedRow => {
  const [summary, type] = texts[kind];
  return row({
    ...facts,
    torch: [`torch.fft.${kind}`],
    summary: `${summary}, along one dim.`,
    shape: 'the shape of the input, with another length at the dim',
    dtype: type,
    example,
    params: { input, n, dim: optional(dim('the dim'), -1), norm },
    lower: ({ b }, { input, n, dim, norm }) => {
      const op = `fft.${kind}`;
      if (kind === 'rfft') return fft.realTransform(b, op, input, n, dim, norm);
      if (kind === 'irfft') return fft.inverseRealTransform(b, op, input, n, dim, norm);
      if (kind === 'hfft') return fft.hermitian(b, op, input, n, dim, norm);
      if (kind === 'ihfft') return fft.inverseHermitian(b, op, input, n, dim, norm);
      return fft.transform(b, op, input, n, dim, norm, kind === 'ifft');
    },
  });
};
const many = (kind: fft.FftKind, isTwo: boolean, example: string): UnnamedRow => {
  const [summary, type] = texts[kind];
  const name = `${kind}${isTwo ? '2' : 'n'}`;
  return row({
    ...facts,
    torch: [`torch.fft.${name}`],
    summary: `${summary}, along ${isTwo ? 'two dims: the last two by default' : 'several dims: all by default'}.`,
    shape: 'the shape of the input, with other lengths at the dims',
    dtype: type,
    example,
    params: {
      input,
      s,
      dim: isTwo ? optional(ints('the dims'), [-2, -1]) : optional(ints('the dims; all by default')),
      norm,
    },
    lower: ({ b }, { input, s, dim, norm }) => fft.several(b, `fft.${name}`, kind, input, s, dim, norm),
  });
};

const shift = (name: 'fftshift' | 'ifftshift', summary: string, example: string): UnnamedRow =>
  row({
    ...facts,
    torch: [`torch.fft.${name}`],
    summary,
    shape: 'the shape of the input',
    dtype: 'same',
    throws: ['BAD_DIM'],
    example,
    params: { input, dim: optional(dims('the dims; all by default')) },
    lower: ({ b }, { input, dim }) => {
      const shape = shapeOf(input);
      const all = dim === undefined ? shape.map((_, d) => d) : typeof dim === 'number' ? [dim] : dim;
      const by = all.map(d => {
        const size = shape[dimOf(b, `fft.${name}`, shape, d)]!;
        return name === 'fftshift' ? Math.floor(size / 2) : Math.ceil(size / 2);
      });
      return arrange.roll(b, input, by, all);
    },
  });

export const fourier = group({
  fft: one('fft', 'fft.fft(tensor([0, 1, 0, 0])) // [1, -i, -1, i]'),
  ifft: one('ifft', 'fft.ifft(fft.fft(tensor([0, 1, 2, 3]))).real() // [0, 1, 2, 3]'),
  rfft: one('rfft', 'fft.rfft(tensor([0, 1, 0, 0])) // [1, -i, -1]'),
  irfft: one('irfft', 'fft.irfft(fft.rfft(tensor([0, 1, 2, 3]))) // [0, 1, 2, 3]'),
  hfft: one('hfft', 'fft.hfft(tensor([1, 2, 3])) // [8, -2, 0, -2]'),
  ihfft: one('ihfft', 'fft.ihfft(tensor([1, 2, 3, 2])).real() // [2, -0.5, 0]'),
  fft2: many('fft', true, 'fft.fft2(tensor([[1, 2], [3, 4]])).real() // [[10, -2], [-4, 0]]'),
  ifft2: many('ifft', true, 'fft.ifft2(fft.fft2(tensor([[1, 2], [3, 4]]))).real() // [[1, 2], [3, 4]]'),
  rfft2: many('rfft', true, 'fft.rfft2(randn(8, 8)).shape // [8, 5]'),
  irfft2: many('irfft', true, 'fft.irfft2(fft.rfft2(tensor([[1, 2], [3, 4]]))) // [[1, 2], [3, 4]]'),
  hfft2: many('hfft', true, 'fft.hfft2(tensor([[1, 2], [3, 4]])) // [[10, -2], [-4, 0]]'),
  ihfft2: many('ihfft', true, 'fft.ihfft2(tensor([[1, 2], [3, 4]])).real() // [[2.5, -0.5], [-1, 0]]'),
  fftn: many('fft', false, 'fft.fftn(ones(2, 2, 2)).real() // [[[8, 0], [0, 0]], [[0, 0], [0, 0]]]'),
  ifftn: many('ifft', false, 'fft.ifftn(fft.fftn(tensor([[1, 2], [3, 4]]))).real() // [[1, 2], [3, 4]]'),
  rfftn: many('rfft', false, 'fft.rfftn(randn(4, 6, 8)).shape // [4, 6, 5]'),
  irfftn: many('irfft', false, 'fft.irfftn(fft.rfftn(tensor([[1, 2], [3, 4]]))) // [[1, 2], [3, 4]]'),
  hfftn: many('hfft', false, 'fft.hfftn(tensor([[1, 2], [3, 4]])) // [[10, -2], [-4, 0]]'),
  ihfftn: many('ihfft', false, 'fft.ihfftn(tensor([[1, 2], [3, 4]])).real() // [[2.5, -0.5], [-1, 0]]'),
  fftshift: shift(
    'fftshift',
    'The zero frequency moved from the start to the middle.',
    'fft.fftshift(fft.fftfreq(4)) // [-0.5, -0.25, 0, 0.25]',
  ),
  ifftshift: shift(
    'ifftshift',
    'The zero frequency moved from the middle to the start.',
    'fft.ifftshift(tensor([-2, -1, 0, 1])) // [0, 1, -2, -1]',
  ),
});
