// Checkpoints of transformers with options that are easily missed: towers of CLIP and SigLIP alone, audio classifiers, a first
// token that is forced, classifiers of decoders, a share of rotated dims that transformers ignores. From
// bench/peers/hf_variants.py; bench/variants.ts compares hundreds of others.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { goldenPath } from '../../test/golden.testing.ts';
import { device, setDefaultDevice, tensor } from '../tensor/index.ts';
import {
  AutoModel,
  AutoModelForQuestionAnswering,
  AutoModelForSequenceClassification,
  AutoModelForTokenClassification,
} from './auto/index.ts';
import { DecoderForSequenceClassification, DecoderForTokenClassification } from './decoder/heads.ts';
import { readSafetensors } from './safetensors.ts';
import { differences } from './variants.testing.ts';

const golden = goldenPath('variants');
beforeEach(() => setDefaultDevice(device('interpreter')));

test.each(readdirSync(golden))('%s equals transformers', async name => {
  expect(await differences(join(golden, name))).toEqual([]);
});

test.each(['clip-visionproj-gelu', 'clip-textproj-eos40-quick_gelu'])(
  '%s is written under the names of its file',
  async name => {
    const folder = mkdtempSync(join(tmpdir(), 'trenio-variants-'));
    const model = (await AutoModel.fromPretrained(join(golden, name))) as {
      savePretrained(to: string): Promise<void>;
    } & object;
    await model.savePretrained(folder);
    const namesOf = async (from: string) => [...(await readSafetensors(join(from, 'model.safetensors'))).keys()].sort();
    expect(await namesOf(folder)).toEqual(await namesOf(join(golden, name)));
    rmSync(folder, { recursive: true });
  },
);

test('a text encoder takes no fields of its configuration: they are refused, not ignored', async () => {
  const options = { config: { hidden_size: 8 } } as object;
  const loading = AutoModel.fromPretrained(join(golden, 'clip-text-eos2-gelu'), options);
  await expect(loading).rejects.toMatchObject({ code: 'NO_SUCH_OPTION', data: { option: 'config' } });
});

test.each([
  ['decoder-sequence-left-qwen3', AutoModelForSequenceClassification],
  ['decoder-tokens-gptneox', AutoModelForTokenClassification],
  ['decoder-answers-llama', AutoModelForQuestionAnswering],
  ['decoder-tokens-gpt2', AutoModelForTokenClassification],
] as const)('%s is written as transformers reads it', async (name, reader) => {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-variants-'));
  await (await reader.fromPretrained(join(golden, name))).savePretrained(folder);
  const read = (from: string) => readSafetensors(join(from, 'model.safetensors'));
  expect(await read(folder)).toEqual(await read(join(golden, name)));
  const configOf = (from: string) => JSON.parse(readFileSync(join(from, 'config.json'), 'utf8')) as object;
  expect(configOf(folder)).toMatchObject(configOf(join(golden, name)));
  rmSync(folder, { recursive: true });
});

test('a head that a decoder’s files lack is initialized, and has the number of labels that is asked for', async () => {
  const warnings: string[] = [];
  const model = await AutoModelForSequenceClassification.fromPretrained(join(golden, 'decoder-tokens-gpt2'), {
    config: { num_labels: 5 },
    onWarning: message => warnings.push(message),
  });
  expect(warnings.join()).toContain('has no score.weight: initialized randomly');
  expect(model.forward(tensor([[3, 4, 5]], { dtype: 'i32' })).shape).toEqual([1, 5]);
});

test('without a padding token, the attention mask says which token is the last one', async () => {
  const sizes = { vocab_size: 10, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2 };
  const model = new DecoderForSequenceClassification({ model_type: 'llama', num_labels: 2, ...sizes });
  const ids = (rows: number[][]) => tensor(rows, { dtype: 'i32' });
  const alone = model.forward(ids([[4, 5, 6]]));
  const padded = model.forward({ inputIds: ids([[4, 5, 6, 1, 1]]), attentionMask: ids([[1, 1, 1, 0, 0]]) });
  expect(padded.allclose(alone, { atol: 1e-6 })).toBe(true);
  expect(() => new DecoderForTokenClassification({ model_type: 'cohere', ...sizes })).toThrow(
    'cohere (CohereForCausalLM) has no head ForTokenClassification in transformers; it has none',
  );
});
