// Rows of a table by index.
import { shapeOf } from '../../hlo/program.ts';
import { checkIndices, lower, record, type Settings, settle, type Tensor } from '../../tensor/index.ts';
import {
  checkTableOptions,
  limitRows,
  scaledByFrequency,
  type TableOptions,
  tableOptionNames,
} from './embedding-options.ts';

/** Options of `embedding`. */
export interface EmbeddingOptions extends TableOptions {
  /** The row with this index gets no gradient. */
  readonly paddingIdx?: number | undefined;
  /** The same as `paddingIdx`. */
  readonly paddingIndex?: number | undefined;
}

/**
 * The rows of weight [n, width] at the indices: [...] → [..., width]. The row `paddingIdx` gets no gradient.
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {INDEX_OUT_OF_RANGE} when something is read, for indices outside of [0, n)
 * @example
 * nn.functional.embedding(tensor([1, 0], { dtype: 'int64' }), tensor([[1, 2], [3, 4]])) // [[3, 4], [1, 2]]
 */
export function embedding(
  index: Tensor,
  weight: Tensor,
  ...rest: Settings<EmbeddingOptions, ['paddingIdx', ...typeof tableOptionNames]>
): Tensor {
  const order = ['paddingIdx', ...tableOptionNames] as const;
  const options = settle<EmbeddingOptions>('embedding', order, rest, ['paddingIndex']);
  checkTableOptions('embedding', options);
  const size = weight.shape[0]!;
  const { maxNorm, normType = 2, scaleGradByFreq = false, paddingIndex, paddingIdx: given = paddingIndex } = options;
  const padding = given !== undefined && given < 0 ? given + size : given;
  if (maxNorm !== undefined) limitRows(weight, index, maxNorm, normType);
  const rows = lookUp(index, weight, padding);
  return scaleGradByFreq && weight.requiresGrad ? scaledByFrequency(rows, index, size) : rows;
}
const lookUp = (index: Tensor, weight: Tensor, paddingIndex: number | undefined): Tensor =>
  record('embedding', [weight, index], (b, [w, i], trace) => {
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
