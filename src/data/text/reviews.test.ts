import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { includedReviews } from '../../../examples/bert-polarity/included.ts';
import { loadReviews } from '../files/csv.ts';
import { DataLoader } from '../loader/data-loader.ts';
import { classificationCollate, ignoredLabel, reviewText, TokenizedReviews } from './reviews.ts';
import { WordPieceTokenizer } from './wordpiece.ts';

const corpus = await includedReviews();
const tokenizer = await WordPieceTokenizer.fromDirectory(corpus);
const folder = mkdtempSync(join(tmpdir(), 'trenio-reviews-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a CSV file becomes token ids, title first', async () => {
  const file = join(folder, 'a.csv');
  writeFileSync(file, '"2","Great","I love it."\n"1","","I hate it."\n');
  const dataset = await TokenizedReviews.fromCsv(file, tokenizer, { maxLength: 6 });
  expect(dataset.length).toBe(2);
  expect(dataset.get(0)).toEqual({
    label: 1,
    inputIds: tokenizer.encode('Great. I love it.', { maxLength: 6 }).inputIds,
  });
  expect(dataset.get(1)).toEqual({ label: 0, inputIds: tokenizer.encode('I hate it.').inputIds });
  expect([dataset.lengthOf(0), dataset.lengthOf(1)]).toEqual([6, 6]);
  expect(() => dataset.get(2)).toThrow(RangeError);
});

test('the shipped corpus fits the growing buffers, and collates with fill items marked', async () => {
  const reviews = await loadReviews(join(corpus, 'train.csv'));
  const dataset = TokenizedReviews.from(reviews, tokenizer, { maxLength: 48 });
  expect(dataset.length).toBe(reviews.length);
  for (const i of [0, 4321, reviews.length - 1]) {
    expect(dataset.get(i).inputIds).toEqual(tokenizer.encode(reviewText(reviews[i]!), { maxLength: 48 }).inputIds);
  }
  const loader = new DataLoader(dataset, {
    batchSize: 6,
    fillLast: true,
    collateFn: classificationCollate(tokenizer, { padToMultipleOf: 16, maxLength: 48 }),
  });
  const [data, target] = (await Array.fromAsync(loader.epoch(0, loader.length - 1)))[0]!;
  const real = reviews.length % 6;
  expect(data.inputIds.type.shape[0]).toBe(6);
  expect(data.inputIds.type.shape[1]! % 16).toBe(0);
  expect([...target.data].slice(real)).toEqual(new Array(6 - real).fill(ignoredLabel));
  expect([...target.data].slice(0, real)).toEqual(reviews.slice(-real).map(r => r.label));
});
