// Normalization that updates running statistics. It consists of several calls, because the statistics are tensors of the
// caller that are assigned.
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { noGrad } from '../gradients/grad-mode.ts';
import type { Scalar } from '../lower/elementwise.ts';
import { inWide, typeOf, widen } from '../lower/narrow.ts';
import { movedStatistic, normalizeInstances } from '../lower/normalize.ts';
import { broadcastTo, mismatch } from '../lower/shapes.ts';
import { record } from '../record.ts';
import type { Traced } from '../traced.ts';

export interface Normalized {
  readonly input: Traced;
  readonly runningMean: Traced | undefined;
  readonly runningVar: Traced | undefined;
  readonly weight: Traced | undefined;
  readonly bias: Traced | undefined;
  readonly eps: number;
}
export interface BatchNorm extends Normalized {
  readonly training: boolean;
  /** The weight of a new batch in the running statistics; a tensor of one number is read when the step runs. */
  readonly momentum: Traced | Scalar;
}
/** The values of optional tensors among the inputs of a record. */
const present = (...tensors: readonly (Traced | undefined)[]): Traced[] => tensors.filter(t => t !== undefined);

/**
 * weight · (x - mean) / √(variance + eps) + bias for each channel of x [N, C, …]: with the statistics of the batch during
 * training or if no running ones are given, else with the running ones.
 */
export function batchNorm({
  input: x,
  runningMean,
  runningVar,
  weight,
  bias,
  training,
  momentum,
  eps,
}: BatchNorm): Traced {
  const attributes = { epsilon: eps, featureIndex: 1 };
  const byBatch = training || runningMean === undefined || runningVar === undefined;
  const channels = x.shape[1]!;
  /** [x, weight, bias] in the type that is computed in, then the other values. */
  const operands = (b: Builder, wide: Value, rest: readonly Value[]): Value[] => {
    const type = typeOf(wide);
    const list = rest.map(v => b.convert(v, type));
    const w = weight ? list.shift()! : b.fill(type, [channels], 1);
    const shift = bias ? list.shift()! : b.fill(type, [channels], 0);
    return [wide, w, shift, ...list];
  };
  const check = (b: Builder): void => {
    if (x.ndim < 2) throw mismatch(b, 'batchNorm', x.shape, [], 'the input is [N, C, …]');
    for (const one of present(weight, bias, runningMean, runningVar))
      if (one.ndim !== 1 || channels !== one.shape[0])
        throw mismatch(b, 'batchNorm', x.shape, one.shape, 'the second dim of the input is that of the layer');
    if (training && x.numel() <= channels)
      throw mismatch(b, 'batchNorm', x.shape, [channels], 'training needs more than one value for each channel');
  };
  if (!byBatch)
    return record('batchNorm', present(x, weight, bias, runningMean, runningVar), (b, [v, ...rest]) => {
      check(b);
      return inWide(b, v!, wide => b.emit1('batch_norm_inference', operands(b, wide, rest), attributes));
    });
  const y = record('batchNorm', present(x, weight, bias), (b, [v, ...rest]) => {
    check(b);
    return inWide(b, v!, wide => b.emit('batch_norm_training', operands(b, wide, rest), attributes)[0]!);
  });
  if (!training || runningMean === undefined || runningVar === undefined) return y;
  noGrad(() => {
    const count = x.numel() / channels;
    const share = typeof momentum === 'object' ? [momentum] : [];
    // Equal ops are merged when compiled, so the statistics are not computed twice.
    const move = (running: Traced, result: 1 | 2, scale: number): void => {
      const moved = record('batchNorm', present(running, ...share, x, weight, bias), (b, [r, ...values]) => {
        const factor = share.length > 0 ? values.shift()! : undefined;
        const [v, ...rest] = values;
        const statistic = b.emit('batch_norm_training', operands(b, widen(b, v!), rest), attributes)[result]!;
        const batch = b.convert(statistic, typeOf(r!));
        if (factor === undefined) {
          const part = Number(momentum);
          return b.add(b.multiply(r!, b.like(r!, 1 - part)), b.multiply(batch, b.like(batch, part * scale)));
        }
        const part = broadcastTo(b, b.convert(factor, typeOf(r!)), shapeOf(r!));
        const target = b.multiply(batch, b.like(batch, scale));
        return b.add(r!, b.multiply(part, b.subtract(target, r!)));
      });
      running.assign_(moved);
    };
    move(runningMean, 1, 1);
    move(runningVar, 2, count > 1 ? count / (count - 1) : 1);
  });
  return y;
}

export interface InstanceNorm extends Normalized {
  readonly useInputStats: boolean;
  readonly momentum: number;
}
/** With the statistics of each instance, or (`useInputStats` false) with the running ones. */
export function instanceNorm(given: InstanceNorm): Traced {
  const { input: x, runningMean, runningVar, weight, bias, useInputStats, momentum, eps } = given;
  if (!useInputStats) return batchNorm({ ...given, training: false, momentum: 0 });
  const y = record('instanceNorm', present(x, weight, bias), (b, [v, ...rest]) => {
    const w = weight ? rest.shift() : undefined;
    return normalizeInstances(b, v!, w, rest.shift(), eps);
  });
  if (runningMean !== undefined && runningVar !== undefined)
    noGrad(() => {
      for (const [running, which] of [
        [runningMean, 'mean'],
        [runningVar, 'variance'],
      ] as const)
        running.assign_(
          record('instanceNorm', [running, x], (b, [r, v]) => movedStatistic(b, v!, r!, which, momentum)),
        );
    });
  return y;
}
