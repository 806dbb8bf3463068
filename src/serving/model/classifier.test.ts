import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WordPieceTokenizer } from '../../data/text/wordpiece.ts';
import { device, noGrad, tensor } from '../../tensor/index.ts';
import { loadClassifier } from './classifier.ts';
import { batchSizes, divideBatch, lengthBuckets } from './padded-rows.ts';
import { tinyCheckpoint } from './tiny-bert.testing.ts';

// The interpreter needs no compiler and no cache; the tests of the cpu backend cover the same programs.
const interpreter = device('interpreter');

describe('a BERT checkpoint as a classifier', () => {
  test('padding and batching do not change the predictions', async () => {
    await using checkpoint = await tinyCheckpoint();
    const classifier = await loadClassifier(checkpoint.folder, { maxBatch: 2, device: interpreter });
    expect(classifier.labels).toEqual(['negative', 'positive']);
    const tokenizer = await WordPieceTokenizer.fromDirectory(checkpoint.folder);
    const model = checkpoint.model.eval().to(interpreter);
    const texts = ['a good book', 'very bad books', '', 'good '.repeat(60)];
    const predictions = [
      ...(await classifier.classify(texts.slice(0, 2))),
      ...(await classifier.classify(texts.slice(2))),
    ];
    const alone = await classifier.classify([texts[0]!]);
    expect(alone[0]!.probabilities.positive).toBeCloseTo(predictions[0]!.probabilities.positive!, 5);
    for (const [i, text] of texts.entries()) {
      // The text without padding, truncated to the model's 40 positions.
      const { inputIds } = tokenizer.encodeBatch([text], { maxLength: 40 });
      const expected = noGrad(() =>
        model.forward(tensor(inputIds, { device: interpreter })).softmax(1),
      ).toArray() as number[][];
      const { label, score, probabilities } = predictions[i]!;
      expect(probabilities.negative).toBeCloseTo(expected[0]![0]!, 5);
      expect(probabilities.positive).toBeCloseTo(expected[0]![1]!, 5);
      expect(score).toBe(Math.max(probabilities.negative!, probabilities.positive!));
      expect(probabilities[label]).toBe(score);
    }
    // The random model distinguishes texts: otherwise, the test above would not detect a mix-up.
    expect(new Set(predictions.map(p => p.score.toFixed(3))).size).toBe(texts.length);
    expect(await classifier.classify([])).toEqual([]);
  });

  test('texts are truncated to the requested length, which the model must support', async () => {
    await using checkpoint = await tinyCheckpoint();
    const classifier = await loadClassifier(checkpoint.folder, { maxBatch: 1, maxLength: 4, device: interpreter });
    const [short, long] = await classifier
      .classify(['good bad'])
      .then(async a => [...a, ...(await classifier.classify(['good bad book a']))]);
    expect(long).toEqual(short);
    await expect(loadClassifier(checkpoint.folder, { maxLength: 41, device: interpreter })).rejects.toMatchObject({
      code: 'SEQUENCE_TOO_LONG',
    });
  });

  test('rejects an incomplete or inconsistent checkpoint with the reason', async () => {
    await using checkpoint = await tinyCheckpoint();
    const load = () => loadClassifier(checkpoint.folder, { device: interpreter });
    const vocabulary = join(checkpoint.folder, 'vocab.txt');
    await writeFile(vocabulary, `${await readFile(vocabulary, 'utf8')}more\n`);
    await expect(load()).rejects.toThrow('config.json: vocab_size: is 11, but the vocabulary next to it has 12 tokens');
    await rm(vocabulary);
    await expect(load()).rejects.toMatchObject({ code: 'TOKENIZER_INVALID' });
    await expect(loadClassifier('/no/such/folder', { device: interpreter })).rejects.toMatchObject({
      code: 'MODEL_NOT_FOUND',
    });
  });
});

test('texts of all lengths in one batch are answered in order', async () => {
  await using checkpoint = await tinyCheckpoint();
  const classifier = await loadClassifier(checkpoint.folder, { maxBatch: 8, device: interpreter });
  const texts = Array.from({ length: 7 }, (_, i) => (i % 3 === 1 ? 'good '.repeat(33 + i) : 'bad book '.repeat(i)));
  const together = await classifier.classify(texts);
  for (const [i, text] of texts.entries()) {
    const [alone] = await classifier.classify([text]);
    expect(together[i]!.probabilities.positive).toBeCloseTo(alone!.probabilities.positive!, 5);
  }
});

test('a batch is split into compiled sizes, with little padding', () => {
  expect([1, 2, 6, 8].map(batchSizes)).toEqual([[1], [1, 2], [1, 2, 4, 6], [1, 2, 4, 8]]);
  const sizes = batchSizes(32);
  expect([1, 3, 5, 7, 11, 17, 24, 29, 32].map(rows => divideBatch(rows, sizes))).toEqual([
    [1],
    [4],
    [4, 1],
    [8],
    [8, 4],
    [16, 1],
    [32],
    [32],
    [32],
  ]);
  for (let most = 1; most <= 40; most++)
    for (let rows = 1; rows <= most; rows++) {
      const run = divideBatch(rows, batchSizes(most)).reduce((sum, size) => sum + size, 0);
      expect(run).toBeGreaterThanOrEqual(rows);
      expect(run * 3).toBeLessThanOrEqual(rows * 4);
    }
});

test('there are few lengths, and the last is the longest', () => {
  expect([1, 32, 33, 64, 128, 512, 4096].map(lengthBuckets)).toEqual([
    [1],
    [32],
    [32, 33],
    [32, 64],
    [32, 128],
    [32, 128, 512],
    [32, 128, 512, 2048, 4096],
  ]);
});
