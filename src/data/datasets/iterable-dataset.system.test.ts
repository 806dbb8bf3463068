// Streams: the results of each operation of a chain; ranks, workers and resumed runs share one order.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DataLoader } from '../loader/data-loader.ts';
import { double, isEven, keep } from '../loader/worker-fixtures.testing.ts';
import type { PackedSequence } from '../text/packed-sequences.ts';
import { IterableDataset } from './iterable-dataset.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trenio-streams-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const stream = (n: number) => new IterableDataset(() => upTo(n));
const items = <T>(dataset: IterableDataset<T>, epoch = 0): Promise<T[]> => Array.fromAsync(dataset.epoch(epoch));
const collateFn = keep as (items: readonly number[]) => readonly number[];

test('map, filter, batch, take and skip', async () => {
  expect(await items(stream(6).map(double))).toEqual([0, 2, 4, 6, 8, 10]);
  expect(await items(stream(6).map(async x => x + 1))).toEqual([1, 2, 3, 4, 5, 6]);
  expect(
    await items(
      stream(6)
        .filter(isEven)
        .map((x, { index }) => [x, index]),
    ),
  ).toEqual([
    [0, 0],
    [2, 1],
    [4, 2],
  ]);
  expect(await items(stream(5).batch(2))).toEqual([[0, 1], [2, 3], [4]]);
  expect(await items(stream(5).batch(2, { dropLast: true }))).toEqual([
    [0, 1],
    [2, 3],
  ]);
  expect(await items(stream(9).skip(2).take(3))).toEqual([2, 3, 4]);
  expect(await items(stream(9).take(0))).toEqual([]);
});

test('lengths are known if they can be derived', () => {
  const known = new IterableDataset(() => upTo(7), { length: 7 });
  expect(known.map(double).length).toBe(7);
  expect(known.skip(3).length).toBe(4);
  expect(known.take(3).length).toBe(3);
  expect(known.batch(2).length).toBe(4);
  expect(known.shuffle(3).length).toBe(7);
  expect(known.filter(isEven).length).toBe(undefined);
});

test('a source stops when no more items are needed', async () => {
  let given = 0;
  const endless = new IterableDataset(function* () {
    for (;;) yield given++;
  });
  expect(await items(endless.take(3))).toEqual([0, 1, 2]);
  expect(given).toBe(3);
});

test('a shuffle is a permutation that depends on seed and epoch; no item is more than a buffer size too early', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 70 }),
      fc.integer(),
      async (n, size, seed) => {
        const shuffled = stream(n).shuffle(size, { seed });
        const order = await items(shuffled);
        expect([...order].sort((a, b) => a - b)).toEqual(upTo(n));
        expect(order.every((item, place) => item <= place + size)).toBe(true);
        expect(await items(shuffled)).toEqual(order);
      },
    ),
  );
  expect(await items(stream(50).shuffle(50))).not.toEqual(await items(stream(50).shuffle(50), 1));
});

test('random numbers of an item do not depend on the rank or worker that computes it', async () => {
  const noisy = stream(8).map((_, { random }) => random.uniform(), { seed: 2 });
  const all = await items(noisy);
  expect(new Set(all).size).toBe(8);
  expect(await items(noisy.skip(3))).toEqual(all.slice(3));
  expect(await items(noisy, 1)).not.toEqual(all);
});

test('packed sequences contain all tokens in order, with segment and position ids', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 12 }), { maxLength: 8 }),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      async (documents, length, withEos) => {
        const options = withEos ? { length, eos: 100 } : { length };
        const packed = await items(new IterableDataset(() => documents).packSequences(options));
        const tokens = documents.flatMap(document => (withEos ? [...document, 100] : document));
        const real = (key: keyof PackedSequence) =>
          packed.flatMap(sequence => [...sequence[key]].filter((_, i) => sequence.segmentIds[i] !== 0));
        expect(real('inputIds')).toEqual(tokens);
        expect(packed).toHaveLength(Math.ceil(tokens.length / length));
        for (const { positionIds, segmentIds } of packed)
          segmentIds.forEach((segment, i) => {
            const isNew = i === 0 || segment !== segmentIds[i - 1];
            if (segment !== 0) expect(positionIds[i]).toBe(isNew ? 0 : positionIds[i - 1]! + 1);
          });
      },
    ),
  );
  const [one] = await items(
    new IterableDataset(() => [{ inputIds: [1, 2] }, { inputIds: [3] }]).packSequences({ length: 6, eos: 9 }),
  );
  expect(one).toEqual({
    inputIds: Int32Array.of(1, 2, 9, 3, 9, 0),
    positionIds: Int32Array.of(0, 1, 2, 0, 1, 0),
    segmentIds: Int32Array.of(1, 1, 1, 2, 2, 0),
  });
  await expect(items(stream(1).packSequences({ length: 2 }))).rejects.toThrow(/without tokens in inputIds/);
});

test('rows of files: lines of JSON, CSV and text, in many files', async () => {
  writeFileSync(join(folder, 'a-0.jsonl'), '{"x":1}\n\n{"x":2}\n');
  writeFileSync(join(folder, 'a-1.jsonl'), '{"x":3}\n{"x"\n');
  writeFileSync(join(folder, 'b.csv'), 'n,t\n1,a\n2,b\n');
  writeFileSync(join(folder, 'c.txt'), 'one\ntwo\n');
  const json = IterableDataset.fromJson<{ x: number }>(join(folder, 'a-{0..1}.jsonl'));
  expect(await items(json.take(3))).toEqual([{ x: 1 }, { x: 2 }, { x: 3 }]);
  await expect(items(json)).rejects.toMatchObject({ code: 'JSONL_INVALID' });
  expect(await items(IterableDataset.fromCsv(join(folder, 'b.csv'), { columns: { n: 'number' } }))).toEqual(
    [{ n: 1 }, { n: 2 }].map(row => Object.assign(Object.create(null), row)),
  );
  expect(await items(IterableDataset.fromText([join(folder, 'c.txt'), join(folder, 'c.txt')]))).toEqual([
    'one',
    'two',
    'one',
    'two',
  ]);
  await expect(items(IterableDataset.fromText(join(folder, 'no.txt')))).rejects.toMatchObject({
    code: 'FILE_UNREADABLE',
  });
});

test('invalid arguments are named in the error', () => {
  expect(() => stream(1).map(3 as never)).toThrow(/fn is 3/);
  expect(() => stream(1).shuffle(0)).toThrow(/bufferSize is 0/);
  expect(() => stream(1).shuffle(2, { sead: 1 } as never)).toThrow(/did you mean seed/);
  expect(() => stream(1).packSequences({ length: 0 })).toThrow(/length is 0/);
  expect(() => stream(1).cache('')).toThrow(/directory is ''/);
  expect(() => IterableDataset.fromJson([])).toThrow(/files is empty/);
});

describe('with a loader', () => {
  const chain = (n: number) => {
    writeFileSync(
      join(folder, 'x.jsonl'),
      upTo(n)
        .map(x => `${x}\n`)
        .join(''),
    );
    return IterableDataset.fromJson<number>(join(folder, 'x.jsonl')).shuffle(5, { seed: 1 }).map(double);
  };
  test('the batches do not depend on the number of workers, for any number of ranks', async () => {
    const dataset = chain(23);
    const options = { batchSize: 2, fillLast: true, collateFn } as const;
    const alone = await Array.fromAsync(new DataLoader(dataset, options).epoch(1));
    for (const numWorkers of [1, 3])
      expect(await Array.fromAsync(new DataLoader(dataset, { ...options, numWorkers }).epoch(1))).toEqual(alone);
    const whole = await Array.fromAsync(new DataLoader(dataset, { ...options, batchSize: 4 }).epoch(1));
    const ranks = await Promise.all(
      [0, 1].map(rank =>
        Array.fromAsync(new DataLoader(dataset, { ...options, worldSize: 2, rank, numWorkers: 1 }).epoch(1)),
      ),
    );
    expect(ranks[0]!.map((batch, i) => [...batch, ...ranks[1]![i]!]).slice(0, -1)).toEqual(whole.slice(0, -1));
  });

  test('items of other workers are not computed', async () => {
    let computed = 0;
    const counted = stream(40).map(x => {
      computed++;
      return x;
    });
    const loader = new DataLoader(counted, { batchSize: 5, collateFn });
    await Array.fromAsync(loader.epoch(0, 6));
    expect(computed).toBe(10);
  });
});

describe('a cache', () => {
  const files = (): string[] => readdirSync(join(folder, 'cache'));
  test('computes items once, and again if the function, version or source changes', async () => {
    const source = join(folder, 's.txt');
    writeFileSync(source, 'a\nb\n');
    let computed = 0;
    const cached = (version: number) =>
      IterableDataset.fromText(source)
        .map(text => {
          computed++;
          return { text, bytes: Float32Array.of(text.length) };
        })
        .cache(join(folder, 'cache'), { version });
    const expected = ['a', 'b'].map(text => ({ text, bytes: Float32Array.of(1) }));
    for (let i = 0; i < 3; i++) expect(await items(cached(1))).toEqual(expected);
    expect(computed).toBe(2);
    await items(cached(2));
    expect(computed).toBe(4);
    writeFileSync(source, 'a\nb\nc\n');
    expect(await items(cached(1))).toHaveLength(3);
    expect(files().filter(name => name.endsWith('.items'))).toHaveLength(3);
    expect(files()).toHaveLength(3);
    const shuffled = await items(cached(1).shuffle(10));
    expect(shuffled.map(({ text }) => text).sort()).toEqual(['a', 'b', 'c']);
  });

  test('a damaged table is detected on opening, a damaged item on reading', async () => {
    const cached = stream(50)
      .map(x => `item ${x}`)
      .cache(join(folder, 'cache'));
    const all = await items(cached);
    const file = join(folder, 'cache', files()[0]!);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, -1));
    expect(await items(cached)).toEqual(all);
    expect(readFileSync(file)).toEqual(bytes);
    bytes[20]! ^= 1;
    writeFileSync(file, bytes);
    await expect(items(cached)).rejects.toMatchObject({ code: 'STREAM_CACHE_DAMAGED' });
  });

  test('of several concurrent readers, only one computes the items', async () => {
    mkdirSync(join(folder, 'cache'));
    let computed = 0;
    const cached = stream(20)
      .map(async x => {
        computed++;
        return x;
      })
      .cache(join(folder, 'cache'));
    const all = await Promise.all([items(cached), items(cached), items(cached)]);
    expect(all).toEqual([upTo(20), upTo(20), upTo(20)]);
    expect(computed).toBe(20);
    expect(files()).toHaveLength(1);
  });
});
