// Generates the review corpus of this example, so that the first run needs no download: train.csv, validation.csv
// and vocab.txt. The same seed gives the same bytes on every machine (../included.ts has their SHA-256). The reviews are generated
// by a grammar, not written by people.
import { trainWordPiece } from '../../../src/data/text/wordpiece-trainer.ts';
import { type Review, writeReview } from './grammar.ts';
import { polarities } from './lexicon.ts';
import { Random } from './random.ts';

export interface Corpus {
  readonly train: readonly Review[];
  readonly validation: readonly Review[];
  readonly vocabulary: readonly string[];
}

export interface CorpusOptions {
  readonly seed: number;
  readonly trainRows: number;
  readonly validationRows: number;
  /** Share of reviews with a wrong label, to mimic human labeling errors. */
  readonly trainNoise: number;
  readonly validationNoise: number;
  readonly vocabularySize: number;
}

export const shippedCorpus: CorpusOptions = {
  seed: 20_240_501,
  trainRows: 10_000,
  validationRows: 1000,
  trainNoise: 0.02,
  validationNoise: 0.01,
  vocabularySize: 2400,
};

export function generateCorpus(options: CorpusOptions): Corpus {
  const seen = new Set<string>();
  let stream = 0;
  const reviews = (rows: number, noise: number): Review[] => {
    const out: Review[] = [];
    while (out.length < rows) {
      const random = new Random(options.seed, stream++);
      const review = writeReview(polarities[out.length % 2]!, random);
      // No duplicates: a review in both files would leak into validation.
      const key = review.text.toLowerCase();
      if (seen.has(key)) continue;
      seen.add(key);
      out.push(random.chance(noise) ? { ...review, polarity: polarities[(out.length + 1) % 2]! } : review);
    }
    return shuffled(out, new Random(options.seed, -1 - rows));
  };
  const train = reviews(options.trainRows, options.trainNoise);
  const validation = reviews(options.validationRows, options.validationNoise);
  const texts = train.flatMap(review => [review.title, review.text]);
  return { train, validation, vocabulary: trainWordPiece(texts, { size: options.vocabularySize, minFrequency: 5 }) };
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}

/** The files of the included corpus. */
export function generated(corpus = generateCorpus(shippedCorpus)): ReadonlyMap<string, string> {
  const quote = (field: string): string => `"${field.replaceAll('"', '""')}"`;
  const csv = (reviews: readonly Review[]): string =>
    reviews.map(r => `"${polarities.indexOf(r.polarity) + 1}",${quote(r.title)},${quote(r.text)}\n`).join('');
  return new Map([
    ['train.csv', csv(corpus.train)],
    ['validation.csv', csv(corpus.validation)],
    ['vocab.txt', `${corpus.vocabulary.join('\n')}\n`],
  ]);
}
