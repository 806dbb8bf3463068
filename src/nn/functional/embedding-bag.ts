// Embedding bags: rows of a table, reduced bag by bag. The module is in embedding-bag-layer.ts.
import { arange, Tensor, wrongArgument, zeros } from '../../tensor/index.ts';
import { checkWord, type Settings, settle, wrongText } from '../../tensor/settings.ts';
import { embedding } from './embedding.ts';
import { checkTableOptions, type TableOptions } from './embedding-options.ts';

export const bagModes = ['sum', 'mean', 'max'] as const;
/** How the rows of a bag are reduced. */
export type BagMode = (typeof bagModes)[number];
/** Options of `embeddingBag`. */
export interface EmbeddingBagOptions extends TableOptions {
  /** How the rows of a bag are reduced: 'mean' by default. */
  readonly mode?: BagMode;
  /** A factor per index, with the shape of the indices; only with mode 'sum'. */
  readonly perSampleWeights?: Tensor | undefined;
  /** The last offset is the number of indices and does not start a bag. */
  readonly includeLastOffset?: boolean;
  /** The row with this index is ignored in its bag, and not trained. */
  readonly paddingIdx?: number | undefined;
  /** The same as `paddingIdx`. */
  readonly paddingIndex?: number | undefined;
}
const bagOrder = [
  'maxNorm',
  'normType',
  'scaleGradByFreq',
  'mode',
  'sparse',
  'perSampleWeights',
  'includeLastOffset',
  'paddingIdx',
] as const;

/**
 * The rows of `weight` [n, width] at the indices, reduced bag by bag: [bags, width]. Indices [bags, size] are bags of equal
 * size; of indices [count], bag i starts at `offsets[i]` [bags]. An empty bag gives zeros.
 *
 *     functional.embeddingBag(tensor([0, 2, 1], { dtype: 'i64' }), weight, tensor([0, 2], { dtype: 'i64' }), { mode: 'sum' })
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {INDEX_OUT_OF_RANGE} when something is read, for indices outside of [0, n)
 * @example
 * const ids = tensor([[0, 1]], { dtype: 'int64' });
 * nn.functional.embeddingBag(ids, tensor([[1, 2], [3, 4]]), undefined, { mode: 'sum' }) // [[4, 6]]
 */
export function embeddingBag(
  index: Tensor,
  weight: Tensor,
  offsets?: Tensor | null,
  ...rest: Settings<EmbeddingBagOptions, typeof bagOrder>
): Tensor {
  const call = 'embeddingBag';
  const options = settle<EmbeddingBagOptions>(call, bagOrder, rest, ['paddingIndex']);
  const { perSampleWeights, includeLastOffset = false, paddingIdx: paddingIndex = options.paddingIndex } = options;
  const mode = checkWord(call, 'mode', options.mode ?? 'mean', bagModes);
  checkTableOptions(call, options);
  const { maxNorm, normType = 2, scaleGradByFreq = false } = options;
  if (scaleGradByFreq && mode === 'max')
    throw wrongArgument({ call, argument: 'scaleGradByFreq' }, scaleGradByFreq, "false, with mode 'max'");
  if (index.ndim !== 1 && index.ndim !== 2)
    throw wrongText({ call, argument: 'the indices' }, `[${index.shape}]`, '[bags, size], or [count] with offsets');
  if ((index.ndim === 1) !== offsets instanceof Tensor)
    throw wrongArgument(
      { call, argument: 'the offsets' },
      offsets,
      index.ndim === 1 ? 'a tensor [bags], for indices [count]' : 'nothing, for indices [bags, size]',
    );
  if (offsets != null && offsets.ndim !== 1)
    throw wrongText({ call, argument: 'the offsets' }, `[${offsets.shape}]`, '[bags]');
  if (perSampleWeights !== undefined) {
    if (mode !== 'sum')
      throw wrongArgument({ call, argument: 'perSampleWeights' }, perSampleWeights, `nothing, with mode '${mode}'`);
    if (String(perSampleWeights.shape) !== String(index.shape))
      throw wrongText({ call, argument: 'perSampleWeights' }, `[${perSampleWeights.shape}]`, `[${index.shape}]`);
  }
  const [rows, width] = weight.shape as [number, number];
  const padding = paddingIndex !== undefined && paddingIndex < 0 ? paddingIndex + rows : paddingIndex;
  const flat = index.reshape([index.numel()]);
  let vectors = embedding(flat, weight, { paddingIndex: padding, maxNorm, normType, scaleGradByFreq });
  if (perSampleWeights !== undefined) vectors = vectors.mul(perSampleWeights.reshape([flat.shape[0]!, 1]));
  const [bags, bagOf] = offsets == null ? evenBags(index) : bagsAt(index, offsets, includeLastOffset);
  // Indices without a bag go into an additional one, which is dropped.
  const target = padding === undefined ? bagOf : bagOf.where(flat.ne(padding), bags);
  const empty = zeros([bags + 1, width], { dtype: vectors.dtype, device: weight.device });
  const drop = (x: Tensor): Tensor => x.narrow(0, 0, bags);
  if (mode === 'max') {
    const wide = target.unsqueeze(1).expand([flat.shape[0]!, width]);
    return drop(empty.scatterReduce(0, wide, vectors, 'amax', { includeSelf: false }));
  }
  const sums = drop(empty.indexAdd(0, target, vectors));
  if (mode === 'sum') return sums;
  const ones = zeros([flat.shape[0]!], { dtype: vectors.dtype, device: weight.device }).add(1);
  const counts = zeros([bags + 1], { dtype: vectors.dtype, device: weight.device }).indexAdd(0, target, ones);
  return sums.div(drop(counts).clamp(1).unsqueeze(1));
}
/** The number of bags, and the bag of each index. */
function evenBags(index: Tensor): readonly [number, Tensor] {
  const [bags, size] = index.shape as [number, number];
  const of = arange(0, bags, 1, { dtype: 'i64', device: index.device });
  return [
    bags,
    of
      .unsqueeze(1)
      .expand([bags, size])
      .reshape([bags * size]),
  ];
}
function bagsAt(index: Tensor, offsets: Tensor, includesLast: boolean): readonly [number, Tensor] {
  const count = index.shape[0]!;
  const bags = offsets.shape[0]! - (includesLast ? 1 : 0);
  const at = arange(0, count, 1, { dtype: 'i64', device: index.device }).unsqueeze(1);
  return [bags, at.ge(offsets.to('i64').unsqueeze(0)).to('i64').sum(1).sub(1)];
}
