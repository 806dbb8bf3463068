// Labeled texts as token ids, and batches of them for a classifier. The ids of a whole dataset lie in one typed
// array: a few million reviews fit in memory, without any objects for the garbage collector to visit.
import type { Literal } from '../../hlo/literal.ts';
import { tensorType } from '../../hlo/types.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { type ReviewCsvOptions, type ReviewExample, readReviews } from '../files/csv.ts';
import type { Collate } from '../loader/batch-maker.ts';
import { exportSharedToWorkers } from '../loader/worker-exports.ts';
import type { EncodedBatch, EncodeOptions, PadOptions, WordPieceTokenizer } from './wordpiece.ts';

/** A labeled text as token ids. */
export interface TokenizedExample {
  /** [CLS] … [SEP], not padded. */
  readonly inputIds: Int32Array;
  /** The class index. */
  readonly label: number;
}

/** A batch for training a classifier: three i32 tensors [batch, sequence], and the classes, i32 [batch]. */
export type ClassificationBatch = readonly [data: EncodedBatch, target: Literal];

/** The label of items that only fill up a batch; losses and accuracy ignore it (PyTorch's `ignore_index`). */
export const ignoredLabel = -100;

/**
 * The text that the model reads: the title, if there is one, before the text.
 * @example
 * reviewText({ title: 'Good', text: 'I like it.' }) // 'Good. I like it.'
 */
export function reviewText({ title, text }: Pick<ReviewExample, 'title' | 'text'>): string {
  return title === '' ? text : `${title}. ${text}`;
}

/**
 * Reviews as token ids, kept compactly in memory: a dataset for a `DataLoader` with `classificationCollate`.
 * @example
 * const tokenizer = WordPieceTokenizer.fromTokens(['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'good']);
 * const dataset = TokenizedReviews.from([{ title: '', text: 'Good', label: 1 }], tokenizer);
 * dataset.get(0).inputIds // [2, 5, 3]
 */
export class TokenizedReviews implements Dataset<TokenizedExample> {
  /** @internal The ids of all examples, concatenated; example i is from ends[i − 1] to ends[i]. */
  ids: Uint16Array | Int32Array;
  /** @internal */
  readonly ends: number[] = [];
  /** @internal */
  readonly labels: number[] = [];

  private constructor(tokenizer: WordPieceTokenizer) {
    this.ids = tokenizer.vocabularySize <= 1 << 16 ? new Uint16Array(1 << 16) : new Int32Array(1 << 16);
  }

  /** Reads and tokenizes a CSV file row by row. Throws as `readReviews` does. */
  static async fromCsv(
    file: string,
    tokenizer: WordPieceTokenizer,
    options: EncodeOptions & ReviewCsvOptions = {},
  ): Promise<TokenizedReviews> {
    const dataset = new TokenizedReviews(tokenizer);
    for await (const review of readReviews(file, options))
      dataset.#add(tokenizer.encode(reviewText(review), options).inputIds, review.label);
    return dataset;
  }

  /** Tokenizes reviews in memory. */
  static from(
    reviews: Iterable<ReviewExample>,
    tokenizer: WordPieceTokenizer,
    options: EncodeOptions = {},
  ): TokenizedReviews {
    const dataset = new TokenizedReviews(tokenizer);
    for (const review of reviews) dataset.#add(tokenizer.encode(reviewText(review), options).inputIds, review.label);
    return dataset;
  }

  /** The number of examples. */
  get length(): number {
    return this.ends.length;
  }

  /** The token ids and the label of a review. */
  get(index: number): TokenizedExample {
    const end = this.ends[index];
    if (end === undefined) throw new RangeError(`item ${index} of a dataset of ${this.length}`);
    return { inputIds: Int32Array.from(this.ids.subarray(this.#start(index), end)), label: this.labels[index]! };
  }

  /** The number of tokens of one example: a loader sorts by it to reduce padding. */
  lengthOf(index: number): number {
    return (this.ends[index] ?? 0) - this.#start(index);
  }

  #start(index: number): number {
    return index === 0 ? 0 : this.ends[index - 1]!;
  }

  #add(inputIds: ArrayLike<number>, label: number): void {
    const start = this.#start(this.length);
    const end = start + inputIds.length;
    if (end > this.ids.length) {
      const larger = this.ids instanceof Uint16Array ? new Uint16Array(2 * end) : new Int32Array(2 * end);
      larger.set(this.ids);
      this.ids = larger;
    }
    this.ids.set(inputIds, start);
    this.ends.push(end);
    this.labels.push(label);
  }
}

/**
 * Collates examples into [three i32 tensors [batch, sequence], labels i32 [batch]]; fill items get `ignoredLabel`.
 * @example
 * const tokenizer = WordPieceTokenizer.fromTokens(['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'good', 'bad']);
 * const collate = classificationCollate(tokenizer);
 * const [batch, labels] = await collate([{ inputIds: Int32Array.of(2, 5, 3), label: 1 }], { real: 1 });
 * tensor(labels) // [1]
 */
export function classificationCollate(
  tokenizer: WordPieceTokenizer,
  options: PadOptions = {},
): Collate<TokenizedExample, ClassificationBatch> {
  return (items, { real }) => {
    const data = tokenizer.pad(
      items.map(item => item.inputIds),
      options,
    );
    const labels = Int32Array.from(items, (item, i) => (i < real ? item.label : ignoredLabel));
    return [data, { type: tensorType('i32', [items.length]), data: labels }];
  };
}

exportSharedToWorkers(import.meta.url, { TokenizedReviews });
