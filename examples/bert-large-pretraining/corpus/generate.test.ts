import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WordPieceTokenizer } from '../../../src/data/text/wordpiece.ts';
import { generatePages, pagesText, shippedPages } from './generate.ts';

const pages = generatePages(shippedPages);

test('the shipped file equals the output of the generator', () => {
  const shipped = readFileSync(join(import.meta.dirname, 'pages.txt'), 'utf8');
  expect(shipped === pagesText(pages), 'run node examples/bert-large-pretraining/corpus/generate.ts').toBe(true);
  expect(shipped.length).toBeLessThan(1e6);
});

test('most pages fill the 512 tokens of the second phase, and the vocabulary has every word', async () => {
  const vocabulary = join(import.meta.dirname, '../../bert-polarity/corpus/vocab.txt');
  const tokenizer = await WordPieceTokenizer.fromVocabFile(vocabulary);
  const lengths = pages.slice(0, 60).map(page => {
    const ids = page.flatMap(sentence => [...tokenizer.encode(sentence).inputIds]);
    expect(ids).not.toContain(tokenizer.vocabulary.unknownId);
    return ids.length;
  });
  expect(lengths.filter(length => length >= 512).length).toBeGreaterThan(lengths.length / 2);
});
