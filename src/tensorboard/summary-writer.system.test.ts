// The writer's behavior beyond the bytes: folders, wrong arguments, a process that exits, images and graphs.
import { mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import * as nn from '../nn/index.ts';
import { startScript } from '../runtime/processes.testing.ts';
import { tensor, zeros } from '../tensor/index.ts';
import { crc32c } from './crc32c.ts';
import { SummaryWriter } from './index.ts';

const temporary = () => mkdtempDisposableSync(join(tmpdir(), 'trenio-events-'));
const contentOf = (folder: string): Buffer =>
  readFileSync(join(folder, readdirSync(folder).find(name => name.startsWith('events'))!));

test('CRC-32C of the vectors of RFC 3720', () => {
  expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
  expect(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i))).toBe(0x46dd794e);
});

describe('a summary writer', () => {
  test('takes tensors', () => {
    using folder = temporary();
    using writer = new SummaryWriter(folder.path);
    writer.addScalar('loss', tensor([0.5]), 1);
    writer.addHistogram(
      'weights',
      tensor([
        [0, 1],
        [2, 3],
      ]),
      1,
    );
    writer.addPrCurve('curve', tensor([1, 0]), tensor([0.7, 0.2]), 1);
    writer.flush();
    expect(contentOf(folder.path).toString('latin1')).toMatch(/loss.*weights.*curve.*pr_curves/s);
  });
  test('creates a run for each of several scalars', () => {
    using folder = temporary();
    using writer = new SummaryWriter({ logDir: folder.path });
    writer.addScalars('loss/all', { train: 1, validation: 2 }, 1);
    writer.flush();
    expect(
      readdirSync(folder.path)
        .filter(name => !name.startsWith('events'))
        .sort(),
    ).toEqual(['loss_all_train', 'loss_all_validation']);
  });
  test('arranges images in a grid', () => {
    using folder = temporary();
    using writer = new SummaryWriter(folder.path);
    // Nine gray images of 2 × 3, each of one value.
    const data = Float32Array.from({ length: 9 * 6 }, (_, i) => Math.floor(i / 6) / 10);
    writer.addImages('digits', { data, shape: [9, 1, 2, 3] }, 1);
    writer.flush();
    const bytes = contentOf(folder.path);
    const png = PNG.sync.read(bytes.subarray(bytes.indexOf(Buffer.from([0x89, 0x50, 0x4e, 0x47])), -4));
    expect([png.width, png.height]).toEqual([24, 4]);
    expect([0, 3, 21].map(x => png.data[4 * x])).toEqual([0, 25, 178]);
    expect(png.data[4 * 24 * 2]).toBe(204);
  });
  test('draws a model, with a box for each module, and does not change it', () => {
    using folder = temporary();
    using writer = new SummaryWriter(folder.path);
    const model = new nn.Sequential(new nn.Linear(3, 4), new nn.BatchNorm1d(4), new nn.ReLU());
    writer.addGraph(model, zeros([2, 3]));
    writer.flush();
    const text = contentOf(folder.path).toString('latin1');
    for (const name of ['input/0', '0/weight', '0/dot_general', '1/weight', '2/select', 'output/0'])
      expect(text).toContain(name);
    expect(model.forward(zeros([2, 3])).shape).toEqual([2, 4]);
  });
  test('resumes at a step', () => {
    using folder = temporary();
    using writer = new SummaryWriter(folder.path, { purgeStep: 300 });
    writer.flush();
    // A `SessionLog` with status START, at step 300.
    expect(contentOf(folder.path).includes(Buffer.from([0x10, 0xac, 0x02, 0x3a, 0x02, 0x08, 0x01]))).toBe(true);
  });
  test.each<[string, (writer: SummaryWriter) => void, RegExp]>([
    [
      'a vector as a scalar',
      w => w.addScalar('x', tensor([1, 2])),
      /value is a tensor of shape \[2\], expected a number/,
    ],
    ['a histogram of nothing', w => w.addHistogram('x', []), /values is none, expected at least one/],
    ['a histogram of NaN', w => w.addHistogram('x', [Number.NaN]), /values is NaN, expected finite values/],
    ['an image without its dims', w => w.addImage('x', zeros([3, 4])), /dataformats is CHW, expected one letter/],
    ['an image of five channels', w => w.addImage('x', zeros([5, 2, 2])), /5 channels, expected 1, 3 or 4/],
    ['labels without predictions', w => w.addPrCurve('x', [1], []), /1 labels, expected as many as predictions \(0\)/],
    ['a margin of two tags', w => w.addCustomScalars({ a: { b: ['Margin', ['x', 'y']] } }), /2 tags, expected three/],
    ['an unknown option', w => w.addImage('x', zeros([1, 2, 2]), 0, { format: 'CHW' } as never), /format/],
    [
      'a domain of another type',
      w => w.addHparams({ a: 1 }, {}, { hparamDomainDiscrete: { a: ['x'] } }),
      /array of numbers/,
    ],
  ])('refuses %s', (_, call, message) => {
    using folder = temporary();
    using writer = new SummaryWriter(folder.path);
    expect(() => call(writer)).toThrow(message);
  });
  test('rejects events after it is closed, and folders that cannot be created', () => {
    using folder = temporary();
    const writer = new SummaryWriter(folder.path);
    writer.close();
    writer.close();
    expect(() => writer.addScalar('x', 1)).toThrow(expect.objectContaining({ code: 'EVENT_FILE_UNWRITABLE' }));
    expect(() => new SummaryWriter('/proc/none')).toThrow(expect.objectContaining({ code: 'EVENT_FILE_UNWRITABLE' }));
  });
  test('has written everything when the process ends, in any way', async () => {
    using folder = temporary();
    const { outcome } = startScript(
      import.meta.url,
      `import { SummaryWriter } from './index.ts';
       const writer = new SummaryWriter(${JSON.stringify(folder.path)}, { maxQueue: 1 });
       for (let i = 0; i < 1000; i++) writer.addScalar('x' + i, i, i);
       process.exit(0);`,
    );
    expect(await outcome).toMatchObject({ status: 0, stderr: '' });
    expect(contentOf(folder.path).toString('latin1')).toContain('x999');
  });
});
