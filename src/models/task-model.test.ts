// Calls of models with heads: what is returned with and without targets, in values and in types; transformers' choice of a loss.
import { beforeEach, expect, expectTypeOf, test } from 'vitest';
import { device, manualSeed, randint, setDefaultDevice, type Tensor, tensor } from '../tensor/index.ts';
import type { CausalLM, SequenceClassifier } from './auto/index.ts';
import { EncoderForQuestionAnswering, EncoderForSequenceClassification } from './encoder/heads.ts';
import type { AnswerLogits, Logits, LossAndLogits } from './task-model.ts';

const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
const model = (fields: object) => new EncoderForSequenceClassification({ model_type: 'roberta', ...sizes, ...fields });
const inputIds = (): Tensor => randint(2, 10, [3, 5]);
beforeEach(() => {
  setDefaultDevice(device('interpreter'));
  manualSeed(1);
});

test('without labels, the logits are a tensor and its own `logits`; with labels, there is a loss', () => {
  const classifier = model({}).eval();
  const ids = inputIds();
  const plain = classifier(ids);
  expectTypeOf(plain).toEqualTypeOf<Logits>();
  expect(plain.logits).toBe(plain);
  const labeled = classifier({ inputIds: ids, labels: tensor([0, 1, 1], { dtype: 'int64' }) });
  expectTypeOf(labeled).toEqualTypeOf<LossAndLogits>();
  expect(Object.keys(labeled)).toEqual(['loss', 'logits']);
  expect(labeled.logits.toArray()).toEqual(plain.toArray());
  // @ts-expect-error without labels, there is no loss
  expect(classifier({ inputIds: ids }).loss).toBeUndefined();
});

test('models that AutoModelFor… reads are called alike, of whatever class they are', () => {
  expectTypeOf<ReturnType<SequenceClassifier['forward']>>().toEqualTypeOf<Logits>();
  const losses = (one: SequenceClassifier, other: CausalLM, batch: { inputIds: Tensor; labels: Tensor }) =>
    [one(batch).loss, other(batch).loss] as const;
  expectTypeOf(losses).returns.toEqualTypeOf<readonly [Tensor, Tensor]>();
});

// Losses of torch: transformers' ForSequenceClassificationLoss with logits of the model.
test.each<[object, object, (logits: number[][]) => number]>([
  [{ num_labels: 1 }, [1, 2, 3], logits => mean(logits.map(([x], i) => (x! - (i + 1)) ** 2))],
  [
    { num_labels: 2, problem_type: 'regression' },
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
    logits => mean(logits.flatMap((row, i) => row.map((x, j) => (x - (2 * i + j + 1)) ** 2))),
  ],
  [
    { num_labels: 2 },
    [
      [1, 0],
      [0.5, 1],
      [0, 0],
    ],
    logits =>
      mean(
        logits.flatMap((row, i) =>
          row.map(
            (x, j) =>
              Math.log1p(Math.exp(x)) -
              x *
                [
                  [1, 0],
                  [0.5, 1],
                  [0, 0],
                ][i]![j]!,
          ),
        ),
      ),
  ],
  [
    { num_labels: 2 },
    [1, -100, 0],
    logits =>
      mean(
        [
          [0, 1],
          [2, 0],
        ].map(([i, c]) => Math.log(Math.exp(logits[i!]![0]!) + Math.exp(logits[i!]![1]!)) - logits[i!]![c!]!),
      ),
  ],
])('the loss of %j follows the labels and problem_type', (fields, labels, expected) => {
  const options = JSON.stringify(labels).includes('-100') ? ({ dtype: 'int64' } as const) : {};
  const { loss, logits } = model(fields).eval()({ inputIds: inputIds(), labels: tensor(labels as number[], options) });
  expect(loss.item()).toBeCloseTo(expected(logits.toArray() as number[][]), 5);
});
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

test.each<[object | null, string]>([
  [{ input_ids: inputIds }, 'write inputIds'],
  [{ attentionMask: 1 }, 'a tensor, or one by name: inputIds'],
  [{ inputIds: [1, 2] }, 'inputIds'],
  [null, 'the inputs'],
])('other inputs are refused: %j', (inputs, message) => {
  expect(() => model({})(inputs as never)).toThrow(expect.objectContaining({ code: 'WRONG_ARGUMENT' }));
  expect(() => model({})(inputs as never)).toThrow(message);
});

test('an unknown problem_type is refused; positions outside of the text do not count', () => {
  const one = model({ problem_type: 'ranking' });
  expect(() => one({ inputIds: inputIds(), labels: tensor([0, 1, 1], { dtype: 'int64' }) })).toThrow('problem_type');
  const answers = new EncoderForQuestionAnswering({ model_type: 'roberta', ...sizes }).eval();
  const ids = inputIds();
  const lossOf = (inputs: Tensor, positions: number[]): number => {
    const at = tensor(positions, { dtype: 'int64' });
    return answers({ inputIds: inputs, startPositions: at, endPositions: at }).loss.item();
  };
  expect(lossOf(ids, [2, 1, 99])).toBeCloseTo(lossOf(ids.narrow(0, 0, 2), [2, 1]), 6);
  expectTypeOf(answers(ids)).toEqualTypeOf<AnswerLogits>();
});
