// Local response normalization; other norms are rows of the tensor-surface table.

import { avgPool3d } from '../../tensor/generated/functional.ts';
import { checkCount, lower, record, type Settings, settle, type Tensor } from '../../tensor/index.ts';

/** Options of `localResponseNorm`. */
export interface ResponseNormOptions {
  /** The factor of the mean of squares; 1e-4 by default. */
  readonly alpha?: number;
  /** The exponent; 0.75 by default. */
  readonly beta?: number;
  /** The term that is added; 1 by default. */
  readonly k?: number;
}

/**
 * x / (k + alpha · the mean of squares over `size` neighboring channels)^beta: x [N, C, …] (Krizhevsky et al., 2012).
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * nn.functional.localResponseNorm(ones(1, 4, 3, 3), 2).shape // [1, 4, 3, 3]
 */
export function localResponseNorm(
  x: Tensor,
  size: number,
  ...rest: Settings<ResponseNormOptions, ['alpha', 'beta', 'k']>
): Tensor {
  const call = 'localResponseNorm';
  checkCount(call, 'size', size);
  const { alpha = 1e-4, beta = 0.75, k = 1 } = settle<ResponseNormOptions>(call, ['alpha', 'beta', 'k'], rest);
  const [n, c, ...spatial] = x.shape as [number, number, ...number[]];
  const squares = x.square().reshape(
    n,
    1,
    c,
    spatial.reduce((p, d) => p * d, 1),
    1,
  );
  const low = Math.floor(size / 2);
  const padded = record('localResponseNorm', [squares], (b, [v]) =>
    lower.pad(b, v!, [0, 0, low, 0, 0], [0, 0, size - 1 - low, 0, 0], 0),
  );
  const mean = avgPool3d(padded, [size, 1, 1], { stride: 1 }).reshape(x.shape);
  return x.div(mean.mul(alpha).add(k).pow(beta));
}
