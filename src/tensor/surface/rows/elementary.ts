// Elementary functions: trigonometry, logarithms of other bases, parts of numbers, and classification of numbers.
import type { ChloUnaryName, UnaryName } from '../../../hlo/attributes.ts';
import type { Builder } from '../../../hlo/builder.ts';
import type { Value } from '../../../hlo/program.ts';
import * as elementary from '../../lower/elementary.ts';
import * as elementwise from '../../lower/elementwise.ts';
import { number, optional, tensor } from '../params.ts';
import { group, row, spellings, type UnnamedRow } from '../row.ts';

const input = tensor('the tensor');
const facts = {
  forms: ['method', 'function', 'inPlace'],
  shape: 'the shape of the input',
  params: { input },
} as const;

/** A smooth function of floats; `special` is its name in the namespace special. */
const smooth = (
  names: readonly string[],
  summary: string,
  example: string,
  body: (b: Builder, x: Value) => Value,
  special?: string,
): UnnamedRow =>
  row({
    ...facts,
    forms: special === undefined ? facts.forms : [...facts.forms, 'special'],
    torch: [...spellings(...names), ...(special === undefined ? [] : [`torch.special.${special}`])],
    aliases: names.slice(1),
    summary,
    example,
    dtype: 'float',
    gradient: 'smooth',
    lower: ({ b }, { input }) => elementary.ofFloats(b, input, wide => body(b, wide)),
  });
const op = (name: UnaryName | ChloUnaryName) => (b: Builder, x: Value) => b.emit1(name, [x], {});
const test = (name: string, summary: string, example: string, body: (b: Builder, x: Value) => Value): UnnamedRow =>
  row({
    ...facts,
    forms: ['method', 'function'],
    torch: spellings(name),
    summary,
    example,
    dtype: 'boolean',
    gradient: 'none',
    lower: ({ b }, { input }) => body(b, input),
  });

export const elementaryRows = group({
  tan: smooth(
    ['tan'],
    'The tangent of each element, which is an angle in radians.',
    'tensor([0]).tan() // [0]',
    op('tan'),
  ),
  asin: smooth(['asin', 'arcsin'], 'The inverse sine, in radians.', 'tensor([1]).asin() // [π/2]', op('chlo.asin')),
  acos: smooth(['acos', 'arccos'], 'The inverse cosine, in radians.', 'tensor([1]).acos() // [0]', op('chlo.acos')),
  atan: smooth(['atan', 'arctan'], 'The inverse tangent, in radians.', 'tensor([1]).atan() // [π/4]', op('chlo.atan')),
  sinh: smooth(['sinh'], 'The hyperbolic sine.', 'tensor([0]).sinh() // [0]', op('chlo.sinh')),
  cosh: smooth(['cosh'], 'The hyperbolic cosine.', 'tensor([0]).cosh() // [1]', op('chlo.cosh')),
  asinh: smooth(['asinh', 'arcsinh'], 'The inverse hyperbolic sine.', 'tensor([0]).asinh() // [0]', op('chlo.asinh')),
  acosh: smooth(['acosh', 'arccosh'], 'The inverse hyperbolic cosine.', 'tensor([1]).acosh() // [0]', op('chlo.acosh')),
  atanh: smooth(
    ['atanh', 'arctanh'],
    'The inverse hyperbolic tangent.',
    'tensor([0]).atanh() // [0]',
    op('chlo.atanh'),
  ),
  exp2: smooth(
    ['exp2'],
    '2 raised to the power of each element.',
    'tensor([3]).exp2() // [8]',
    elementary.exp2,
    'exp2',
  ),
  log2: smooth(['log2'], 'The logarithm to base 2.', 'tensor([8]).log2() // [3]', elementary.log2),
  log10: smooth(['log10'], 'The logarithm to base 10.', 'tensor([100]).log10() // [2]', elementary.log10),
  erfc: smooth(['erfc'], '1 minus the error function.', 'tensor([0]).erfc() // [1]', op('chlo.erfc'), 'erfc'),
  erfinv: smooth(
    ['erfinv'],
    'The inverse of the error function.',
    'tensor([0]).erfinv() // [0]',
    op('chlo.erf_inv'),
    'erfinv',
  ),
  lgamma: smooth(
    ['lgamma'],
    'The logarithm of the absolute value of the gamma function.',
    'tensor([3]).lgamma() // [0.693…]',
    op('chlo.lgamma'),
    'gammaln',
  ),
  digamma: {
    ...smooth(
      ['digamma'],
      'The derivative of `lgamma`.',
      'tensor([1]).digamma() // [-0.577…]',
      elementary.digamma,
      // PyTorch's gradient in f64 has only 9 digits
      'psi',
    ),
    differs: 'The gradient at the poles is infinite; PyTorch gives large numbers there.',
  },
  sinc: smooth(['sinc'], 'sin(πx) / (πx), 1 at 0.', 'tensor([0]).sinc() // [1]', elementary.sinc, 'sinc'),
  logit: smooth(['logit'], 'log(x / (1 − x)).', 'tensor([0.5]).logit() // [0]', elementary.logit, 'logit'),
  deg2rad: smooth(
    ['deg2rad'],
    'From degrees to radians.',
    'tensor([180]).deg2rad() // [π]',
    elementary.scaledBy(Math.PI / 180),
  ),
  rad2deg: smooth(
    ['rad2deg'],
    'From radians to degrees.',
    'tensor([Math.PI]).rad2deg() // [180]',
    elementary.scaledBy(180 / Math.PI),
  ),
  trunc: row({
    ...facts,
    torch: spellings('trunc', 'fix'),
    aliases: ['fix'],
    summary: 'Each element rounded towards zero.',
    example: 'tensor([-1.7, 1.7]).trunc() // [-1, 1]',
    dtype: 'same',
    gradient: 'almost everywhere',
    lower: ({ b }, { input }) => elementwise.rounded(b, input, x => elementwise.truncated(b, x)),
  }),
  frac: row({
    ...facts,
    summary: 'The fractional part, with the sign of the element.',
    example: 'tensor([-1.75]).frac() // [-0.75]',
    dtype: 'same',
    gradient: 'almost everywhere',
    lower: ({ b }, { input }) => elementary.ofFloats(b, input, x => elementary.frac(b, x)),
  }),
  nanToNum: row({
    ...facts,
    summary: 'NaN and infinities replaced by numbers.',
    example: 'tensor([NaN, Infinity]).nanToNum(0, 1e6) // [0, 1000000]',
    dtype: 'same',
    gradient: 'almost everywhere',
    params: {
      input,
      nan: optional(number('the replacement for NaN'), 0),
      posinf: optional(number('the replacement for infinity; the largest number of the data type by default')),
      neginf: optional(number('the replacement for minus infinity; the lowest number of the data type by default')),
    },
    lower: ({ b }, { input, nan, posinf, neginf }) => elementary.nanToNum(b, input, nan, posinf, neginf),
  }),
  isnan: test('isnan', 'Whether elements are NaN.', 'tensor([1, NaN]).isnan() // [false, true]', elementary.isNan),
  isinf: test('isinf', 'Whether elements are infinite.', 'tensor([1, -Infinity]).isinf() // [false, true]', (b, x) =>
    elementary.isInfinite(b, x, 'both'),
  ),
  isposinf: test(
    'isposinf',
    'Whether elements are infinity.',
    'tensor([1, Infinity, -Infinity, NaN]).isposinf() // [false, true, false, false]',
    (b, x) => elementary.isInfinite(b, x, 'plus'),
  ),
  isneginf: test(
    'isneginf',
    'Whether elements are minus infinity.',
    'tensor([1, Infinity, -Infinity, NaN]).isneginf() // [false, false, true, false]',
    (b, x) => elementary.isInfinite(b, x, 'minus'),
  ),
  isfinite: test(
    'isfinite',
    'Whether elements are finite: neither infinite nor NaN.',
    'tensor([1, NaN]).isfinite() // [true, false]',
    elementary.areFinite,
  ),
});
