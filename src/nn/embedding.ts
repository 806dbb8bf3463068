// Rows of a table by index.
import { TrenioError } from '../base/errors.ts';
import { shapeOf } from '../hlo/program.ts';
import { isFloat } from '../hlo/types.ts';
import { checkIndices, lower, record, type Tensor, userLocation } from '../tensor/index.ts';

/**
 * The rows of weight [n, width] that the indices name: [...] → [..., width]. The row `paddingIndex` gets no gradient.
 * @throws {TOKEN_ID_OUT_OF_RANGE} for indices that are on the host already and outside [0, n)
 */
export function embedding(
  index: Tensor,
  weight: Tensor,
  options: { readonly paddingIndex?: number | undefined } = {},
): Tensor {
  checkUploaded(index, weight.shape[0]!);
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
/** Indices that were uploaded (and not computed) are checked here, where the line that used them can be named. */
function checkUploaded(index: Tensor, size: number): void {
  const { buffer } = index;
  if (buffer === undefined || !buffer.isReady || isFloat(index.dtype) || index.isExample) return;
  const { data } = index.literal();
  for (let i = 0; i < data.length; i++) {
    const id = Number(data[i]);
    if (id < 0 || id >= size)
      throw new TrenioError('TOKEN_ID_OUT_OF_RANGE', { id, vocabularySize: size }, { location: userLocation() });
  }
}
