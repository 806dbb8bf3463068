// BERT's pre-training heads and loss against Hugging Face's, from test/golden/bert-pretraining.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goldenPath } from '../../test/golden.testing.ts';
import { toNumbers } from '../hlo/literal.ts';
import { type Tensor, tensor, zeros } from '../tensor/index.ts';
import { BertForNextSentencePrediction, BertForPreTraining, bertPretrainingLoss } from './bert-pretraining.ts';
import { readSafetensors } from './safetensors.ts';

const numbers = (x: Tensor): readonly number[] => Array.from(x.data as Float32Array);
const folder = goldenPath('bert-pretraining');

test('logits, loss and gradients match Hugging Face', async () => {
  const golden = await readSafetensors(join(folder, 'golden.safetensors'));
  const { loss: expected } = JSON.parse(await readFile(join(folder, 'loss.json'), 'utf8')) as { loss: number };
  const model = await BertForPreTraining.fromPretrained(folder);
  const input = (name: string) => tensor(golden.get(name)!);
  const output = model.forward({
    inputIds: input('input_ids'),
    attentionMask: input('attention_mask'),
    tokenTypeIds: input('token_type_ids'),
    maskedPositions: input('positions'),
  });
  const loss = bertPretrainingLoss(output, input('labels'), input('next_sentence'));
  loss.backward();
  expect(loss.item()).toBeCloseTo(expected, 5);
  const near = (got: ArrayLike<number>, name: string): void => {
    const want = toNumbers(golden.get(name)!);
    expect(got.length, name).toBe(want.length);
    want.forEach((value, i) => {
      expect(Math.abs(got[i]! - value), `${name}[${i}]`).toBeLessThan(2e-5);
    });
  };
  near(numbers(output.predictionLogits), 'prediction_logits');
  near(numbers(output.seqRelationshipLogits), 'seq_relationship_logits');
  const follows = await BertForNextSentencePrediction.fromPretrained(folder);
  const pair = {
    inputIds: input('input_ids'),
    attentionMask: input('attention_mask'),
    tokenTypeIds: input('token_type_ids'),
  };
  near(numbers(follows.forward(pair)), 'seq_relationship_logits');
  const named = new Map(model.namedParameters());
  const gradients = [...golden.keys()].filter(name => name.startsWith('gradient.'));
  expect(gradients).toHaveLength(5);
  for (const name of gradients) near(numbers(named.get(name.slice('gradient.'.length))!.grad!), name);
});

test('a saved model loads unchanged; a directory without heads prints a warning', async () => {
  const work = await mkdtemp(join(tmpdir(), 'trenio-bert-'));
  try {
    const model = await BertForPreTraining.fromPretrained(folder);
    await model.savePretrained(work);
    const again = await BertForPreTraining.fromPretrained(work);
    const bits = (one: BertForPreTraining) => [...one.namedParameters()].map(([name, p]) => [name, numbers(p)]);
    expect(bits(again)).toEqual(bits(model));
    const warnings: string[] = [];
    await BertForPreTraining.fromPretrained(goldenPath('bert-small'), {
      onWarning: message => warnings.push(message),
    });
    expect(warnings).toEqual([expect.stringContaining('cls.predictions.bias')]);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
});

test('rejects masked positions with another batch size', () => {
  const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, vocab_size: 10 };
  const model = new BertForPreTraining(sizes);
  const inputIds = zeros(2, 4, { dtype: 'i32' });
  expect(() => model.forward({ inputIds, maskedPositions: zeros(3, 1, { dtype: 'i32' }) })).toThrow(
    'shapes [2, 4, 8] and [3, 1] are incompatible',
  );
});
