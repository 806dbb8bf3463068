// Complex numbers from their parts, and access to the parts.
import * as complexNumbers from '../../lower/complex.ts';
import { tensor } from '../params.ts';
import { group, row, spellings } from '../row.ts';

const facts = { gradient: 'smooth', throws: ['BAD_DTYPE'] } as const;
const input = tensor('the tensor');

export const complexRows = group({
  complex: row({
    ...facts,
    forms: ['function'],
    summary: 'Complex numbers from real and imaginary parts.',
    shape: 'the broadcast shape of both',
    dtype: 'complex',
    throws: ['BAD_DTYPE', 'SHAPE_MISMATCH'],
    example: 'complex(tensor([1, 2]), tensor([3, 4])) // [1+3i, 2+4i]',
    params: { real: tensor('the real parts'), imag: tensor('the imaginary parts') },
    lower: ({ b }, { real, imag }) => complexNumbers.fromParts(b, 'complex', real, imag),
  }),
  polar: row({
    ...facts,
    differs:
      'For a negative size, the gradient of the size is that of the formula; that of PyTorch has the other sign.',
    forms: ['function'],
    summary: 'Complex numbers from absolute values and angles.',
    shape: 'the broadcast shape of both',
    dtype: 'complex',
    throws: ['BAD_DTYPE', 'SHAPE_MISMATCH'],
    example: 'polar(tensor([1, 2]), tensor([0, Math.PI])).real() // [1, -2]',
    params: { abs: tensor('the absolute values'), angle: tensor('the angles') },
    lower: ({ b }, { abs, angle }) => complexNumbers.polar(b, abs, angle),
  }),
  real: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'The real parts.',
    shape: 'the shape of the input',
    dtype: 'part',
    example: 'complex(tensor([1, 2]), tensor([3, 4])).real() // [1, 2]',
    differs: 'A method, not an attribute; the result is a copy.',
    params: { input },
    lower: ({ b }, { input }) => complexNumbers.real(b, input),
  }),
  imag: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'The imaginary parts.',
    shape: 'the shape of the input',
    dtype: 'part',
    example: 'complex(tensor([1, 2]), tensor([3, 4])).imag() // [3, 4]',
    differs: 'A method, not an attribute; the result is a copy.',
    params: { input },
    lower: ({ b }, { input }) => complexNumbers.imag(b, 'imag', input),
  }),
  conj: row({
    ...facts,
    forms: ['method', 'function'],
    torch: spellings('conj', 'conj_physical', 'resolve_conj'),
    aliases: ['conjPhysical', 'resolveConj'],
    summary: 'The complex conjugates.',
    shape: 'the shape of the input',
    dtype: 'same',
    example: `const z = complex(tensor([1, 2]), tensor([3, 4]));
z.conj() // [1-3i, 2-4i]
z.mul(z.conj()).real() // [10, 20]`,
    params: { input },
    lower: ({ b }, { input }) => complexNumbers.conj(b, input),
  }),
  angle: row({
    ...facts,
    forms: ['method', 'function'],
    gradient: 'almost everywhere',
    summary: 'The angles to the positive real axis, in (−π, π].',
    shape: 'the shape of the input',
    dtype: 'floatPart',
    example: 'complex(tensor([0]), tensor([1])).angle() // [π / 2]',
    params: { input },
    lower: ({ b }, { input }) => complexNumbers.angle(b, input),
  }),
  viewAsReal: row({
    ...facts,
    forms: ['function'],
    summary: 'Complex numbers as pairs of real and imaginary parts.',
    shape: 'the shape of the input with a last dim of size 2',
    dtype: 'part',
    example: 'viewAsReal(complex(tensor([1, 2]), tensor([3, 4]))) // [[1, 3], [2, 4]]',
    params: { input },
    lower: ({ b }, { input }) => complexNumbers.asReal(b, 'viewAsReal', input),
  }),
  viewAsComplex: row({
    ...facts,
    forms: ['function'],
    summary: 'Complex numbers from pairs of real and imaginary parts.',
    shape: 'the shape of the input without the last dim',
    dtype: 'complex',
    throws: ['BAD_DTYPE', 'SHAPE_MISMATCH'],
    example: 'viewAsComplex(tensor([[1, 3], [2, 4]])) // [1+3i, 2+4i]',
    params: { input: tensor('the pairs, in the last dim') },
    lower: ({ b }, { input }) => complexNumbers.fromReal(b, 'viewAsComplex', input),
  }),
});
