import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { goldenPath } from '../../test/golden.testing.ts';
import { type BertConfigInput, bertConfig, readBertConfig, writeBertConfig } from './hf-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const golden = goldenPath('bert-small/config.json');

test("defaults are Hugging Face's: bert-base with two classes", () => {
  expect(bertConfig({})).toEqual({
    model_type: 'bert',
    vocab_size: 30522,
    hidden_size: 768,
    num_hidden_layers: 12,
    num_attention_heads: 12,
    intermediate_size: 3072,
    hidden_act: 'gelu',
    hidden_dropout_prob: 0.1,
    attention_probs_dropout_prob: 0.1,
    max_position_embeddings: 512,
    type_vocab_size: 2,
    initializer_range: 0.02,
    layer_norm_eps: 1e-12,
    classifier_dropout: null,
    pad_token_id: 0,
    position_embedding_type: 'absolute',
    tie_word_embeddings: true,
    num_labels: 2,
    id2label: { 0: 'LABEL_0', 1: 'LABEL_1' },
    label2id: { LABEL_0: 0, LABEL_1: 1 },
  });
});

test('a config.json of transformers round-trips without loss', async () => {
  const config = await readBertConfig(golden);
  expect(config).toMatchObject({ hidden_size: 64, num_attention_heads: 4, vocab_size: 200, num_labels: 2 });
  const copy = join(folder, 'config.json');
  await writeBertConfig(copy, config);
  const [before, after] = [golden, copy].map(path => JSON.parse(readFileSync(path, 'utf8')) as object);
  expect(after).toMatchObject(before!);
  expect(await readBertConfig(copy)).toEqual({ ...config, architectures: ['BertForSequenceClassification'] });
});

test('classes: from id2label, from label2id, from num_labels', () => {
  expect(bertConfig({ id2label: { 0: 'bad', 1: 'so so', 2: 'good' } })).toMatchObject({
    num_labels: 3,
    label2id: { bad: 0, 'so so': 1, good: 2 },
  });
  expect(bertConfig({ label2id: { no: 0, yes: 1 } }).id2label).toEqual({ 0: 'no', 1: 'yes' });
  expect(bertConfig({ num_labels: 5 }).label2id).toMatchObject({ LABEL_4: 4 });
});

describe('the error names the problem', () => {
  test.each<[object, string]>([
    [{ hidden_size: '64' }, 'config.json: hidden_size: Invalid input: expected number, received string (it is "64")'],
    [{ num_hidden_layers: 0 }, 'config.json: num_hidden_layers: Too small: expected number to be >=1 (it is 0)'],
    [
      { hidden_size: 64, num_attention_heads: 5 },
      'config.json: hidden_size: 64 is not a multiple of num_attention_heads, 5',
    ],
    [{ hidden_dropout_prob: 1.5 }, 'config.json: hidden_dropout_prob: Too big: expected number to be <=1 (it is 1.5)'],
    [
      { hidden_act: 'gulu' },
      'config.json: hidden_act: Invalid option: expected one of "gelu"|"gelu_new"|"gelu_pytorch_tanh"|',
    ],
    [{ model_type: 'gpt2' }, 'config.json: model_type: Invalid input: expected "bert" (it is "gpt2")'],
    [
      { position_embedding_type: 'relative_key' },
      'config.json: position_embedding_type: Invalid input: expected "absolute" (it is "relative_key")',
    ],
    [{ vocab_size: 10, pad_token_id: 10 }, 'config.json: pad_token_id: 10 is not below vocab_size, 10'],
    [{ id2label: { 0: 'a', 2: 'b' } }, 'config.json: id2label: class 1 of 2 has no name'],
    [{ id2label: {} }, 'config.json: id2label: there are no classes'],
    [{ id2label: { 0: 'a' }, num_labels: 2 }, 'config.json: num_labels: it is 2, id2label has 1 classes'],
    [
      { layer_norm_eps: null },
      'config.json: layer_norm_eps: Invalid input: expected number, received null (it is null)',
    ],
  ])('%j', (fields, expected) => {
    expect(() => bertConfig(fields as BertConfigInput, 'config.json')).toThrow(expected);
  });
  test.each([
    'vocab_size',
    'hidden_size',
    'num_hidden_layers',
    'num_attention_heads',
    'intermediate_size',
    'max_position_embeddings',
    'type_vocab_size',
    'num_labels',
  ] as const)('rejects an unrealistic %s before anything is built', field => {
    for (const value of [1e9, 2 ** 53, Number.MAX_VALUE])
      expect(() => bertConfig({ [field]: value }, 'config.json')).toThrow(
        expect.objectContaining({ code: 'MODEL_CONFIG_INVALID', data: expect.objectContaining({ field }) }),
      );
  });
  test('rejects sizes that are each within bounds but too large together', () => {
    expect(() => bertConfig({ num_hidden_layers: 100_000 }, 'config.json')).toThrow('num_hidden_layers: Too big');
    const large = {
      hidden_size: 65_536,
      num_attention_heads: 512,
      intermediate_size: 262_144,
      num_hidden_layers: 1000,
    };
    expect(() => bertConfig(large, 'config.json')).toThrow(
      'config.json: it describes a model of about 51542 billion parameters, more than the 1100 billion that Trenio builds',
    );
    // Larger than any published value.
    bertConfig({ ...large, hidden_size: 16_384, intermediate_size: 65_536, num_hidden_layers: 200 }, 'config.json');
  });
  test.each([
    ['', 'it is not JSON'],
    ['[]', 'it is not a JSON object'],
    ['null', 'it is not a JSON object'],
  ])('a file that contains %j is an error', async (content, expected) => {
    const file = join(folder, 'bad.json');
    writeFileSync(file, content);
    await expect(readBertConfig(file)).rejects.toThrow(expected);
  });
  test('a missing file is an error', async () => {
    await expect(readBertConfig(join(folder, 'none.json'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  });
});
