// Documents → examples of BERT's two tasks (Devlin et al., 2019, create_pretraining_data.py).
//
//   [CLS] the kettle boils fast [SEP] its lid [MASK] at the hinge [SEP]      15 % of the tokens are masked; B follows A in
//   └──────── segment A ───────────┘ └────────── segment B ───────────┘      half of the pairs, else it is from another document
//
// The pairs of sentences are chosen once, from the seed. The masked tokens differ in each epoch. Both are functions of
// seed, epoch and index only, so they are the same on any number of ranks, and after a restart.
import { type Dataset, ItemRandom } from 'trenio';
import type { Corpus, TokenDocument } from './documents.ts';

export interface PretrainingExample {
  /** Each [S] or [P]; labels of -100 are ignored. */
  readonly inputs: {
    readonly inputIds: Int32Array;
    readonly attentionMask: Int32Array;
    readonly tokenTypeIds: Int32Array;
    readonly maskedPositions: Int32Array;
  };
  readonly labels: Int32Array;
  /** [1]: 0 where B follows A. */
  readonly nextSentence: Int32Array;
}

interface Pair {
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly isNext: boolean;
}

export interface ExampleOptions {
  /** Tokens of a sequence. */
  readonly length: number;
  /** Maximum number of masked tokens. */
  readonly predictions: number;
  readonly seed: number;
}

const MASKED_SHARE = 0.15;
/** The share of sequences that are shorter than the maximum, so that phase 2 also sees short ones. */
const SHORT_SHARE = 0.1;
/** [CLS], [SEP], [SEP]. */
const SPECIAL_TOKENS = 3;
const IGNORED = -100;

export class PretrainingExamples implements Dataset<PretrainingExample> {
  readonly #pairs: readonly Pair[];
  readonly #options: ExampleOptions;
  readonly #vocabulary: Corpus['tokenizer']['vocabulary'];
  readonly #mask: number;

  constructor({ documents, tokenizer }: Corpus, options: ExampleOptions) {
    this.#options = options;
    this.#vocabulary = tokenizer.vocabulary;
    this.#mask = tokenizer.vocabulary.idOf('[MASK]') ?? tokenizer.vocabulary.unknownId;
    this.#pairs = documents.flatMap((document, i) =>
      pairsOf(document, i, documents, options.length - SPECIAL_TOKENS, new ItemRandom(options.seed, 0, i)),
    );
  }

  get length(): number {
    return this.#pairs.length;
  }

  get(index: number, epoch = 0): PretrainingExample {
    const pair = this.#pairs[index];
    if (pair === undefined) throw new RangeError(`item ${index} of a dataset of ${this.length}`);
    const { length, predictions, seed } = this.#options;
    const { classifyId, separateId } = this.#vocabulary;
    const { a, b, isNext } = pair;
    const used = a.length + b.length + SPECIAL_TOKENS;
    const inputIds = new Int32Array(length).fill(this.#vocabulary.padId);
    inputIds.set([classifyId, ...a, separateId, ...b, separateId]);
    const maskedPositions = new Int32Array(predictions);
    const labels = new Int32Array(predictions).fill(IGNORED);
    // The pairs use the stream numbers below 2 ** 31 of this seed.
    const random = new ItemRandom(seed, epoch, 2 ** 31 + index);
    const candidates = shuffled(
      Array.from({ length: used - 1 }, (_, i) => i + 1).filter(i => inputIds[i] !== separateId),
      random,
    );
    const chosen = candidates.slice(0, Math.min(predictions, Math.max(1, Math.round(used * MASKED_SHARE))));
    for (const [k, position] of chosen.sort((x, y) => x - y).entries()) {
      maskedPositions[k] = position;
      labels[k] = inputIds[position]!;
      const kind = random.uniform();
      if (kind < 0.8) inputIds[position] = this.#mask;
      else if (kind < 0.9) inputIds[position] = random.below(this.#vocabulary.tokens.length);
    }
    return {
      inputs: {
        inputIds,
        attentionMask: new Int32Array(length).fill(1, 0, used),
        tokenTypeIds: new Int32Array(length).fill(1, a.length + 2, used),
        maskedPositions,
      },
      labels,
      nextSentence: Int32Array.of(isNext ? 0 : 1),
    };
  }
}

/** The pairs of a document, each with at most `most` tokens. */
function pairsOf(
  document: TokenDocument,
  index: number,
  documents: readonly TokenDocument[],
  most: number,
  random: ItemRandom,
): readonly Pair[] {
  const pairs: Pair[] = [];
  let chunk: Int32Array[] = [];
  let size = 0;
  let target = targetLength(most, random);
  for (let i = 0; i < document.length; i++) {
    chunk.push(document[i]!);
    size += document[i]!.length;
    if (i < document.length - 1 && size < target) continue;
    const end = chunk.length === 1 ? 1 : 1 + random.below(chunk.length - 1);
    const a = chunk.slice(0, end).flatMap(ids => [...ids]);
    const isNext = chunk.length > 1 && random.uniform() < 0.5;
    const b = isNext
      ? chunk.slice(end).flatMap(ids => [...ids])
      : fromAnother(documents, index, target - a.length, random);
    // Unused sentences go into the next pair.
    if (!isNext) i -= chunk.length - end;
    truncate(a, b, most, random);
    pairs.push({ a, b, isNext });
    chunk = [];
    size = 0;
    target = targetLength(most, random);
  }
  return pairs;
}

const targetLength = (most: number, random: ItemRandom): number =>
  random.uniform() < SHORT_SHARE ? 2 + random.below(most - 1) : most;

function fromAnother(documents: readonly TokenDocument[], index: number, wanted: number, random: ItemRandom): number[] {
  const other = documents[(index + 1 + random.below(documents.length - 1)) % documents.length]!;
  const b: number[] = [];
  for (let i = random.below(other.length); i < other.length && (b.length === 0 || b.length < wanted); i++)
    b.push(...other[i]!);
  return b;
}

/** Cuts the longer one, at either end, until both fit. */
function truncate(a: number[], b: number[], most: number, random: ItemRandom): void {
  while (a.length + b.length > most) {
    const longer = a.length > b.length ? a : b;
    if (random.uniform() < 0.5) longer.shift();
    else longer.pop();
  }
}

function shuffled(items: number[], random: ItemRandom): number[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
  return items;
}
