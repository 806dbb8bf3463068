// An embedding table as a module; embedding bags are in embedding-bag-layer.ts.
import { checkCount, Tensor, wrongArgument } from '../../tensor/index.ts';
import { requiredFirst, type Settings, settle } from '../../tensor/settings.ts';
import { embedding } from '../functional/embedding.ts';
import {
  checkTableOptions,
  type TableOptions,
  type TableSizes,
  tableOptionNames,
  tableSizes,
} from '../functional/embedding-options.ts';
import * as init from '../init.ts';
import { Module } from '../module/module.ts';
import { python } from '../module/module-text.ts';
import { Parameter } from '../module/parameter.ts';

/** Settings of `Embedding`. */
export interface EmbeddingSettings extends TableOptions {
  /** The row with this index starts as zeros and is not trained. */
  readonly paddingIdx?: number | undefined;
  /** The same as `paddingIdx`. */
  readonly paddingIndex?: number | undefined;
  /** The standard deviation of the initial values; 1 by default. */
  readonly std?: number;
}
const embeddingOrder = ['paddingIdx', ...tableOptionNames] as const;
/** The options of `Embedding.fromPretrained`. */
export interface PretrainedSettings extends Omit<EmbeddingSettings, 'std'> {
  /** The table is not trained; true by default. */
  readonly freeze?: boolean;
}

/** The index of the row for padding, where negative ones count from the end. @throws {WRONG_ARGUMENT} */
export function paddingIndexOf(
  call: string,
  given: Pick<EmbeddingSettings, 'paddingIdx' | 'paddingIndex'>,
  count: number,
): number | undefined {
  const paddingIndex = given.paddingIdx ?? given.paddingIndex;
  if (paddingIndex === undefined) return undefined;
  if (!(Number.isInteger(paddingIndex) && paddingIndex >= -count && paddingIndex < count))
    throw wrongArgument({ call, argument: 'paddingIdx' }, paddingIndex, `an index of one of the ${count} vectors`);
  return paddingIndex < 0 ? paddingIndex + count : paddingIndex;
}
/** A given table [count, width]. @throws {WRONG_ARGUMENT} */
export function checkTable(call: string, table: unknown): Tensor {
  if (!(table instanceof Tensor) || table.ndim !== 2)
    throw wrongArgument({ call, argument: 'the embeddings' }, table, 'a tensor [count, width]');
  return table;
}

/** The printed form of `maxNorm` and related options. */
export function tableText({ maxNorm, normType = 2, scaleGradByFreq = false }: TableOptions): string {
  // Python prints numbers as they were passed; 2.0 is its default.
  const norm = maxNorm === undefined ? '' : `, max_norm=${python(maxNorm)}`;
  const type = normType === 2 ? '' : `, norm_type=${python(normType)}`;
  return norm + type + (scaleGradByFreq ? ', scale_grad_by_freq=True' : '');
}

/**
 * An embedding table: indices [...] → [..., width].
 *
 *     new Embedding(30522, 768, { paddingIdx: 0 })
 *     Embedding.fromPretrained(vectors) // an existing table
 *
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 * @throws {INDEX_OUT_OF_RANGE} when something is read, for indices out of range
 * @example
 * const embedding = new nn.Embedding(10, 4);
 * embedding(tensor([[1, 2, 4]], { dtype: 'int64' })).shape // [1, 3, 4]
 */
export class Embedding extends Module {
  /** The number of rows. */
  readonly numEmbeddings: number;
  /** The size of a row. */
  readonly embeddingDim: number;
  /** The row that gets no gradient; undefined for none. */
  readonly paddingIndex: number | undefined;
  /** The same as `paddingIndex`, under PyTorch's name. */
  get paddingIdx(): number | undefined {
    return this.paddingIndex;
  }
  /** Rows with a larger norm are scaled down to it; undefined for none. */
  readonly maxNorm: number | undefined;
  /** The order of the norm. */
  readonly normType: number;
  /** Whether the gradient of a row is divided by the number of its occurrences in the batch. */
  readonly scaleGradByFreq: boolean;
  /** [count, width] */
  weight: Parameter;
  constructor(options: TableSizes & EmbeddingSettings);
  constructor(numEmbeddings: number, embeddingDim: number, ...rest: Settings<EmbeddingSettings, typeof embeddingOrder>);
  constructor(...args: readonly unknown[]) {
    super();
    const call = 'Embedding';
    const [count, width, ...rest] = requiredFirst(tableSizes, args) as [number, number, ...unknown[]];
    const given = settle<EmbeddingSettings>(call, embeddingOrder, rest, ['std', 'paddingIndex']);
    checkCount(call, 'the number of vectors', count);
    checkCount(call, 'the width', width);
    checkTableOptions(call, given);
    this.numEmbeddings = count;
    this.embeddingDim = width;
    this.paddingIndex = paddingIndexOf(call, given, count);
    this.maxNorm = given.maxNorm;
    this.normType = given.normType ?? 2;
    this.scaleGradByFreq = given.scaleGradByFreq ?? false;
    this.weight = new Parameter(init.table([count, width], given.std ?? 1, this.paddingIndex), { fresh: true });
  }
  /**
   * A table with these vectors [count, width], which are not trained unless `freeze` is false.
   *
   *     nn.Embedding.fromPretrained(tensor([[1, 2, 3], [4, 5, 6]]), { freeze: false });
   *
   * @throws {WRONG_ARGUMENT}
   * @throws {UNKNOWN_ARGUMENT}
   */
  static fromPretrained(
    embeddings: Tensor,
    ...rest: Settings<PretrainedSettings, readonly ['freeze', ...typeof embeddingOrder]>
  ): Embedding {
    const call = 'Embedding.fromPretrained';
    const order = ['freeze', ...embeddingOrder] as const;
    const { freeze = true, ...settings } = settle<PretrainedSettings>(call, order, rest, ['paddingIndex']);
    const [count, width] = checkTable(call, embeddings).shape as [number, number];
    const made = init.skipInit(() => new Embedding(count, width, settings));
    made.weight = new Parameter(embeddings, { requiresGrad: !freeze });
    return made;
  }
  override forward(index: Tensor): Tensor {
    const { paddingIndex, maxNorm, normType, scaleGradByFreq } = this;
    return embedding(index, this.weight, { paddingIndex, maxNorm, normType, scaleGradByFreq });
  }
  protected override extraRepr(): string {
    const padding = this.paddingIndex === undefined ? '' : `, padding_idx=${this.paddingIndex}`;
    return `${this.numEmbeddings}, ${this.embeddingDim}${padding}${tableText(this)}`;
  }
}
