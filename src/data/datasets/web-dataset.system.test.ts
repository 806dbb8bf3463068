// Tar archives as samples. The archives are written by the system's tar, in its formats.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { literal } from '../../hlo/literal.ts';
import { encodeNpy } from '../files/npy.ts';
import { tarEntries } from '../files/tar.ts';
import { DataLoader } from '../loader/data-loader.ts';
import { keep } from '../loader/worker-fixtures.testing.ts';
import { WebDataset } from './web-dataset.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trenio-tar-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(archive: string, files: Readonly<Record<string, string | Uint8Array>>, format = 'ustar'): string {
  const root = mkdtempSync(join(folder, 'root-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const path = join(folder, archive);
  execFileSync('tar', [`--format=${format}`, '-cf', path, '-C', root, ...Object.keys(files)]);
  return path;
}
const shards = (): string => {
  for (let shard = 0; shard < 3; shard++)
    write(
      `data-00${shard}.tar`,
      Object.fromEntries(
        [0, 1, 2, 3].flatMap(i => [
          [`s/${shard}${i}.txt`, `text ${shard}${i}`],
          [`s/${shard}${i}.cls`, `${i}`],
        ]),
      ),
    );
  return join(folder, 'data-{000..002}.tar');
};

test('files with the same name form a sample; parts are decoded by their extensions', async () => {
  const png = PNG.sync.write(Object.assign(new PNG({ width: 2, height: 1 }), { data: Buffer.alloc(8, 255) }));
  const x = literal('f32', [2], [1, 2]);
  const path = write('a.tar', {
    'cat/1.left.png': png,
    'cat/1.json': '{"a":[1]}',
    'cat/1.cls': '7\n',
    'cat/1.npy': Buffer.concat(encodeNpy(x)),
    'cat/1.bin': Uint8Array.of(1, 2),
    'cat/2.txt': 'two',
    README: 'no part of a sample',
  });
  const [one, two, ...none] = await Array.fromAsync(new WebDataset(path));
  expect(one).toEqual({
    __key__: 'cat/1',
    __url__: path,
    'left.png': { width: 2, height: 1, channels: 3, data: new Uint8Array(6).fill(255) },
    json: { a: [1] },
    cls: 7,
    npy: x,
    bin: Uint8Array.of(1, 2),
  });
  expect(two).toEqual({ __key__: 'cat/2', __url__: path, txt: 'two' });
  expect(none).toEqual([]);
  const [raw] = await Array.fromAsync(new WebDataset(path, { decode: false }));
  expect(raw!.cls).toEqual(Uint8Array.from(Buffer.from('7\n')));
});

test.each(['ustar', 'gnu', 'pax', 'v7'])('reads archives in the %s format', async format => {
  const long = `${'long/'.repeat(format === 'v7' ? 4 : 30)}name.txt`;
  const path = write('b.tar', { [long]: 'x'.repeat(700), 'z.txt': '' }, format);
  const entries = await Array.fromAsync(tarEntries(path));
  expect(entries.map(({ name, bytes }) => [name, bytes])).toEqual([
    [long, 700],
    ['z.txt', 0],
  ]);
  const { start } = entries[0]!;
  expect(readFileSync(path).toString('latin1', start, start + 3)).toBe('xxx');
});

test('shards in order or shuffled; ranks and workers share the samples', async () => {
  const path = shards();
  const keys = async (dataset: WebDataset, epoch = 0) =>
    (await Array.fromAsync(dataset.epoch(epoch))).map(({ __key__ }) => __key__);
  const all = await keys(new WebDataset(path));
  expect(all).toHaveLength(12);
  expect(all[4]).toBe('s/10');
  const shuffled = new WebDataset(path, { shardShuffle: true, seed: 1 });
  expect((await keys(shuffled)).toSorted()).toEqual(all);
  const orders = new Set(await Promise.all([0, 1, 2, 3].map(async epoch => (await keys(shuffled, epoch)).join())));
  expect(orders.size).toBeGreaterThan(1);
  const batches = (numWorkers: number) =>
    Array.fromAsync(new DataLoader(shuffled.shuffle(5), { batchSize: 2, numWorkers, collateFn: keep }));
  expect(await batches(2)).toEqual(await batches(0));
});

test('damaged archives are errors with the position', async () => {
  const path = write('c.tar', { 'a.txt': 'text', 'b.txt': 'text' });
  const bytes = readFileSync(path);
  const failing = async (change: (copy: Buffer) => Uint8Array) => {
    writeFileSync(path, change(Buffer.from(bytes)));
    return await Array.fromAsync(new WebDataset(path)).catch((error: Error) => error.message);
  };
  expect(await failing(copy => copy.fill(1, 1024, 1100))).toMatch(/at byte 1024: there is no valid header here/);
  expect(await failing(copy => copy.subarray(0, 1100))).toMatch(/at byte 1024: it ends within a header/);
  expect(await failing(copy => copy.subarray(0, 513))).toMatch(/a file of 4 bytes goes beyond the end/);
  expect(await failing(copy => copy.subarray(0, 600))).toMatch(/at byte 512: it ends within the padding of a file/);
  expect(await failing(copy => copy.subarray(0, 0))).toMatch(/at byte 0: it is empty/);
  // Interrupted copies often end at a multiple of the block size. Some programs do not write the end-of-archive marker.
  const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    expect(await failing(copy => copy.subarray(0, 1024))).toHaveLength(1);
    expect(errors.mock.calls.join()).toMatch(/c\.tar has no end-of-archive marker: it may be truncated/);
  } finally {
    errors.mockRestore();
  }
  expect(await failing(() => Uint8Array.of(0x1f, 0x8b, ...new Uint8Array(600)))).toMatch(/unpack it with gunzip/);
  for (const cls of ['seven', '', ' ', '1e3', '0x10']) {
    write('c.tar', { 'a.cls': cls });
    await expect(Array.fromAsync(new WebDataset(path))).rejects.toThrow(/a\.cls .*not an integer/);
  }
  for (const part of ['__key__', '__url__', '__proto__']) {
    write('c.tar', { [`a.${part}`]: 'x', 'a.txt': 'y' });
    await expect(Array.fromAsync(new WebDataset(path))).rejects.toThrow(`has a part ${part}, which is a name of`);
  }
  write('c.tar', { 'a.json': '{"id": 1234567890123456789, "x": 1e300}', 'a.cls': '-7\n' });
  expect(await Array.fromAsync(new WebDataset(path))).toMatchObject([
    { json: { id: 1234567890123456789n, x: 1e300 }, cls: -7 },
  ]);
  // A part of 3 GiB, in a sparse file.
  write('c.tar', { 'a.bin': 'x' });
  const header = readFileSync(path).subarray(0, 512);
  header.write('30000000000\0', 124, 'latin1');
  header.write('        ', 148, 'latin1');
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
    'latin1',
  );
  writeFileSync(path, header);
  truncateSync(path, 3 * 2 ** 30 + 2048);
  await expect(Array.fromAsync(new WebDataset(path))).rejects.toThrow(
    'a.bin has 3221225472 bytes, more than the 2147483647',
  );
  write('c.tar', { 'a.cls': 'seven' });
  await expect(Array.fromAsync(new WebDataset(path))).rejects.toThrow(/a\.cls .*not an integer/);
  await expect(Array.fromAsync(new WebDataset(join(folder, 'none.tar')))).rejects.toMatchObject({
    code: 'FILE_UNREADABLE',
  });
  expect(() => new WebDataset('x.tar', { shuffle: true } as never)).toThrow(
    /did you mean shardShuffle|no option shuffle/,
  );
});
