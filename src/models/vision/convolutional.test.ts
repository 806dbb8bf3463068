// Tiny ResNets and ConvNeXt compared with Hugging Face's: logits, loss and the norms of gradients; files, also of torchvision.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { device, randn, setDefaultDevice } from '../../tensor/index.ts';
import { AutoModel, AutoModelForImageClassification } from '../auto/index.ts';
import { ResNet } from '../resnet.ts';
import { type ResNetConfigInput, resNetConfig, resNetNames } from '../resnet-config.ts';
import { readSafetensors } from '../safetensors.ts';
import { loadTorchFile } from '../torch-file/torch-file.ts';
import {
  type ConvNextConfigInput,
  ConvNextForImageClassification,
  ConvNextModel,
  convNextConfig,
  convNextNames,
} from './convnext.ts';
import { expectClose, expectGradients, goldenBatch, goldenDirectory, readJson } from './vision.testing.ts';

const names = ['resnet-basic', 'resnet-bottleneck', 'convnext', 'convnextv2'];
beforeEach(() => setDefaultDevice(device('interpreter')));

test.each(names)('%s: logits, loss, gradients and feature maps match transformers', async name => {
  const directory = goldenDirectory(name);
  const batch = await goldenBatch(directory);
  const model = (await AutoModelForImageClassification.fromPretrained(directory)).eval();
  const images = batch.tensor('pixel_values');
  const { loss, logits } = model({ pixelValues: images, labels: batch.tensor('labels') });
  loss.backward();
  expectClose(logits, batch.expected('logits'), 'logits');
  expectClose(loss, batch.expected('loss'), 'loss');
  await expectGradients(
    model,
    model instanceof ResNet
      ? resNetNames(model.config)
      : convNextNames((model as ConvNextForImageClassification).config),
    directory,
  );
  const base = ((await AutoModel.fromPretrained(directory)) as ResNet | ConvNextModel).eval();
  const { lastHiddenState } = base instanceof ResNet ? base.features(images) : base.forward(images);
  expectClose(lastHiddenState, batch.expected('last_hidden_state'), 'feature map');
  if (batch.keys.has('train_logits'))
    expectClose(model.train().forward(images), batch.expected('train_logits'), 'logits in training');
});

describe('files', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'trenio-convolutional-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  test.each(names)('%s is written unchanged', async name => {
    const from = goldenDirectory(name);
    const model = (await AutoModelForImageClassification.fromPretrained(from)) as ResNet;
    await model.savePretrained(directory);
    const read = (folder: string) => readSafetensors(join(folder, 'model.safetensors'));
    expect(await read(directory)).toEqual(await read(from));
    expect(readJson(directory, 'config.json')).toMatchObject(readJson(from, 'config.json') as object);
  });
  test('a state dict of torchvision gives the same logits', async () => {
    const from = goldenDirectory('resnet-bottleneck');
    const batch = await goldenBatch(from);
    const model = new ResNet(readJson(from, 'config.json') as ResNetConfigInput).eval();
    const state = await loadTorchFile(join(from, 'torchvision.pth'));
    model.loadStateDict(state as Parameters<typeof model.loadStateDict>[0]);
    expectClose(model.forward(batch.tensor('pixel_values')), batch.expected('logits'), 'logits');
  });
  test('another number of classes: the other weights load, the classifier is new', async () => {
    const from = goldenDirectory('convnext');
    const base = await ConvNextModel.fromPretrained(from);
    await base.savePretrained(directory);
    const warnings: string[] = [];
    const options = { config: { num_labels: 7 }, onWarning: (message: string) => void warnings.push(message) };
    const model = await ConvNextForImageClassification.fromPretrained(directory, options);
    expect(warnings.join()).toContain('has no classifier.weight and classifier.bias');
    expect(model.forward(randn(1, 3, 32, 32)).shape).toEqual([1, 7]);
    expect(Math.max(...(model.classifier.weight.data as Float32Array))).toBeGreaterThan(0);
  });
});

test.each<[ResNetConfigInput, string]>([
  [{ depths: [1] }, 'depths: it has 1 entries, hidden_sizes has 4'],
  [{ depths: [1], hidden_sizes: [10] }, 'hidden_sizes: 10 is not a multiple of 4'],
  [{ layer_type: 'wide' as never }, 'layer_type'],
])('an invalid ResNet: %j', (fields, expected) => {
  expect(() => resNetConfig(fields)).toThrow(expected);
});

test.each<[ConvNextConfigInput, string]>([
  [{ num_stages: 3 }, 'num_stages: it is 3, depths has 4 entries'],
  [{ hidden_act: 'mish' as never }, 'hidden_act'],
])('an invalid ConvNeXt: %j', (fields, expected) => {
  expect(() => convNextConfig(fields)).toThrow(expected);
});

test('images of a wrong shape are errors', () => {
  const tiny = { hidden_sizes: [8, 12], depths: [1, 1] };
  expect(() => new ConvNextModel(tiny).forward(randn(1, 3, 7, 32))).toThrow('at least 8×8 pixels');
  expect(() => new ResNet(tiny).forward(randn(1, 4, 32, 32))).toThrow('[N, 3, H, W]');
});
