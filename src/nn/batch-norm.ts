// Batch normalisation (Ioffe and Szegedy, 2015) over all dims but the second, with PyTorch's running statistics. The ops
// are the language's own: batch_norm_training and batch_norm_inference.
import { shapeOf, type Value } from '../hlo/program.ts';
import { lower, noGrad, record, type Tensor } from '../tensor/index.ts';

export interface BatchNormOptions {
  /** Normalises by the batch's statistics and moves the running ones; false by default. */
  readonly training?: boolean;
  /** The share of a new batch in the running statistics; 0.1 by default. */
  readonly momentum?: number;
  /** Added to the variance; 1e-5 by default. */
  readonly eps?: number;
}

/**
 * weight · (x - mean) / √(variance + eps) + bias for each channel of x [N, C, …]: the batch's mean and variance while
 * training, else the running ones, each [C]. While training these are moved towards the batch's, the variance of which
 * counts n - 1 of its n elements there.
 * @throws {SHAPE_MISMATCH} where the channels differ
 */
export function batchNorm(
  x: Tensor,
  runningMean: Tensor,
  runningVar: Tensor,
  weight: Tensor,
  bias: Tensor,
  options: BatchNormOptions = {},
): Tensor {
  const { training = false, momentum = 0.1, eps = 1e-5 } = options;
  const attributes = { epsilon: eps, featureIndex: 1 };
  if (!training) {
    return record('batchNorm', [x, weight, bias, runningMean, runningVar], (b, operands) => {
      check(b, x, operands[1]!);
      return b.emit1('batch_norm_inference', operands, attributes);
    });
  }
  const y = record('batchNorm', [x, weight, bias], (b, operands) => {
    check(b, x, operands[1]!);
    return b.emit('batch_norm_training', operands, attributes)[0]!;
  });
  noGrad(() => {
    const count = x.numel() / x.shape[1]!;
    // Equal ops are one when compiled: the statistics are not computed again.
    const move = (running: Tensor, result: 1 | 2, scale: number): void => {
      const moved = record('batchNorm', [running, x, weight, bias], (b, [r, ...operands]) => {
        const batch = b.emit('batch_norm_training', operands, attributes)[result]!;
        return b.add(b.multiply(r!, b.like(r!, 1 - momentum)), b.multiply(batch, b.like(batch, momentum * scale)));
      });
      running.assign_(moved);
    };
    move(runningMean, 1, 1);
    move(runningVar, 2, count > 1 ? count / (count - 1) : 1);
  });
  return y;
}

function check(b: Parameters<typeof lower.mismatch>[0], x: Tensor, weight: Value): void {
  const channels = shapeOf(weight);
  if (x.ndim < 2 || channels.length !== 1 || x.shape[1] !== channels[0])
    throw lower.mismatch(b, 'batchNorm', x.shape, channels, 'the second dim of the input is that of the layer');
}
