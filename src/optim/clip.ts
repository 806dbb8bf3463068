// Gradient clipping by norm.
import { shapeOf, tensorTypeOf, type Value } from '../hlo/program.ts';
import { atOneLocation, lower, record, type Tensor, userLocation } from '../tensor/index.ts';
import { checkParameters, checkSetting, recordUpdate } from './optimizer.ts';

/**
 * Scales all gradients so that their common Euclidean norm is at most `maxNorm`, and returns the norm they had.
 * Parameters without gradients do not count.
 */
export function clipGradNorm(parameters: Iterable<Tensor>, maxNorm: number): Tensor {
  checkSetting('clipGradNorm', 'maxNorm', maxNorm, maxNorm > 0, 'a number above 0');
  checkParameters('clipGradNorm', parameters);
  const all = [...parameters];
  return atOneLocation(() => recordUpdate(all, () => clipped(all, maxNorm)));
}

function clipped(parameters: readonly Tensor[], maxNorm: number): Tensor {
  const grads = parameters.flatMap(({ grad }) => (grad === undefined ? [] : [grad]));
  const norm = record('clipGradNorm', grads, (b, values) => {
    // f16 does not have the squares of 1e-4 and 1e3
    const squares = values.map(v => {
      const x = lower.widen(b, v);
      const square = b.multiply(x, x);
      // Row by row, so that they are added up where a multiply makes the rows, and nothing goes through the gradient again.
      const rows = shapeOf(x).length > 1 ? b.sum(square, [shapeOf(x).length - 1]) : square;
      return b.convert(b.sum(rows), 'f32');
    });
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
    const scaled = lower.inWide(b, device.valueOf(grad), x =>
      b.multiply(x, b.broadcastInDim(b.convert(factor, tensorTypeOf(x).elementType), [], grad.shape)),
    );
    grad.bind(scaled);
  }
  return norm;
}
