// A small BERT classifier against PyTorch's: losses, logits, gradients and final weights of ten AdamW steps, from the
// vectors in test/golden (made by make-bert-golden.py there).
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Literal, toNumbers } from '../hlo/literal.ts';
import { tensorType } from '../hlo/types.ts';
import { functional as F } from '../nn/index.ts';
import { AdamW } from '../optim/index.ts';
import { type Device, device, full, setDefaultDevice, tensor } from '../tensor/index.ts';
import { BertForSequenceClassification } from './bert.ts';
import { readSafetensors, writeSafetensors } from './safetensors.ts';

const golden = fileURLToPath(new URL('../../test/golden/bert-small', import.meta.url));

/** The largest error, relative to the largest entry of each tensor. */
function relativeError(got: ArrayLike<number>, want: ArrayLike<number>): number {
  let [worst, scale] = [0, 0];
  for (let i = 0; i < want.length; i++) {
    worst = Math.max(worst, Math.abs(got[i]! - want[i]!));
    scale = Math.max(scale, Math.abs(want[i]!));
  }
  return worst / Math.max(scale, 1e-12);
}

/**
 * Softmax is invariant to the bias of keys: its exact gradient is zero, the computed one is rounding noise, and Adam steps along
 * it.
 */
const isRounding = (name: string): boolean => name.endsWith('attention.self.key.bias');

/** Entry i of a tensor with a leading dim of steps. */
function at(steps: Literal, i: number): Literal {
  const [count, ...shape] = steps.type.shape as [number, ...number[]];
  const size = steps.data.length / count;
  return {
    type: tensorType(steps.type.elementType, shape),
    data: steps.data.slice(i * size, (i + 1) * size) as Literal['data'],
  };
}

let steps: Map<string, Literal>;
let gradients: readonly (readonly [step: number, expected: Map<string, Literal>])[];
let final: Map<string, Literal>;
beforeAll(async () => {
  const read = (name: string): Promise<Map<string, Literal>> => readSafetensors(join(golden, name));
  steps = await read('steps.safetensors');
  gradients = [
    [1, await read('gradients-step-1.safetensors')],
    [10, await read('gradients-step-10.safetensors')],
  ];
  final = await read('final.safetensors');
});

async function train(dev: Device): Promise<void> {
  setDefaultDevice(dev);
  const recipe = JSON.parse(await readFile(join(golden, 'recipe.json'), 'utf8'));
  const model = await BertForSequenceClassification.fromPretrained(golden);
  const optimizer = new AdamW(model.parameters(), {
    lr: recipe.learningRate,
    betas: recipe.betas,
    eps: recipe.eps,
    weightDecay: recipe.weightDecay,
  });
  const before = dev.metrics.compiles;
  for (let step = 1; step <= recipe.steps; step++) {
    const input = (name: string) => tensor(at(steps.get(name)!, step - 1), { device: dev });
    const logits = model.forward({
      inputIds: input('input_ids'),
      attentionMask: input('attention_mask'),
      tokenTypeIds: input('token_type_ids'),
    });
    const loss = F.crossEntropy(logits, input('labels'));
    loss.backward();
    const expected = gradients.find(([at]) => at === step)?.[1];
    const names = [...model.namedParameters()];
    const grads = expected && new Map(names.map(([name, p]) => [name, p.grad!.keep()]));
    optimizer.step();
    optimizer.zeroGrad();
    dev.markStep();
    expect(relativeError([loss.item()], [recipe.losses[step - 1]])).toBeLessThan(1e-4);
    expect(relativeError(logits.data as Float32Array, toNumbers(at(steps.get('logits')!, step - 1)))).toBeLessThan(
      1e-4,
    );
    for (const [name, want] of expected ?? []) {
      if (isRounding(name))
        expect(Math.max(...(grads!.get(name)!.data as Float32Array).map(Math.abs))).toBeLessThan(1e-7);
      else
        expect(
          relativeError(grads!.get(name)!.data as Float32Array, toNumbers(want)),
          `gradient of ${name}`,
        ).toBeLessThan(1e-4);
    }
  }
  // Steps that keep the gradients are another program.
  expect(dev.metrics.compiles - before).toBeLessThanOrEqual(2);
  const state = model.stateDict();
  expect([...state.keys()].sort()).toEqual([...final.keys()].sort());
  for (const [name, want] of final) {
    // Adam turns the rounding of a gradient near zero into a step: weights are looser than gradients.
    if (!isRounding(name)) expect(relativeError(toNumbers(state.get(name)!), toNumbers(want)), name).toBeLessThan(1e-3);
  }
}

test.each(['interpreter', 'cpu'] as const)(
  'ten steps agree with PyTorch on the %s backend',
  name => train(device(name)),
  120_000,
);

describe('files', () => {
  let directory: string;
  beforeEach(async () => {
    setDefaultDevice(device('interpreter'));
    directory = await mkdtemp(join(tmpdir(), 'trenio-bert-'));
  });
  afterEach(() => rm(directory, { recursive: true }));
  const small = {
    vocab_size: 20,
    hidden_size: 8,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    intermediate_size: 16,
    max_position_embeddings: 6,
  };
  const errorOf = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'no error',
      (error: Error) => error.message.replaceAll(directory, 'DIR'),
    );

  test('a saved model loads with the same weights under the same names', async () => {
    const model = new BertForSequenceClassification(small);
    await model.savePretrained(directory);
    const loaded = await BertForSequenceClassification.fromPretrained(directory);
    expect(loaded.stateDict()).toEqual(model.stateDict());
    expect([...model.stateDict().keys()].slice(0, 7)).toMatchInlineSnapshot(`
      [
        "bert.embeddings.word_embeddings.weight",
        "bert.embeddings.position_embeddings.weight",
        "bert.embeddings.token_type_embeddings.weight",
        "bert.embeddings.LayerNorm.weight",
        "bert.embeddings.LayerNorm.bias",
        "bert.encoder.layer.0.attention.self.query.weight",
        "bert.encoder.layer.0.attention.self.query.bias",
      ]
    `);
  });
  test('the weights of a base model load, and the classifier starts fresh with a warning', async () => {
    const model = new BertForSequenceClassification({ ...small, num_labels: 3 });
    await model.savePretrained(directory);
    const base = [...model.stateDict()].flatMap(([name, value]) =>
      name.startsWith('bert.') ? [[name.slice(5).replace('LayerNorm.weight', 'LayerNorm.gamma'), value] as const] : [],
    );
    await writeSafetensors(join(directory, 'model.safetensors'), new Map(base));
    const warnings: string[] = [];
    const loaded = await BertForSequenceClassification.fromPretrained(directory, {
      onWarning: message => warnings.push(message.replace(directory, 'DIR')),
    });
    expect(warnings).toEqual([
      'DIR has no classifier.weight and classifier.bias: initialized randomly; train the model before use',
    ]);
    expect(loaded.bert.stateDict()).toEqual(model.bert.stateDict());
    expect(Math.max(...(loaded.classifier.weight.data as Float32Array))).toBeGreaterThan(0);
  });
  test('another shape is an error that names the tensor and both shapes', async () => {
    const model = new BertForSequenceClassification(small);
    await model.savePretrained(directory);
    expect(
      await errorOf(BertForSequenceClassification.fromPretrained(directory, { config: { num_labels: 5 } })),
    ).toMatchInlineSnapshot(`
      "DIR/model.safetensors: tensor 'classifier.weight' is tensor<2x8xf32>, the model expects tensor<5x8xf32>
        fix: load weights made for this configuration, or change config.json to the one they were trained with"
    `);
  });
  test('inputs that the model has no place for are errors', () => {
    const model = new BertForSequenceClassification(small);
    const ids = (shape: readonly number[], id: number) => full(shape, id, { dtype: 'i32' });
    expect(() => model.forward(ids([1, 7], 1))).toThrow('the sequence has 7 tokens, but the model has 6 positions');
    expect(() => model.forward(ids([1, 6], 20)).data).toThrow('embedding: index 20 is out of range');
    expect(() => model.forward(ids([6], 1))).toThrow('token ids have two dims');
    expect(() => model.forward({ inputIds: ids([1, 6], 1), attentionMask: ids([1, 5], 1) })).toThrow(
      'have the shape of the token ids',
    );
  });
});
