// Less common functions of two operands, bits, and closeness.

import { wrongArgument } from '../../check-arguments.ts';
import * as elementary from '../../lower/elementary.ts';
import * as elementwise from '../../lower/elementwise.ts';
import { flag, number, operand, optional, tensor } from '../params.ts';
import { group, row, spellings, type UnnamedRow } from '../row.ts';

const input = operand('the left operand');
const other = operand('the right operand');
const facts = {
  forms: ['method', 'function', 'inPlace'],
  shape: 'the broadcast shape of the operands',
  dtype: 'promoted',
  gradient: 'smooth',
  throws: ['SHAPE_MISMATCH'],
  params: { input, other },
} as const;
const bits = (name: 'and' | 'or' | 'xor', word: string, symbol: string, example: string): UnnamedRow =>
  row({
    ...facts,
    torch: spellings(`bitwise_${name}`),
    summary: `Bitwise ${word} of two integers, or of booleans (${symbol}).`,
    gradient: 'none',
    example,
    lower: ({ b }, { input, other }) =>
      elementwise.binary(
        b,
        name,
        `bitwise${name}`,
        elementwise.noFloats(b, name, input),
        elementwise.noFloats(b, name, other),
      ),
  });
const shift = (name: 'left' | 'right', symbol: string): UnnamedRow =>
  row({
    ...facts,
    torch: spellings(`bitwise_${name}_shift`),
    summary: `The bits of integers shifted to the ${name} (${symbol}).`,
    gradient: 'none',
    example: `tensor([4], { dtype: 'int32' }).bitwise${name === 'left' ? 'Left' : 'Right'}Shift(1) // [${name === 'left' ? 8 : 2}]`,
    lower: ({ b }, { input, other }) =>
      elementwise.binary(
        b,
        name === 'left' ? 'shift_left' : 'shift_right_arithmetic',
        `bitwise_${name}_shift`,
        elementwise.noFloats(b, name, input),
        elementwise.noFloats(b, name, other),
      ),
  });

export const binaryRows = group({
  atan2: row({
    ...facts,
    torch: spellings('atan2', 'arctan2'),
    aliases: ['arctan2'],
    summary: 'The angle of the point (other, input), from −π to π.',
    dtype: 'promotedFloat',
    example: 'tensor([1]).atan2(tensor([1])) // [π/4]',
    params: { input, other: tensor('the coordinates along the first axis') },
    lower: ({ b }, { input, other }) => elementary.atan2(b, input, other),
  }),
  hypot: row({
    ...facts,
    summary: 'The length of the hypotenuse: √(input² + other²).',
    dtype: 'promotedFloat',
    example: 'tensor([3]).hypot(tensor([4])) // [5]',
    params: { input, other: tensor('the right operand') },
    lower: (c, { input, other }) => elementary.hypot(c, input, other),
  }),
  fmod: row({
    ...facts,
    summary: 'The remainder of the division, with the sign of the dividend.',
    gradient: 'almost everywhere',
    example: 'tensor([-7, 7]).fmod(3) // [-1, 1]',
    lower: ({ b }, { input, other }) => elementwise.binary(b, 'remainder', 'fmod', input, other),
  }),
  logaddexp: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'log(exp(input) + exp(other)), without overflow.',
    dtype: 'promotedFloat',
    example: 'tensor([1000]).logaddexp(tensor([1000])) // [1000.69…]',
    params: { input, other: tensor('the right operand') },
    lower: ({ b }, { input, other }) => elementary.logAddExp(b, input, other),
  }),
  xlogy: row({
    ...facts,
    forms: [...facts.forms, 'special'],
    torch: [...spellings('xlogy'), 'torch.special.xlogy'],
    summary: 'input · log(other), 0 where the input is 0.',
    dtype: 'promotedFloat',
    example: 'tensor([0, 2]).xlogy(tensor([0, 1])) // [0, 0]',
    lower: ({ b }, { input, other }) => elementary.xlogy(b, input, other),
  }),
  fmax: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'The larger of two elements; NaN only if both are.',
    gradient: 'almost everywhere',
    example: 'tensor([NaN]).fmax(tensor([1])) // [1]',
    lower: ({ b }, { input, other }) => elementary.ignoringNan(b, 'fmax', input, other),
  }),
  fmin: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'The smaller of two elements; NaN only if both are.',
    gradient: 'almost everywhere',
    example: 'tensor([NaN]).fmin(tensor([1])) // [1]',
    lower: ({ b }, { input, other }) => elementary.ignoringNan(b, 'fmin', input, other),
  }),
  clampMin: row({
    ...facts,
    summary: 'Each element, at least `min`.',
    gradient: 'almost everywhere',
    example: 'tensor([-1, 2]).clampMin(0) // [0, 2]',
    params: { input: tensor('the tensor'), min: operand('the lower bound') },
    lower: ({ b }, { input, min }) => elementwise.clamp(b, input, min, undefined),
  }),
  clampMax: row({
    ...facts,
    summary: 'Each element, at most `max`.',
    gradient: 'almost everywhere',
    example: 'tensor([-1, 2]).clampMax(0) // [-1, 0]',
    params: { input: tensor('the tensor'), max: operand('the upper bound') },
    lower: ({ b }, { input, max }) => elementwise.clamp(b, input, undefined, max),
  }),
  bitwiseAnd: bits('and', 'and', '&', "tensor([1, 2, 3], { dtype: 'int32' }).bitwiseAnd(1) // [1, 0, 1]"),
  bitwiseOr: bits('or', 'or', '|', "tensor([1, 2, 3], { dtype: 'int32' }).bitwiseOr(1) // [1, 3, 3]"),
  bitwiseXor: bits('xor', 'xor', '^', "tensor([1, 2, 3], { dtype: 'int32' }).bitwiseXor(1) // [0, 3, 2]"),
  bitwiseLeftShift: shift('left', '<<'),
  bitwiseRightShift: shift('right', '>>'),
  bitwiseNot: row({
    ...facts,
    summary: 'The bits of integers, or booleans, inverted (~).',
    shape: 'the shape of the input',
    dtype: 'same',
    gradient: 'none',
    example: "tensor([0], { dtype: 'int32' }).bitwiseNot() // [-1]",
    params: { input: tensor('the tensor') },
    lower: ({ b }, { input }) => b.unary('not', elementwise.noFloats(b, 'bitwiseNot', input)),
  }),
  isclose: row({
    ...facts,
    forms: ['method', 'function'],
    summary: 'Whether two elements are nearly equal: |input − other| ≤ atol + rtol · |other|.',
    dtype: 'boolean',
    gradient: 'none',
    example: 'tensor([1]).isclose(tensor([1.0000001])) // [true]',
    params: {
      input: tensor('the left operand'),
      other: tensor('the right operand'),
      rtol: optional(number('the relative tolerance'), 1e-5),
      atol: optional(number('the absolute tolerance'), 1e-8),
      equalNan: optional(flag('whether NaN equals NaN'), false),
    },
    throws: ['WRONG_ARGUMENT'],
    lower: ({ b }, { input, other, rtol, atol, equalNan }) => {
      for (const [argument, value] of Object.entries({ rtol, atol }))
        if (value < 0) throw wrongArgument({ call: 'isclose', argument }, value, 'a number of at least 0');
      return elementary.isClose(b, input, other, rtol, atol, equalNan);
    },
  }),
});
