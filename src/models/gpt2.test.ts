// A small GPT-2 against Hugging Face's: logits, loss and every gradient, from the vectors in test/golden (made by
// make-gpt2-golden.py there); files, and inputs that it has no place for.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Literal, toNumbers } from '../hlo/literal.ts';
import { device, full, setDefaultDevice, tensor, zeros } from '../tensor/index.ts';
import { GPT2LMHeadModel, nextTokenLoss } from './gpt2.ts';
import { type Gpt2ConfigInput, gpt2Config } from './gpt2-config.ts';
import { openSafetensors, readSafetensors, writeSafetensors } from './safetensors.ts';

const golden = fileURLToPath(new URL('../../test/golden/gpt2-small', import.meta.url));

/** The largest error, relative to the largest entry. */
function relativeError(got: ArrayLike<number>, want: ArrayLike<number>): number {
  let [worst, scale] = [0, 0];
  for (let i = 0; i < want.length; i++) {
    worst = Math.max(worst, Math.abs(got[i]! - want[i]!));
    scale = Math.max(scale, Math.abs(want[i]!));
  }
  return worst / Math.max(scale, 1e-12);
}

test.each(['interpreter', 'cpu'] as const)('logits, loss and gradients agree with PyTorch on %s', async name => {
  const dev = device(name);
  setDefaultDevice(dev);
  const batch = await readSafetensors(join(golden, 'batch.safetensors'));
  const gradients = await readSafetensors(join(golden, 'gradients.safetensors'));
  const model = await GPT2LMHeadModel.fromPretrained(golden);
  const [inputIds, attentionMask, labels] = ['input_ids', 'attention_mask', 'labels'].map(key =>
    tensor(batch.get(key)!),
  ) as [ReturnType<typeof tensor>, ReturnType<typeof tensor>, ReturnType<typeof tensor>];
  const logits = model.forward({ inputIds, attentionMask });
  const loss = nextTokenLoss(logits, labels);
  loss.backward();
  dev.markStep();
  expect(relativeError([loss.item()], toNumbers(batch.get('loss')!))).toBeLessThan(1e-5);
  expect(relativeError(logits.data as Float32Array, toNumbers(batch.get('logits')!))).toBeLessThan(1e-4);
  const parameters = new Map(model.namedParameters());
  expect([...parameters.keys()].sort()).toEqual([...gradients.keys()].sort());
  for (const [parameter, want] of gradients) {
    const got = parameters.get(parameter)!.grad!.data as Float32Array;
    expect(relativeError(got, toNumbers(want)), `gradient of ${parameter}`).toBeLessThan(1e-4);
  }
});

const small = { vocab_size: 20, n_positions: 6, n_embd: 8, n_layer: 1, n_head: 2 };

describe('files', () => {
  let directory: string;
  let model: GPT2LMHeadModel;
  beforeAll(async () => {
    setDefaultDevice(device('interpreter'));
    directory = await mkdtemp(join(tmpdir(), 'trenio-gpt2-'));
    model = new GPT2LMHeadModel(small);
    await model.savePretrained(directory);
  });
  beforeEach(() => setDefaultDevice(device('interpreter')));
  afterAll(() => rm(directory, { recursive: true }));

  test('a saved model loads with the same weights, under the names that Hugging Face writes', async () => {
    const loaded = await GPT2LMHeadModel.fromPretrained(directory);
    expect(loaded.stateDict()).toEqual(model.stateDict());
    await using reader = await openSafetensors(join(golden, 'model.safetensors'));
    const ours = [...(await GPT2LMHeadModel.fromPretrained(golden)).stateDict().keys()];
    expect(ours.sort()).toEqual([...reader.types.keys()].sort());
  });
  test('the published files of the base model leave out the prefix', async () => {
    const base = [...model.stateDict()].map(([name, value]) => [name.replace('transformer.', ''), value] as const);
    const masks = [['h.0.attn.bias', toLiteral([1, 1, 6, 6])]] as const;
    await writeSafetensors(join(directory, 'model.safetensors'), new Map([...base, ...masks]));
    const loaded = await GPT2LMHeadModel.fromPretrained(directory, { config: { attn_pdrop: 0 } });
    expect(loaded.stateDict()).toEqual(model.stateDict());
    expect(loaded.config.attn_pdrop).toBe(0);
  });
});
const toLiteral = (shape: readonly number[]): Literal => zeros(shape).literal();

test('124 million parameters by default', () => {
  const config = gpt2Config({});
  const { n_embd: h, n_layer, vocab_size, n_positions } = config;
  // Counted, not built: 12 H² + 13 H a block, two embeddings, the last norm.
  expect(n_layer * (12 * h * h + 13 * h) + (vocab_size + n_positions) * h + 2 * h).toBe(124_439_808);
  expect(new GPT2LMHeadModel(small).parameterCount()).toBe(12 * 64 + 13 * 8 + 26 * 8 + 16);
});

test.each<[Record<string, unknown>, string]>([
  [{ n_embd: 10, n_head: 3 }, 'n_embd: 10 is not a multiple of n_head, 3'],
  [{ tie_word_embeddings: false }, 'tie_word_embeddings'],
  [{ scale_attn_by_inverse_layer_idx: true }, 'scale_attn_by_inverse_layer_idx'],
  [{ attn_pdrop: 2 }, 'attn_pdrop'],
])('a configuration that is wrong: %j', (fields, expected) => {
  expect(() => gpt2Config(fields as Gpt2ConfigInput)).toThrow(expected);
});

test('a position sees only those before it', () => {
  setDefaultDevice(device('interpreter'));
  const model = new GPT2LMHeadModel(small);
  model.eval();
  const logits = (ids: number[]) => model.forward(tensor(Int32Array.from(ids), { shape: [1, 4] })).data as Float32Array;
  const [one, other] = [logits([1, 2, 3, 4]), logits([1, 2, 3, 5])];
  expect(other.slice(0, 60)).toEqual(one.slice(0, 60));
  expect(other.slice(60)).not.toEqual(one.slice(60));
});

test('inputs that the model has no place for are errors', () => {
  setDefaultDevice(device('interpreter'));
  const model = new GPT2LMHeadModel(small);
  const ids = (shape: readonly number[], id: number) => full(shape, id, { dtype: 'i32' });
  expect(() => model.forward(ids([1, 7], 1))).toThrow('the sequence has 7 tokens, but the model has 6 positions');
  expect(() => model.forward(ids([1, 6], 20))).toThrow('token 20 is out of range: the vocabulary has 20 tokens');
  expect(() => model.forward(ids([6], 1))).toThrow('token ids have two dims');
  expect(() => model.forward({ inputIds: ids([1, 6], 1), attentionMask: ids([1, 5], 1) })).toThrow(
    'has the shape of the token ids',
  );
  expect(() => nextTokenLoss(model.forward(ids([1, 6], 1)), ids([1, 5], 1))).toThrow(
    'logits are [B, T, V] and labels [B, T]',
  );
});

test('sizes beyond all models are refused before anything is built', () => {
  for (const field of ['vocab_size', 'n_positions', 'n_embd', 'n_layer', 'n_head', 'n_inner'] as const)
    expect(() => gpt2Config({ [field]: 1e9 })).toThrow(expect.objectContaining({ code: 'MODEL_CONFIG_INVALID' }));
  const large = { n_embd: 65_536, n_head: 512, n_layer: 1000 };
  expect(() => gpt2Config(large)).toThrow('billion parameters');
  expect(gpt2Config({ n_layer: 96, n_embd: 12_288, n_head: 96, n_positions: 2048 }).n_layer).toBe(96);
});
