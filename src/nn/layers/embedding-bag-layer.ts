// Embedding bags as a module: rows of a table, reduced bag by bag.
import { checkCount, type Tensor } from '../../tensor/index.ts';
import { checkWord, requiredFirst, type Settings, settle } from '../../tensor/settings.ts';
import { type BagMode, bagModes, embeddingBag } from '../functional/embedding-bag.ts';
import { checkTableOptions, type TableOptions, type TableSizes, tableSizes } from '../functional/embedding-options.ts';
import * as init from '../init.ts';
import { Module } from '../module/module.ts';
import { python } from '../module/module-text.ts';
import { Parameter } from '../module/parameter.ts';
import { checkTable, paddingIndexOf, tableText } from './embedding-layer.ts';

/** Settings of `EmbeddingBag`. */
export interface EmbeddingBagSettings extends TableOptions {
  /** How the rows of a bag are reduced: 'mean' by default. */
  readonly mode?: BagMode;
  /** The last offset is the number of indices and does not start a bag. */
  readonly includeLastOffset?: boolean;
  /** The row with this index is ignored in its bag, and not trained. */
  readonly paddingIdx?: number | undefined;
  /** The same as `paddingIdx`. */
  readonly paddingIndex?: number | undefined;
}
const bagOrder = ['maxNorm', 'normType', 'scaleGradByFreq', 'mode', 'sparse'] as const;
const bagNames = ['includeLastOffset', 'paddingIdx', 'paddingIndex'] as const;
/** The options of `EmbeddingBag.fromPretrained`. */
export interface PretrainedBagSettings extends EmbeddingBagSettings {
  /** The table is not trained; true by default. */
  readonly freeze?: boolean;
}

/**
 * A table of vectors that are reduced bag by bag (sum, mean or max): indices [bags, size], or [count] with
 * offsets [bags] → [bags, width].
 *
 *     const bag = new EmbeddingBag(10, 3, { mode: 'sum' });
 *     bag(tensor([1, 2, 4, 5], { dtype: 'i64' }), tensor([0, 2], { dtype: 'i64' }))      // two bags: [2, 3]
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @example
 * const bag = new nn.EmbeddingBag(10, 4, { mode: 'sum' });
 * bag(tensor([[1, 2, 4], [4, 3, 9]], { dtype: 'int64' })).shape // [2, 4]
 */
export class EmbeddingBag extends Module {
  /** The number of rows. */
  readonly numEmbeddings: number;
  /** The size of a row. */
  readonly embeddingDim: number;
  /** How the rows of a bag are combined. */
  readonly mode: BagMode;
  /** Whether the last offset is the number of indices. */
  readonly includeLastOffset: boolean;
  /** The row that gets no gradient; undefined for none. */
  readonly paddingIndex: number | undefined;
  /** Rows with a larger norm are scaled down to it; undefined for none. */
  readonly maxNorm: number | undefined;
  /** The order of the norm. */
  readonly normType: number;
  /** Whether the gradient of a row is divided by the number of its occurrences in the batch. */
  readonly scaleGradByFreq: boolean;
  /** [count, width] */
  weight: Parameter;
  constructor(options: TableSizes & EmbeddingBagSettings);
  constructor(numEmbeddings: number, embeddingDim: number, ...rest: Settings<EmbeddingBagSettings, typeof bagOrder>);
  constructor(...args: readonly unknown[]) {
    super();
    const call = 'EmbeddingBag';
    const [count, width, ...rest] = requiredFirst(tableSizes, args) as [number, number, ...unknown[]];
    const given = settle<EmbeddingBagSettings>(call, bagOrder, rest, bagNames);
    checkCount(call, 'the number of vectors', count);
    checkCount(call, 'the width', width);
    checkTableOptions(call, given);
    this.numEmbeddings = count;
    this.embeddingDim = width;
    this.mode = checkWord(call, 'mode', given.mode ?? 'mean', bagModes);
    this.includeLastOffset = given.includeLastOffset ?? false;
    this.paddingIndex = paddingIndexOf(call, given, count);
    this.maxNorm = given.maxNorm;
    this.normType = given.normType ?? 2;
    this.scaleGradByFreq = given.scaleGradByFreq ?? false;
    this.weight = new Parameter(init.table([count, width], 1, this.paddingIndex), { fresh: true });
  }
  /**
   * An embedding bag with these vectors [count, width], which are not trained unless `freeze` is false.
   *
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  static fromPretrained(
    embeddings: Tensor,
    ...rest: Settings<PretrainedBagSettings, readonly ['freeze', ...typeof bagOrder]>
  ): EmbeddingBag {
    const call = 'EmbeddingBag.fromPretrained';
    const { freeze = true, ...settings } = settle<PretrainedBagSettings>(call, ['freeze', ...bagOrder], rest, bagNames);
    const [count, width] = checkTable(call, embeddings).shape as [number, number];
    const made = init.skipInit(() => new EmbeddingBag(count, width, settings));
    made.weight = new Parameter(embeddings, { requiresGrad: !freeze });
    return made;
  }
  override forward(index: Tensor, offsets?: Tensor, perSampleWeights?: Tensor): Tensor {
    const { mode, includeLastOffset, paddingIndex, maxNorm, normType, scaleGradByFreq } = this;
    const options = { mode, includeLastOffset, paddingIndex, maxNorm, normType, scaleGradByFreq, perSampleWeights };
    return embeddingBag(index, this.weight, offsets, options);
  }
  protected override extraRepr(): string {
    const padding = this.paddingIndex === undefined ? '' : `, padding_idx=${this.paddingIndex}`;
    return `${this.numEmbeddings}, ${this.embeddingDim}${tableText(this)}, mode=${python(this.mode)}${padding}`;
  }
}
