// Arithmetic on two operands that broadcast.
import * as elementwise from '../../lower/elementwise.ts';
import { byName, oneOf, operand, optional, scalar, spelled, tensor } from '../params.ts';
import { group, row } from '../row.ts';

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
    summary: 'The sum of two tensors, or of a tensor and a number: input + alpha · other.',
    example: 'tensor([1, 2]).add(tensor([10, 20])) // [11, 22]',
    params: { input, other, alpha },
    lower: ({ b }, { input, other, alpha }) =>
      elementwise.binary(b, 'add', 'add', input, elementwise.alphaTimes(b, 'add', input, other, alpha)),
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
  }),
  mul: row({
    ...facts,
    torch: ['torch.mul', 'Tensor.mul', 'torch.multiply', 'Tensor.multiply'],
    aliases: ['multiply'],
    summary: 'The product of two tensors, element-wise, or of a tensor and a number.',
    example: 'tensor([1, 2, 3]).mul(2) // [2, 4, 6]',
    params: { input, other },
    lower: ({ b }, { input, other }) => elementwise.binary(b, 'multiply', 'mul', input, other),
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
  }),
  floorDivide: row({
    ...facts,
    summary: 'The quotient rounded towards minus infinity; integers stay integers.',
    gradient: 'none',
    example: 'tensor([-7, 7]).floorDivide(2) // [-4, 3]',
    params: { input, other },
    lower: ({ b }, { input, other }) => elementwise.divide(b, 'floorDivide', input, other, 'floor'),
  }),
  remainder: row({
    ...facts,
    summary: 'The remainder of the division, with the sign of the divisor.',
    gradient: 'almost everywhere',
    example: 'tensor([-7, 7]).remainder(3) // [2, 1]',
    params: { input, other },
    lower: ({ b }, { input, other }) => elementwise.remainder(b, input, other),
  }),
  pow: row({
    ...facts,
    summary: 'Each element raised to a power.',
    example: 'tensor([1, 2, 3]).pow(2) // [1, 4, 9]',
    params: { input, exponent: operand('the power') },
    lower: ({ b }, { input, exponent }) => elementwise.power(b, input, exponent),
  }),
  maximum: row({
    ...facts,
    summary: 'The larger of two elements; NaN if either is NaN.',
    gradient: 'almost everywhere',
    forms: ['method', 'function'],
    example: 'tensor([1, 5]).maximum(tensor([3, 2])) // [3, 5]',
    differs: numbersToo,
    params: { input, other },
    lower: ({ b }, { input, other }) => elementwise.binary(b, 'maximum', 'maximum', input, other),
  }),
  minimum: row({
    ...facts,
    summary: 'The smaller of two elements; NaN if either is NaN.',
    gradient: 'almost everywhere',
    forms: ['method', 'function'],
    example: 'tensor([1, 5]).minimum(tensor([3, 2])) // [1, 2]',
    differs: numbersToo,
    params: { input, other },
    lower: ({ b }, { input, other }) => elementwise.binary(b, 'minimum', 'minimum', input, other),
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
  }),
  where: row({
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
  }),
});
