// Image processors and feature extractors compared with those of transformers (scripts/golden/make-image-processor-golden.py), to
// 2e-6 of the pixel values and 5e-5 of spectrograms (the logarithm magnifies the rounding of quiet bands); invalid files and
// inputs.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Image } from '../data/index.ts';
import { device, setDefaultDevice, type Tensor } from '../tensor/index.ts';
import { WhisperFeatureExtractor } from './audio/feature-extractor.ts';
import { AutoFeatureExtractor, AutoImageProcessor } from './auto-processors.ts';

interface Values {
  readonly shape: readonly number[];
  readonly values: string;
}
const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../test/golden/${name}`, import.meta.url), 'utf8'));
const { images, cases } = read('image-processors.json') as {
  readonly images: readonly { readonly shape: readonly [number, number, number]; readonly data: string }[];
  readonly cases: Readonly<Record<string, Values & { readonly config: object }>>;
};
const audio = read('feature-extractors.json') as Readonly<
  Record<
    string,
    {
      readonly config: object;
      readonly lengths: readonly number[];
      readonly outputs: Readonly<Record<string, Values>>;
    }
  >
>;
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));
function expectValues(got: Tensor, { shape, values }: Values, tolerance: number): void {
  expect(got.shape).toEqual(shape);
  const want = new Float32Array(bytesOf(values).buffer);
  const worst = (got.data as Float32Array).reduce((most, x, i) => Math.max(most, Math.abs(x - want[i]!)), 0);
  expect(worst).toBeLessThan(tolerance);
}

let directory: string;
beforeEach(() => {
  setDefaultDevice(device('interpreter'));
  directory = mkdtempSync(join(tmpdir(), 'trenio-processors-'));
});
afterEach(() => rmSync(directory, { recursive: true }));
const write = (fields: object, file = 'preprocessor_config.json'): void =>
  writeFileSync(join(directory, file), JSON.stringify(fields));
const pictures = images.map(
  ({ shape: [height, width, channels], data }): Image => ({ height, width, channels, data: bytesOf(data) }),
);

test.each(Object.keys(cases))('%s: pixel values match transformers', async name => {
  const { config, ...values } = cases[name]!;
  write(config);
  const processor = await AutoImageProcessor.fromPretrained(directory);
  // Without rescaling, values are up to 255.
  expectValues(processor.process(pictures), values, name === 'lanczos' ? 1e-4 : 2e-6);
});
test('without a name, the model selects the processor; processor_config.json is read', async () => {
  const { config, ...values } = cases.clip!;
  write({ image_processor: { ...config, image_processor_type: undefined } }, 'processor_config.json');
  write({ model_type: 'clip' }, 'config.json');
  const processor = await AutoImageProcessor.fromPretrained(directory);
  expectValues(processor.process(pictures), values, 2e-6);
});
const vit = { image_processor_type: 'ViTImageProcessor' };
test.each<[object, string]>([
  [{}, 'image_processor_type: it is missing; expected one of ViTImageProcessor'],
  [{ image_processor_type: 'ViTImagProcessor' }, 'only ViTImageProcessor'],
  [{ feature_extractor_type: 'DetrFeatureExtractor' }, 'feature_extractor_type: the processor "DetrFeatureExtractor"'],
  [{ ...vit, image_mean: [0.5] }, 'image_std: it has 3 entries, image_mean has 1'],
  [{ ...vit, image_mean: [0.5], image_std: [0] }, 'image_std.0'],
  [{ ...vit, image_mean: 'half' }, 'image_mean'],
  [{ ...vit, resample: 0 }, 'resample: expected 1 (lanczos), 2 (bilinear)'],
  [{ ...vit, size: { longest_edge: 4 } }, 'size'],
  [{ ...vit, do_center_crop: true }, 'crop_size: it is missing'],
  [{ ...vit, do_pad: true }, 'do_pad'],
  [{ ...vit, pad_size: 256 }, 'pad_size'],
  [{ ...vit, data_format: 'channels_last' }, 'data_format'],
])('an invalid file: %j', async (fields, expected) => {
  write(fields);
  await expect(AutoImageProcessor.fromPretrained(directory)).rejects.toThrow(expected);
});
test.each<[string, boolean | undefined, readonly number[]]>([
  ['CLIP', undefined, [4, 8]],
  ['CLIP', true, [4, 4]],
  ['Siglip', undefined, [4, 8]],
  ['ViT', undefined, [4, 4]],
  ['ViT', false, [4, 8]],
])('a size of 4 for an image of 6 × 12: %s, default_to_square %j', async (kind, default_to_square, shape) => {
  write({ image_processor_type: `${kind}ImageProcessor`, size: 4, do_center_crop: false, default_to_square });
  const processor = await AutoImageProcessor.fromPretrained(directory);
  const picture = { height: 6, width: 12, channels: 3, data: new Uint8Array(3 * 6 * 12) };
  expect(processor.process([picture]).shape).toEqual([1, 3, ...shape]);
});
test('a missing directory or file, and images that do not fit together, are errors', async () => {
  await expect(AutoImageProcessor.fromPretrained(join(directory, 'none'))).rejects.toThrow('there is no directory');
  await expect(AutoImageProcessor.fromPretrained(directory)).rejects.toThrow('preprocessor_config.json');
  write({ ...vit, do_resize: false });
  const processor = await AutoImageProcessor.fromPretrained(directory);
  expect(() => processor.process(pictures)).toThrow('the images of a batch have the same size');
  expect(() => processor.process([])).toThrow('at least one image');
  const gray = { height: 1, width: 1, channels: 1, data: new Uint8Array(1) };
  expect(() => processor.process([gray])).toThrow('[N, 3, H, W]');
});

const chirp = (length: number): Float32Array => Float32Array.from({ length }, (_, n) => 0.3 * Math.sin(1e-5 * n ** 2));
const parameters: Readonly<Record<string, string>> = {
  inputFeatures: 'input_features',
  inputValues: 'input_values',
  attentionMask: 'attention_mask',
};
test.each(Object.keys(audio))('%s: features match transformers', async name => {
  const { config, lengths, outputs } = audio[name]!;
  write(config);
  const extractor = await AutoFeatureExtractor.fromPretrained(directory);
  const got = extractor.process(lengths.map(chirp), { samplingRate: 16_000 });
  expect(Object.keys(got).map(key => parameters[key])).toEqual(Object.keys(outputs));
  for (const [key, values] of Object.entries<Tensor>({ ...got }))
    expectValues(
      values.to('f32'),
      outputs[parameters[key]!]!,
      extractor instanceof WhisperFeatureExtractor ? 5e-5 : 2e-6,
    );
});
test('audio that does not fit, and invalid files, are errors', async () => {
  write({}, 'preprocessor_config.json');
  await expect(AutoFeatureExtractor.fromPretrained(directory)).rejects.toThrow('feature_extractor_type: it is missing');
  write({ model_type: 'wav2vec2' }, 'config.json');
  const extractor = await AutoFeatureExtractor.fromPretrained(directory);
  expect(() => extractor.process(chirp(400), { samplingRate: 8000 })).toThrow('resample the audio first');
  expect(() => extractor.process([chirp(4), chirp(0)], { samplingRate: 16_000 })).toThrow('recording 1 is empty');
  write({ feature_extractor_type: 'ClapFeatureExtractor' });
  await expect(AutoFeatureExtractor.fromPretrained(directory)).rejects.toThrow('it is "ClapFeatureExtractor"');
  expect(() => new WhisperFeatureExtractor({ n_fft: 0 })).toThrow('n_fft');
});
