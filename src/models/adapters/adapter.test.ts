// Adapters compared with PEFT's (test/golden/lora, written by make-lora-golden.py): logits, gradients, merged weights, files; and
// invalid adapters.
import { readdirSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { toNumbers } from '../../hlo/literal.ts';
import { functional as F, type Module } from '../../nn/index.ts';
import { AdamW } from '../../optim/index.ts';
import { device, manualSeed, setDefaultDevice, type Tensor, tensor } from '../../tensor/index.ts';
import {
  AutoModelForCausalLM,
  AutoModelForSequenceClassification,
  AutoModelForTokenClassification,
  type CausalLM,
} from '../auto/index.ts';
import { DecoderForCausalLM } from '../decoder/decoder.ts';
import { DecoderForSequenceClassification } from '../decoder/heads.ts';
import { EncoderModel } from '../encoder/encoder.ts';
import { nextTokenLoss } from '../next-token-loss.ts';
import { type LazyTensor, readSafetensors } from '../safetensors.ts';
import { asInFiles, type NameRule } from '../tensor-names.ts';
import { VisionForImageClassification } from '../vision/vision.ts';
import { addAdapter, getPeftModel, loadAdapter } from './adapter.ts';
import type { LoraConfigInput, LoraSettings } from './lora-config.ts';

const cases = readdirSync(goldenPath('lora'));
const baseOf = (name: string): string => {
  const base = name.slice(0, name.lastIndexOf('-'));
  const folder = base.endsWith('bert') || base.endsWith('berta') ? 'encoders' : 'decoders';
  return goldenPath(base === 'gpt2' ? 'gpt2-small' : `${folder}/${base}`);
};
const load = (name: string): Promise<CausalLM> => AutoModelForCausalLM.fromPretrained(baseOf(name));
/** The class of the adapter's task; the head is in the adapter. */
const loadForTask = (name: string): Promise<CausalLM> => {
  const options = { config: { num_labels: 3 }, onWarning: () => {} };
  if (name.endsWith('-sequences'))
    return AutoModelForSequenceClassification.fromPretrained(baseOf(name), options) as Promise<never>;
  if (name.endsWith('-tokens'))
    return AutoModelForTokenClassification.fromPretrained(baseOf(name), options) as Promise<never>;
  return load(name);
};
const isClassifier = (name: string): boolean => /-(sequences|tokens)$/.test(name);
/** The loss of make-lora-golden.py. */
const lossOf = (name: string, logits: Tensor, ids: Tensor): Tensor => {
  if (!isClassifier(name)) return nextTokenLoss(logits, ids);
  const count = logits.shape.slice(0, -1).reduce((product, size) => product * size, 1);
  const labels = Array.from({ length: count }, (_, i) => i % 3);
  return F.crossEntropy(logits.reshape(count, 3), tensor(labels, { dtype: 'int32' }));
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trenio-adapter-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => setDefaultDevice(device('interpreter')));

const numbers = (x: Tensor): number[] => toNumbers(x.literal());
const floats = async (lazy: LazyTensor): Promise<number[]> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of lazy.chunks()) chunks.push(Uint8Array.from(chunk));
  return [...new Float32Array(Uint8Array.from(Buffer.concat(chunks)).buffer)];
};
const difference = (got: readonly number[], want: readonly number[]): number =>
  got.reduce(
    (most, value, i) => Math.max(most, Math.abs(value - want[i]!)),
    got.length === want.length ? 0 : Number.NaN,
  );

test('disabled, the model is the one before the adapter: the reference of DPO', async () => {
  const name = cases.find(one => one.startsWith('llama'))!;
  const [model, base] = [(await load(name)).eval(), (await load(name)).eval()];
  const adapter = addAdapter(model, { r: 2, target_modules: ['q_proj'], init_lora_weights: false });
  const ids = tensor([[3, 4, 5, 6]], { dtype: 'int64' });
  const adapted = numbers(model.forward(ids));
  const reference = numbers(base.forward(ids));
  expect(numbers(adapter.disabled(() => model.forward(ids)))).toEqual(reference);
  expect(numbers(model.forward(ids))).toEqual(adapted);
  expect(adapted).not.toEqual(reference);
  const whole = addAdapter(await load(name), { r: 2, target_modules: ['q_proj'], modules_to_save: ['lm_head'] });
  expect(() => whole.disabled(() => 0)).toThrow('modules_to_save');
});

describe.each(cases)('%s', name => {
  const directory = goldenPath(`lora/${name}`);
  test('has the logits, gradients and merged logits of PEFT', async () => {
    const expected = await readSafetensors(join(directory, 'expected.safetensors'));
    const want = (key: string): number[] => toNumbers(expected.get(key)!);
    const model = (await loadForTask(name)).eval();
    const adapter = await loadAdapter(model, directory);
    const ids = tensor(expected.get('ids')!);
    expect(difference(numbers(model.forward(ids)), want('logits'))).toBeLessThan(1e-5);
    model.train(!isClassifier(name)); // these have dropout
    const loss = lossOf(name, model.forward(ids), ids);
    loss.backward();
    expect(Math.abs(loss.item() - want('loss')[0]!)).toBeLessThan(1e-5);
    const trained = new Set(adapter.parameters());
    const gradients = [...model.namedParameters()].flatMap(([key, one]) =>
      trained.has(one) ? [[key, one.grad!] as const] : [],
    );
    const inFiles = asInFiles(
      new Map(gradients),
      (model as { readonly tensorNames?: readonly NameRule[] }).tensorNames ?? [],
    );
    expect([...inFiles.keys()].map(key => `base_model.model.${key}`)).toEqual([...adapter.tensors.keys()]);
    for (const [key, gradient] of inFiles)
      expect(difference(await floats(gradient), want(`gradient.base_model.model.${key}`)), key).toBeLessThan(2e-5);
    const frozen = model.parameters().filter(one => !adapter.parameters().includes(one));
    expect(frozen.every(one => one.grad === undefined && !one.requiresGrad)).toBe(true);
    adapter.merge();
    expect(difference(numbers(model.eval().forward(ids)), want('merged'))).toBeLessThan(1e-5);
    expect([...model.namedParameters()].some(([one]) => one.includes('lora'))).toBe(false);
  });
  test('is written as PEFT writes it', async () => {
    const adapter = await loadAdapter(await loadForTask(name), directory);
    const written = join(folder, name);
    await adapter.savePretrained(written);
    const [got, want] = await Promise.all(
      [written, directory].map(one => readSafetensors(join(one, 'adapter_model.safetensors'))),
    );
    // PEFT writes some biases under other names, too.
    for (const key of want!.keys()) if (/modules_to_save|original_module/.test(key)) want!.delete(key);
    expect([...got!.keys()].sort()).toEqual([...want!.keys()].sort());
    for (const [key, value] of want!) expect(got!.get(key), key).toEqual(value);
    const config = async (from: string): Promise<object> =>
      JSON.parse(await readFile(join(from, 'adapter_config.json'), 'utf8')) as object;
    expect(await config(written)).toEqual(await config(directory));
  });
});

test.each(['gpt-neox-lora', 'falcon-new-lora'])('%s: all-linear adapts the layers that PEFT adapts', async name => {
  const [model, other] = [await load(name), await load(name)];
  const adapter = addAdapter(model, { r: name.startsWith('falcon') ? 3 : 2, target_modules: 'all-linear' });
  const peft = await loadAdapter(other, goldenPath(`lora/${name}`));
  expect([...adapter.layers.keys()].sort()).toEqual([...peft.layers.keys()].sort());
  expect([...adapter.tensors.keys()].sort()).toEqual([...peft.tensors.keys()].sort());
});
const sizes = { vocab_size: 20, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2 };
const tiny = (fields: object = {}): DecoderForCausalLM => {
  manualSeed(3);
  return new DecoderForCausalLM({ model_type: 'llama', ...sizes, ...fields });
};
const ids = (): Tensor => tensor([[3, 4, 5, 6, 7]], { dtype: 'int32' });

test('a new adapter changes nothing; training changes only the adapter', async () => {
  const model = tiny({ initializer_range: 0.5 });
  const before = numbers(model.forward(ids()));
  const adapter = addAdapter(model, { r: 2, target_modules: 'all-linear', lora_dropout: 0.1 });
  expect(numbers(model.eval().forward(ids()))).toEqual(before);
  const frozen = numbers(model.model.embed_tokens.weight);
  const optimizer = new AdamW(adapter.parameters(), { lr: 0.05 });
  const losses: number[] = [];
  model.train();
  for (let step = 0; step < 20; step++) {
    const loss = nextTokenLoss(model.forward(ids()), ids());
    optimizer.zeroGrad();
    loss.backward();
    optimizer.step();
    losses.push(loss.item());
  }
  expect(losses.at(-1)).toBeLessThan(losses[0]! - 0.3);
  expect(numbers(model.model.embed_tokens.weight)).toEqual(frozen);
  const tokens = await model.generate(ids(), { maxNewTokens: 4 });
  adapter.merge();
  expect(numbers(await model.generate(ids(), { maxNewTokens: 4 }))).toEqual(numbers(tokens));
  expect(model.parameters().every(one => one.requiresGrad)).toBe(true);
});
test('a DoRA layer with dropout trains', () => {
  const model = tiny();
  addAdapter(model, { r: 2, target_modules: ['q_proj'], lora_dropout: 0.5, use_dora: true });
  const loss = nextTokenLoss(model.train().forward(ids()), ids());
  loss.backward();
  expect(Number.isFinite(loss.item())).toBe(true);
});
test('an adapter of bf16 weights is f32, and its output bf16', () => {
  const model = tiny().to('bf16');
  const adapter = addAdapter(model, { r: 2, target_modules: ['q_proj'] });
  expect(adapter.parameters().map(({ dtype }) => dtype)).toEqual(['float32', 'float32']);
  expect(model.forward(ids()).dtype).toBe('bfloat16');
});
test('a model with an adapter cannot be saved as a whole', async () => {
  const model = tiny();
  addAdapter(model, { target_modules: ['q_proj'] });
  await expect(model.savePretrained(join(folder, 'whole'))).rejects.toThrow('adapter.savePretrained(directory)');
  expect(() => addAdapter(model, { target_modules: ['v_proj'] })).toThrow('merge() or remove() the first adapter');
});

test('an adapter names the base model that it was trained for; another one with the same shapes is a warning', async () => {
  const other = join(folder, 'other-base');
  const base = await load('llama-lora');
  await base.savePretrained(other);
  const written = join(folder, 'with-base');
  await addAdapter(base, { r: 2, target_modules: ['q_proj'] }).savePretrained(written);
  const config = JSON.parse(await readFile(join(written, 'adapter_config.json'), 'utf8')) as object;
  expect(config).toMatchObject({ base_model_name_or_path: expect.stringMatching(/decoders.llama$/) });
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  await loadAdapter(await load('llama-lora'), written, { onWarning });
  expect(warnings).toEqual([]);
  await loadAdapter(await DecoderForCausalLM.fromPretrained(other), written, { onWarning });
  expect(warnings).toEqual([
    expect.stringMatching(/was trained for .*llama, but the model was loaded from .*other-base/),
  ]);
  await expect(loadAdapter(base, written, { onWarn: onWarning } as object)).rejects.toThrow('onWarn');
});

describe('errors', () => {
  test.each<[LoraSettings, string]>([
    [{ target_modules: ['query'] }, 'no layer is named ["query"]; the model has down_proj, gate_proj, k_proj, lm_head'],
    [{ target_modules: ['embed_tokens'] }, 'model.embed_tokens (Embedding)'],
    [{ target_modules: ['q_proj'], modules_to_save: ['score'] }, 'modules_to_save: the model has no module score'],
    [{ target_modules: ['q_proj'], r: 0 }, 'r: '],
    [{ target_modules: ['q_proj'], ensure_weight_tying: true }, 'ensure_weight_tying: true is not supported'],
    [{ target_modules: ['q_proj'], trainable_token_indices: [1] }, 'trainable_token_indices: [1] is not supported'],
    [{ target_modules: '(' }, '"(" is not a regular expression'],
    [{ target_modules: ['q_proj'], init_lora_weights: 'pissa' } as never, 'init_lora_weights'],
    [{} as never, 'target_modules'],
    [{ targetModules: ['q_proj'], lora_alpha: 8, loraAlpha: 16 }, 'lora_alpha: it is given twice, as 8 and 16'],
    [{ targetModules: ['q_proj'], loraDropout: 2 }, 'lora_dropout'],
  ])('%j', (config, message) => {
    const model = tiny();
    expect(() => addAdapter(model, config)).toThrow(message);
    expect(model.parameters().every(one => one.requiresGrad)).toBe(true);
  });
  test('an adapter of another base model lists the differences and leaves the model unchanged', async () => {
    const model = tiny({ num_hidden_layers: 3 });
    const loading = loadAdapter(model, goldenPath('lora/llama-lora'));
    await expect(loading).rejects.toThrow(expect.objectContaining({ code: 'ADAPTER_MISMATCH' }));
    await expect(loading).rejects.toThrow(
      /does not fit DecoderForCausalLM; it was trained for test\/golden\/decoders\/llama:/,
    );
    await expect(loading).rejects.toThrow('lora_A.weight is tensor<4x16xf32>, the model needs tensor<4x8xf32>');
    await expect(loading).rejects.toThrow(/and \d+ more/);
    expect([...model.namedParameters()].some(([one]) => one.includes('lora'))).toBe(false);
  });
  test('files that are not a LoRA adapter are errors', async () => {
    const directory = join(folder, 'other');
    await cp(goldenPath('lora/llama-lora'), directory, { recursive: true });
    const withConfig = (text: string): Promise<void> => writeFile(join(directory, 'adapter_config.json'), text);
    await withConfig('{"peft_type":"IA3","target_modules":["q_proj"]}');
    await expect(loadAdapter(tiny(), directory)).rejects.toThrow('"IA3" is not supported, only LORA is');
    await withConfig('{');
    await expect(loadAdapter(tiny(), directory)).rejects.toThrow('it is not JSON');
    await expect(loadAdapter(tiny(), join(folder, 'none'))).rejects.toThrow('adapter_config.json');
  });
});

test('all-linear leaves out the head of a classifier of sequences, as in PEFT', () => {
  const sizes = { vocab_size: 20, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2 };
  const model = new DecoderForSequenceClassification({ model_type: 'llama', ...sizes });
  const adapter = addAdapter(model, { r: 2, target_modules: 'all-linear', task_type: 'SEQ_CLS' });
  expect([...adapter.layers.keys()]).toHaveLength(7);
  expect([...adapter.layers.keys()]).not.toContain('score');
  // It is trained as a whole.
  expect(adapter.config.modules_to_save).toEqual(['classifier', 'score']);
  expect([...adapter.tensors.keys()]).toContain('base_model.model.score.weight');
  expect(model.score.weight.requiresGrad).toBe(true);
});

test('names are those of PEFT: of files, or of the modules of transformers 5, by the targets', () => {
  const sizes = { hidden_size: 8, intermediate_size: 8, num_hidden_layers: 1, num_attention_heads: 2 };
  const image = { model_type: 'vit', ...sizes, image_size: 8, patch_size: 4, num_labels: 2 };
  const first = (model: Module, target_modules: LoraConfigInput['target_modules']): string =>
    [...addAdapter(model, { r: 2, target_modules }).tensors.keys()]
      .map(key => key.slice('base_model.model.'.length))
      .find(key => /layers?\.0/.test(key))!;
  const vit = (): Module => new VisionForImageClassification(image);
  expect(first(vit(), ['query'])).toBe('vit.encoder.layer.0.attention.attention.query.lora_A.weight');
  expect(first(vit(), ['q_proj'])).toBe('vit.layers.0.attention.q_proj.lora_A.weight');
  expect(first(vit(), 'all-linear')).toBe('vit.layers.0.attention.q_proj.lora_A.weight');
  const text = new EncoderModel({ model_type: 'mpnet', ...sizes, vocab_size: 10 });
  expect(first(text, ['q'])).toBe('encoder.layer.0.attention.attn.q.lora_A.weight');
});

test('the name of PEFT says what to use', () => {
  expect(() => (getPeftModel as unknown as () => void)()).toThrow('use addAdapter(model, config)');
});
