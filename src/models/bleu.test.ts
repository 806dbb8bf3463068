// BLEU compared with sacreBLEU 2.6 (test/golden/sacrebleu.json, written by make-sacrebleu-golden.py).
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bleu, type SacrebleuOptions, type SacrebleuResult, sacrebleu } from './bleu.ts';

interface Golden {
  readonly predictions: readonly string[];
  readonly references: readonly (readonly string[])[];
  readonly options: SacrebleuOptions;
  readonly expected: SacrebleuResult;
}
const file = new URL('../../test/golden/sacrebleu.json', import.meta.url);
const golden = JSON.parse(readFileSync(file, 'utf8')) as readonly Golden[];

test.each(golden)(
  'equals sacreBLEU on $predictions with $options',
  ({ predictions, references, options, expected }) => {
    const result = sacrebleu(predictions, references, options);
    expect(result.score).toBeCloseTo(expected.score, 9);
    expect(result.brevityPenalty).toBeCloseTo(expected.brevityPenalty, 9);
    for (const [i, one] of expected.precisions.entries()) expect(result.precisions[i]).toBeCloseTo(one, 9);
    expect(result).toMatchObject({
      translationLength: expected.translationLength,
      referenceLength: expected.referenceLength,
    });
  },
);
test('invalid options are errors', () => {
  const options =
    (one: object): (() => unknown) =>
    () =>
      sacrebleu(['x'], ['x'], one);
  expect(options({ smoothMethod: 'half' })).toThrow('exp, none, floor, add-k');
  expect(options({ smoothValue: -1 })).toThrow('smoothValue is -1');
  expect(options({ maxOrder: 0 })).toThrow('maxOrder is 0');
  expect(options({ tokenize: 'zh' })).toThrow('tokenize');
  expect(() => sacrebleu(['x'], [])).toThrow('as many as references (0)');
  expect(() => sacrebleu(['x'], [[]])).toThrow('none for prediction 0');
  for (const metric of [bleu, sacrebleu]) {
    expect(() => metric([7 as never], ['x'])).toThrow('predictions is 7 (prediction 0), expected a text');
    expect(() => metric(['x', 'y'], ['x', ['y', undefined as never]])).toThrow(
      'references is undefined (prediction 1)',
    );
  }
});
