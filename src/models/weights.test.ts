// The weights of a directory in each of their formats, and directories without weights.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { goldenPath } from '../../test/golden.testing.ts';
import type { Literal } from '../hlo/literal.ts';
import { literalsOf } from '../nn/literals.testing.ts';
import { device, rand, setDefaultDevice, tensor } from '../tensor/index.ts';
import { AutoModel, AutoModelForCausalLM } from './auto/index.ts';
import { DecoderForCausalLM, type DecoderModel } from './decoder/decoder.ts';
import { readSafetensors, writeSafetensors } from './safetensors.ts';
import { saveTorchFile } from './torch-file/write-torch-file.ts';
import { openWeights } from './weights.ts';

const golden = goldenPath('decoders/llama');
let folder: string;
beforeEach(() => {
  setDefaultDevice(device('interpreter'));
  folder = mkdtempSync(join(tmpdir(), 'trenio-weights-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const tiny = { vocab_size: 10, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2 };
const index = (file: string, shards: Readonly<Record<string, readonly string[]>>): void => {
  const entries = Object.entries(shards).flatMap(([shard, names]) => names.map(name => [name, shard]));
  writeFileSync(join(folder, `${file}.index.json`), JSON.stringify({ weight_map: Object.fromEntries(entries) }));
};

test('pytorch_model.bin, whole and in shards', async () => {
  const all = await readSafetensors(join(golden, 'model.safetensors'));
  const state = new Map<string, Literal>(all);
  const readAll = async (): Promise<ReadonlyMap<string, Literal>> => {
    await using weights = await openWeights(folder);
    const read = new Map<string, Literal>();
    for (const name of weights.types.keys()) read.set(name, await weights.read(name));
    return read;
  };
  const names = [...state.keys()];
  const [first, second] = [names.slice(0, 5), names.slice(5)];
  const part = (some: readonly string[]) => new Map(some.map(name => [name, state.get(name)!]));
  await saveTorchFile(join(folder, 'one.bin'), part(first));
  await saveTorchFile(join(folder, 'two.bin'), part(second));
  index('pytorch_model.bin', { 'one.bin': first, 'two.bin': second });
  expect(await readAll()).toEqual(state);
  await saveTorchFile(join(folder, 'pytorch_model.bin'), state);
  expect(await readAll()).toEqual(state);
  cpSync(join(golden, 'config.json'), join(folder, 'config.json'));
  const model = await AutoModelForCausalLM.fromPretrained(folder);
  expect(model.stateDict().get('lm_head.weight')?.literal()).toEqual(state.get('lm_head.weight'));
  writeFileSync(join(folder, 'pytorch_model.bin'), 'no archive');
  await expect(AutoModelForCausalLM.fromPretrained(folder)).rejects.toThrow('load and save it again in PyTorch');
});

test('an index that disagrees with its shards: all tensors of the shards are read', async () => {
  const all = await readSafetensors(join(golden, 'model.safetensors'));
  const names = [...all.keys()];
  const part = (some: readonly string[]) => new Map(some.map(name => [name, all.get(name)!]));
  await writeSafetensors(join(folder, 'a.safetensors'), part(names.slice(0, 5)));
  await writeSafetensors(join(folder, 'b.safetensors'), part(names.slice(5)));
  index('model.safetensors', { 'a.safetensors': ['of.no.shard', names.at(-1)!], 'b.safetensors': [names[5]!] });
  await using weights = await openWeights(folder);
  expect([...weights.types.keys()].sort()).toEqual(names.toSorted());
  expect(await weights.read(names.at(-1)!)).toEqual(all.get(names.at(-1)!));
});

test('a tied head with other values than the token embeddings is read, with a warning', async () => {
  const model = new DecoderForCausalLM({
    model_type: 'qwen2',
    num_key_value_heads: 1,
    ...tiny,
    tie_word_embeddings: true,
  });
  await model.savePretrained(folder);
  const all = await readSafetensors(join(folder, 'model.safetensors'));
  const head = rand([10, 8]).literal();
  await writeSafetensors(join(folder, 'model.safetensors'), new Map([...all, ['lm_head.weight', head]]));
  const warnings: string[] = [];
  const read = () => DecoderForCausalLM.fromPretrained(folder, { onWarning: message => void warnings.push(message) });
  const untied = await read();
  expect(untied.lm_head!.weight.literal()).toEqual(head);
  expect(untied.config.tie_word_embeddings).toBe(false);
  expect(warnings).toEqual([expect.stringContaining('has both with different values: both are used')]);
  const embeddings = all.get('model.embed_tokens.weight')!;
  await writeSafetensors(join(folder, 'model.safetensors'), new Map([...all, ['lm_head.weight', embeddings]]));
  expect((await read()).lm_head).toBeUndefined();
});

test('a base model does not need the head; old names of layer norms', async () => {
  const all = await readSafetensors(join(golden, 'model.safetensors'));
  const literals = [...all].filter(([name]) => name !== 'lm_head.weight');
  await writeSafetensors(
    join(folder, 'model.safetensors'),
    new Map(literals.map(([name, value]) => [name.replace(/^model\./, ''), value])),
  );
  cpSync(join(golden, 'config.json'), join(folder, 'config.json'));
  const ids = tensor([[3, 4, 5]], { dtype: 'i32' });
  const [base, whole] = await Promise.all([
    AutoModel.fromPretrained(folder),
    AutoModelForCausalLM.fromPretrained(golden),
  ]);
  expect((base as DecoderModel).forward(ids).data).toEqual((whole as DecoderForCausalLM).model.forward(ids).data);
  await expect(AutoModelForCausalLM.fromPretrained(folder)).rejects.toThrow('lacks parameters of DecoderForCausalLM');

  const deberta = goldenPath('encoders/deberta');
  cpSync(join(deberta, 'config.json'), join(folder, 'config.json'));
  const current = await readSafetensors(join(deberta, 'model.safetensors'));
  const old = (name: string) =>
    name.replace('LayerNorm.weight', 'LayerNorm.gamma').replace('LayerNorm.bias', 'LayerNorm.beta');
  await writeSafetensors(
    join(folder, 'model.safetensors'),
    new Map([...current].map(([name, value]) => [old(name), value])),
  );
  const [first, second] = await Promise.all([deberta, folder].map(directory => AutoModel.fromPretrained(directory)));
  expect(literalsOf(second!.stateDict())).toEqual(literalsOf(first!.stateDict()));
});

test('files that are not weights, missing shards and quantized weights: the error says what they are', async () => {
  const file = join(folder, 'model.safetensors');
  writeFileSync(file, 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 988097824\n');
  await expect(openWeights(folder)).rejects.toThrow('git lfs pull');
  writeFileSync(file, '<!DOCTYPE html><html></html>');
  await expect(openWeights(folder)).rejects.toThrow('it is a web page');
  rmSync(file);
  index('model.safetensors', { 'model-00001-of-00002.safetensors': ['lm_head.weight'] });
  await expect(openWeights(folder)).rejects.toThrow(
    'the index puts it into model-00001-of-00002.safetensors, which is missing',
  );
  const all = await readSafetensors(join(golden, 'model.safetensors'));
  const packed = [...all].map(([name, value]) => [name.replace('q_proj.weight', 'q_proj.qweight'), value] as const);
  await writeSafetensors(file, new Map(packed));
  cpSync(join(golden, 'config.json'), join(folder, 'config.json'));
  await expect(AutoModelForCausalLM.fromPretrained(folder)).rejects.toThrow('quantized by GPTQ, AWQ');
});

test('a directory without weights: the error says what it has', async () => {
  await expect(openWeights(folder)).rejects.toThrow(
    `${folder} has no model.safetensors or pytorch_model.bin\n  fix: download all files of the model`,
  );
  writeFileSync(join(folder, 'tf_model.h5'), '');
  await expect(openWeights(folder)).rejects.toThrow(/it has tf_model.h5\n.*save_pretrained/);
  writeFileSync(join(folder, 'adapter_model.safetensors'), '');
  await expect(AutoModel.fromPretrained(folder)).rejects.toThrow('it is an adapter: load its base model');
  rmSync(join(folder, 'adapter_model.safetensors'));
  writeFileSync(join(folder, 'model-Q4_K_M.gguf'), '');
  await expect(AutoModel.fromPretrained(folder)).rejects.toThrow(
    `has no config.json; it has model-Q4_K_M.gguf, tf_model.h5\n  fix: name the GGUF file itself: ${folder}/model-Q4_K_M.gguf`,
  );
});
