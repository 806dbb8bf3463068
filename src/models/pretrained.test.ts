// Weights that are large enough to be read straight into the memory of a device: whole tensors, rows of joined ones, stacks,
// shards, other types and truncated files.
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bytesOf } from '../hlo/literal.ts';
import { Linear } from '../nn/index.ts';
import { device, manualSeed, setDefaultDevice } from '../tensor/index.ts';
import { quantizeWeights } from './adapters/quantized-linear.ts';
import { DecoderForCausalLM } from './decoder/decoder.ts';
import { readSafetensors, writeSafetensors } from './safetensors.ts';
import { openWeights } from './weights.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trenio-pretrained-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => {
  setDefaultDevice(device('interpreter'));
  manualSeed(1);
});

const sizes = {
  vocab_size: 600,
  hidden_size: 512,
  intermediate_size: 1100,
  num_hidden_layers: 1,
  num_attention_heads: 4,
};
const bytes = (model: DecoderForCausalLM) =>
  new Map(
    [...model.namedParameters(), ...model.namedBuffers()].map(([name, one]) => [
      name,
      Buffer.from(bytesOf(one.literal())),
    ]),
  );
const expectSame = (got: DecoderForCausalLM, want: DecoderForCausalLM): void => {
  const wanted = bytes(want);
  for (const [name, value] of bytes(got)) expect(value.equals(wanted.get(name)!), name).toBe(true);
};
async function saved(name: string, fields: object, dtype: 'f32' | 'bf16' = 'f32') {
  const model = new DecoderForCausalLM({ ...sizes, ...fields, model_type: name }).to(dtype);
  const directory = await mkdtemp(join(folder, `${name}-`));
  await model.savePretrained(directory);
  return { model, directory };
}

test.each<[string, object]>([
  ['llama', {}],
  ['phi3', { pad_token_id: 0 }],
  ['mixtral', { num_local_experts: 2, num_key_value_heads: 2 }],
])('%s in f32, and in bf16 as f32', async (name, fields) => {
  for (const dtype of ['f32', 'bf16'] as const) {
    const { model, directory } = await saved(name, fields, dtype);
    const loaded = await DecoderForCausalLM.fromPretrained(directory, { dtype });
    expectSame(loaded, model);
    expectSame(await DecoderForCausalLM.fromPretrained(directory), model.to('f32'));
  }
});

test('shards', async () => {
  const { model, directory } = await saved('llama', {});
  const file = join(directory, 'model.safetensors');
  const tensors = [...(await readSafetensors(file))];
  const shards = [tensors.slice(0, 4), tensors.slice(4)];
  const weightMap: Record<string, string> = {};
  for (const [i, shard] of shards.entries()) {
    for (const [name] of shard) weightMap[name] = `part-${i}.safetensors`;
    await writeSafetensors(join(directory, `part-${i}.safetensors`), new Map(shard));
  }
  await rm(file);
  await writeFile(join(directory, 'model.safetensors.index.json'), JSON.stringify({ weight_map: weightMap }));
  expect(await readdir(directory)).not.toContain('model.safetensors');
  expectSame(await DecoderForCausalLM.fromPretrained(directory), model);
});

test.each(['int8', 'nf4'] as const)(
  '%s: a model quantized while it is loaded is the one quantized afterwards',
  async kind => {
    const { directory } = await saved('llama', { num_key_value_heads: 1, intermediate_size: 64 });
    const loaded = await DecoderForCausalLM.fromPretrained(directory, { quantize: kind });
    const later = quantizeWeights(await DecoderForCausalLM.fromPretrained(directory), kind);
    expect([...loaded.namedBuffers()]).toHaveLength(14); // codes and scales of 7 layers
    expect(loaded.lm_head).toBeInstanceOf(Linear);
    expectSame(loaded, later);
    const wrong = DecoderForCausalLM.fromPretrained(directory, { quantize: 'int3' as never });
    await expect(wrong).rejects.toThrow('int8, nf4, q8_0, q4_0');
  },
);

test('a file that is cut short while it is read', async () => {
  const { directory } = await saved('llama', {});
  const file = join(directory, 'model.safetensors');
  await using weights = await openWeights(directory);
  await truncate(file, 3 << 20);
  await expect(DecoderForCausalLM.fromPretrained(directory, { weights })).rejects.toMatchObject({
    code: 'SAFETENSORS_INVALID',
    message: expect.stringContaining('bytes could be read: the file is truncated'),
  });
});
