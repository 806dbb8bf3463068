// Arithmetic on two operands that broadcast.
import * as elementwise from '../../lower/elementwise.ts';
import { byName, oneOf, operand, optional, scalar, spelled, tensor } from '../params.ts';
import { group, row } from '../row.ts';
import { binarySamples } from '../samples.ts';

const input = operand('the left operand');
const other = operand('the right operand');
const forms = ['method', 'function', 'inPlace'] as const;
const facts = {
  forms,
  shape: 'the broadcast shape of the operands',
  dtype: 'promoted',
  gradient: 'smooth',
  throws: ['SHAPE_MISMATCH'],
} as const;
const numbersToo =
  'Numbers are accepted as operands; PyTorch requires tensors. Where an operand is NaN, no gradient flows; in PyTorch it flows to both.';
const alpha = byName(optional(scalar('the factor for `other`'), 1));

export const arithmetic = group({
  add: row({
    ...facts,
    torch: ['torch.add', 'Tensor.add'],
    summary: 'The sum of two tensors, or of a tensor and a number: input + alpha · other.',
    example: 'tensor([1, 2]).add(tensor([10, 20])) // [11, 22]',
    params: { input, other, alpha },
    lower: ({ b }, { input, other, alpha }) =>
      elementwise.binary(b, 'add', 'add', input, elementwise.alphaTimes(b, 'add', input, other, alpha)),
    samples: [
      ...binarySamples(),
      { input: 'f32[2]', other: 'f32[2]', alpha: 0.5 },
      { input: 'i1[2]', other: 'i1[2]' },
      { input: 'i32[2]', other: 'i32[2]', alpha: 0.5 },
      { input: 'f32[2]', other: 'i32[2]', alpha: 0.5 },
    ],
  }),
  sub: row({
    ...facts,
    torch: ['torch.sub', 'Tensor.sub', 'torch.subtract', 'Tensor.subtract'],
    aliases: ['subtract'],
    summary: 'The difference of two tensors, or of a tensor and a number: input − alpha · other.',
    example: 'tensor([5, 7]).sub(2) // [3, 5]',
    params: { input, other, alpha },
    lower: ({ b }, { input, other, alpha }) =>
      elementwise.binary(b, 'subtract', 'sub', input, elementwise.alphaTimes(b, 'sub', input, other, alpha)),
    samples: [...binarySamples(), { input: 'f32[2]', other: 'f32[2]', alpha: 2 }],
  }),
  mul: row({
    ...facts,
    torch: ['torch.mul', 'Tensor.mul', 'torch.multiply', 'Tensor.multiply'],
    aliases: ['multiply'],
    summary: 'The product of two tensors, element-wise, or of a tensor and a number.',
    example: 'tensor([1, 2, 3]).mul(2) // [2, 4, 6]',
    params: { input, other },
    lower: ({ b }, { input, other }) => elementwise.binary(b, 'multiply', 'mul', input, other),
    samples: [...binarySamples(), { input: 'i1[2]', other: 'i1[2]' }],
  }),
  div: row({
    ...facts,
    torch: ['torch.div', 'Tensor.div', 'torch.divide', 'Tensor.divide', 'torch.true_divide', 'Tensor.true_divide'],
    aliases: ['divide', 'trueDivide'],
    summary: 'The quotient of two tensors, or of a tensor and a number.',
    details:
      "With `roundingMode`, integers stay integers: 'trunc' rounds towards zero, 'floor' towards minus infinity.",
    dtype: 'quotient',
    example: 'tensor([1, 2, 3]).div(2) // [0.5, 1, 1.5]',
    params: { input, other, roundingMode: byName(optional(oneOf('how the quotient is rounded', ['trunc', 'floor']))) },
    lower: ({ b }, { input, other, roundingMode }) => elementwise.divide(b, 'div', input, other, roundingMode),
    samples: [
      ...binarySamples('other', 'positive'),
      ...['trunc', 'floor'].flatMap(roundingMode => [
        { input: 'f32[4]', other: 'f32[4]', roundingMode },
        { input: 'i32[6]', other: 'i32[6] positive', roundingMode },
        { input: 'i32[6]', other: -2, roundingMode },
      ]),
    ],
  }),
  floorDivide: row({
    ...facts,
    torch: ['torch.floor_divide', 'Tensor.floor_divide'],
    summary: 'The quotient rounded towards minus infinity; integers stay integers.',
    gradient: 'none',
    example: 'tensor([-7, 7]).floorDivide(2) // [-4, 3]',
    params: { input, other },
    lower: ({ b }, { input, other }) => elementwise.divide(b, 'floorDivide', input, other, 'floor'),
    samples: binarySamples('other', 'positive'),
  }),
  remainder: row({
    ...facts,
    torch: ['torch.remainder', 'Tensor.remainder'],
    summary: 'The remainder of the division, with the sign of the divisor.',
    gradient: 'almost everywhere',
    example: 'tensor([-7, 7]).remainder(3) // [2, 1]',
    params: { input, other },
    lower: ({ b }, { input, other }) => elementwise.remainder(b, input, other),
    samples: binarySamples('other', 'positive'),
  }),
  pow: row({
    ...facts,
    torch: ['torch.pow', 'Tensor.pow'],
    summary: 'Each element raised to a power.',
    example: 'tensor([1, 2, 3]).pow(2) // [1, 4, 9]',
    params: { input, exponent: operand('the power') },
    lower: ({ b }, { input, exponent }) => elementwise.power(b, input, exponent),
    samples: [
      ...[2, 3, 0.5, 1, -1, 1.7].map(exponent => ({ input: 'f32[3] positive', exponent })),
      { input: 'f64[3] positive', exponent: 'f64[3]' },
      { input: 'bf16[3] positive', exponent: 3 },
      { input: 'i32[4]', exponent: 2 },
      { input: 2, exponent: 'f32[3]' },
    ],
  }),
  maximum: row({
    ...facts,
    torch: ['torch.maximum', 'Tensor.maximum'],
    summary: 'The larger of two elements; NaN if either is NaN.',
    gradient: 'almost everywhere',
    forms: ['method', 'function'],
    example: 'tensor([1, 5]).maximum(tensor([3, 2])) // [3, 5]',
    differs: numbersToo,
    params: { input, other },
    lower: ({ b }, { input, other }) => elementwise.binary(b, 'maximum', 'maximum', input, other),
    samples: binarySamples().filter(({ other }) => typeof other !== 'number'),
  }),
  minimum: row({
    ...facts,
    torch: ['torch.minimum', 'Tensor.minimum'],
    summary: 'The smaller of two elements; NaN if either is NaN.',
    gradient: 'almost everywhere',
    forms: ['method', 'function'],
    example: 'tensor([1, 5]).minimum(tensor([3, 2])) // [1, 2]',
    differs: numbersToo,
    params: { input, other },
    lower: ({ b }, { input, other }) => elementwise.binary(b, 'minimum', 'minimum', input, other),
    samples: binarySamples().filter(({ other }) => typeof other !== 'number'),
  }),
  clamp: row({
    torch: ['torch.clamp', 'Tensor.clamp', 'torch.clip', 'Tensor.clip'],
    aliases: ['clip'],
    forms,
    summary: 'Each element clamped to [`min`, `max`]; either bound may be omitted.',
    differs:
      'Bounds beyond an integer type count as its nearest number; PyTorch wraps −1 to 255 for uint8, and refuses others.',
    shape: 'the broadcast shape of the input and of bounds that are tensors',
    dtype: 'promoted',
    gradient: 'almost everywhere',
    throws: ['SHAPE_MISMATCH'],
    example: 'tensor([-2, 0.5, 3]).clamp(0, 1) // [0, 0.5, 1]',
    params: {
      input: tensor('the tensor'),
      min: optional(operand('the lower bound')),
      max: optional(operand('the upper bound')),
    },
    lower: ({ b, stop }, { input, min, max }) =>
      elementwise.clamp(b, input, elementwise.lowerBound(b, stop, min, max), max),
    samples: [
      { input: 'f32[6]', min: -0.5, max: 0.5 },
      { input: 'f32[6]', min: 0 },
      { input: 'f32[6]', max: 0 },
      { input: 'f64[2,3]', min: 'f64[3]', max: 'f64[]' },
      {
        input: { dtype: 'f64', data: [-1, 2, 0, 1] },
        min: { dtype: 'f64', data: [0, 0, 1, 0] },
        max: { dtype: 'f64', data: [0, 0, -1, 1] },
      },
      { input: 'bf16[4]', min: -0.5, max: 0.5 },
      { input: 'i32[4]', min: -2, max: 3 },
      { input: 'i32[4]', min: -1.5 },
      { input: 'f32[7] special', min: -1, max: 1 },
      { input: 'f32[3]', min: 1, max: -1 },
      { input: 'f32[3]' },
    ],
  }),
  where: row({
    torch: ['torch.where', 'Tensor.where'],
    forms: ['method', 'function'],
    self: 'input',
    summary: 'The elements of `input` where the condition holds, those of `other` elsewhere.',
    shape: 'the broadcast shape of all three',
    dtype: 'promoted',
    gradient: 'smooth',
    throws: ['BAD_DTYPE', 'SHAPE_MISMATCH'],
    example: `const x = tensor([-1, 2]);
where(x.gt(0), x, 0) // [0, 2]`,
    params: {
      condition: tensor('where to take `input`, of type bool'),
      input: operand('the elements where the condition holds'),
      other: operand('the elements elsewhere'),
    },
    lower: ({ b }, { condition, input, other }) =>
      elementwise.where(b, elementwise.booleans(b, 'where', condition, ['i1', 'ui8']), input, other),
    samples: [
      { condition: 'i1[2,3]', input: 'f32[2,3]', other: 'f32[3]' },
      { condition: 'i1[3]', input: 'f32[2,3]', other: 0 },
      { condition: 'i1[3]', input: 1, other: 'f64[3]' },
      { condition: 'i1[3]', input: 'bf16[3]', other: 'f32[3]' },
      { condition: 'i1[3]', input: 'i32[3]', other: 'f32[3]' },
    ],
  }),
  maskedFill: row({
    torch: ['Tensor.masked_fill', 'torch.masked_fill'],
    forms: ['method', 'function', 'inPlace'],
    summary: 'The input with `value` where the mask is true.',
    shape: 'the broadcast shape of the input and the mask',
    dtype: 'same',
    gradient: 'smooth',
    throws: ['BAD_DTYPE', 'SHAPE_MISMATCH'],
    example: 'tensor([1, 2, 3]).maskedFill(tensor([true, false, true]), -Infinity) // [-Infinity, 2, -Infinity]',
    params: {
      input: tensor('the tensor'),
      mask: tensor('where to write the value, of type bool'),
      value: spelled('value', scalar('the value')),
    },
    lower: ({ b }, { input, mask, value }) =>
      elementwise.maskedFill(b, input, elementwise.booleans(b, 'maskedFill', mask), value),
    samples: [
      { input: 'f32[2,3]', mask: 'i1[2,3]', value: 0 },
      { input: 'f32[2,3]', mask: 'i1[3]', value: Number.MIN_SAFE_INTEGER },
      { input: 'bf16[2,3]', mask: 'i1[2,1]', value: 1.5 },
      { input: 'i32[3]', mask: 'i1[3]', value: -1 },
      { input: 'i32[3]', mask: 'i1[3]', value: 2.5 },
      { input: 'i1[3]', mask: 'i1[3]', value: 2 },
    ],
  }),
});
