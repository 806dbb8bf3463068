// Values against transformers' CLIPImageProcessor 5.17.0, with do_resize and do_center_crop off; invalid files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { device, setDefaultDevice, tensor } from '../../tensor/index.ts';
import { ImageNormalization } from './image-normalization.ts';

let directory: string;
beforeEach(() => {
  setDefaultDevice(device('interpreter'));
  directory = mkdtempSync(join(tmpdir(), 'trenio-normalization-'));
});
afterEach(() => rmSync(directory, { recursive: true }));
const write = (fields: object): void =>
  writeFileSync(join(directory, 'preprocessor_config.json'), JSON.stringify(fields));
const bytes = () => tensor([0, 128, 255], { dtype: 'uint8' }).reshape(1, 3, 1, 1);

test('the mean and the deviation of each channel', async () => {
  write({ image_mean: [0.48145466, 0.4578275, 0.40821073], image_std: [0.26862954, 0.26130258, 0.27577711] });
  const values = (await ImageNormalization.fromPretrained(directory)).apply(bytes());
  const expected = [-1.792263, 0.1688973, 2.145897];
  for (const [i, value] of Array.from(values.data as Float32Array).entries())
    expect(value).toBeCloseTo(expected[i]!, 6);
});
test('disabled steps are skipped', async () => {
  write({ do_rescale: false, do_normalize: false });
  const values = (await ImageNormalization.fromPretrained(directory)).apply(bytes());
  expect(Array.from(values.data as Float32Array)).toEqual([0, 128, 255]);
});
test.each<[object, string]>([
  [{}, 'image_mean: it is missing'],
  [{ image_mean: [0.5] }, 'image_std: it has 0 entries, image_mean has 1'],
  [{ image_mean: [0.5], image_std: [0] }, 'image_std.0'],
  [{ image_mean: 'half' }, 'image_mean'],
])('an invalid file: %j', async (fields, expected) => {
  write(fields);
  await expect(ImageNormalization.fromPretrained(directory)).rejects.toThrow(expected);
});
test('a missing file, and images of other channels, are errors', async () => {
  await expect(ImageNormalization.fromPretrained(directory)).rejects.toThrow('preprocessor_config.json');
  write({ image_mean: [0.5], image_std: [0.5] });
  const normalization = await ImageNormalization.fromPretrained(directory);
  expect(() => normalization.apply(bytes())).toThrow('[N, 1, H, W]');
});
