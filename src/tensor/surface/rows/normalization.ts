// Normalization.

import { shapeOf } from '../../../hlo/program.ts';
import { batchNorm, instanceNorm } from '../../functions/batch-norm.ts';
import { clamp, toFloat } from '../../lower/elementwise.ts';
import { vectorNorm } from '../../lower/linalg/norms.ts';
import { inWide, typeOf } from '../../lower/narrow.ts';
import * as lower from '../../lower/normalize.ts';
import { broadcastTo } from '../../lower/shapes.ts';
import { dim, flag, int, newShape, number, operand, optional, tensor } from '../params.ts';
import { group, row, runRow } from '../row.ts';

const facts = {
  forms: ['functional'],
  shape: 'the shape of the input',
  dtype: 'same',
  gradient: 'smooth',
  throws: ['SHAPE_MISMATCH'],
} as const;
const input = tensor('the tensor');
const shape = newShape('the last dims of the input, to normalize over');
const eps = optional(number('added to the variance'), 1e-5);
const perElement = optional(tensor('the scale, of that shape'));
const perChannel = optional(tensor('the scale of each channel, [C]'));
const channelShift = optional(tensor('the shift of each channel, [C]'));
const running = (of: string) => optional(tensor(`the running ${of} of each channel, [C]`));
/** The least difference from 1, like PyTorch's `eps` of `rms_norm`. */
const epsilons: Readonly<Record<string, number>> = { f64: 2 ** -52, bf16: 2 ** -7, f16: 2 ** -10 };

export const normalizationRows = group({
  layerNorm: row({
    ...facts,
    forms: ['functional', 'function'],
    torch: ['torch.nn.functional.layer_norm', 'torch.layer_norm'],
    summary: 'Normalizes over the last dims, then scales by weight and shifts by bias.',
    example: 'nn.functional.layerNorm(tensor([[1, 3], [2, 6]]), [2]) // [[-1, 1], [-1, 1]]',
    params: {
      input,
      normalizedShape: shape,
      weight: perElement,
      bias: optional(tensor('the shift, of that shape')),
      eps,
    },
    lower: ({ b }, { input, normalizedShape, weight, bias, eps }) => {
      lower.checkLastDims(b, 'layerNorm', input, normalizedShape, weight, bias);
      return lower.normalize(b, input, normalizedShape.length, weight, bias, eps);
    },
  }),
  rmsNorm: row({
    ...facts,
    forms: ['functional', 'function'],
    torch: ['torch.nn.functional.rms_norm', 'torch.rms_norm'],
    summary: 'x divided by its root mean square over the last dims, times weight.',
    details: 'Zhang and Sennrich, 2019.',
    example: 'nn.functional.rmsNorm(tensor([[3, 4]]), [2]) // [[0.8485…, 1.1313…]]',
    params: {
      input,
      normalizedShape: shape,
      weight: perElement,
      eps: { ...optional(number('added to the mean of squares')), fallbackText: 'the epsilon of the data type' },
    },
    lower: ({ b }, { input, normalizedShape, weight, eps }) => {
      lower.checkLastDims(b, 'rmsNorm', input, normalizedShape, weight);
      const added = eps ?? epsilons[typeOf(input)] ?? 2 ** -23;
      return lower.normalizeByRms(b, input, normalizedShape.length, weight, added);
    },
  }),
  groupNorm: row({
    ...facts,
    forms: ['functional', 'function'],
    torch: ['torch.nn.functional.group_norm', 'torch.group_norm'],
    summary: 'Normalizes over each group of channels of [N, C, …], then scales and shifts each channel.',
    details: 'Wu and He, 2018.',
    example: 'nn.functional.groupNorm(tensor([[[1], [3], [2], [6]]]), 2) // [[[-1], [1], [-1], [1]]]',
    params: {
      input,
      numGroups: int('the number of groups; must divide C'),
      weight: perChannel,
      bias: channelShift,
      eps,
    },
    lower: ({ b }, { input, numGroups, weight, bias, eps }) =>
      lower.normalizeGroups(b, input, numGroups, weight, bias, eps),
  }),
  batchNorm: runRow({
    ...facts,
    summary: 'weight · (x - mean) / √(variance + eps) + bias for each channel of [N, C, …].',
    details:
      'Uses the mean and variance of the batch during training, or if no running ones are given; otherwise the running ones. Training updates the running ones with those of the batch; that variance is unbiased.',
    example: `const running = [tensor([2, 20]), tensor([1, 100])] as const;
nn.functional.batchNorm(tensor([[1, 10], [3, 30]]), ...running) // [[-1, -1], [1, 1]]`,
    params: {
      input,
      runningMean: running('mean'),
      runningVar: running('variance'),
      weight: perChannel,
      bias: channelShift,
      training: optional(flag('whether to normalize by the batch and update the running statistics'), false),
      momentum: optional(operand('the weight of the batch in the update of the running statistics'), 0.1),
      eps,
    },
    uncompared: ['runningMean', 'runningVar'],
    run: (_maker, given) => batchNorm(given),
  }),
  instanceNorm: runRow({
    ...facts,
    summary: 'Normalizes over the spatial dims of each channel of each instance of [N, C, …].',
    details: 'Running statistics, if given, are updated with the mean of those of the instances.',
    example: 'nn.functional.instanceNorm(tensor([[[1, 3], [2, 6]]])) // [[[-1, 1], [-1, 1]]]',
    params: {
      input,
      runningMean: running('mean'),
      runningVar: running('variance'),
      weight: perChannel,
      bias: channelShift,
      useInputStats: optional(flag('whether to normalize by each instance, or by the running statistics'), true),
      momentum: optional(number('the weight of the batch in the update of the running statistics'), 0.1),
      eps,
    },
    uncompared: ['runningMean', 'runningVar'],
    run: (_maker, given) => instanceNorm(given),
  }),
  normalize: row({
    ...facts,
    dtype: 'float',
    summary: 'x / max(‖x‖ₚ, eps) along a dim.',
    throws: ['BAD_DIM'],
    example: 'nn.functional.normalize(tensor([[3, 4]])) // [[0.6, 0.8]]',
    params: {
      input,
      p: optional(number('the order of the norm'), 2),
      dim: optional(dim('the dim of the vectors'), 1),
      eps: optional(number('the smallest norm'), 1e-12),
    },
    lower: ({ b }, { input, p, dim, eps }) => {
      const least = clamp(b, vectorNorm(b, input, p, dim, true), eps, undefined);
      return inWide(b, toFloat(b, input), x => b.divide(x, broadcastTo(b, b.convert(least, typeOf(x)), shapeOf(x))));
    },
  }),
});
