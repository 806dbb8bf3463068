// Makes the review corpus that this example ships, so that the first run needs no download: train.csv, validation.csv
// and vocab.txt. The same seed gives the same bytes on every machine (generate.test.ts). The reviews are made up by a
// grammar and no one's words.
//
//   node examples/bert-polarity/corpus/generate.ts [folder]
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trainWordPiece } from '../../../src/data/wordpiece-trainer.ts';
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
  /** Share of reviews with the wrong label, as in any corpus that people labelled. */
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
      // No review twice: one that is in both files would be no test.
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

/** The corpus as files: name → content. */
export function corpusFiles(corpus: Corpus): ReadonlyMap<string, string> {
  const quote = (field: string): string => `"${field.replaceAll('"', '""')}"`;
  const csv = (reviews: readonly Review[]): string =>
    reviews.map(r => `"${polarities.indexOf(r.polarity) + 1}",${quote(r.title)},${quote(r.text)}\n`).join('');
  return new Map([
    ['train.csv', csv(corpus.train)],
    ['validation.csv', csv(corpus.validation)],
    ['vocab.txt', `${corpus.vocabulary.join('\n')}\n`],
  ]);
}

if (import.meta.main) {
  const folder = process.argv[2] ?? import.meta.dirname;
  await mkdir(folder, { recursive: true });
  for (const [name, content] of corpusFiles(generateCorpus(shippedCorpus))) {
    await writeFile(join(folder, name), content);
    console.log(`${join(folder, name)}: ${content.split('\n').length - 1} lines, ${content.length} bytes`);
  }
}
