// Transforms compared with torchvision's and Pillow's (test/golden/transforms.json, written by make-transforms-golden.py), with
// arguments in its order; calls of transforms, their random numbers, and what is refused.
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { type Literal, literal } from '../../hlo/literal.ts';
import { device, manualSeed, setDefaultDevice, Tensor, tensor } from '../../tensor/index.ts';
import { ItemRandom } from '../datasets/item-random.ts';
import type { Image } from '../images/image.ts';
import { DataLoader } from '../loader/data-loader.ts';
import { AugmentedItems } from '../loader/worker-fixtures.testing.ts';
import * as transforms from './namespace.ts';
import type { Transform } from './transform.ts';

interface Golden {
  readonly images: readonly {
    readonly name: 'Pad';
    readonly args: readonly unknown[];
    readonly size: readonly [number, number];
    readonly pixels: string;
  }[];
  readonly erased: readonly { readonly args: readonly unknown[]; readonly values: readonly number[] }[];
  readonly bytes: readonly number[];
}
const golden = JSON.parse(
  readFileSync(new URL('../../../test/golden/transforms.json', import.meta.url), 'utf8'),
) as Golden;
beforeEach(() => setDefaultDevice(device('interpreter')));

const [width, height] = [9, 6];
const image: Image = { width, height, channels: 3, data: new Uint8Array(width * height * 3) };
for (let y = 0, at = 0; y < height; y++)
  for (let x = 0; x < width; x++)
    for (let c = 0; c < 3; c++) image.data[at++] = ((7 * x + 13 * y + 31 * c + x * y) * 37) % 256;

class Quarter extends ItemRandom {
  override uniform(): number {
    return 0.25;
  }
}
const quarter = new Quarter(0, 0, 0);
const make = (name: string, args: readonly unknown[]) => {
  const known = transforms as unknown as Record<string, new (...args: unknown[]) => Transform<Image, Image>>;
  return new known[name]!(...args.map(value => value ?? undefined));
};

test.each(golden.images)('$name($args), bit for bit', ({ name, args, size, pixels }) => {
  const out = make(name, args).apply(image, quarter);
  expect([out.width, out.height]).toEqual(size);
  expect([...out.data]).toEqual([...Buffer.from(pixels, 'base64')]);
});

test('tensors: RandomErasing, ConvertImageDtype', () => {
  const input = new transforms.ToTensor().apply(image);
  for (const { args, values } of golden.erased) {
    const out = (make('RandomErasing', args) as unknown as transforms.RandomErasing).apply(input, quarter);
    expect([...(out.data as Float32Array)].map(value => Math.round(value * 255))).toEqual(values);
  }
  const floats = literal('f32', [6], [0, 0.2, 0.499, 0.5, 0.999, 1]);
  expect([...(new transforms.ConvertImageDtype('uint8').apply(floats).data as Uint8Array)]).toEqual(golden.bytes);
  const bytes = new transforms.PILToTensor().apply(image);
  expect(new transforms.ConvertImageDtype('float32').apply(bytes)).toEqual(input);
});

test('a transform is called with an image or a tensor, and tensors come out; manualSeed repeats its random numbers', () => {
  const crop = new transforms.RandomCrop(3);
  const pipeline = new transforms.Compose([crop, new transforms.ToTensor(), new transforms.RandomErasing(1)]);
  expectTypeOf(pipeline(image)).toEqualTypeOf<Tensor>();
  expectTypeOf(crop(image)).toEqualTypeOf<Image>();
  const three = () => Array.from({ length: 3 }, () => pipeline(image).toArray());
  manualSeed(4);
  const first = three();
  manualSeed(4);
  expect(three()).toEqual(first);
  expect(new Set(first.map(one => JSON.stringify(one))).size).toBe(3);
  const normalize = new transforms.Normalize([0.5], [0.5]);
  expect(normalize(tensor([[[0, 1]]])).toArray()).toEqual([[[-1, 1]]]);
  expect(normalize(literal('f32', [1, 1, 1], [1]))).toBeInstanceOf(Tensor);
});

test('called while a loader fetches an item, the numbers are those of the item: for any number of workers', async () => {
  const batches = async (numWorkers: number, seed: number) => {
    await using loader = new DataLoader(new AugmentedItems(), { batchSize: 4, numWorkers, seed });
    const epochs: unknown[] = [];
    for (let epoch = 0; epoch < 2; epoch++) for await (const batch of loader) epochs.push((batch as Tensor).toArray());
    return epochs;
  };
  const alone = await batches(0, 1);
  expect(await batches(2, 1)).toEqual(alone);
  expect(await batches(0, 2)).not.toEqual(alone);
  expect(alone.slice(0, 2)).not.toEqual(alone.slice(2));
});

test('choices and orders', () => {
  const [one, two] = [new transforms.Pad(1), new transforms.Pad(2)];
  const widths = (made: Transform<Image, Image>) =>
    Array.from({ length: 300 }, (_, i) => made.apply(image, new ItemRandom(0, 0, i)).width - width);
  const count = (list: readonly number[], value: number): number => list.filter(one => one === value).length;
  expect(Math.abs(count(widths(new transforms.RandomApply([one, two], 0.3)), 6) - 90)).toBeLessThan(30);
  const chosen = widths(new transforms.RandomChoice([one, two], [1, 2]));
  expect(Math.abs(count(chosen, 4) - 200)).toBeLessThan(30);
  expect(count(chosen, 2) + count(chosen, 4)).toBe(300);
  expect(new Set(widths(new transforms.RandomOrder([one, two])))).toEqual(new Set([6]));
  const half = new transforms.Lambda((input: Literal) => input.data.length);
  expect(new transforms.Compose([new transforms.ToTensor(), half]).apply(image, quarter)).toBe(width * height * 3);
});

describe('refused by name', () => {
  test.each<[() => unknown, string]>([
    [() => new transforms.ColorJitter(-1), 'ColorJitter: brightness is -1'],
    [() => new transforms.ColorJitter({ hue: 0.6 }), 'ColorJitter: hue is 0.6'],
    [() => new transforms.ColorJitter({ hues: 0.1 } as never), 'did you mean hue?'],
    [() => new transforms.RandomAffine(10, [2, 0]), 'RandomAffine: translate is an array'],
    [() => new transforms.RandomAffine(10, { interpolation: 'bicubic' as never }), 'interpolation is'],
    [() => new transforms.RandomRotation(-5), 'RandomRotation: degrees is -5'],
    [() => new transforms.RandomErasing(2), 'RandomErasing: p is 2'],
    [() => new transforms.RandomErasing({ inplace: true as never }), 'inplace is true'],
    [() => new transforms.RandomErasing(1)(image as never), 'put ToTensor before it'],
    [() => new transforms.Resize(4)(tensor([[[1]]]) as never), 'Resize: the input is an object, expected an image'],
    [() => new transforms.ToTensor()({ ...image, width: 8 }), 'with all its bytes'],
    [
      () => new transforms.Compose([new transforms.ToTensor(), new transforms.Pad(1)] as never)(image),
      'Pad: the input',
    ],
    [() => new transforms.RandomResizedCrop(8, [0.5, 0.1]), 'scale is an array'],
    [() => new transforms.Resize(8, 'cubic' as never), "interpolation is 'cubic', expected one of nearest"],
    [() => new transforms.Resize([8, 8], 'bilinear', 9), 'maxSize is 9'],
    [() => new transforms.Pad([1, 2, 3] as never), 'padding is an array, expected a number, or two or four'],
    [() => new transforms.Pad(1, [1, 2])(image), 'fill is an array, expected a number, or 3'],
    [() => new transforms.GaussianBlur(4), 'kernelSize is 4, expected odd numbers'],
    [() => new transforms.Grayscale(2 as never), 'numOutputChannels is 2'],
    [() => new transforms.Lambda('x' as never), "lambd is 'x', expected a function"],
    [() => new transforms.RandomApply([String] as never), 'transforms[0] is a function'],
    [() => new transforms.ConvertImageDtype('int64' as never), "dtype is 'int64'"],
  ])('%#', (run, message) => {
    expect(run).toThrow(message);
  });
});
