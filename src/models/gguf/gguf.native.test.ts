// GGUF files: weights and logits as transformers reads them, tokenizers, quantized blocks as the gguf package widens them
// (test/golden/gguf, made by make-gguf-golden.py), and damaged files.
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { withMetadata } from '../../data/gguf/gguf.testing.ts';
import { GgufMetadata } from '../../data/gguf/gguf-file.ts';
import { type GgufValue, parseGgufHeader } from '../../data/gguf/gguf-header.ts';
import { ggufKeys } from '../../data/gguf/gguf-keys.ts';
import { AutoTokenizer } from '../../data/index.ts';
import { ggufTokenizerFiles } from '../../data/tokenizers/gguf-tokenizer.ts';
import { wordSplitters } from '../../data/tokenizers/gguf-words.ts';
import { arange, device, rand, randint, setDefaultDevice, tensor, zeros } from '../../tensor/index.ts';
import { AutoConfig, AutoModelForCausalLM } from '../auto/index.ts';
import { QuantizedEmbedding } from '../quantized/quantized-embedding.ts';
import { quantizedTypes } from '../quantized/weight-formats.ts';
import { readSafetensors } from '../safetensors.ts';
import { ggufConfig } from './architectures.ts';
import { recommendedSampling } from './generation.ts';
import { widened } from './widen.ts';

const golden = goldenPath('gguf');
const names = ['llama', 'llama-q8', 'qwen2-q4', 'qwen3-bf16', 'llama-q4-k-m', 'gemma2', 'phi3', 'phi3-partial'];
beforeEach(() => setDefaultDevice(device('interpreter')));

test.each(names)('%s: logits match transformers', async name => {
  const { input_ids, logits } = Object.fromEntries(await readSafetensors(join(golden, `${name}.safetensors`)));
  const model = await AutoModelForCausalLM.fromPretrained(join(golden, `${name}.gguf`));
  const got = model.forward(tensor(input_ids!)).data as Float32Array;
  const want = logits!.data as Float32Array;
  const largest = want.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  expect(Math.max(...got.map((value, i) => Math.abs(value - want[i]!)))).toBeLessThan(1e-5 * largest);
});

test('a model is written as a directory of transformers with the same weights', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-gguf-'));
  const model = await AutoModelForCausalLM.fromPretrained(join(golden, 'llama-q8.gguf'), { dtype: 'bfloat16' });
  await model.savePretrained(folder.path);
  const again = await AutoModelForCausalLM.fromPretrained(folder.path, { dtype: 'bfloat16' });
  const ids = tensor([[1, 5, 9]], { dtype: 'i32' });
  expect(again.forward(ids).data).toEqual(model.forward(ids).data);
  expect(model.generationConfig.eos_token_id).toBe(2);
});

test('the configuration', async () => {
  expect(await AutoConfig.fromPretrained(join(golden, 'gemma2.gguf'))).toMatchObject({
    ...{ model_type: 'gemma2', hidden_size: 32, head_dim: 8, sliding_window: 4, final_logit_softcapping: 30 },
    ...{ tie_word_embeddings: true, eos_token_id: 2 },
  });
});

test.each(Object.entries(JSON.parse(readFileSync(join(golden, 'blocks.json'), 'utf8')) as Record<string, Block>))(
  'blocks of %s',
  (type, { data, bits }) => {
    const want = new Float32Array(Uint8Array.from(Buffer.from(bits, 'hex')).buffer);
    const got = widened(type as 'Q8_0', [want.length], Uint8Array.from(Buffer.from(data, 'hex')));
    expect(got.data).toEqual(want);
  },
);
interface Block {
  readonly data: string;
  readonly bits: string;
}

const { texts, tokens } = JSON.parse(readFileSync(join(golden, 'tokens.json'), 'utf8')) as {
  readonly texts: readonly string[];
  readonly tokens: Readonly<Record<string, readonly (readonly number[])[]>>;
};
test.each(Object.entries(tokens))('%s: tokens', async (name, want) => {
  const tokenizer = await AutoTokenizer.fromPretrained(join(golden, `${name}.gguf`));
  const encode = (text: string) => tokenizer.encode(text, { addSpecialTokens: false });
  for (const [i, ids] of want.entries()) expect([texts[i], encode(texts[i]!)]).toEqual([texts[i], ids]);
  for (const text of texts.slice(0, 3)) expect(tokenizer.decode(encode(text))).toBe(text);
});
test('special tokens and the chat template', async () => {
  const tokenizer = await AutoTokenizer.fromPretrained(join(golden, 'llama.gguf'));
  expect(tokenizer.encode('hello')[0]).toBe(1);
  expect(tokenizer.applyChatTemplate([{ role: 'user', content: 'hello' }], { tokenize: false })).toBe(
    '<|user|>hello</s>',
  );
});

describe('metadata', () => {
  const bytes = readFileSync(join(golden, 'llama.gguf'));
  type Changes = Readonly<Record<string, GgufValue | undefined>>;
  const withFile = async <T>(changes: Changes, use: (file: string) => Promise<T>): Promise<T> => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-gguf-'));
    const file = join(folder.path, 'x.gguf');
    writeFileSync(file, withMetadata(bytes, changes));
    return await use(file);
  };
  const config = (changes: Changes) => withFile(changes, AutoConfig.fromPretrained);
  const model = (changes: Changes) => withFile(changes, file => AutoModelForCausalLM.fromPretrained(file));
  const tokenizer = (changes: Changes) => withFile(changes, AutoTokenizer.fromPretrained);
  const tokens = parseGgufHeader(new Uint8Array(bytes), bytes.length, 'x').metadata.get(
    'tokenizer.ggml.tokens',
  ) as string[];

  test('tokens that end a turn end a generation', async () => {
    expect(await config({ 'tokenizer.ggml.eot_token_id': 12 })).toMatchObject({ eos_token_id: [2, 12] });
    const named = tokens.with(20, '<|im_end|>').with(21, '<|eot_id|>');
    expect((await model({ 'tokenizer.ggml.tokens': named })).generationConfig.eos_token_id).toEqual([2, 20, 21]);
    const harmony = tokens.with(20, '<|end|>').with(21, '<|return|>').with(22, '<|call|>');
    expect(await config({ 'tokenizer.ggml.tokens': harmony })).toMatchObject({ eos_token_id: [2, 21, 22] });
  });
  test('recommended sampling, and sizes that are given by layer', async () => {
    const { generationConfig } = await model({ 'general.sampling.temp': 0.6, 'general.sampling.top_k': 20 });
    expect(generationConfig).toMatchObject({ temperature: 0.6, top_k: 20 });
    const { num_key_value_heads: count } = (await config({})) as { num_key_value_heads: number };
    expect(await config({ 'llama.attention.head_count_kv': [count, count] })).toMatchObject({
      num_key_value_heads: count,
    });
    await expect(config({ 'llama.attention.head_count_kv': [2, 1] })).rejects.toThrow('layers of different sizes');
  });
  test('scaling of rotary positions', async () => {
    const scaling = async (fields: Readonly<Record<string, GgufValue>>) =>
      (
        (await config(
          Object.fromEntries(Object.entries(fields).map(([key, value]) => [`llama.rope.scaling.${key}`, value])),
        )) as { rope_scaling?: object }
      ).rope_scaling;
    expect(await scaling({ factor: 4 })).toEqual({ rope_type: 'linear', factor: 4 });
    expect(await scaling({ factor: 4, type: 'none' })).toBeUndefined();
    expect(await scaling({ factor: 4, type: 'yarn', yarn_beta_fast: 16, original_context_length: 8 })).toEqual({
      ...{ rope_type: 'yarn', factor: 4, beta_fast: 16, original_max_position_embeddings: 8 },
    });
    await expect(scaling({ factor: 4, attn_factor: 2 })).rejects.toThrow('without yarn, only 1');
  });
  test('the vocabulary may have fewer tokens than the matrix has rows', async () => {
    const fewer = await config({ 'tokenizer.ggml.tokens': tokens.slice(0, -5) });
    expect(fewer).toMatchObject({ vocab_size: tokens.length });
  });
  test('BOS and words follow from the kind of tokenizer', async () => {
    const bpe = {
      'tokenizer.ggml.model': 'gpt2',
      'tokenizer.ggml.merges': [],
      'tokenizer.ggml.add_bos_token': undefined,
    };
    const first = async (pre: string) => (await tokenizer({ ...bpe, 'tokenizer.ggml.pre': pre })).encode('hi')[0] === 1;
    expect(await first('llama-bpe')).toBe(true);
    expect(await first('deepseek-r1-qwen')).toBe(false);
    await expect(first('no-such')).rejects.toThrow('the nearest are');
    for (const pre of Object.keys(wordSplitters)) await first(pre);
  });
  test('templates by name', async () => {
    const named = { 'tokenizer.chat_templates': ['tool_use'], 'tokenizer.chat_template.tool_use': 'tools!' };
    const chat = await tokenizer(named);
    expect(chat.applyChatTemplate([], { tools: [], tokenize: false })).toBe('tools!');
  });
  test('keys that would change the result are refused by name', async () => {
    await expect(config({ 'llama.expert_count': 8 })).rejects.toThrow(
      'llama.expert_count is "8", which is not supported',
    );
    await expect(config({ 'llama.attention.value_length': 3 })).rejects.toThrow('llama.attention.value_length is "3"');
    await expect(tokenizer({ 'general.type': 'adapter' })).rejects.toThrow('general.type is "adapter"');
    expect(await config({ 'llama.expert_count': 0, 'llama.logit_scale': 1, 'some.other': 'key' })).toBeDefined();
  });
  test('each key that is said to be read is read', async () => {
    const asked = new Set<string>();
    const one = parseGgufHeader(new Uint8Array(bytes), bytes.length, 'x');
    const get = (key: string) => {
      asked.add(key.replace(/^(llama|phi3)\./, '{arch}.').replace(/(chat_template)\.\w+/, '$1.{name}'));
      return { 'tokenizer.chat_templates': ['a'], 'tokenizer.ggml.pre': 'llama-bpe' }[key] ?? one.metadata.get(key);
    };
    class Recorded extends Map<string, GgufValue> {
      override get = get;
    }
    const read = async (): Promise<never> => {
      throw new Error('no data');
    };
    const close = async () => {};
    const file = { ...one, file: 'x', read, close, [Symbol.asyncDispose]: close };
    Object.assign(file, { metadata: new Recorded(one.metadata) });
    await ggufConfig(file);
    ggufTokenizerFiles(file);
    const bpe = { 'tokenizer.ggml.model': 'gpt2', 'tokenizer.ggml.merges': ['a b'] };
    Object.assign(file, { metadata: new Recorded(one.metadata) });
    Object.assign(file.metadata, { get: (key: string) => (bpe as Record<string, GgufValue>)[key] ?? get(key) });
    ggufTokenizerFiles(file);
    recommendedSampling(new GgufMetadata(file));
    const missed = ggufKeys.read.filter(
      key => !asked.has(key) && !['general.alignment', 'tokenizer.ggml.merges'].includes(key),
    );
    expect(missed).toEqual([]);
  });
});

describe('damage', () => {
  const bytes = readFileSync(join(golden, 'llama.gguf'));
  const changed = (change: (copy: Buffer<ArrayBuffer>) => Buffer | undefined): Buffer => {
    const copy = Buffer.from(bytes);
    return change(copy) ?? copy;
  };
  test.each<[string, Buffer, RegExp]>([
    ['an empty file', Buffer.alloc(0), /is this a GGUF file/],
    ['another format', Buffer.alloc(100, 1), /is this a GGUF file/],
    ['an old version', changed(copy => void copy.writeUInt32LE(1, 4)), /its version is 1, not 2 or 3/],
    ['a big-endian file', changed(copy => void copy.writeUInt32BE(3, 4)), /big-endian/],
    ['too many tensors', changed(copy => void copy.writeBigUInt64LE(1n << 40n, 8)), /claims 1099511627776 tensors/],
    ['a truncated header', bytes.subarray(0, 500), /truncated/],
    ['truncated data', bytes.subarray(0, -10), /tensor '.*': its data ends at byte .*truncated/],
  ])('%s is a typed error', async (_, content, message) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-gguf-'));
    const file = join(folder.path, 'x.gguf');
    writeFileSync(file, content);
    await expect(AutoModelForCausalLM.fromPretrained(file)).rejects.toThrow(message);
    await expect(AutoTokenizer.fromPretrained(file)).rejects.toMatchObject({ code: 'GGUF_INVALID' });
  });
  test('a file with any byte of its header changed is read or rejected with a typed error', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-gguf-'));
    const file = join(folder.path, 'x.gguf');
    for (let at = 0; at < 4000; at += 37) {
      const copy = Buffer.from(bytes);
      copy[at] = 255 - copy[at]!;
      writeFileSync(file, copy);
      await AutoConfig.fromPretrained(file).catch((error: { code?: string }) =>
        expect(error.code).toMatch(/^[A-Z_]+$/),
      );
      await AutoTokenizer.fromPretrained(file).catch((error: { code?: string }) =>
        expect(error.code).toMatch(/^[A-Z_]+$/),
      );
    }
  });
  test('an unknown architecture is an error', async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-gguf-'));
    const file = join(folder.path, 'x.gguf');
    writeFileSync(file, Buffer.from(bytes.toString('latin1').replace('llama', 'lluma'), 'latin1'));
    await expect(AutoModelForCausalLM.fromPretrained(file)).rejects.toThrow(
      /general.architecture is 'lluma', which is not supported\n.*the nearest are llama/,
    );
  });
});

describe('quantized weights', () => {
  test.each(['llama-q8', 'qwen2-q4'])('%s: they stay quantized in memory unless a type is asked for', async name => {
    const file = join(golden, `${name}.gguf`);
    const kept = await AutoModelForCausalLM.fromPretrained(file);
    const types = [...kept.namedBuffers()].map(([, { type }]) => type.elementType);
    expect(types).toContain(name === 'llama-q8' ? 'i8' : 'ui8');
    const wide = await AutoModelForCausalLM.fromPretrained(file, { dtype: 'float32' });
    expect([...wide.namedBuffers()]).toEqual([]);
    const ids = tensor([[1, 5, 9, 2]], { dtype: 'i32' });
    expect(kept.forward(ids).data).toEqual(wide.forward(ids).data);
    await expect(kept.savePretrained('/nowhere')).rejects.toThrow('a model with quantized weights');
  });

  test.each(['q8_0', 'q4_0'] as const)(
    'rows of an interleaved table in %s are looked up; others are an error',
    format => {
      const types = quantizedTypes(format, 32, 64);
      const random = (max: number) => randint(0, max, [...types.quantized.shape]);
      const quantized = random(100).to(types.quantized.elementType === 'i8' ? 'int8' : 'uint8');
      const table = new QuantizedEmbedding(32, 64, format, {
        quantized,
        scales: rand(...types.scales.shape).to('float16'),
      });
      expect(types.scales.shape).toEqual([2, 2, 16]);
      const index = tensor(
        [
          [31, 0, 17],
          [16, 15, 31],
        ],
        { dtype: 'i32' },
      );
      expect(table(index).data).toEqual(table.weight.indexSelect(0, index.reshape(-1)).data);
      expect(table(zeros([0], { dtype: 'int32' })).shape).toEqual([0, 64]);
      for (const wrong of [32, -1])
        expect(() => table(tensor([wrong], { dtype: 'i32' })).data).toThrow(
          `embedding: index ${wrong} is out of range`,
        );
    },
  );

  test.each(['q8_0', 'q4_0'] as const)('16 rows of a table in %s that is not interleaved are looked up', format => {
    const types = quantizedTypes(format, 33, 64);
    const quantized = randint(0, 100, [...types.quantized.shape]).to(format === 'q8_0' ? 'int8' : 'uint8');
    const scales = rand(...types.scales.shape).to('float16');
    const table = new QuantizedEmbedding(33, 64, format, { quantized, scales });
    const index = arange(16, { dtype: 'int32' });
    expect(table(index).data).toEqual(table.weight.indexSelect(0, index).data);
  });

  test('generation on this machine equals that of the widened model', async () => {
    setDefaultDevice(device('cpu'));
    const file = join(golden, 'qwen2-q4.gguf');
    const ids = tensor([[1, 5, 9]], { dtype: 'i32' });
    const tokens = async (options: object): Promise<unknown> =>
      (await (await AutoModelForCausalLM.fromPretrained(file, options)).generate(ids, { maxNewTokens: 8 })).data;
    expect(await tokens({})).toEqual(await tokens({ dtype: 'float32' }));
  });
});
