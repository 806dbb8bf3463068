import { mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadReviews } from '../../../src/data/files/csv.ts';
import { reviewText } from '../../../src/data/text/reviews.ts';
import { WordPieceTokenizer } from '../../../src/data/text/wordpiece.ts';
import { included, includedReviews, reviewFiles, sha256 } from '../included.ts';
import { generateCorpus, generated, shippedCorpus } from './generate.ts';

const folder = await includedReviews();
const corpus = generateCorpus(shippedCorpus);

test('the generator writes what the example expects', () => {
  const hashes = [...generated(corpus)].map(([name, text]) => [name, sha256(text)]);
  expect(Object.fromEntries(hashes)).toEqual(reviewFiles);
});

test('files are written if one is missing or differs, and only with the expected content', async () => {
  using other = mkdtempDisposableSync(join(tmpdir(), 'trenio-included-'));
  writeFileSync(join(other.path, 'generate.ts'), "export const generated = () => new Map([['a.txt', 'text']]);\n");
  const file = join(other.path, 'a.txt');
  const hash = sha256('text');
  expect(await included(other.path, { 'a.txt': hash })).toBe(other.path);
  writeFileSync(file, 'damaged');
  await included(other.path, { 'a.txt': hash });
  expect(readFileSync(file, 'utf8')).toBe('text');
  await expect(included(other.path, { 'a.txt': sha256('other') })).rejects.toThrow(`a.txt has SHA-256 ${hash}`);
  expect(readdirSync(other.path)).toEqual(['a.txt', 'generate.ts']);
});

describe('the corpus', () => {
  test('is small, balanced, and has no review in both files', async () => {
    const train = await loadReviews(join(folder, 'train.csv'));
    const validation = await loadReviews(join(folder, 'validation.csv'));
    expect([train.length, validation.length]).toEqual([shippedCorpus.trainRows, shippedCorpus.validationRows]);
    for (const rows of [train, validation]) {
      const positive = rows.filter(row => row.label === 1).length / rows.length;
      expect(Math.abs(positive - 0.5)).toBeLessThan(0.03);
    }
    const seen = new Set(train.map(row => row.text));
    expect(validation.filter(row => seen.has(row.text))).toEqual([]);
    const bytes = [...generated(corpus).values()].reduce((sum, content) => sum + content.length, 0);
    expect(bytes).toBeLessThan(2e6);
  });

  test('is short, and its vocabulary contains every word', async () => {
    const tokenizer = await WordPieceTokenizer.fromVocabFile(join(folder, 'vocab.txt'));
    const rows = [...corpus.train, ...corpus.validation].map(row => tokenizer.encode(reviewText(row)).inputIds);
    expect(rows.filter(ids => ids.includes(tokenizer.vocabulary.unknownId))).toEqual([]);
    expect(rows.filter(ids => ids.length > 48).length / rows.length).toBeLessThan(0.02);
  });

  test('no single word predicts the label well', () => {
    const counts = new Map<string, [number, number]>();
    for (const { polarity, text } of corpus.train) {
      for (const word of new Set(text.toLowerCase().match(/[a-z']+/g))) {
        const both = counts.get(word) ?? [0, 0];
        both[polarity === 'positive' ? 1 : 0]++;
        counts.set(word, both);
      }
    }
    const best = [...counts.values()].map(([n, p]) => Math.abs(n - p)).reduce((a, b) => Math.max(a, b));
    // The accuracy above one half of predicting the label from the presence of that word.
    expect(best / corpus.train.length / 2).toBeLessThan(0.1);
  });

  test('another seed makes another corpus', () => {
    const few = { ...shippedCorpus, trainRows: 20, validationRows: 10, vocabularySize: 100 };
    expect(generateCorpus(few)).toEqual(generateCorpus(few));
    expect(generateCorpus({ ...few, seed: 1 })).not.toEqual(generateCorpus(few));
  });
});
