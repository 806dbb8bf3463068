// Metrics compared with values of scikit-learn 1.9 (accuracy, F1) and sacreBLEU 2.6 (BLEU); those of ROUGE are computed by hand
// from its definition (Lin 2004).
import { expect, test } from 'vitest';
import { bleu } from './bleu.ts';
import { accuracy, f1, perplexity, rouge } from './metrics.ts';

test('accuracy and F1', () => {
  const [predictions, references] = [
    [0, 2, 1, 0, 0, 1],
    [0, 1, 2, 0, 1, 2],
  ];
  expect(accuracy(predictions, references)).toBeCloseTo(1 / 3);
  expect(f1(predictions, references, { average: 'macro' })).toBeCloseTo(0.26666667);
  expect(f1(predictions, references, { average: 'micro' })).toBeCloseTo(0.33333333);
  expect(f1(predictions, references, { average: 'weighted' })).toBeCloseTo(0.26666667);
  expect(f1([0, 0, 1, 1, 0], [0, 1, 0, 1, 0])).toBeCloseTo(0.5);
  expect(f1([0, 0, 1, 1, 0], [0, 1, 0, 1, 0], { posLabel: 0 })).toBeCloseTo(0.66666667);
  expect(() => f1(predictions, references)).toThrow('micro, macro or weighted for 3 classes');
  expect(() => accuracy([1], [1, 2])).toThrow('as many as references (2)');
  expect(() => accuracy([], [])).toThrow('at least one');
});
test('perplexity weights losses by their token counts', () => {
  expect(perplexity([1, 3], [3, 1])).toBeCloseTo(Math.exp(1.5));
  expect(() => perplexity([1], [0])).toThrow('at least one token');
});
test('ROUGE', () => {
  const result = rouge(['hello there', 'general kenobi'], ['hello there', 'general kenobi']);
  expect(result).toEqual({ rouge1: 1, rouge2: 1, rougeL: 1, rougeLsum: 1 });
  const partly = rouge(['the cat was found under the bed'], ['the cat was under the bed']);
  expect(partly.rouge1).toBeCloseTo(12 / 13);
  expect(partly.rouge2).toBeCloseTo(8 / 11);
  expect(partly.rougeL).toBeCloseTo(12 / 13);
  const lines = rouge(['a b c\nd e'], ['d e\na b c']);
  expect(lines.rougeLsum).toBe(1);
  expect(lines.rougeL).toBeCloseTo(0.6);
  expect(rouge(['x'], [['y', 'x']]).rouge1).toBe(1);
});
test('BLEU', () => {
  const predictions = [
    "the cat sat on the mat , it's 3.5 cm.",
    'Hello, world! A test-case (of 2,000 words).',
    'It is a guide to action which ensures that the military always obeys the commands',
  ];
  const references = [
    ["the cat sat on a mat; it's 3.5 cm."],
    ['Hello world! A test-case of 2,000 words.'],
    ['It is a guide to action that ensures that the military will forever heed Party commands'],
  ];
  const result = bleu(predictions, references);
  expect(result.bleu).toBeCloseTo(0.44895038);
  expect(result.precisions[0]).toBeCloseTo(0.76315789);
  expect(result.precisions[3]).toBeCloseTo(0.24137931);
  expect(result).toMatchObject({ brevityPenalty: 1, translationLength: 38, referenceLength: 36 });
  expect(bleu(['a b c d e'], ['a b c d e f g']).brevityPenalty).toBeCloseTo(Math.exp(1 - 7 / 5));
  expect(bleu(['x'], ['y'])).toMatchObject({ bleu: 0, precisions: [0, 0, 0, 0] });
  expect(bleu([''], ['y']).bleu).toBe(0);
  expect(() => bleu(['x'], [[]])).toThrow('none for prediction 0');
});
