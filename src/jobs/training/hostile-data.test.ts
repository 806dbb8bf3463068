// Hostile data and patterns from clients: archive bombs, links, regular expressions with exponential matching time.
import { existsSync, lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ObjectStore } from '../../objects/object-store.ts';
import { DiskBudget } from './disk-budget.ts';
import { downloadChannel, downloadFolder, unpackArchive } from './job-data.ts';
import { MetricWatch, metricProblem } from './metric-watch.ts';

let folder: string;
let store: ObjectStore;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trenio-hostile-'));
  store = new ObjectStore(join(folder, 'objects'));
  store.createBucket('data');
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

interface Entry {
  readonly path: string;
  readonly type?: 'File' | 'SymbolicLink' | 'Link' | 'CharacterDevice';
  readonly linkpath?: string;
  readonly content?: string;
}
function archive(...entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ path, type = 'File', linkpath, content = '' }) => {
    const head = Buffer.alloc(512);
    const link = linkpath === undefined ? {} : { linkpath };
    new Header({ path, type, mode: 0o644, size: content.length, mtime: new Date(0), ...link }).encode(head);
    return [head, Buffer.concat([Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)])];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}
let count = 0;
async function unpack(bytes: Uint8Array): Promise<string> {
  const key = `${++count}.tar.gz`;
  await store.put('data', key, Readable.from([bytes]));
  const target = join(folder, `code-${count}`);
  await unpackArchive(store, 'data', key, target);
  return target;
}

describe('archives of code', () => {
  test('links within the archive are kept', async () => {
    const target = await unpack(
      archive(
        { path: 'src/train.py', content: 'x' },
        { path: 'src/main.py', type: 'SymbolicLink', linkpath: '../src/train.py' },
      ),
    );
    expect(lstatSync(join(target, 'src/main.py')).isSymbolicLink()).toBe(true);
  });

  test.for([
    ['a path out of the folder', [{ path: '../out', content: 'x' }], 'outside of its folder'],
    ['an absolute path', [{ path: `${tmpdir()}/trenio-out`, content: 'x' }], 'outside of its folder'],
    ['a link out of the folder', [{ path: 'a', type: 'SymbolicLink', linkpath: '/etc/passwd' }], 'is a link to'],
    [
      'a link with .. that leaves the folder',
      [{ path: 'a/b', type: 'SymbolicLink', linkpath: '../../x' }],
      'is a link to',
    ],
    ['a hard link with .. that leaves the folder', [{ path: 'a', type: 'Link', linkpath: '../../x' }], 'is a link to'],
    ['a device', [{ path: 'a', type: 'CharacterDevice' }], 'only files and folders'],
    [
      'a file through a link',
      [
        { path: 'a', type: 'SymbolicLink', linkpath: '.' },
        { path: 'a/../../out', content: 'x' },
      ],
      'outside of its folder',
    ],
  ] as const)('%s is rejected', async ([, entries, problem]) => {
    await expect(unpack(archive(...entries))).rejects.toThrow(problem);
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  test('a bomb is rejected before it fills the disk', async () => {
    await expect(unpack(gzipSync(Buffer.alloc(64 * 1024 * 1024)))).rejects.toThrow('unpacks to more than');
  });
});

describe('data', () => {
  test('that unpacks to more than the volume is rejected', async () => {
    await store.put('data', 'zip/bomb.gz', Readable.from([gzipSync(Buffer.alloc(8 * 1024 * 1024))]));
    const channel = { bucket: 'data', prefix: 'zip/', distribution: 'FullyReplicated', gzip: true } as const;
    const host = { index: 0, count: 1 };
    const target = join(folder, 'channel');
    await expect(downloadChannel(store, channel, target, host, new DiskBudget(0.001))).rejects.toThrow(
      'the data is larger than the 0.001 GB of the volume',
    );
    expect(lstatSync(join(target, 'bomb')).size).toBeLessThan(2 * 1024 * 1024);
    expect(await downloadChannel(store, channel, target, host, new DiskBudget(1))).toBe(1);
  });

  test('is counted for all files of a host together', async () => {
    const budget = new DiskBudget(0.001);
    const bytes = Buffer.alloc(600_000);
    await pipeline(Readable.from([bytes]), budget.counter().resume());
    await expect(pipeline(Readable.from([bytes]), budget.counter().resume())).rejects.toThrow('VolumeSizeInGB');
  });
});

describe('patterns of metrics', () => {
  test('that take exponential time in other engines are matched quickly', () => {
    const watch = new MetricWatch([{ name: 'loss', regex: '(a+)+$|((a|aa)+)+b|loss=([0-9.]+)' }]);
    watch.line(`${'a'.repeat(16_000)}!`, 0);
    expect(watch.values()).toEqual([]);
  });

  test('that are too large to compile are rejected', () => {
    expect(metricProblem('((a{100}){100}){100}')).toContain('repe');
    expect(metricProblem('x{1000}y{1000}'.repeat(30))).toContain('add up to more than 1000');
    expect(metricProblem('x{2,}y{10,990}')).toBeUndefined();
  });
});

test.each(['data/../../climbed', 'data/../../../../../etc/climbed', 'data/a/../../../climbed', 'data/..'])(
  'the key %j is rejected as the path of a file',
  async key => {
    await store.put('data', key, Readable.from([Buffer.from('x')]));
    const target = join(folder, 'channel', 'input');
    const channel = { bucket: 'data', prefix: 'data/', distribution: 'FullyReplicated', gzip: false } as const;
    const refused = 'is not a path inside of its channel';
    await expect(downloadChannel(store, channel, target, { index: 0, count: 1 })).rejects.toThrow(refused);
    await expect(downloadFolder(store, 'data', 'data/', target)).rejects.toThrow(refused);
    expect([join(folder, 'climbed'), join(folder, 'channel', 'climbed')].filter(path => existsSync(path))).toEqual([]);
    await store.delete('data', key);
  },
);
