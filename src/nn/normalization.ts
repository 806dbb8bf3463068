// Normalisation as functions of tensors.
import { shapeOf, type Value } from '../hlo/program.ts';
import { checkOptionNames, lower, noGrad, record, type Tensor } from '../tensor/index.ts';
import { normalise, normaliseByRms, scaleAndShift, standardise } from './normalise.ts';
import { avgPool3d } from './pooling.ts';

/** The values of optional tensors among the inputs of a record. */
const present = (...tensors: readonly (Tensor | undefined)[]): Tensor[] => tensors.filter(t => t !== undefined);

/**
 * Normalised over the last dims, those of `shape`, then scaled by weight and shifted by bias, both of that shape.
 *
 *     layerNorm(x, [64], weight, bias)
 *
 * @throws {SHAPE_MISMATCH} where the last dims are others
 */
export function layerNorm(x: Tensor, shape: readonly number[], weight?: Tensor, bias?: Tensor, eps = 1e-5): Tensor {
  return record('layerNorm', present(x, weight, bias), (b, [v, ...rest]) => {
    checkLastDims(b, 'layerNorm', x, shape);
    const w = weight ? rest.shift() : undefined;
    return normalise(b, v!, shape.length, w, rest.shift(), eps);
  });
}
/**
 * x divided by the root of the mean of its squares over the last dims, those of `shape`, times weight. `eps` is that of the
 * data type by default, as in PyTorch.
 * @throws {SHAPE_MISMATCH} where the last dims are others
 */
export function rmsNorm(x: Tensor, shape: readonly number[], weight?: Tensor, eps?: number): Tensor {
  const { elementType: type } = x.type;
  const added = eps ?? (type === 'f64' ? 2 ** -52 : type === 'bf16' ? 2 ** -7 : type === 'f16' ? 2 ** -10 : 2 ** -23);
  return record('rmsNorm', present(x, weight), (b, [v, w]) => {
    checkLastDims(b, 'rmsNorm', x, shape);
    return normaliseByRms(b, v!, shape.length, w, added);
  });
}
function checkLastDims(
  b: Parameters<typeof lower.mismatch>[0],
  call: string,
  x: Tensor,
  shape: readonly number[],
): void {
  const from = x.shape.slice(x.ndim - shape.length);
  if (shape.length > x.ndim || shape.some((d, i) => d !== from[i]))
    throw lower.mismatch(b, call, x.shape, shape, 'the last dims of the input must be those of the layer');
}

/**
 * Normalised over each of `numGroups` groups of channels of x [N, C, …], then scaled and shifted by channel (Wu and He, 2018).
 * @throws {SHAPE_MISMATCH} where the groups do not divide the channels
 */
export function groupNorm(x: Tensor, numGroups: number, weight?: Tensor, bias?: Tensor, eps = 1e-5): Tensor {
  return record('groupNorm', present(x, weight, bias), (b, [v, ...rest]) => {
    const [n, c] = x.shape as [number, number];
    if (x.ndim < 2 || !Number.isInteger(numGroups) || numGroups < 1 || c % numGroups !== 0)
      throw lower.mismatch(b, 'groupNorm', x.shape, [numGroups], `the groups must divide the ${c} channels`);
    const w = weight ? rest.shift() : undefined;
    const shift = rest.shift();
    return lower.inFull(b, v!, wide => {
      const grouped = b.reshape(wide, [n, numGroups, x.numel() / Math.max(1, n * numGroups)]);
      const y = b.reshape(standardise(b, grouped, [2], eps), x.shape);
      return scaleAndShift(b, y, [1], w, shift);
    });
  });
}

/** Options of `batchNorm`. */
export interface BatchNormOptions {
  /** Normalises by the batch's statistics and moves the running ones; false by default. */
  readonly training?: boolean;
  /** The share of a new batch in the running statistics: 0.1 by default; a tensor of one number is read when the step runs. */
  readonly momentum?: number | Tensor;
  /** Added to the variance; 1e-5 by default. */
  readonly eps?: number;
}
/**
 * weight · (x - mean) / √(variance + eps) + bias for each channel of x [N, C, …]: with the mean and variance of the batch in
 * training or if there are no running statistics, else with the running ones, each [C]. In training, the running statistics are updated
 * from the batch, with the unbiased variance. Computed in f32 for low-precision floats, also under autocast.
 * @throws {SHAPE_MISMATCH} if the channels differ, or if there is only one value per channel in training
 * @throws {UNKNOWN_ARGUMENT}
 */
export function batchNorm(
  x: Tensor,
  runningMean?: Tensor,
  runningVar?: Tensor,
  weight?: Tensor,
  bias?: Tensor,
  options: BatchNormOptions = {},
): Tensor {
  checkOptionNames('batchNorm', options, ['training', 'momentum', 'eps']);
  const { training = false, momentum = 0.1, eps = 1e-5 } = options;
  const attributes = { epsilon: eps, featureIndex: 1 };
  const byBatch = training || runningMean === undefined || runningVar === undefined;
  /** [x, weight, bias] in the compute type, followed by other values. */
  const operands = (b: Parameters<typeof lower.mismatch>[0], wide: Value, rest: readonly Value[]): Value[] => {
    const type = lower.typeOf(wide);
    const list = rest.map(v => b.convert(v, type));
    const w = weight ? list.shift()! : b.fill(type, [x.shape[1]!], 1);
    const shift = bias ? list.shift()! : b.fill(type, [x.shape[1]!], 0);
    return [wide, w, shift, ...list];
  };
  const check = (b: Parameters<typeof lower.mismatch>[0]): void => {
    for (const one of present(weight, bias, runningMean, runningVar))
      if (x.ndim < 2 || one.ndim !== 1 || x.shape[1] !== one.shape[0])
        throw lower.mismatch(b, 'batchNorm', x.shape, one.shape, 'the second dim of the input is that of the layer');
    if (training && x.numel() <= x.shape[1]!)
      throw lower.mismatch(
        b,
        'batchNorm',
        x.shape,
        [x.shape[1]!],
        'training needs more than one value for each channel',
      );
  };
  if (!byBatch)
    return record('batchNorm', present(x, weight, bias, runningMean, runningVar), (b, [v, ...rest]) => {
      check(b);
      return lower.inWide(b, v!, wide => b.emit1('batch_norm_inference', operands(b, wide, rest), attributes));
    });
  const y = record('batchNorm', present(x, weight, bias), (b, [v, ...rest]) => {
    check(b);
    return lower.inWide(b, v!, wide => b.emit('batch_norm_training', operands(b, wide, rest), attributes)[0]!);
  });
  if (!training || runningMean === undefined || runningVar === undefined) return y;
  noGrad(() => {
    const count = x.numel() / x.shape[1]!;
    const share = typeof momentum === 'number' ? [] : [momentum];
    // Equal ops are one when compiled: the statistics are not computed again.
    const move = (running: Tensor, result: 1 | 2, scale: number): void => {
      const moved = record('batchNorm', present(running, ...share, x, weight, bias), (b, [r, ...values]) => {
        const factor = share.length > 0 ? values.shift()! : undefined;
        const [v, ...rest] = values;
        const statistic = b.emit('batch_norm_training', operands(b, lower.widen(b, v!), rest), attributes)[result]!;
        const batch = b.convert(statistic, lower.typeOf(r!));
        if (factor === undefined) {
          const part = momentum as number;
          return b.add(b.multiply(r!, b.like(r!, 1 - part)), b.multiply(batch, b.like(batch, part * scale)));
        }
        const part = lower.broadcastTo(b, b.convert(factor, lower.typeOf(r!)), shapeOf(r!));
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

/** Options of `instanceNorm`. */
export interface InstanceNormOptions {
  /** Normalises by the statistics of each instance (the default), else by the running ones. */
  readonly useInputStats?: boolean;
  readonly momentum?: number;
  readonly eps?: number;
}
/**
 * Normalised over the spatial dims of each channel of each instance: x [N, C, …]. Running statistics, if given, are
 * updated with the mean of those of the instances.
 * @throws {SHAPE_MISMATCH}
 * @throws {UNKNOWN_ARGUMENT}
 */
export function instanceNorm(
  x: Tensor,
  runningMean?: Tensor,
  runningVar?: Tensor,
  weight?: Tensor,
  bias?: Tensor,
  options: InstanceNormOptions = {},
): Tensor {
  checkOptionNames('instanceNorm', options, ['useInputStats', 'momentum', 'eps']);
  const { useInputStats = true, momentum = 0.1, eps = 1e-5 } = options;
  if (!useInputStats) return batchNorm(x, runningMean, runningVar, weight, bias, { eps });
  const over = x.shape.map((_, i) => i).slice(2);
  const y = record('instanceNorm', present(x, weight, bias), (b, [v, ...rest]) => {
    for (const one of present(weight, bias))
      if (x.ndim < 3 || one.ndim !== 1 || one.shape[0] !== x.shape[1])
        throw lower.mismatch(b, 'instanceNorm', x.shape, one.shape, 'the second dim of the input is that of the layer');
    if (x.ndim < 3 || x.shape.slice(2).reduce((n, d) => n * d, 1) <= 1)
      throw lower.mismatch(b, 'instanceNorm', x.shape, [1], 'each channel needs more than one element');
    const w = weight ? rest.shift() : undefined;
    const shift = rest.shift();
    return lower.inWide(b, v!, wide => scaleAndShift(b, standardise(b, wide, over, eps), [1], w, shift));
  });
  if (runningMean !== undefined && runningVar !== undefined)
    noGrad(() => {
      const mean = x.to(runningMean.dtype).mean(over).mean(0);
      const variance = x.to(runningVar.dtype).var(over).mean(0);
      runningMean.assign_(runningMean.mul(1 - momentum).add(mean.mul(momentum)));
      runningVar.assign_(runningVar.mul(1 - momentum).add(variance.mul(momentum)));
    });
  return y;
}

/** x / (k + alpha · the mean of squares over `size` neighbouring channels)^beta: x [N, C, …] (Krizhevsky et al., 2012). */
export function localResponseNorm(x: Tensor, size: number, alpha = 1e-4, beta = 0.75, k = 1): Tensor {
  const [n, c, ...rest] = x.shape as [number, number, ...number[]];
  const squares = x.square().reshape(
    n,
    1,
    c,
    rest.reduce((p, d) => p * d, 1),
    1,
  );
  const low = Math.floor(size / 2);
  const padded = record('localResponseNorm', [squares], (b, [v]) =>
    lower.pad(b, v!, [0, 0, low, 0, 0], [0, 0, size - 1 - low, 0, 0], 0),
  );
  const mean = avgPool3d(padded, [size, 1, 1], { stride: 1 }).reshape(x.shape);
  return x.div(mean.mul(alpha).add(k).pow(beta));
}

/** x / max(‖x‖ₚ, eps) along a dim. */
export function normalize(x: Tensor, p = 2, dim = 1, eps = 1e-12): Tensor {
  return x.div(x.norm(p, dim, true).clampMin(eps));
}
