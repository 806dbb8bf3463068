// GGUF files: weights and logits as transformers reads them, tokenizers, quantized blocks as the gguf package widens them
// (test/golden/gguf, made by make-gguf-golden.py there), and damaged files.
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { AutoTokenizer } from '../../data/index.ts';
import { device, rand, randint, setDefaultDevice, tensor, zeros } from '../../tensor/index.ts';
import { AutoConfig, AutoModelForCausalLM } from '../auto/index.ts';
import { QuantizedEmbedding } from '../quantized/quantized-embedding.ts';
import { quantizedTypes } from '../quantized/weight-formats.ts';
import { readSafetensors } from '../safetensors.ts';
import { widened } from './widen.ts';

const golden = fileURLToPath(new URL('../../../test/golden/gguf', import.meta.url));
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

  test('generation on this machine equals that of the widened model', async () => {
    setDefaultDevice(device('cpu'));
    const file = join(golden, 'qwen2-q4.gguf');
    const ids = tensor([[1, 5, 9]], { dtype: 'i32' });
    const tokens = async (options: object): Promise<unknown> =>
      (await (await AutoModelForCausalLM.fromPretrained(file, options)).generate(ids, { maxNewTokens: 8 })).data;
    expect(await tokens({})).toEqual(await tokens({ dtype: 'float32' }));
  });
});
