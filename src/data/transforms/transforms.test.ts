// Transforms compared with Pillow and PyTorch on golden images.
import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Literal } from '../../hlo/literal.ts';
import { ItemRandom } from '../datasets/item-random.ts';
import { decodeImage, type Image } from '../images/image.ts';
import { CenterCrop, Compose, Normalize, RandomCrop, RandomHorizontalFlip, Resize, ToTensor } from './transforms.ts';

interface Golden {
  readonly cases: readonly {
    readonly width: number;
    readonly height: number;
    readonly name: 'Resize' | 'CenterCrop';
    readonly size: number | readonly [number, number];
    readonly result: readonly [width: number, height: number, pixels: string];
  }[];
  readonly normalized: readonly number[];
  readonly flipped: string;
  readonly files: readonly {
    readonly name: string;
    readonly bytes: string;
    readonly width: number;
    readonly height: number;
    readonly pixels: string;
  }[];
}
const golden = JSON.parse(readFileSync(new URL('../../../test/golden/images.json', import.meta.url), 'utf8')) as Golden;
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));
function image(width: number, height: number): Image {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let c = 0; c < 3; c++) data[at++] = ((7 * x + 13 * y + 31 * c + x * y) * 37) % 256;
  return { width, height, channels: 3, data };
}
test('fused ToTensor and Normalize give the same bits', () => {
  const normalize = new Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]);
  const both = new Compose([new ToTensor(), normalize]).apply(image(19, 16), random());
  expect(both).toEqual(normalize.apply(new ToTensor().apply(image(19, 16))));
});
const random = (index = 0) => new ItemRandom(0, 0, index);

test.each(golden.cases)('$name($size) of $width × $height, bit for bit', ({ width, height, name, size, result }) => {
  const out = new { Resize, CenterCrop }[name](size).apply(image(width, height));
  expect([out.width, out.height]).toEqual(result.slice(0, 2));
  expect(out.data).toEqual(bytes(result[2]));
});

test('tensors, normalized, and mirrored images', () => {
  const both = new Compose([new ToTensor(), new Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])]);
  const out = both.apply(image(4, 3), random());
  expectTypeOf(out).toEqualTypeOf<Literal>();
  expect(out.type.shape).toEqual([3, 3, 4]);
  expect([...(out.data as Float32Array)]).toEqual(golden.normalized);
  expect(new RandomHorizontalFlip(1).apply(image(5, 3), random()).data).toEqual(bytes(golden.flipped));
  expect(new RandomHorizontalFlip(0).apply(image(5, 3), random())).toEqual(image(5, 3));
});

test('random transforms depend on item and epoch, and every position is about equally likely', () => {
  const positions = new Map<string, number>();
  const flips = { mirrored: 0 };
  const source = image(6, 5);
  for (let index = 0; index < 3000; index++) {
    const cropped = new RandomCrop([4, 4]).apply(source, random(index));
    expect([cropped.width, cropped.height]).toEqual([4, 4]);
    positions.set(String(cropped.data), (positions.get(String(cropped.data)) ?? 0) + 1);
    if (new RandomHorizontalFlip().apply(source, random(index)) !== source) flips.mirrored++;
  }
  expect(positions.size).toBe(2 * 3);
  for (const count of positions.values()) expect(Math.abs(count - 500)).toBeLessThan(120);
  expect(Math.abs(flips.mirrored - 1500)).toBeLessThan(160);
  const crop = new RandomCrop(4, { padding: 2 });
  expect(crop.apply(source, random(3))).toEqual(crop.apply(source, random(3)));
});

test.each([
  [() => new Resize(0), 'Resize: size is 0'],
  [() => new CenterCrop([3] as never), 'CenterCrop: size is an array, expected a number, or [height, width]'],
  [() => new RandomCrop(2, { pading: 1 } as never), 'did you mean padding?'],
  [() => new RandomHorizontalFlip(2), 'p is 2, expected a probability'],
  [() => new Normalize([0], [0]), 'std is 0'],
  [() => new Normalize('x' as never, [1]), "mean is 'x'"],
  [() => new Compose([ToTensor] as never), 'transforms[0] is a function, expected a transform'],
  [() => new RandomCrop(9).apply(image(5, 5), random()), 'size is 9, expected at most the size of the image, 5 × 5'],
  [() => new Normalize([0, 0], [1, 1]).apply(new ToTensor().apply(image(2, 2))), 'the length of mean is 2, expected 3'],
])('invalid arguments are refused: %#', (make, expected) => {
  expect(make).toThrow(expected);
});

describe('files', () => {
  test.each(golden.files)('$name decodes as in Pillow', async ({ name, width, height, ...file }) => {
    const out = await decodeImage(bytes(file.bytes), name);
    expect([out.width, out.height]).toEqual([width, height]);
    const expected = bytes(file.pixels);
    const differences = Array.from(out.data, (v, i) => Math.abs(v - expected[i]!));
    // PNG is exact. JPEG leaves rounding and chroma upsampling to the decoder.
    const worst = name.endsWith('png') ? 0 : name.startsWith('chroma') || name.startsWith('progressive') ? 24 : 3;
    expect(Math.max(...differences)).toBeLessThanOrEqual(worst);
    expect(differences.reduce((a, b) => a + b, 0) / differences.length).toBeLessThanOrEqual(worst / 4);
  });

  test('damaged files are errors that name the file, wherever they are truncated or changed', async () => {
    for (const { name, ...file } of golden.files) {
      const whole = bytes(file.bytes);
      for (const end of [0, 1, 4, 20, 33, 60, whole.length >> 1]) {
        const error = await decodeImage(whole.slice(0, end), name).then(
          () => undefined,
          (e: unknown) => e,
        );
        expect(error, `${name} cut at ${end}`).toMatchObject({ code: 'IMAGE_INVALID', data: { file: name } });
      }
      for (let at = 0; at < whole.length; at += 7) {
        const changed = whole.slice();
        changed[at]! ^= 0x55;
        const result = await decodeImage(changed, name).catch((e: { code: string }) => e.code);
        if (typeof result === 'string') expect(result).toBe('IMAGE_INVALID');
      }
    }
    const huge = bytes(golden.files[0]!.bytes);
    new DataView(huge.buffer).setUint32(16, 1 << 20);
    new DataView(huge.buffer).setUint32(20, 1 << 20);
    await expect(decodeImage(huge, 'huge.png')).rejects.toThrow(
      'cannot decode the image huge.png: it has 1048576 × 1048576 pixels',
    );
    await expect(decodeImage(Buffer.from('GIF89a'), 'a.gif')).rejects.toThrow(
      'it starts as neither a PNG nor a JPEG does',
    );
  });
});
