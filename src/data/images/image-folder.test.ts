import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { type Literal, toNumbers } from '../../hlo/literal.ts';
import type { Tensor } from '../../tensor/index.ts';
import { Subset } from '../datasets/combined-datasets.ts';
import { defaultCollate } from '../loader/collate.ts';
import { DataLoader } from '../loader/data-loader.ts';
import { Compose, Normalize, RandomCrop, Resize, ToTensor } from '../transforms/transforms.ts';
import { ImageFolder } from './image-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'trenio-images-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A uniformly gray image. */
function write(name: string, gray: number, size = 8): void {
  const data = Buffer.alloc(size * size * 4, gray);
  for (let i = 3; i < data.length; i += 4) data[i] = 255;
  const file = join(root, name);
  mkdirSync(join(file, '..'), { recursive: true });
  const png = Object.assign(new PNG({ width: size, height: size }), { data });
  writeFileSync(
    file,
    name.endsWith('.png') ? PNG.sync.write(png) : jpeg.encode({ width: size, height: size, data }, 95).data,
  );
}
function writeAll(): void {
  write('dog/1.png', 10);
  write('dog/more/2.JPG', 20);
  write('cat/3.png', 30, 12);
  write('cat/10.png', 40);
  writeFileSync(join(root, 'cat/notes.txt'), 'x');
  writeFileSync(join(root, 'readme.md'), 'x');
}

describe('batches', () => {
  test('equal the single items bit for bit, in any thread', async () => {
    for (let i = 0; i < 5; i++) write(`a/${i}.${i % 2 === 0 ? 'png' : 'jpg'}`, 40 * i);
    const transform = new Compose([new RandomCrop(4), new ToTensor(), new Normalize([0.5, 0.4, 0.3], [0.1, 0.2, 0.3])]);
    const dataset = new ImageFolder(root, { transform });
    const items = await Promise.all([0, 1, 2, 3, 4].map(i => dataset.get(i, 0)));
    const expected = [
      defaultCollate(items.slice(0, 2)),
      defaultCollate(items.slice(2, 4)),
      defaultCollate(items.slice(4)),
    ];
    for (const numWorkers of [0, 2]) {
      await using loader = new DataLoader(dataset, { batchSize: 2, numWorkers });
      const batches = await Array.fromAsync(loader);
      expect(batches.map(batch => batch.map(x => x.literal()))).toEqual(expected);
    }
  });
  test('of images of different sizes are rejected', async () => {
    write('a/1.png', 1, 8);
    write('a/2.png', 1, 9);
    const loader = new DataLoader(new ImageFolder(root, { transform: new ToTensor() }), { batchSize: 2 });
    await expect(Array.fromAsync(loader)).rejects.toMatchObject({ code: 'CANNOT_COLLATE' });
  });
  test('do not share memory with transforms or classes that keep their results', async () => {
    write('a/1.png', 100);
    write('a/2.png', 200);
    const kept: Literal[] = [];
    const keep = { apply: (image: Literal): Literal => kept[kept.push(image) - 1]! };
    class Keeping extends ImageFolder<Literal> {
      override async get(index: number, epoch?: number): Promise<readonly [Literal, number]> {
        const item = await super.get(index, epoch);
        kept.push(item[0]);
        return item;
      }
    }
    for (const dataset of [
      new ImageFolder(root, { transform: new Compose([new ToTensor(), keep]) }),
      new Keeping(root, { transform: new ToTensor() }),
    ]) {
      kept.length = 0;
      const { batches } = new DataLoader(dataset, { batchSize: 2 }).ahead();
      for await (const [images] of batches) (images.data as Float32Array).fill(7);
      // Items are read concurrently, in any order.
      expect(kept.map(({ data }) => (data as Float32Array)[0]!).toSorted((a, b) => a - b)).toEqual([
        Math.fround(100 / 255),
        Math.fround(200 / 255),
      ]);
    }
  });
});

describe('folders', () => {
  test('are the classes, in alphabetical order', async () => {
    writeAll();
    const folder = new ImageFolder(root);
    expect([folder.classes, folder.classToIdx, folder.targets]).toEqual([
      ['cat', 'dog'],
      { cat: 0, dog: 1 },
      [0, 0, 1, 1],
    ]);
    expect(folder.samples.map(([file]) => file.slice(root.length))).toEqual([
      '/cat/10.png',
      '/cat/3.png',
      '/dog/1.png',
      '/dog/more/2.JPG',
    ]);
    const [image, label] = await folder.get(1);
    expect([image.width, image.data[0], label]).toEqual([12, 30, 0]);
    expect(structuredClone({ ...folder })).toMatchObject({ classes: ['cat', 'dog'] });
  });

  test('become batches; random crops differ between epochs but not between runs', async () => {
    writeAll();
    const transform = new Compose([new Resize(6), new RandomCrop(4, { padding: 1 }), new ToTensor()]);
    const dataset = new ImageFolder(root, { transform });
    const run = async () => {
      const loader = new DataLoader(new Subset(dataset, [0, 1, 2]), { batchSize: 2, shuffle: true });
      const seen: unknown[] = [];
      for (let epoch = 0; epoch < 2; epoch++)
        for await (const [images, labels] of loader) {
          expectTypeOf(images).toEqualTypeOf<Tensor>();
          expect(images.shape.slice(1)).toEqual([3, 4, 4]);
          seen.push([toNumbers(images), toNumbers(labels)]);
        }
      return seen;
    };
    expect(await run()).toEqual(await run());
    const [first] = await dataset.get(0, 0);
    const others = await Promise.all([1, 2, 3, 4].map(async epoch => (await dataset.get(0, epoch))[0]));
    expect(others.some(other => String(other.data) !== String(first.data))).toBe(true);
  });
});

describe('errors name the problem', () => {
  test('a missing folder, no classes, a class without images', () => {
    expect(() => new ImageFolder(join(root, 'none'))).toThrow(expect.objectContaining({ code: 'FILE_UNREADABLE' }));
    expect(() => new ImageFolder(root)).toThrow('it has no folders');
    write('a/1.png', 1);
    mkdirSync(join(root, 'b'));
    expect(() => new ImageFolder(root)).toThrow('the class b has no files that end in .png, .jpg, .jpeg');
    expect(new ImageFolder(root, { allowEmpty: true }).classes).toEqual(['a', 'b']);
    expect(() => new ImageFolder(root, { transforms: 1 } as never)).toThrow('did you mean transform?');
  });
  test('links are followed, unless they form cycles or dangle', () => {
    write('a/1.png', 1);
    symlinkSync(join(root, 'a'), join(root, 'b'));
    expect(new ImageFolder(root).targets).toEqual([0, 1]);
    symlinkSync(root, join(root, 'a', 'up'));
    expect(() => new ImageFolder(root)).toThrow(expect.objectContaining({ code: 'IMAGE_FOLDER_INVALID' }));
    expect(() => new ImageFolder(root)).toThrow('it is a link to');
    rmSync(join(root, 'a', 'up'));
    symlinkSync(join(root, 'nowhere'), join(root, 'a', 'x.png'));
    expect(() => new ImageFolder(root)).toThrow(/x\.png.*no such file/);
  });
  test('a damaged image names the file, in the loader too', async () => {
    write('a/1.png', 1);
    writeFileSync(join(root, 'a/2.png'), 'not an image');
    writeFileSync(join(root, 'a/3.jpg'), '');
    const folder = new ImageFolder(root, { transform: new ToTensor() });
    await expect(folder.get(1)).rejects.toThrow(/cannot decode the image .*a\/2\.png: it starts as neither/);
    await expect(folder.get(2)).rejects.toThrow(/a\/3\.jpg: the file is empty/);
    await expect(Array.fromAsync(new DataLoader(folder, { batchSize: 3 }))).rejects.toThrow(/a\/2\.png/);
    await expect(folder.get(3)).rejects.toThrow('index 3 is out of range');
  });
});
