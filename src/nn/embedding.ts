// Rows of a table by index.
import { shapeOf } from '../hlo/program.ts';
import { checkIndices, lower, record, type Tensor } from '../tensor/index.ts';

/**
 * The rows of weight [n, width] that the indices name: [...] → [..., width]. The row `paddingIndex` gets no gradient.
 * @throws {INDEX_OUT_OF_RANGE} when something is read, for indices outside of [0, n)
 */
export function embedding(
  index: Tensor,
  weight: Tensor,
  options: { readonly paddingIndex?: number | undefined } = {},
): Tensor {
  const { paddingIndex } = options;
  return record('embedding', [weight, index], (b, [w, i], trace) => {
    const rows = lower.indexSelect(b, 'embedding', w!, 0, i!);
    checkIndices(b, trace, { op: 'embedding', index: i!, dim: 0, size: weight.shape[0]! }, rows);
    if (paddingIndex === undefined || !weight.requiresGrad) return rows;
    const frozen = b.reshape(rows, shapeOf(rows));
    trace.stopped.add(frozen);
    const isPadding = b.compare('EQ', i!, b.like(i!, paddingIndex));
    const mask = b.broadcastInDim(
      isPadding,
      shapeOf(i!).map((_, d) => d),
      shapeOf(rows),
    );
    return b.select(mask, frozen, rows);
  });
}
