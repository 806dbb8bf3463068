import { expect, test } from 'vitest';
import { WordPieceTokenizer } from '../../../src/data/text/wordpiece.ts';
import { sha256 } from '../../bert-polarity/included.ts';
import { pageFiles, vocabularyFile, writeIncluded } from '../included.ts';
import { generated, generatePages, shippedPages } from './generate.ts';

const pages = generatePages(shippedPages);

test('the generator writes what the example expects', () => {
  expect(sha256(generated(pages).get('pages.txt')!)).toBe(pageFiles['pages.txt']);
});

test('most pages fill the 512 tokens of the second phase, and the vocabulary has every word', async () => {
  await writeIncluded();
  const tokenizer = await WordPieceTokenizer.fromVocabFile(vocabularyFile);
  const lengths = pages.slice(0, 60).map(page => {
    const ids = page.flatMap(sentence => [...tokenizer.encode(sentence).inputIds]);
    expect(ids).not.toContain(tokenizer.vocabulary.unknownId);
    return ids.length;
  });
  expect(lengths.filter(length => length >= 512).length).toBeGreaterThan(lengths.length / 2);
});
