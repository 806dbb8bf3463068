// Gradient clipping by norm.
import type { Value } from '../hlo/program.ts';
import { atOneLocation, record, type Tensor, userLocation } from '../tensor/index.ts';
import { checkSetting } from './optimizer.ts';

/**
 * Scales all gradients so that their common Euclidean norm is at most `maxNorm`, and returns the norm they had.
 * Parameters without gradients do not count.
 */
export function clipGradNorm(parameters: Iterable<Tensor>, maxNorm: number): Tensor {
  checkSetting('clipGradNorm', 'maxNorm', maxNorm, maxNorm > 0, 'a number above 0');
  const grads = [...parameters].flatMap(parameter => (parameter.grad === undefined ? [] : [parameter.grad]));
  return atOneLocation(() => {
    const norm = record('clipGradNorm', grads, (b, values) => {
      const squares = values.map(v => b.convert(b.sum(b.multiply(v, v)), 'f32'));
      return b.unary(
        'sqrt',
        squares.reduce((total: Value, square) => b.add(total, square)),
      );
    });
    const { device } = norm;
    const b = device.trace.builder;
    b.location = userLocation();
    const total = device.valueOf(norm);
    const ratio = b.divide(b.like(total, maxNorm), b.add(total, b.like(total, 1e-6)));
    const factor = b.minimum(ratio, b.like(total, 1));
    for (const grad of grads) {
      const wide = b.broadcastInDim(b.convert(factor, grad.dtype), [], grad.shape);
      grad.bind(b.multiply(device.valueOf(grad), wide));
    }
    return norm;
  });
}
