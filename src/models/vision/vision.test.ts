// Tiny image models of each architecture compared with Hugging Face's: logits, loss and the norms of gradients; files, and
// invalid configurations.
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { device, randn, setDefaultDevice, tensor } from '../../tensor/index.ts';
import { AutoModel, AutoModelForImageClassification } from '../auto/index.ts';
import { readSafetensors, writeSafetensors } from '../safetensors.ts';
import { type VisionConfigInput, visionConfig } from './architectures.ts';
import { type ContrastiveConfigInput, ContrastiveModel, contrastiveConfig, contrastiveNames } from './contrastive.ts';
import { expectClose, expectGradients, goldenBatch, goldenDirectory, readJson } from './vision.testing.ts';
import { VisionForImageClassification, VisionModel, visionNames } from './vision.ts';

const classifiers = [
  'vit',
  'deit',
  'deit-teacher',
  'beit',
  'beit-shared',
  'dinov2',
  'dinov2-registers',
  'dinov2-giant',
];
const pairs = ['clip', 'clip-eos-2', 'siglip'];

// One model is compiled: the interpreter checks the mathematics of the others, and the op tests check their compilation.
test.each([...classifiers.map(name => ['interpreter', name] as const), ['cpu', 'dinov2'] as const])(
  'on %s, %s: logits, loss and gradients match transformers',
  async (on, name) => {
    const dev = device(on);
    setDefaultDevice(dev);
    const directory = goldenDirectory(name);
    const batch = await goldenBatch(directory);
    const model = (await AutoModelForImageClassification.fromPretrained(directory)) as VisionForImageClassification;
    model.eval();
    const images = batch.tensor('pixel_values');
    const { loss, logits } = model.forward({ pixelValues: images, labels: batch.tensor('labels') });
    loss.backward();
    dev.markStep();
    expectClose(logits, batch.expected('logits'), 'logits');
    expectClose(loss, batch.expected('loss'), 'loss');
    await expectGradients(model, visionNames(model.config), directory);
    if (on === 'cpu') return;
    const { lastHiddenState } = model.baseModel.forward(images);
    expectClose(lastHiddenState, batch.expected('last_hidden_state'), 'hidden states');
    const wide = model.forward({ pixelValues: batch.tensor('wide_pixel_values'), interpolatePositions: true });
    expectClose(wide, batch.expected('wide_logits'), 'logits of a wide image');
  },
);

test.each(pairs)('%s: scores, vectors, loss and gradients match transformers', async name => {
  setDefaultDevice(device('interpreter'));
  const directory = goldenDirectory(name);
  const batch = await goldenBatch(directory);
  const model = ((await AutoModel.fromPretrained(directory)) as ContrastiveModel).eval();
  const attentionMask = batch.keys.has('attention_mask') ? batch.tensor('attention_mask') : undefined;
  const [inputIds, pixelValues] = [batch.tensor('input_ids'), batch.tensor('pixel_values')];
  const outputs = model.forward({ inputIds, pixelValues, attentionMask });
  const loss = outputs.logitsPerText.mul(batch.tensor('weights')).sum();
  loss.backward();
  expectClose(outputs.logitsPerImage, batch.expected('logits_per_image'), 'logits per image');
  expectClose(outputs.logitsPerText, batch.expected('logits_per_text'), 'logits per text');
  expectClose(outputs.textEmbeds, batch.expected('text_embeds'), 'vectors of texts');
  expectClose(outputs.imageEmbeds, batch.expected('image_embeds'), 'vectors of images');
  expect(Math.abs(loss.item() - batch.expected('loss')[0]!)).toBeLessThan(1e-4);
  await expectGradients(model, contrastiveNames(model.config), directory);
  const { lastHiddenState } = model.vision_model.forward(pixelValues);
  expectClose(lastHiddenState, batch.expected('image_hidden'), 'hidden states of images');
  const two = model.forward({
    inputIds: inputIds.narrow(0, 0, 2),
    pixelValues,
    attentionMask: attentionMask?.narrow(0, 0, 2),
  });
  expectClose(model.loss(two), batch.expected('contrastive_loss'), 'contrastive loss');
});

describe('files', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'trenio-vision-'));
  });
  beforeEach(() => setDefaultDevice(device('interpreter')));
  afterAll(() => rm(directory, { recursive: true }));
  const config = (folder: string): unknown => JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));

  test.each([...classifiers, ...pairs])('%s is written unchanged', async name => {
    const from = goldenDirectory(name);
    const model = pairs.includes(name)
      ? await ContrastiveModel.fromPretrained(from)
      : await VisionForImageClassification.fromPretrained(from);
    await model.savePretrained(directory);
    const read = (folder: string) => readSafetensors(join(folder, 'model.safetensors'));
    expect(await read(directory)).toEqual(await read(from));
    expect(config(directory)).toMatchObject(readJson(from, 'config.json') as object);
  });
  test('whole numbers in float fields keep their decimal point, which transformers requires', async () => {
    await (await ContrastiveModel.fromPretrained(goldenDirectory('clip'))).savePretrained(directory);
    const text = readFileSync(join(directory, 'config.json'), 'utf8');
    expect(text.match(/"initializer_factor": [\d.]+/g)).toEqual(Array(3).fill('"initializer_factor": 1.0'));
    expect(text).toContain('"hidden_size": 16,');
  });
  test('a pooler or a classifier that the directory lacks is initialized, with a warning', async () => {
    const warnings: string[] = [];
    const onWarning = (message: string): void => void warnings.push(message);
    const encoder = await VisionModel.fromPretrained(goldenDirectory('vit'), { onWarning });
    expect(warnings.join()).toContain('has no pooler.dense.weight and pooler.dense.bias');
    await encoder.savePretrained(directory);
    const options = { onWarning, config: { num_labels: 7 } };
    const model = await VisionForImageClassification.fromPretrained(directory, options);
    expect(warnings.join()).toContain('has no classifier.weight and classifier.bias');
    expect(model.classifier.weight.shape).toEqual([7, 16]);
    expect(Math.max(...(model.classifier.weight.data as Float32Array))).toBeGreaterThan(0);
  });
  test('BEiT that predicts masked patches has no norm of the pooler: it is initialized, with a warning', async () => {
    const whole = await readSafetensors(join(goldenDirectory('beit'), 'model.safetensors'));
    const constant = whole.get('classifier.bias')!;
    const weights = new Map([...whole].filter(([name]) => !/pooler|classifier/.test(name)));
    weights.set('beit.encoder.layer.0.attention.attention.relative_position_bias.relative_position_index', constant);
    await writeSafetensors(join(directory, 'model.safetensors'), weights);
    await cp(join(goldenDirectory('beit'), 'config.json'), join(directory, 'config.json'));
    const warnings: string[] = [];
    const model = await VisionModel.fromPretrained(directory, { onWarning: one => void warnings.push(one) });
    expect(warnings).toEqual([expect.stringContaining('has no layernorm.weight and layernorm.bias')]);
    expect(model.layernorm.weight!.data).toEqual(new Float32Array(16).fill(1));
  });
  test('tensors of layers that the configuration does not have are listed in a warning', async () => {
    const warnings: string[] = [];
    const options = { onWarning: (message: string) => void warnings.push(message), config: { num_hidden_layers: 1 } };
    await VisionForImageClassification.fromPretrained(goldenDirectory('vit'), options);
    expect(warnings.join()).toMatch(
      /has 16 tensors that VisionForImageClassification does not use: vit\.encoder\.layer\.1\.\S+ tensor<16(x16)?xf32>, .* and 11 more/,
    );
  });
  test('a number of classes that differs from the classifier in the file is an error with both shapes', async () => {
    const load = VisionForImageClassification.fromPretrained(goldenDirectory('vit'), { config: { num_labels: 7 } });
    await expect(load).rejects.toThrow(/classifier.*3.*7|classifier.*7.*3/s);
  });
});

test('masked patches have the trained vector', () => {
  setDefaultDevice(device('interpreter'));
  const sizes = { hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2, image_size: 8, patch_size: 4 };
  const model = new VisionModel({ model_type: 'dinov2', ...sizes }).eval();
  const run = (seed: number, mask: readonly number[]) =>
    model.forward({ pixelValues: randn(1, 3, 8, 8).mul(seed), maskedPatches: tensor([mask], { dtype: 'i32' }) })
      .lastHiddenState.data;
  expect(run(1, [1, 1, 1, 1])).toEqual(run(2, [1, 1, 1, 1]));
  expect(run(1, [1, 1, 0, 1])).not.toEqual(run(2, [1, 1, 0, 1]));
});

test.each<[VisionConfigInput, string]>([
  [{ model_type: 'vitt' }, "model_type is 'vitt', which is not supported"],
  [{ model_type: 'vit', hidden_size: 10, num_attention_heads: 4 }, 'hidden_size: 10 is not a multiple of'],
  [{ model_type: 'vit', patch_size: 300 }, 'patch_size: 300×300 is larger than image_size, 224×224'],
  [{ model_type: 'vit', image_size: 0 }, 'image_size'],
  [{ model_type: 'dinov2', drop_path_rate: 1 }, 'drop_path_rate'],
  [{ model_type: 'siglip_vision_model', vision_use_head: 1 as never }, 'vision_use_head'],
])('an invalid configuration: %j', (fields, expected) => {
  expect(() => visionConfig(fields)).toThrow(expected);
});

test.each<[ContrastiveConfigInput, string]>([
  [{ model_type: 'clap' }, "model_type is 'clap', which is not supported"],
  [{ model_type: 'clip', text_config: { hidden_size: 10 } }, 'text_config: hidden_size: 10 is not a multiple of'],
  [{ model_type: 'clip', vision_config: { patch_size: 500 } }, 'vision_config: patch_size: 500×500 is larger'],
  [{ model_type: 'siglip', text_config: { projection_size: 8 } }, 'projection_size: 8 is not the hidden_size'],
  [{ model_type: 'clip', text_config: { vocab_size: 'many' as never } }, 'text_config: vocab_size'],
])('an invalid configuration of a pair: %j', (fields, expected) => {
  expect(() => contrastiveConfig(fields)).toThrow(expected);
});

test('inputs of a wrong shape or length are errors', () => {
  setDefaultDevice(device('interpreter'));
  const sizes = { hidden_size: 8, intermediate_size: 8, num_hidden_layers: 1, num_attention_heads: 2 };
  const vision_config = { ...sizes, image_size: 8, patch_size: 4 };
  const text_config = { ...sizes, vocab_size: 10, max_position_embeddings: 4 };
  const model = new ContrastiveModel({ model_type: 'clip', text_config, vision_config });
  const ids = (shape: readonly number[]) => randn(...shape).to('i32');
  const pixelValues = randn(2, 3, 8, 8);
  expect(() => model.imageFeatures(randn(2, 3, 8, 12))).toThrow('interpolatePositions');
  expect(() => model.imageFeatures(randn(2, 1, 8, 8))).toThrow('[N, 3, 8, 8]');
  expect(() => model.textFeatures({ inputIds: ids([2, 5]) })).toThrow('has 5 tokens, but the model has 4 positions');
  expect(() => model.textFeatures({ inputIds: ids([4]) })).toThrow('[T, S]');
  const attentionMask = ids([2, 3]);
  expect(() => model.textFeatures({ inputIds: ids([2, 4]), attentionMask })).toThrow('shape of the token ids');
  expect(() => model.loss(model.forward({ inputIds: ids([3, 4]), pixelValues }))).toThrow('one text for each image');
});
