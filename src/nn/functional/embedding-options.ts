// Options of embeddings beyond the lookup: rows renormalized to a maximum norm, gradients divided by the frequency of a row.
import { noGrad, ones, type Tensor, wrongArgument, zeros } from '../../tensor/index.ts';

/** Options that `Embedding` and `EmbeddingBag` share. */
export interface TableOptions {
  /** Rows that are looked up and whose norm is larger are scaled back to it, in the table itself. */
  readonly maxNorm?: number | undefined;
  /** p of the norm for `maxNorm`; 2 by default. */
  readonly normType?: number;
  /** Divides the gradient of a row by the number of its lookups in the batch; false by default. */
  readonly scaleGradByFreq?: boolean;
  /** Not supported: gradients are dense. */
  readonly sparse?: false;
}
/** The sizes of `Embedding` and `EmbeddingBag`, by name. */
export interface TableSizes {
  /** The number of rows. */
  readonly numEmbeddings: number;
  /** The size of a row. */
  readonly embeddingDim: number;
}
export const tableSizes = ['numEmbeddings', 'embeddingDim'] as const;
export const tableOptionNames = ['maxNorm', 'normType', 'scaleGradByFreq', 'sparse'] as const;

/** @throws {WRONG_ARGUMENT} */
export function checkTableOptions(call: string, options: TableOptions): void {
  const { maxNorm, normType = 2, scaleGradByFreq = false, sparse = false } = options;
  if (maxNorm !== undefined && !(maxNorm > 0))
    throw wrongArgument({ call, argument: 'maxNorm' }, maxNorm, 'a number above 0');
  if (!(normType > 0)) throw wrongArgument({ call, argument: 'normType' }, normType, 'a number above 0, or Infinity');
  if (typeof scaleGradByFreq !== 'boolean')
    throw wrongArgument({ call, argument: 'scaleGradByFreq' }, scaleGradByFreq, 'a boolean');
  if (sparse !== false)
    throw wrongArgument(
      { call, argument: 'sparse' },
      sparse,
      'false',
      'leave it out: gradients are dense, and every optimizer takes them',
    );
}

/** Scales the rows that are looked up back to `maxNorm`, in place and without gradients. */
export function limitRows(weight: Tensor, index: Tensor, maxNorm: number, normType: number): void {
  noGrad(() => {
    const table = weight.detach();
    const given = { dtype: table.dtype, device: table.device };
    const count = index.numel();
    const uses = zeros([table.shape[0]!], given).indexAdd(0, index.reshape([count]), ones([count], given));
    const norms = table.norm(normType, 1, true);
    const isLong = uses.gt(0).unsqueeze(1).logicalAnd(norms.gt(maxNorm));
    weight.copy_(table.mul(norms.add(1e-7).reciprocal().mul(maxNorm)).where(isLong, table));
  });
}

/** Rows [..., width] unchanged, their gradients divided by the number of occurrences of each index [...]. */
export function scaledByFrequency(rows: Tensor, index: Tensor, size: number): Tensor {
  const given = { dtype: rows.dtype, device: rows.device };
  const flat = index.reshape([index.numel()]);
  const uses = zeros([size], given).indexAdd(0, flat, ones(flat.shape, given));
  const share = uses
    .indexSelect(0, flat)
    .reciprocal()
    .reshape([...index.shape, 1]);
  const scaled = rows.mul(share);
  return rows.detach().add(scaled.sub(scaled.detach()));
}
