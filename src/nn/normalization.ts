// Local response normalization; other norms are rows of the tensor-surface table.

import { avgPool3d } from '../tensor/generated/functional.ts';
import { lower, record, type Tensor } from '../tensor/index.ts';

/**
 * x / (k + alpha · the mean of squares over `size` neighboring channels)^beta: x [N, C, …] (Krizhevsky et al., 2012).
 * @example
 * nn.functional.localResponseNorm(ones(1, 4, 3, 3), 2).shape // [1, 4, 3, 3]
 */
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
