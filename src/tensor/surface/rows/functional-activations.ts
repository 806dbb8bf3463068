// Activations that are functions of nn.functional and modules alone.
import type { Builder } from '../../../hlo/builder.ts';
import type { Value } from '../../../hlo/program.ts';
import { isInteger } from '../../../hlo/types.ts';
import { elementIn } from '../../element-in.ts';
import * as curves from '../../lower/activation.ts';
import * as elementwise from '../../lower/elementwise.ts';
import { refused } from '../../lower/loss/reduction.ts';
import { inWide, typeOf } from '../../lower/narrow.ts';
import * as reductions from '../../lower/reduce.ts';
import * as sampled from '../../lower/sampled-activation.ts';
import { byName, continuousType, dim, flag, number, optional, spelled, tensor } from '../params.ts';
import { group, row, type UnnamedRow } from '../row.ts';

const input = tensor('the tensor');
const facts = {
  forms: ['functional'],
  shape: 'the shape of the input',
  dtype: 'float',
  gradient: 'almost everywhere',
} as const;
/** x clamped to [low, high]; integers stay integers, as do the limits. @throws {BAD_DTYPE} for booleans */
function hardLimited(b: Builder, call: string, x: Value, low: number, high: number): Value {
  if (low > high) throw refused(b, { call, argument: 'minVal' }, String(low), `at most maxVal, ${high}`);
  if (!isInteger(typeOf(x)))
    return inWide(b, elementwise.noBooleans(b, call, x), w => curves.hardTanh(b, w, low, high));
  if (Math.min(low, high) < 0 && typeOf(x).startsWith('ui'))
    throw refused(b, { call, argument: 'minVal' }, String(low), 'at least 0, as the input is unsigned');
  return elementwise.clamp(b, x, Math.trunc(low), Math.trunc(high));
}
/** Computed in f32 for low-precision floats. */
const inFloats = (b: Builder, x: Value, body: (x: Value) => Value): Value => inWide(b, elementwise.toFloat(b, x), body);

interface Plain {
  readonly torch: string;
  /** The class of the module. */
  readonly module: string;
  readonly inplace?: true;
  readonly summary: string;
  /** The argument and the result of the examples, of the function and of the module. */
  readonly example: readonly [argument: string, result: string];
  readonly lower: (b: Builder, x: Value) => Value;
  readonly gradient?: 'smooth';
  readonly differs?: string;
}
/** A function without settings. */
const plain = ({ torch, module, inplace, summary, example: [x, y], lower, gradient, differs }: Plain): UnnamedRow =>
  row({
    ...facts,
    gradient: gradient ?? facts.gradient,
    torch: [`torch.nn.functional.${torch}`],
    differs,
    modules: [{ name: module, example: `new nn.${module}()(${x}) // ${y}`, settings: [], ...(inplace && { inplace }) }],
    summary,
    example: `nn.functional.${torch}(${x}) // ${y}`,
    params: { input },
    lower: ({ b }, { input }) => inFloats(b, input, x => lower(b, x)),
  });

export const functionalActivations = group({
  relu6: row({
    ...facts,
    dtype: 'same',
    modules: [
      { name: 'ReLU6', example: 'new nn.ReLU6()(tensor([-1, 3, 8])) // [0, 3, 6]', settings: [], inplace: true },
    ],
    summary: 'min(max(x, 0), 6).',
    throws: ['BAD_DTYPE'],
    example: 'nn.functional.relu6(tensor([-1, 3, 8])) // [0, 3, 6]',
    params: { input },
    lower: ({ b }, { input }) => hardLimited(b, 'relu6', input, 0, 6),
  }),
  mish: plain({
    torch: 'mish',
    module: 'Mish',
    inplace: true,
    summary: 'x · tanh(softplus(x)).',
    example: ['tensor([-1, 0, 1])', '[-0.3034…, 0, 0.865…]'],
    gradient: 'smooth',
    lower: curves.mish,
  }),
  selu: plain({
    torch: 'selu',
    module: 'SELU',
    inplace: true,
    summary: 'The self-normalizing activation of Klambauer et al., 2017.',
    example: ['tensor([-1, 0, 1])', '[-1.1113…, 0, 1.0507]'],
    lower: curves.selu,
  }),
  hardsigmoid: plain({
    torch: 'hardsigmoid',
    module: 'Hardsigmoid',
    inplace: true,
    summary: 'relu6(x + 3) / 6.',
    example: ['tensor([-4, 0, 3])', '[0, 0.5, 1]'],
    lower: curves.hardSigmoid,
    differs: 'The gradient in float64 has that precision; PyTorch’s has that of float32.',
  }),
  hardswish: plain({
    torch: 'hardswish',
    module: 'Hardswish',
    inplace: true,
    summary: 'x · relu6(x + 3) / 6.',
    example: ['tensor([-4, 1.5, 4])', '[0, 1.125, 4]'],
    lower: curves.hardSwish,
  }),
  tanhshrink: plain({
    torch: 'tanhshrink',
    module: 'Tanhshrink',
    summary: 'x - tanh(x).',
    example: ['tensor([-1, 0, 1])', '[-0.2384…, 0, 0.2384…]'],
    gradient: 'smooth',
    lower: curves.tanhShrink,
  }),
  softsign: plain({
    torch: 'softsign',
    module: 'Softsign',
    summary: 'x / (1 + |x|).',
    example: ['tensor([-1, 0, 3])', '[-0.5, 0, 0.75]'],
    gradient: 'smooth',
    lower: curves.softSign,
  }),
  logsigmoid: plain({
    torch: 'logsigmoid',
    module: 'LogSigmoid',
    summary: 'log(sigmoid(x)), without overflow.',
    example: ['tensor([-1, 0, 1])', '[-1.3132…, -0.6931…, -0.3132…]'],
    gradient: 'smooth',
    lower: curves.logSigmoid,
  }),
  elu: row({
    ...facts,
    modules: [
      {
        name: 'ELU',
        example: 'new nn.ELU({ alpha: 0.5 })(tensor([-1, 0, 1])) // [-0.316…, 0, 1]',
        settings: ['alpha'],
        prints: ['alpha'],
        inplace: true,
      },
    ],
    summary: 'x where x > 0, alpha · (exp(x) - 1) elsewhere.',
    example: 'nn.functional.elu(tensor([-1, 0, 1]), 0.5) // [-0.316…, 0, 1]',
    params: { input, alpha: optional(number('the limit for small x, negated'), 1) },
    lower: ({ b }, { input, alpha }) => inFloats(b, input, x => curves.elu(b, x, alpha)),
  }),
  celu: row({
    ...facts,
    modules: [
      {
        name: 'CELU',
        example: 'new nn.CELU({ alpha: 0.5 })(tensor([-1, 0, 1])) // [-0.4323…, 0, 1]',
        settings: ['alpha'],
        prints: ['alpha'],
        inplace: true,
      },
    ],
    summary: 'x where x > 0, alpha · (exp(x / alpha) - 1) elsewhere.',
    throws: ['WRONG_ARGUMENT'],
    example: 'nn.functional.celu(tensor([-1, 0, 1]), 0.5) // [-0.4323…, 0, 1]',
    params: { input, alpha: optional(number('the limit for small x, negated'), 1) },
    lower: ({ b }, { input, alpha }) => {
      if (alpha === 0) throw refused(b, { call: 'celu', argument: 'alpha' }, '0', 'a nonzero number');
      return inFloats(b, input, x => curves.elu(b, x, alpha, 1, 1 / alpha));
    },
  }),
  leakyRelu: row({
    ...facts,
    modules: [
      {
        name: 'LeakyReLU',
        example: 'new nn.LeakyReLU({ negativeSlope: 0.1 })(tensor([-1, 0, 1])) // [-0.1, 0, 1]',
        settings: ['negativeSlope'],
        prints: ['negativeSlope'],
        inplace: true,
      },
    ],
    summary: 'x where x > 0, negativeSlope · x elsewhere.',
    example: 'nn.functional.leakyRelu(tensor([-1, 2]), 0.25) // [-0.25, 2]',
    params: { input, negativeSlope: optional(number('the slope for negative x'), 0.01) },
    lower: ({ b }, { input, negativeSlope }) => inFloats(b, input, x => curves.leakyRelu(b, x, negativeSlope)),
  }),
  prelu: row({
    ...facts,
    summary: 'x where x > 0, weight · x elsewhere; one slope, or one per channel of [N, C, …].',
    throws: ['SHAPE_MISMATCH'],
    example: 'nn.functional.prelu(tensor([-1, 2]), tensor([0.25])) // [-0.25, 2]',
    params: { input, weight: tensor('the slopes: [1], or [C]') },
    lower: ({ b }, { input, weight }) => sampled.prelu(b, input, weight),
  }),
  rrelu: row({
    ...facts,
    modules: [
      {
        name: 'RReLU',
        example: `const activation = new nn.RReLU(0.25, 0.75).eval();
activation(tensor([-8, 4])) // [-4, 4]`,
        settings: ['lower', 'upper'],
        prints: ['lower', 'upper'],
        inplace: true,
        training: true,
      },
    ],
    summary: 'leakyRelu with slopes sampled from [lower, upper] during training, and the mean of the bounds otherwise.',
    details: 'Xu et al., 2015.',
    example: 'nn.functional.rrelu(tensor([-8, 4]), 0.25, 0.25) // [-2, 4]',
    params: {
      input,
      lower: optional(number('the smallest slope'), 1 / 8),
      upper: optional(number('the largest slope'), 1 / 3),
      training: optional(flag('samples the slopes at random'), false),
    },
    throws: ['WRONG_ARGUMENT'],
    lower: (c, { input, lower, upper, training }) => {
      if (lower > upper) throw refused(c.b, { call: 'rrelu', argument: 'lower' }, String(lower), `at most upper, ${upper}`); // biome-ignore format: one line
      return sampled.rrelu(c, input, lower, upper, training);
    },
    // biome-ignore format: one line
  }),
  hardtanh: row({
    ...facts,
    modules: [
      {
        name: 'Hardtanh',
        example: 'new nn.Hardtanh(-2, 2)(tensor([-3, 0, 3])) // [-2, 0, 2]',
        settings: ['minVal', 'maxVal'],
        prints: ['minVal', 'maxVal'],
        inplace: true,
      },
    ],
    dtype: 'same',
    summary: 'x clamped to [minVal, maxVal].',
    throws: ['BAD_DTYPE', 'WRONG_ARGUMENT'],
    example: 'nn.functional.hardtanh(tensor([-2, 0.5])) // [-1, 0.5]',
    params: {
      input,
      minVal: optional(number('the smallest result'), -1),
      maxVal: optional(number('the largest result'), 1),
    },
    lower: ({ b }, { input, minVal, maxVal }) => hardLimited(b, 'hardtanh', input, minVal, maxVal),
  }),
  hardshrink: row({
    ...facts,
    torch: ['torch.nn.functional.hardshrink', 'torch.hardshrink', 'Tensor.hardshrink'],
    forms: ['method', 'function', 'functional'],
    modules: [
      {
        name: 'Hardshrink',
        example: 'new nn.Hardshrink(0.5)(tensor([-1, 0.2, 1])) // [-1, 0, 1]',
        settings: ['lambda'],
        prints: ['lambda'],
        isBare: true,
      },
    ],
    summary: 'x outside [-lambda, lambda], 0 inside.',
    example: 'nn.functional.hardshrink(tensor([0.25, 2])) // [0, 2]',
    params: { input, lambda: spelled('lambd', optional(number('half the width of the gap'), 0.5)) },
    lower: ({ b }, { input, lambda }) => inFloats(b, input, x => curves.hardShrink(b, x, lambda)),
  }),
  softshrink: row({
    ...facts,
    modules: [
      {
        name: 'Softshrink',
        example: 'new nn.Softshrink(0.5)(tensor([-1, 0.2, 1])) // [-0.5, 0, 0.5]',
        settings: ['lambda'],
        prints: ['lambda'],
        isBare: true,
      },
    ],
    summary: 'x shrunk towards 0 by lambda; 0 inside [-lambda, lambda].',
    throws: ['WRONG_ARGUMENT'],
    example: 'nn.functional.softshrink(tensor([0.25, 2])) // [0, 1.5]',
    params: { input, lambda: spelled('lambd', optional(number('how far, at least 0'), 0.5)) },
    lower: ({ b }, { input, lambda }) => {
      if (lambda < 0) throw refused(b, { call: 'softshrink', argument: 'lambda' }, String(lambda), 'a number of at least 0'); // biome-ignore format: one line
      return inFloats(b, input, x => curves.softShrink(b, x, lambda));
    },
  }),
  softplus: row({
    ...facts,
    modules: [
      {
        name: 'Softplus',
        example: 'new nn.Softplus()(tensor([-1, 0, 1])) // [0.3132…, 0.6931…, 1.3132…]',
        settings: ['beta', 'threshold'],
        prints: ['beta', 'threshold'],
      },
    ],
    summary: 'log(1 + exp(beta · x)) / beta; x where beta · x is above the threshold.',
    gradient: 'smooth',
    example: 'nn.functional.softplus(tensor([0])) // [0.6931…]',
    params: {
      input,
      beta: optional(number('the sharpness of the bend'), 1),
      threshold: optional(number('above this value of beta · x, the result is x'), 20),
    },
    lower: ({ b }, { input, beta, threshold }) => inFloats(b, input, x => curves.softplus(b, x, beta, threshold)),
  }),
  threshold: row({
    ...facts,
    dtype: 'same',
    modules: [
      {
        name: 'Threshold',
        example: 'new nn.Threshold(1, 20)(tensor([0, 1, 2])) // [20, 20, 2]',
        settings: ['threshold', 'value'],
        prints: ['threshold', 'value'],
        inplace: true,
      },
    ],
    summary: 'x where x is above the threshold, `value` elsewhere.',
    example: 'nn.functional.threshold(tensor([1, 3]), 2, 0) // [0, 3]',
    params: { input, threshold: number('the threshold'), value: number('the replacement') },
    lower: ({ b }, { input, threshold, value }) => {
      const [limit, other] = Object.entries({ threshold, value }).map(([setting, given]) =>
        Number(elementIn('threshold', setting, typeOf(input), given)),
      ) as [number, number];
      return inWide(b, input, x => curves.threshold(b, x, limit, other));
    },
  }),
  glu: row({
    ...facts,
    modules: [
      { name: 'GLU', example: 'new nn.GLU()(tensor([[2, 4, 0, 0]])) // [[1, 2]]', settings: ['dim'], prints: ['dim'] },
    ],
    summary: 'The first half along a dim times the sigmoid of the second half.',
    shape: 'the shape of the input, with half the size along the dim',
    gradient: 'smooth',
    throws: ['SHAPE_MISMATCH', 'BAD_DIM'],
    example: 'nn.functional.glu(tensor([2, 0])) // [1]',
    params: { input, dim: optional(dim('the dim to split in half'), -1) },
    lower: ({ b }, { input, dim }) => sampled.glu(b, input, dim),
  }),
  softmin: row({
    ...facts,
    modules: [
      {
        name: 'Softmin',
        example: 'new nn.Softmin(1)(tensor([[0, Math.log(3)]])) // [[0.75, 0.25]]',
        settings: ['dim'],
        defaults: { dim: -1 },
        prints: ['dim'],
      },
    ],
    summary: 'softmax(-x) along a dim.',
    gradient: 'smooth',
    throws: ['BAD_DIM'],
    example: 'nn.functional.softmin(tensor([[0, Math.log(3)]]), 1) // [[0.75, 0.25]]',
    params: {
      input,
      dim: dim('the dim along which the results sum to 1'),
      dtype: byName(optional(continuousType('the data type to convert the input to first'))),
    },
    lower: ({ b, stop }, { input, dim, dtype }) =>
      reductions.softmax(
        b,
        b.negate(elementwise.toFloat(b, dtype === undefined ? input : elementwise.convert(b, input, dtype))),
        dim,
        stop,
      ),
  }),
  gumbelSoftmax: row({
    ...facts,
    summary: 'A sample that is nearly one-hot along a dim: softmax((x + gumbel noise) / tau).',
    details: 'Jang et al., 2017.',
    throws: ['BAD_DIM'],
    example: 'nn.functional.gumbelSoftmax(tensor([0, 100, 0]), { hard: true }) // [0, 1, 0]',
    params: {
      logits: tensor('log weights'),
      tau: optional(number('the temperature; lower values give results closer to one-hot'), 1),
      hard: optional(flag('exactly one-hot values, with the gradient of the soft ones'), false),
      eps: optional(number('accepted for compatibility; has no effect, as in PyTorch'), 1e-10),
      dim: optional(dim('the dim along which the results sum to 1'), -1),
    },
    uncompared: ['logits'],
    lower: (c, { logits, tau, hard, dim }) => sampled.gumbelSoftmax(c, logits, { tau, hard, dim }),
  }),
});
