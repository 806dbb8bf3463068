// Archives of models: unpacking, and refused archives.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { create, Header } from 'tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ObjectStore } from '../../objects/object-store.ts';
import { placeModel } from './model-archive.ts';

let folder: string;
let store: ObjectStore;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trenio-archive-'));
  store = new ObjectStore(join(folder, 'objects'));
  store.createBucket('models');
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

let count = 0;
/** Unpacks an archive of these bytes into a new folder. */
async function place(bytes: Uint8Array, limits?: { maxBytes: number; maxEntries: number }): Promise<string> {
  const key = `${++count}.tar.gz`;
  await store.put('models', key, Readable.from([bytes]));
  const target = join(folder, `model-${count}`);
  await placeModel(store, { kind: 'archive', bucket: 'models', key }, target, limits);
  return target;
}

/** An archive with exactly these entries. */
function archive(
  ...entries: readonly {
    path: string;
    type?: 'File' | 'SymbolicLink' | 'Link' | 'FIFO';
    linkpath?: string;
    content?: string;
  }[]
): Buffer {
  const blocks = entries.flatMap(({ path, type = 'File', linkpath, content = '' }) => {
    const head = Buffer.alloc(512);
    const header = new Header({
      path,
      type,
      mode: 0o644,
      size: content.length,
      mtime: new Date(0),
      ...(linkpath === undefined ? {} : { linkpath }),
    });
    header.encode(head);
    return [head, Buffer.concat([Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)])];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

describe('unpacked', () => {
  test('files and folders', async () => {
    const source = join(folder, 'source');
    mkdirSync(join(source, 'sub'), { recursive: true });
    writeFileSync(join(source, 'config.json'), '{}');
    writeFileSync(join(source, 'sub/weights'), 'w');
    const bytes = create({ cwd: source, gzip: true, portable: true, sync: true }, ['.']).read() as Buffer;
    const target = await place(bytes);
    expect(readdirSync(target).sort()).toEqual(['config.json', 'sub']);
    expect(readFileSync(join(target, 'sub/weights'), 'utf8')).toBe('w');
  });

  test('all objects below a prefix', async () => {
    await store.put('models', 'plain/a/b.txt', Readable.from([Buffer.from('b')]));
    const target = join(folder, 'plain');
    await placeModel(store, { kind: 'prefix', bucket: 'models', key: 'plain/' }, target);
    expect(readFileSync(join(target, 'a/b.txt'), 'utf8')).toBe('b');
  });
});

describe('refused', () => {
  test.each<[string, () => Buffer, string]>([
    ['a path that leaves the folder', () => archive({ path: '../out', content: 'x' }), 'outside of its folder'],
    ['an absolute path', () => archive({ path: '/tmp/trenio-out', content: 'x' }), 'outside of its folder'],
    ['a path with .. in the middle', () => archive({ path: 'a/../../out', content: 'x' }), 'outside of its folder'],
    ['a symbolic link', () => archive({ path: 'link', type: 'SymbolicLink', linkpath: '/etc' }), 'is a link to'],
    ['a hard link', () => archive({ path: 'link', type: 'Link', linkpath: '/etc/passwd' }), 'is a link to'],
    ['a pipe', () => archive({ path: 'pipe', type: 'FIFO' }), 'is a FIFO'],
    ['something else', () => Buffer.from('this is not an archive'), 'cannot be unpacked'],
    [
      'a truncated archive',
      () => archive({ path: 'a', content: 'x'.repeat(5000) }).subarray(0, 60),
      'cannot be unpacked',
    ],
    ['a bomb', () => gzipSync(Buffer.alloc(64 * 1024 * 1024)), 'it unpacks to more than'],
  ])('%s', async (_, bytes, reason) => {
    await expect(place(bytes())).rejects.toThrow(reason);
    expect(readdirSync(folder)).not.toContain('out');
  });

  test('more entries or bytes than are allowed', async () => {
    const many = archive({ path: 'a', content: 'a' }, { path: 'b', content: 'b' }, { path: 'c', content: 'c' });
    await expect(place(many, { maxBytes: 1e9, maxEntries: 2 })).rejects.toThrow('it has more than 2 entries');
    await expect(place(many, { maxBytes: 1000, maxEntries: 10 })).rejects.toThrow('more than 1000 bytes');
  });

  test('an existing link is not followed', async () => {
    const target = join(folder, 'prepared');
    mkdirSync(target);
    symlinkSync(folder, join(target, 'sub'));
    await store.put('models', 'through.tar.gz', Readable.from([archive({ path: 'sub/through', content: 'x' })]));
    await placeModel(store, { kind: 'archive', bucket: 'models', key: 'through.tar.gz' }, target).catch(() => {});
    expect(readdirSync(folder)).not.toContain('through');
  });

  test('an object that does not exist', async () => {
    await expect(
      placeModel(store, { kind: 'archive', bucket: 'models', key: 'none' }, join(folder, 'none')),
    ).rejects.toThrow('Could not read the model data s3://models/none');
  });
});
