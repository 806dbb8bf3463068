// Losses of pairs of elements: an input and a target of the same shape.
import type { Value } from '../../../hlo/program.ts';
import * as losses from '../../lower/loss/pairs.ts';
import { type Reduction, reductions, refused, weighted } from '../../lower/loss/reduction.ts';
import { byName, flag, number, oneOf, operand, optional, spelled, tensor } from '../params.ts';
import { type Context, group, row } from '../row.ts';

export const reduction = byName(optional(oneOf('how the losses are reduced of the elements', reductions), 'mean'));
export const lossFacts = {
  forms: ['functional'],
  shape: 'a scalar; with `reduction` none, one loss per element',
  dtype: 'promotedFloat',
  throws: ['SHAPE_MISMATCH'],
} as const;
const smooth = { ...lossFacts, gradient: 'smooth' } as const;
const kinked = { ...lossFacts, gradient: 'almost everywhere' } as const;
const input = tensor('the output of the model');
const target = tensor('the target, with the same shape');
const pair = { input, target } as const;
const weight = byName(optional(tensor('a weight for each element, with the same shape')));
const broadcasts = 'Different shapes are broadcast, which is rarely intended: a warning is printed once.';

const onlyPositive = (
  { b }: Context,
  call: string,
  argument: string,
  value: number,
  least: 'above 0' | '0 or more',
) => {
  if (value > 0 || (value === 0 && least === '0 or more')) return;
  throw refused(
    b,
    { call, argument },
    String(value),
    least === 'above 0' ? 'a positive number' : 'a number that is not negative',
  );
};
interface Pair {
  readonly input: Value;
  readonly target: Value;
  readonly reduction: Reduction;
}
const named = (call: string, { input, target, reduction }: Pair) => ({ call, input, target, reduction });

export const lossRows = group({
  mseLoss: row({
    ...smooth,
    modules: [
      {
        name: 'MSELoss',
        example: `const lossFn = new nn.MSELoss();
lossFn(tensor([1, 2]), tensor([1, 4])) // 2`,
        settings: ['reduction'],
      },
    ],
    summary: 'The squared difference: the mean squared error.',
    differs: 'The losses of integers are float32; PyTorch raises errors for most of them.',
    details: `With \`weight\`, the mean divides by the sum of the weights. ${broadcasts}`,
    example: "nn.functional.mseLoss(tensor([1, 2]), tensor([1, 4]), { reduction: 'sum' }) // 4",
    params: { ...pair, reduction, weight },
    lower: ({ b }, { weight, ...pair }) =>
      losses.weightedLoss(b, named('mseLoss', pair), weight, (x, y) => losses.squaredDifference(b, x, y)),
  }),
  l1Loss: row({
    ...kinked,
    modules: [
      { name: 'L1Loss', example: 'new nn.L1Loss()(tensor([1, 2]), tensor([1, 4])) // 1', settings: ['reduction'] },
    ],
    summary: 'The absolute difference.',
    differs: 'The losses of integers are float32; PyTorch raises errors for most of them.',
    details: `With \`weight\`, the mean divides by the sum of the weights. ${broadcasts}`,
    example: 'nn.functional.l1Loss(tensor([1, 2]), tensor([1, 4])) // 1',
    params: { ...pair, reduction, weight },
    lower: ({ b }, { weight, ...pair }) =>
      losses.weightedLoss(b, named('l1Loss', pair), weight, (x, y) => losses.absoluteDifference(b, x, y)),
  }),
  smoothL1Loss: row({
    ...kinked,
    modules: [
      {
        name: 'SmoothL1Loss',
        example: 'new nn.SmoothL1Loss()(tensor([1, 2]), tensor([1, 4])) // 0.75',
        settings: ['reduction', 'beta'],
      },
    ],
    summary: 'The squared difference / (2 · beta) below beta, and |difference| - beta / 2 above.',
    details: broadcasts,
    example: 'nn.functional.smoothL1Loss(tensor([0]), tensor([3]), { beta: 2 }) // 2',
    params: {
      ...pair,
      reduction,
      beta: byName(
        optional(number('the difference at which the loss changes from quadratic to linear; 0 gives `l1Loss`'), 1),
      ),
    },
    lower: (c, { beta, ...pair }) => {
      onlyPositive(c, 'smoothL1Loss', 'beta', beta, '0 or more');
      return losses.pairLoss(c.b, named('smoothL1Loss', pair), (x, y) => losses.smooth(c.b, x, y, beta));
    },
  }),
  huberLoss: row({
    ...kinked,
    modules: [
      {
        name: 'HuberLoss',
        example: 'new nn.HuberLoss({ delta: 0.5 })(tensor([1, 2]), tensor([1, 4])) // 0.4375',
        settings: ['reduction', 'delta'],
      },
    ],
    summary: 'The squared difference / 2 below delta, and delta · (|difference| - delta / 2) above.',
    details: broadcasts,
    example: 'nn.functional.huberLoss(tensor([0]), tensor([3]), { delta: 2 }) // 4',
    params: {
      ...pair,
      reduction: optional(oneOf('how the losses are reduced of the elements', reductions), 'mean'),
      delta: optional(number('the difference at which the loss changes from quadratic to linear'), 1),
      weight: optional(tensor('a weight for each element, with the same shape')),
    },
    lower: (c, { delta, weight, ...pair }) => {
      onlyPositive(c, 'huberLoss', 'delta', delta, 'above 0');
      return losses.weightedLoss(c.b, named('huberLoss', pair), weight, (x, y) => losses.bent(c.b, x, y, delta), true);
    },
  }),
  binaryCrossEntropy: row({
    ...smooth,
    modules: [
      {
        name: 'BCELoss',
        example: 'new nn.BCELoss()(tensor([0.5, 0.5]), tensor([0, 1])) // 0.6931…',
        settings: ['weight', 'reduction'],
      },
    ],
    summary: 'Binary cross-entropy of probabilities, for targets in [0, 1]: -(y · log x + (1 - y) · log(1 - x)).',
    details:
      'Logarithms are clamped to at least -100. See `binaryCrossEntropyWithLogits` for a form that is accurate for large inputs.',
    throws: ['WRONG_ARGUMENT'],
    differs:
      'Probabilities outside [0, 1] raise no error, because compiled programs cannot raise errors. At 0 and 1 the gradient of a clamped logarithm is 0; in PyTorch it is 1e12.',
    example: 'nn.functional.binaryCrossEntropy(tensor([0.5]), tensor([1])) // 0.6931…',
    params: { ...pair, weight: optional(tensor('a weight for each element; broadcasts')), reduction },
    uncompared: ['weight'],
    lower: (c, { weight, ...pair }) => {
      const { b } = c;
      const call = 'binaryCrossEntropy';
      losses.checkShape(b, call, pair.input, pair.target);
      return losses.pairLoss(b, { ...named(call, pair), rest: [weight] }, (x, y, [w]) =>
        weighted(b, call, losses.ofProbabilities(c, x, y), w),
      );
    },
  }),
  binaryCrossEntropyWithLogits: row({
    ...smooth,
    modules: [
      {
        name: 'BCEWithLogitsLoss',
        example: 'new nn.BCEWithLogitsLoss()(tensor([0, 0]), tensor([0, 1])) // 0.6931…',
        settings: ['weight', 'reduction', 'posWeight'],
      },
    ],
    summary: 'Binary cross-entropy of logits, for targets in [0, 1]: max(x, 0) - x · y + log(1 + exp(-|x|)).',
    details: 'The same as `binaryCrossEntropy` of `sigmoid(x)`, without overflow.',
    throws: ['WRONG_ARGUMENT'],
    example: 'nn.functional.binaryCrossEntropyWithLogits(tensor([0]), tensor([1])) // 0.6931…',
    params: {
      ...pair,
      weight: optional(tensor('a weight for each element; broadcasts')),
      reduction,
      posWeight: byName(optional(tensor('the weight of positive targets; broadcasts over the last dims'))),
    },
    uncompared: ['weight', 'posWeight'],
    lower: ({ b }, { weight, posWeight, ...pair }) => {
      const call = 'binaryCrossEntropyWithLogits';
      losses.checkShape(b, call, pair.input, pair.target);
      return losses.pairLoss(b, { ...named(call, pair), rest: [weight, posWeight] }, (x, y, rest) => {
        const positive = posWeight === undefined ? undefined : rest.at(-1);
        return weighted(b, call, losses.ofLogits(b, x, y, positive), weight === undefined ? undefined : rest[0]);
      });
    },
  }),
  softMarginLoss: row({
    ...smooth,
    modules: [
      {
        name: 'SoftMarginLoss',
        example: 'new nn.SoftMarginLoss()(tensor([0, 0]), tensor([-1, 1])) // 0.6931…',
        settings: ['reduction'],
      },
    ],
    summary: 'log(1 + exp(-y · x)), for targets 1 and -1.',
    details: broadcasts,
    example: 'nn.functional.softMarginLoss(tensor([0]), tensor([1])) // 0.6931…',
    params: { ...pair, reduction },
    uncompared: ['target'],
    lower: ({ b }, pair) => losses.pairLoss(b, named('softMarginLoss', pair), (x, y) => losses.softMargin(b, x, y)),
  }),
  hingeEmbeddingLoss: row({
    ...kinked,
    modules: [
      {
        name: 'HingeEmbeddingLoss',
        example: 'new nn.HingeEmbeddingLoss()(tensor([0.5, 0.25]), tensor([1, -1])) // 0.625',
        settings: ['margin', 'reduction'],
      },
    ],
    summary: 'x for targets 1, max(0, margin - x) for targets -1.',
    details: broadcasts,
    example: 'nn.functional.hingeEmbeddingLoss(tensor([0.25]), tensor([-1])) // 0.75',
    params: { ...pair, margin: optional(number('the margin for targets -1'), 1), reduction },
    lower: ({ b }, { margin, ...pair }) =>
      losses.pairLoss(b, named('hingeEmbeddingLoss', pair), (x, y) => losses.hinge(b, x, y, margin)),
  }),
  klDiv: row({
    ...smooth,
    modules: [
      {
        name: 'KLDivLoss',
        example: `const lossFn = new nn.KLDivLoss({ reduction: 'batchmean' });
lossFn(tensor([[0.5, 0.5]]).log(), tensor([[0.25, 0.75]])) // 0.1308…`,
        settings: ['reduction', 'logTarget'],
      },
    ],
    summary: 'target · (log target - input), for an input of log-probabilities.',
    details: `The Kullback-Leibler divergence with \`reduction\` batchmean. ${broadcasts}`,
    example: `const logProbabilities = tensor([[0.5, 0.5]]).log(), target = tensor([[0.25, 0.75]]);
nn.functional.klDiv(logProbabilities, target, { reduction: 'batchmean' }) // 0.1308…`,
    params: {
      ...pair,
      reduction: byName(
        optional(
          oneOf('how the losses are reduced of the elements; `batchmean` divides their sum by the first dim', [
            ...reductions,
            'batchmean',
          ]),
          'mean',
        ),
      ),
      logTarget: byName(optional(flag('whether the target is given as a logarithm'), false)),
    },
    lower: ({ b }, { input, target, reduction, logTarget }) => {
      const size = losses.firstSize(input);
      const byBatch = (each: Value): Value => {
        const total = b.sum(each);
        return b.multiply(total, b.like(total, 1 / size));
      };
      return losses.pairLoss(
        b,
        { call: 'klDiv', input, target, reduction: reduction === 'batchmean' ? byBatch : reduction },
        (x, y) => losses.divergence(b, x, y, logTarget),
      );
    },
  }),
  poissonNllLoss: row({
    ...smooth,
    modules: [
      {
        name: 'PoissonNLLLoss',
        example: 'new nn.PoissonNLLLoss()(tensor([0]), tensor([2])) // 1',
        settings: ['logInput', 'full', 'eps', 'reduction'],
      },
    ],
    summary: 'The negative log-likelihood of counts under Poisson distributions.',
    details: broadcasts,
    example: 'nn.functional.poissonNllLoss(tensor([0]), tensor([2])) // 1',
    params: {
      ...pair,
      logInput: optional(flag('whether the input is the logarithm of the rate'), true),
      full: optional(flag('whether to add Stirling’s approximation of the constant term'), false),
      eps: byName(optional(number('added to the rate before its logarithm is taken'), 1e-8)),
      reduction,
    },
    lower: ({ b }, { logInput, full, eps, ...pair }) =>
      losses.pairLoss(b, named('poissonNllLoss', pair), (x, y) => losses.poisson(b, x, y, { logInput, full, eps })),
  }),
  gaussianNllLoss: row({
    ...smooth,
    modules: [
      {
        name: 'GaussianNLLLoss',
        example: 'new nn.GaussianNLLLoss()(tensor([0]), tensor([2]), tensor([1])) // 2',
        settings: ['full', 'eps', 'reduction'],
      },
    ],
    summary: 'The negative log-likelihood of a target under normal distributions.',
    throws: ['SHAPE_MISMATCH', 'WRONG_ARGUMENT'],
    differs: 'Negative variances raise no error, because compiled programs cannot raise errors: they count as `eps`.',
    example: 'nn.functional.gaussianNllLoss(tensor([0]), tensor([2]), tensor([1])) // 2',
    params: {
      ...pair,
      variance: spelled('var', operand('the variance: for each element, for each row, or a number for all')),
      full: optional(flag('whether to add the constant term'), false),
      eps: optional(number('the smallest variance'), 1e-6),
      reduction: optional(oneOf('how the losses are reduced of the elements', reductions), 'mean'),
    },
    lower: (c, { variance, full, eps, ...pair }) => {
      const { b } = c;
      const given =
        typeof variance === 'object'
          ? losses.varianceFor(b, pair.input, variance)
          : b.fill('f32', [], Number(variance));
      return losses.pairLoss(b, { ...named('gaussianNllLoss', pair), rest: [given] }, (x, y, [v]) =>
        losses.gaussian(c, x, y, v!, { full, eps }),
      );
    },
  }),
});
