import { expect, test } from 'vitest';
import { WordPieceTokenizer } from './wordpiece.ts';
import { trainWordPiece } from './wordpiece-trainer.ts';

const texts = ['the review, the reviewer', 'a review of reviews', 'rare'];
const basic = trainWordPiece([], { size: 0 }).length;

test('special tokens, characters, then joined pieces, the most frequent pair first', () => {
  const tokens = trainWordPiece(texts, { size: basic + 3 });
  expect(tokens.slice(0, 5)).toEqual(['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']);
  // All pairs of "review" come four times, ##e ##v and ##e ##w among them: the first in code-unit order is taken.
  expect(tokens.slice(basic)).toEqual(['##ev', '##ew', '##evi']);
  expect(new Set(tokens).size).toBe(tokens.length);
});

test('stops when no pair is frequent enough, and does not depend on the order of the texts', () => {
  const tokens = trainWordPiece(texts, { size: 10_000, minFrequency: 2 });
  expect(tokens).toContain('review');
  expect(tokens).not.toContain('rare');
  expect(trainWordPiece(texts.toReversed(), { size: 10_000 })).toEqual(tokens);
});

test('every ASCII word has pieces', () => {
  const tokenizer = WordPieceTokenizer.fromTokens(trainWordPiece(texts, { size: 200 }));
  const { inputIds } = tokenizer.encode('Xylophone-42 (zigzag)? ~ok~');
  expect(inputIds).not.toContain(tokenizer.vocabulary.unknownId);
});
