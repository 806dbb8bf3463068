// The object store, compared with a map in memory: atomicity, conditions, ranges, multipart uploads, listings, crashes.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ObjectError } from './object-error.ts';
import { ObjectStore, type PutOptions } from './object-store.ts';

let folder: string;
let store: ObjectStore;
let clockMs = 1_700_000_000_000;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trenio-objects-'));
  store = new ObjectStore(folder, () => clockMs);
  store.createBucket('data');
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

async function* bodyOf(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}
const put = (key: string, text: string, options?: PutOptions) => store.put('data', key, bodyOf(text), options);
async function read(key: string, range?: string): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of (await store.read('data', key, range)).bytes) parts.push(part);
  return Buffer.concat(parts).toString();
}
const codeOf = async (run: () => unknown): Promise<string> => {
  try {
    await run();
    return 'none';
  } catch (error) {
    if (error instanceof ObjectError) return error.code;
    throw error;
  }
};
const blobs = (): number =>
  readdirSync(join(folder, 'blobs'), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile()).length;

describe('an object', () => {
  test('is read back unchanged, with its ETag, attributes and checksum', async () => {
    const attributes = { contentType: 'text/plain', headers: { 'cache-control': 'no-store' }, metadata: { who: 'me' } };
    const row = await put('a/b.txt', 'hello', { attributes, checksum: 'CRC32' });
    expect(row).toMatchObject({
      size: 5,
      etag: createHash('md5').update('hello').digest('hex'),
      modifiedMs: clockMs,
      attributes,
      checksums: { CRC32: 'NhCmhg==' },
    });
    expect(store.head('data', 'a/b.txt')).toEqual(row);
    expect(await read('a/b.txt')).toBe('hello');
  });

  test('survives a new process, and replaced bytes are removed', async () => {
    await put('k', 'old');
    await put('k', 'new');
    store.close();
    store = new ObjectStore(folder);
    expect(await read('k')).toBe('new');
    expect(blobs()).toBe(1);
  });

  test('stays readable while it is replaced and deleted', async () => {
    await put('k', 'old');
    const { bytes } = await store.read('data', 'k');
    await put('k', 'new');
    await store.delete('data', 'k');
    expect(await codeOf(() => store.head('data', 'k'))).toBe('NoSuchKey');
    const parts: Uint8Array[] = [];
    for await (const part of bytes) parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe('old');
    expect(blobs()).toBe(0);
  });

  test('does not change when its upload fails, and nothing is left behind', async () => {
    await put('k', 'old');
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('ne');
      throw new Error('connection lost');
    };
    await expect(store.put('data', 'k', broken())).rejects.toThrow('connection lost');
    const wrong: PutOptions['expected'][] = [
      { md5: createHash('md5').update('x').digest('base64') },
      { sha256: '0'.repeat(64) },
      { size: 4 },
      { checksums: new Map([['CRC32', () => 'AAAAAA==']]) },
    ];
    for (const expected of wrong) expect(await codeOf(() => put('k', 'new', { expected }))).toBe('BadDigest');
    expect(await read('k')).toBe('old');
    expect(blobs()).toBe(1);
  });

  test.each([
    ['bytes=0-0', 'a'],
    ['bytes=2-', 'cdef'],
    ['bytes=-2', 'ef'],
    ['bytes=-100', 'abcdef'],
    ['bytes=4-100', 'ef'],
    ['bytes=4-2', 'abcdef'],
    ['lines=1-2', 'abcdef'],
  ])('range %s', async (range, expected) => {
    await put('k', 'abcdef');
    expect(await read('k', range)).toBe(expected);
  });

  test('a range beyond its end is rejected', async () => {
    await put('k', 'abcdef');
    expect(await codeOf(() => read('k', 'bytes=6-'))).toBe('InvalidRange');
    expect(await codeOf(() => read('k', 'bytes=-0'))).toBe('InvalidRange');
  });
});

describe('conditions', () => {
  test('of writes', async () => {
    const { etag } = await put('k', '1', { conditions: { ifNoneMatch: '*' } });
    expect(await codeOf(() => put('k', '2', { conditions: { ifNoneMatch: '*' } }))).toBe('PreconditionFailed');
    expect(await codeOf(() => put('k', '2', { conditions: { ifMatch: '"00"' } }))).toBe('PreconditionFailed');
    expect(await codeOf(() => put('other', '2', { conditions: { ifMatch: etag } }))).toBe('NoSuchKey');
    await put('k', '2', { conditions: { ifMatch: `"${etag}"` } });
    expect(await read('k')).toBe('2');
  });

  test('only one of many concurrent If-None-Match writers succeeds', async () => {
    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => codeOf(() => put('lock', `${i}`, { conditions: { ifNoneMatch: '*' } }))),
    );
    expect(codes.filter(code => code === 'none')).toHaveLength(1);
    expect(blobs()).toBe(1);
  });

  test('of reads', async () => {
    const { etag } = await put('k', '1');
    const head = (conditions: Parameters<ObjectStore['head']>[2]) => codeOf(() => store.head('data', 'k', conditions));
    expect(await head({ ifMatch: etag })).toBe('none');
    expect(await head({ ifMatch: 'x' })).toBe('PreconditionFailed');
    expect(await head({ ifNoneMatch: `"x", "${etag}"` })).toBe('NotModified');
    expect(await head({ ifModifiedSinceMs: clockMs })).toBe('NotModified');
    expect(await head({ ifModifiedSinceMs: clockMs - 1000 })).toBe('none');
    expect(await head({ ifUnmodifiedSinceMs: clockMs - 1000 })).toBe('PreconditionFailed');
  });
});

describe('a multipart upload', () => {
  const MIB = 1024 * 1024;

  test('becomes one object, with parts uploaded in any order', async () => {
    const [first, second] = [randomBytes(5 * MIB), Buffer.from('the end')];
    const { id } = store.createUpload('data', 'big', undefined, 'CRC32C');
    const at = (number: number) => ({ bucket: 'data', key: 'big', upload: id, number });
    const b = await store.putPart(at(2), bodyOf(second));
    await store.putPart(at(1), bodyOf('replaced'));
    const a = await store.putPart(at(1), bodyOf(first));
    await store.putPart(at(7), bodyOf('not used'));
    expect(await codeOf(() => store.head('data', 'big'))).toBe('NoSuchKey');
    const row = await store.completeUpload('data', 'big', id, [a, b]);
    expect(row.etag).toMatch(/^[0-9a-f]{32}-2$/);
    expect(row.checksums.CRC32C).toMatch(/-2$/);
    expect(await read('big', `bytes=${5 * MIB - 2}-${5 * MIB + 2}`)).toBe(
      Buffer.concat([first.subarray(-2), Buffer.from('the')]).toString(),
    );
    expect(blobs()).toBe(2);
    expect(await codeOf(() => store.parts('data', 'big', id))).toBe('NoSuchUpload');
  });

  test('is rejected if parts are missing, too small, or out of order; aborting removes them', async () => {
    const { id } = store.createUpload('data', 'big', undefined, undefined);
    const part = await store.putPart({ bucket: 'data', key: 'big', upload: id, number: 1 }, bodyOf('small'));
    const other = await store.putPart({ bucket: 'data', key: 'big', upload: id, number: 2 }, bodyOf('last'));
    const complete = (parts: readonly { number: number; etag: string }[]) =>
      codeOf(() => store.completeUpload('data', 'big', id, parts));
    expect(await complete([])).toBe('MalformedXML');
    expect(await complete([{ number: 1, etag: 'x' }])).toBe('InvalidPart');
    expect(await complete([{ number: 3, etag: part.etag }])).toBe('InvalidPart');
    expect(await complete([other, part])).toBe('InvalidPartOrder');
    expect(await complete([part, other])).toBe('EntityTooSmall');
    expect(
      await codeOf(() => store.putPart({ bucket: 'data', key: 'big', upload: id, number: 10_001 }, bodyOf(''))),
    ).toBe('InvalidArgument');
    await store.abortUpload('data', 'big', id);
    expect(blobs()).toBe(0);
  });
});

describe('listings', () => {
  test('equal those of a sorted array, page by page', async () => {
    const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é', '😀', '\u{ffff}'), minLength: 1, maxLength: 4 });
    const cases = fc.record({
      keys: fc.uniqueArray(key, { maxLength: 12 }),
      prefix: fc.constantFrom('', 'a', 'a/', 'é', 'x'),
      delimiter: fc.constantFrom('', '/', 'b'),
      pageSize: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ keys, prefix, delimiter, pageSize }) => {
        for (const { key: old } of store.list('data', { prefix: '', delimiter: '', maxKeys: 1000, after: '' }).objects)
          await store.delete('data', old);
        for (const one of keys) await put(one, '');
        const found: string[] = [];
        let after: string | undefined = '';
        while (after !== undefined) {
          const page = store.list('data', { prefix, delimiter, maxKeys: pageSize, after });
          expect(page.objects.length + page.commonPrefixes.length).toBeLessThanOrEqual(pageSize);
          found.push(...page.objects.map(row => row.key), ...page.commonPrefixes);
          after = page.next;
        }
        expect(found.sort(compareBytes)).toEqual(expectedList(keys, prefix, delimiter));
      }),
      { numRuns: 60 },
    );
  });

  function expectedList(keys: readonly string[], prefix: string, delimiter: string): readonly string[] {
    const rolled = keys
      .filter(key => key.startsWith(prefix))
      .map(key => {
        const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
        return at < 0 ? key : key.slice(0, at + delimiter.length);
      });
    return [...new Set(rolled)].sort(compareBytes);
  }
  const compareBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
});

describe('refused', () => {
  test.each(['ab', 'Data', 'a..b', '-ab', '10.0.0.1', 'a_b', 'a'.repeat(64), '../etc'])(
    'the bucket name %s',
    async name => {
      expect(await codeOf(() => store.createBucket(name))).toBe('InvalidBucketName');
    },
  );

  test('keys that are empty, too long or not text', async () => {
    expect(await codeOf(() => put('', ''))).toBe('InvalidArgument');
    expect(await codeOf(() => put('\0', ''))).toBe('InvalidArgument');
    expect(await codeOf(() => put('é'.repeat(513), ''))).toBe('KeyTooLongError');
    await put('é'.repeat(512), '');
  });

  test('keys that look like paths are just names', async () => {
    for (const key of ['../../etc/passwd', '/', '.', 'a//b', 'a\\b']) {
      await put(key, key);
      expect(await read(key)).toBe(key);
    }
  });

  test('a bucket that is not empty, or does not exist', async () => {
    await put('k', '');
    expect(await codeOf(() => store.deleteBucket('data'))).toBe('BucketNotEmpty');
    await store.delete('data', 'k');
    store.createUpload('data', 'k', undefined, undefined);
    await store.deleteBucket('data');
    expect(await codeOf(() => put('k', ''))).toBe('NoSuchBucket');
    expect(store.buckets()).toEqual([]);
  });

  test('metadata of more than 2 KB', async () => {
    const attributes = { contentType: undefined, headers: {}, metadata: { x: 'a'.repeat(2048) } };
    expect(await codeOf(() => put('k', '', { attributes }))).toBe('MetadataTooLarge');
  });
});

test('a sweep removes only the remains of crashes', async () => {
  await put('k', 'kept');
  const { id } = store.createUpload('data', 'big', undefined, undefined);
  await store.putPart({ bucket: 'data', key: 'big', upload: id, number: 1 }, bodyOf('kept'));
  const left = new ObjectStore(join(folder, 'other'));
  left.createBucket('data');
  await left.put('data', 'k', bodyOf('x'));
  left.close();
  expect(await store.sweep()).toBe(0);
  rmSync(join(folder, 'other', 'index.sqlite'));
  const crashed = new ObjectStore(join(folder, 'other'));
  // A file that was just written may still be in use by another process.
  expect(await crashed.sweep(60_000)).toBe(0);
  expect(await crashed.sweep()).toBe(1);
  crashed.close();
});

test('a copy has its own data', async () => {
  clockMs += 5000;
  const attributes = { contentType: 'text/plain', headers: {}, metadata: {} };
  await put('from', 'text', { attributes });
  await store.copy({ bucket: 'data', key: 'from' }, 'data', 'to');
  await store.delete('data', 'from');
  expect(await read('to')).toBe('text');
  expect(store.head('data', 'to').attributes).toEqual(attributes);
});
