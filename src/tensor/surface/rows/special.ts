// Functions of the namespace special that are not in other groups.
import type { Builder } from '../../../hlo/builder.ts';
import type { Value } from '../../../hlo/program.ts';

import * as bessel from '../../lower/bessel.ts';
import * as elementary from '../../lower/elementary.ts';
import * as elementwise from '../../lower/elementwise.ts';
import { incompleteGamma } from '../../lower/incomplete-gamma.ts';
import { inWide, typeOf } from '../../lower/narrow.ts';
import * as reductions from '../../lower/reduce.ts';
import * as special from '../../lower/special.ts';
import { count, dim, operand, tensor } from '../params.ts';
import { type Context, type Form, group, row, spellings, type UnnamedRow } from '../row.ts';
import { roundingToDecimals } from './unary.ts';

const input = tensor('the tensor');
const facts = {
  forms: ['special'],
  shape: 'the shape of the input',
  dtype: 'float',
  gradient: 'smooth',
  params: { input },
} as const;
const everywhere = ['method', 'function', 'inPlace', 'special'] as const;
const smooth = (
  torch: readonly string[],
  summary: string,
  example: string,
  body: (c: Context, x: Value) => Value,
  forms: readonly Form[] = facts.forms,
): UnnamedRow =>
  row({
    ...facts,
    torch,
    forms,
    summary,
    example,
    lower: (c, { input }) => elementary.ofFloats(c.b, input, x => body(c, x)),
  });
const besselRow = (kind: bessel.BesselKind, order: 0 | 1, isScaled: boolean): UnnamedRow =>
  smooth(
    kind === 'i0' ? [...spellings('i0'), 'torch.special.i0'] : [`torch.special.${kind}`],
    `The modified Bessel function of the first kind of order ${order}${isScaled ? ', times exp(−|x|)' : ''}.`,
    `special.${kind}(tensor([0])) // [${order === 0 ? 1 : 0}]`,
    (c, x) => bessel.bessel(c, kind, x),
    kind === 'i0' ? everywhere : facts.forms,
  );
const gammaRow = (name: 'igamma' | 'igammac', special: string, summary: string): UnnamedRow =>
  row({
    ...facts,
    forms: everywhere,
    dtype: 'promotedFloat',
    gradient: 'none',
    torch: [...spellings(name), `torch.special.${special}`],
    summary,
    shape: 'the broadcast shape of the operands',
    throws: ['SHAPE_MISMATCH'],
    example: `special.${special}(tensor([1]), tensor([1])) // [${name === 'igamma' ? '0.632…' : '0.367…'}]`,
    differs: 'Not differentiable; `Gamma.cdf` of `trenio/contrib` is, with respect to the value.',
    params: { input: tensor('the shape parameter'), other: tensor('the bound of the integral') },
    lower: (c, { input, other }) => {
      const [a, x] = elementwise.unify(c.b, name, input, other, true);
      return inWide(c.b, a, wide => incompleteGamma(c, wide, c.b.convert(x, typeOf(wide)), name === 'igammac'));
    },
  });
const ofBuilder =
  (body: (b: Builder, x: Value) => Value) =>
  ({ b }: Context, x: Value): Value =>
    body(b, x);

export const specialRows = group({
  i0: besselRow('i0', 0, false),
  i0e: besselRow('i0e', 0, true),
  i1: besselRow('i1', 1, false),
  i1e: besselRow('i1e', 1, true),
  entr: smooth(
    ['torch.special.entr'],
    '−x · log(x), 0 at 0, −∞ below 0.',
    'special.entr(tensor([0, 1])) // [0, 0]',
    special.entropyOf,
  ),
  erfcx: smooth(
    ['torch.special.erfcx'],
    'exp(x²) · erfc(x), without overflow for large x.',
    'special.erfcx(tensor([0])) // [1]',
    special.erfcx,
  ),
  ndtr: smooth(
    ['torch.special.ndtr'],
    'The cumulative distribution function of the standard normal distribution.',
    'special.ndtr(tensor([0])) // [0.5]',
    ofBuilder(special.ndtr),
  ),
  logNdtr: smooth(
    ['torch.special.log_ndtr'],
    'The logarithm of `ndtr`, accurate also far below 0.',
    'special.logNdtr(tensor([0])) // [-0.693…]',
    special.logNdtr,
  ),
  ndtri: smooth(
    ['torch.special.ndtri'],
    'The inverse of `ndtr`.',
    'special.ndtri(tensor([0.5])) // [0]',
    special.ndtri,
  ),
  xlog1py: row({
    ...facts,
    dtype: 'promotedFloat',
    torch: ['torch.special.xlog1py'],
    summary: 'input · log(1 + other), 0 where the input is 0.',
    shape: 'the broadcast shape of the operands',
    throws: ['SHAPE_MISMATCH'],
    example: 'special.xlog1py(tensor([0]), tensor([-1])) // [0]',
    params: { input: operand('the factor'), other: operand('what is behind the logarithm') },
    lower: ({ b }, { input, other }) => special.xlog1py(b, input, other),
  }),
  multigammaln: row({
    ...facts,
    forms: everywhere,
    torch: [...spellings('mvlgamma'), 'torch.special.multigammaln'],
    aliases: ['mvlgamma'],
    summary: 'The logarithm of the gamma function of p variables.',
    example: 'special.multigammaln(tensor([3]), 2) // [1.55…]',
    params: { input, p: count('the number of variables') },
    lower: ({ b }, { input, p }) => elementary.ofFloats(b, input, x => special.multigammaln(b, x, p)),
  }),
  polygamma: row({
    ...facts,
    forms: everywhere,
    torch: ['torch.polygamma', 'torch.special.polygamma'],
    self: 'input',
    summary: 'The n-th derivative of `digamma`.',
    example: 'special.polygamma(1, tensor([1])) // [1.644…]',
    params: { n: count('the order of the derivative'), input },
    differs:
      'Infinite at the integers from 0 down; PyTorch gives large numbers there for n = 1, as it does for gradients of `digamma`.',
    lower: (c, { n, input }) => elementary.ofFloats(c.b, input, x => special.polygamma(c, n, x)),
  }),
  zeta: row({
    ...facts,
    gradient: 'none',
    dtype: 'promotedFloat',
    torch: ['torch.special.zeta'],
    summary: 'The Hurwitz zeta function: the sum of 1 / (other + k) to the power `input` over the integers k ≥ 0.',
    shape: 'the broadcast shape of the operands',
    throws: ['SHAPE_MISMATCH'],
    example: 'special.zeta(tensor([2]), tensor([1])) // [1.644…]',
    params: { input: tensor('the exponent'), other: tensor('the first base of the sum') },
    lower: ({ b }, { input, other }) => {
      const [x, q] = elementwise.unify(b, 'zeta', input, other, true);
      return inWide(b, x, wide => special.zeta(b, wide, b.convert(q, typeOf(wide))));
    },
  }),
  igamma: gammaRow('igamma', 'gammainc', 'The regularized lower incomplete gamma function.'),
  igammac: gammaRow('igammac', 'gammaincc', 'The regularized upper incomplete gamma function.'),
  specialDigamma: {
    ...smooth(
      ['torch.special.digamma'],
      'The derivative of `gammaln`.',
      'special.digamma(tensor([1])) // [-0.577…]',
      ofBuilder(elementary.digamma),
    ),
    differs: 'The gradient at the poles is infinite; PyTorch gives large numbers there.',
  },
  specialRound: row({
    ...facts,
    ...roundingToDecimals,
    torch: ['torch.special.round'],
    example: 'special.round(tensor([0.5, 1.5])) // [0, 2]',
  }),
  specialSoftmax: row({
    ...facts,
    torch: ['torch.special.softmax'],
    summary: 'Exponentials along a dim, divided by their sum.',
    throws: ['BAD_DIM'],
    example: 'special.softmax(tensor([[0, 0], [0, Math.log(3)]]), 1) // [[0.5, 0.5], [0.25, 0.75]]',
    params: { input, dim: dim('the dim') },
    lower: ({ b, stop }, { input, dim }) => reductions.softmax(b, elementwise.toFloat(b, input), dim, stop),
  }),
  specialLogSoftmax: row({
    ...facts,
    torch: ['torch.special.log_softmax'],
    summary: 'The logarithm of `softmax`.',
    throws: ['BAD_DIM'],
    example: 'special.logSoftmax(tensor([0, 0]), 0) // [-0.6931…, -0.6931…]',
    params: { input, dim: dim('the dim') },
    lower: ({ b, stop }, { input, dim }) => reductions.logSoftmax(b, elementwise.toFloat(b, input), dim, stop),
  }),
});
