// Reviews on disk → a tokenizer and two tokenized datasets.

import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import {
  loadReviews,
  permutation,
  type ReviewExample,
  reviewText,
  TokenizedReviews,
  trainWordPiece,
  WordPieceTokenizer,
} from 'trenio';
import { includedReviews } from './included.ts';
import type { Options } from './options.ts';

/** Size of a vocabulary built from the user's own reviews. */
const vocabularySize = 8000;

export interface Reviews {
  readonly trainingName: string;
  readonly validationName: string;
  /** Whether they were generated, not written by people. */
  readonly areSynthetic: boolean;
  readonly tokenizer: WordPieceTokenizer;
  readonly training: TokenizedReviews;
  readonly validation: TokenizedReviews;
  /** Checksum of the data, so that `--resume` can check that it is the same. */
  readonly checksums: { readonly training: string; readonly validation: string; readonly vocabulary: string };
}

/** Reads and tokenizes the data selected by `options`; builds a vocabulary from the training reviews if none is given. */
export async function loadData(options: Options, maxLength: number): Promise<Reviews> {
  const shipped = options.data === undefined;
  const file = options.data ?? join(await includedReviews(), 'train.csv');
  const held = options.validation ?? (shipped ? join(await includedReviews(), 'validation.csv') : undefined);
  const rows = await loadReviews(file);
  const [training, validation] = held === undefined ? split(rows, options.seed) : [rows, await loadReviews(held)];
  const tokenizer = await tokenizerFor(options, training);
  return {
    trainingName: options.data ?? 'the included synthetic reviews',
    validationName: options.validation ?? (shipped ? 'more of them, held out' : `a tenth of ${file}`),
    areSynthetic: shipped,
    tokenizer,
    training: TokenizedReviews.from(training, tokenizer, { maxLength }),
    validation: TokenizedReviews.from(validation, tokenizer, { maxLength }),
    checksums: {
      training: checksum(training.map(row => `${row.label} ${row.title}\0${row.text}`)),
      validation: checksum(validation.map(row => `${row.label} ${row.title}\0${row.text}`)),
      vocabulary: checksum(tokenizer.vocabulary.tokens),
    },
  };
}

function checksum(texts: readonly string[]): string {
  let sum = 0;
  for (const text of texts) sum = crc32(`${text}\0`, sum);
  return `${texts.length} entries, ${sum.toString(16).padStart(8, '0')}`;
}

async function tokenizerFor(options: Options, training: readonly ReviewExample[]): Promise<WordPieceTokenizer> {
  if (options.vocab !== undefined) return WordPieceTokenizer.fromVocabFile(options.vocab);
  if (options.model !== undefined) return WordPieceTokenizer.fromDirectory(options.model);
  if (options.data === undefined) return WordPieceTokenizer.fromVocabFile(join(await includedReviews(), 'vocab.txt'));
  return WordPieceTokenizer.fromTokens(trainWordPiece(training.map(reviewText), { size: vocabularySize }));
}

/** A tenth is held out, chosen by the seed. */
function split(rows: readonly ReviewExample[], seed: number): [ReviewExample[], ReviewExample[]] {
  const shuffled = Array.from(permutation(rows.length, seed), i => rows[i]!);
  const held = Math.max(1, Math.floor(rows.length / 10));
  return [shuffled.slice(held), shuffled.slice(0, held)];
}
