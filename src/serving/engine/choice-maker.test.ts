import { expect, test } from 'vitest';
import { ChoiceMaker, maskOf } from './choice-maker.ts';
import { defaultSampling, type SamplingParameters, samplingParameters } from './sampling-parameters.ts';
import type { Choice } from './step-model.ts';

const makerOf = (parameters: Partial<SamplingParameters>): ChoiceMaker =>
  new ChoiceMaker([1, 2, 2], { ...defaultSampling, ...parameters }, 0);
/** id → [factor, add], without those that change nothing. */
const edited = ({ edits }: Choice): Record<number, readonly number[]> =>
  Object.fromEntries(
    Array.from(edits?.ids ?? [], (id, i) => [id, [edits!.factors[i]!, edits!.adds[i]!] as const] as const).filter(
      ([, [factor, add]]) => factor !== 1 || add !== 0,
    ),
  );
const next = (maker: ChoiceMaker): Record<number, readonly number[]> => edited(maker.choices([])[0]!);
const never = Number.NEGATIVE_INFINITY;

test('penalties, bias and forbidden tokens follow from the tokens so far', () => {
  const maker = makerOf({
    repetitionPenalty: 2,
    presencePenalty: 1,
    frequencyPenalty: 0.5,
    logitBias: new Map([[5, 3]]),
  });
  expect(next(maker)).toEqual({ 1: [2, 0], 2: [2, 0], 5: [1, 3] });
  for (const id of [5, 2, 5]) maker.push(id);
  expect(next(maker)).toEqual({ 1: [2, 0], 2: [2, -1.5], 5: [2, 1] });
  for (let id = 10; id < 40; id++) maker.push(id);
  expect(next(maker)).toMatchObject({ 1: [2, 0], 39: [2, -1.5] });
  expect(makerOf({}).choices([])[0]!.edits).toBeUndefined();
});

test('the end is forbidden until there are enough tokens; lists of bad words only where they would be complete', () => {
  const maker = makerOf({ minTokens: 2, endIds: [9], stopIds: [8], badWords: [[7], [3, 4, 5], [4, 6]] });
  expect(next(maker)).toEqual({ 7: [1, never], 8: [1, never], 9: [1, never] });
  maker.push(3);
  maker.push(4);
  expect(next(maker)).toEqual({ 5: [1, never], 6: [1, never], 7: [1, never] });
  maker.push(1);
  expect(next(maker)).toEqual({ 7: [1, never] });
});

test('choices after drafts are those after the same tokens', () => {
  const parameters = { presencePenalty: 1, repetitionPenalty: 1.5, minTokens: 2, endIds: [9], badWords: [[3, 4, 5]] };
  const [drafting, plain] = [makerOf(parameters), makerOf(parameters)];
  const choices = drafting.choices([3, 4, 3]).map(edited);
  const expected = [next(plain)];
  for (const id of [3, 4, 3]) {
    plain.push(id);
    expected.push(next(plain));
  }
  expect(choices).toEqual(expected);
  expect(next(drafting)).toEqual(choices[0]);
});

test('masks have one bit for each id', () => {
  expect([...maskOf([0, 33, 63], 70)]).toEqual([1, 0x80000002, 0]);
});

test.each<[Partial<SamplingParameters>, string]>([
  [{ temperature: Number.NaN }, 'sampling: temperature is NaN, expected a number from 0 to 1000000'],
  [{ topP: 0 }, 'a number above 0, at most 1'],
  [{ n: 1.5 }, 'an integer from 1 to 128'],
  [{ stopIds: [2 ** 63] }, 'ids of tokens, from 0 to 99'],
  [{ logitBias: new Map([[1, Number.POSITIVE_INFINITY]]) }, 'Infinity for 1'],
  [{ allowedIds: [] }, 'at least one id'],
  [{ stop: ['x'.repeat(1 << 20)] }, 'at most 64 texts of 1 to 4096 characters'],
  [{ seed: 1n << 63n }, 'an integer of 64 bits'],
  [{ minTokens: 17 }, 'at most maxTokens, 16'],
  [{ badWords: [[]] }, 'none of them empty'],
])('refused: %$', (parameters, message) => {
  expect(() => samplingParameters(parameters, 100)).toThrow(message);
});
