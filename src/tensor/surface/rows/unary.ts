// Elementwise functions.
import type { UnaryName } from '../../../hlo/attributes.ts';
import { tensorTypeOf, type Value } from '../../../hlo/program.ts';
import * as elementwise from '../../lower/elementwise.ts';
import { inWide, typeOf } from '../../lower/narrow.ts';
import { byName, int, optional, tensor } from '../params.ts';
import { type Context, group, row, spellings, type UnnamedRow } from '../row.ts';

const input = tensor('the tensor');
const facts = {
  forms: ['method', 'function', 'inPlace'],
  shape: 'the shape of the input',
  params: { input },
} as const;

/** A function of floats that is a single op; integers become f32. `special` is its name in the namespace special. */
const floats = (op: UnaryName, name: string, summary: string, example: string, special?: string): UnnamedRow =>
  row({
    ...facts,
    forms: special === undefined ? facts.forms : [...facts.forms, 'special'],
    torch: [...spellings(name), ...(special === undefined ? [] : [`torch.special.${special}`])],
    summary,
    example,
    dtype: 'float',
    gradient: 'smooth',
    lower: ({ b }, { input }) => inWide(b, elementwise.toFloat(b, input), wide => b.unary(op, wide)),
  });
/** One that leaves integers alone; its gradient is 0. */
const rounding = (op: UnaryName, name: string, summary: string, example: string): UnnamedRow =>
  row({
    ...facts,
    torch: spellings(name),
    summary,
    example,
    dtype: 'same',
    gradient: 'almost everywhere',
    lower: ({ b }, { input }) => elementwise.rounded(b, input, x => b.unary(op, x)),
  });
/** Shared with `special.round`. */
export const roundingToDecimals = {
  summary: 'Each element rounded to the nearest integer, halves to even, or to a number of decimals.',
  dtype: 'same',
  gradient: 'almost everywhere',
  throws: ['BAD_DTYPE'],
  params: {
    input: tensor('the tensor'),
    decimals: byName(
      optional(int('how many decimals are kept; below 0, that many digits before the point become 0'), 0),
    ),
  },
  lower: ({ b }: Context, { input, decimals }: { readonly input: Value; readonly decimals: number }) =>
    elementwise.roundedTo(b, input, decimals),
} as const;
const isUnsigned = (x: Value): boolean => /^(ui|i1$)/.test(tensorTypeOf(x).elementType);

export const unary = group({
  neg: row({
    ...facts,
    torch: spellings('neg', 'negative'),
    aliases: ['negative'],
    summary: 'The negative of each element.',
    example: 'tensor([1, -2]).neg() // [-1, 2]',
    dtype: 'same',
    gradient: 'smooth',
    lower: ({ b }, { input }) => b.negate(input),
  }),
  abs: row({
    ...facts,
    torch: spellings('abs', 'absolute'),
    aliases: ['absolute'],
    summary: 'The absolute value of each element.',
    example: 'tensor([1, -2]).abs() // [1, 2]',
    dtype: 'same',
    gradient: 'almost everywhere',
    differs: 'The gradient where an element is NaN is NaN, not 0, so that errors are not hidden.',
    lower: ({ b }, { input }) => (isUnsigned(input) ? input : b.unary('abs', input)),
  }),
  sign: row({
    ...facts,
    torch: spellings('sign', 'sgn'),
    aliases: ['sgn'],
    summary: 'The sign of each element: 1, 0 or −1.',
    example: 'tensor([3, 0, -2]).sign() // [1, 0, -1]',
    dtype: 'same',
    gradient: 'almost everywhere',
    details: 'NaN and both zeros give 0; the sign of a complex number is z / |z|.',
    lower: ({ b }, { input }) => elementwise.signOf(b, input),
  }),
  exp: floats('exponential', 'exp', 'The exponential of each element.', 'tensor([0, 1]).exp() // [1, 2.718…]'),
  expm1: floats(
    'exponential_minus_one',
    'expm1',
    'exp(x) − 1, accurate for small x.',
    'tensor([1e-6]).expm1() // [1e-6]',
    'expm1',
  ),
  log: floats('log', 'log', 'The natural logarithm of each element.', 'tensor([1, Math.E]).log() // [0, 1]'),
  log1p: floats(
    'log_plus_one',
    'log1p',
    'log(1 + x), accurate for small x.',
    'tensor([1e-6]).log1p() // [1e-6]',
    'log1p',
  ),
  sqrt: floats('sqrt', 'sqrt', 'The square root of each element.', 'tensor([4, 9]).sqrt() // [2, 3]'),
  rsqrt: floats('rsqrt', 'rsqrt', 'The reciprocal of the square root of each element.', 'tensor([4]).rsqrt() // [0.5]'),
  sin: floats(
    'sine',
    'sin',
    'The sine of each element, which is an angle in radians.',
    'tensor([0, Math.PI / 2]).sin() // [0, 1]',
  ),
  cos: floats('cosine', 'cos', 'The cosine of each element, which is an angle in radians.', 'tensor([0]).cos() // [1]'),
  tanh: {
    ...floats('tanh', 'tanh', 'The hyperbolic tangent of each element.', 'tensor([0, 20]).tanh() // [0, 1]'),
    modules: [{ name: 'Tanh', example: 'new nn.Tanh()(tensor([-1, 0, 1])) // [-0.7615…, 0, 0.7615…]', settings: [] }],
  },
  sigmoid: {
    ...floats('logistic', 'sigmoid', '1 / (1 + exp(−x)).', 'tensor([0]).sigmoid() // [0.5]', 'expit'),
    modules: [
      { name: 'Sigmoid', example: 'new nn.Sigmoid()(tensor([-1, 0, 1])) // [0.2689…, 0.5, 0.731…]', settings: [] },
    ],
  },
  erf: floats('chlo.erf', 'erf', 'The error function of each element.', 'tensor([0, 9]).erf() // [0, 1]', 'erf'),
  floor: rounding('floor', 'floor', 'Each element rounded towards minus infinity.', 'tensor([1.7]).floor() // [1]'),
  ceil: rounding('ceil', 'ceil', 'Each element rounded towards plus infinity.', 'tensor([1.2]).ceil() // [2]'),
  round: row({
    ...facts,
    ...roundingToDecimals,
    example: 'tensor([0.5, 1.5]).round() // [0, 2]',
  }),
  square: row({
    ...facts,
    summary: 'The square of each element.',
    example: 'tensor([3, -4]).square() // [9, 16]',
    dtype: 'same',
    gradient: 'smooth',
    lower: ({ b }, { input }) => {
      const x = typeOf(input) === 'i1' ? b.convert(input, 'i64') : input;
      return b.multiply(x, x);
    },
  }),
  reciprocal: row({
    ...facts,
    summary: 'The reciprocal of each element.',
    example: 'tensor([4]).reciprocal() // [0.25]',
    dtype: 'float',
    gradient: 'smooth',
    lower: ({ b }, { input }) => elementwise.binary(b, 'divide', 'reciprocal', 1, input, true),
  }),
});
