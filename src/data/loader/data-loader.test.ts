import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toNumbers } from '../../hlo/literal.ts';
import { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { arrayDataset, mapDataset, sliceDataset } from '../datasets/dataset.ts';
import { epochOrder } from '../datasets/epoch-order.ts';
import { IterableDataset } from '../datasets/iterable-dataset.ts';
import { BatchSampler, DistributedSampler, RandomSampler, WeightedRandomSampler } from '../datasets/samplers.ts';
import { DataLoader } from './data-loader.ts';
import type { DataLoaderOptions } from './loader-options.ts';

const numbers = (n: number) => arrayDataset(Array.from({ length: n }, (_, i) => i));
type Batch = { readonly items: readonly number[]; readonly real: number };
const loader = (n: number, options: Omit<DataLoaderOptions<number, Batch>, 'collateFn'>) =>
  new DataLoader<number, Batch>(numbers(n), {
    ...options,
    collateFn: (items, { real }) => ({ items: [...items], real }),
  });
const rest = (last: 'drop' | 'fill') => (last === 'drop' ? { dropLast: true } : { fillLast: true });
const flat = (batches: readonly Batch[]): number[] => batches.flatMap(b => b.items.slice(0, b.real));
const sorted = (items: readonly number[]): number[] => [...items].sort((a, b) => a - b);
const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

test('a value that is not a dataset, and missing options, are named in the error', () => {
  const make =
    (...args: unknown[]) =>
    () =>
      Reflect.construct(DataLoader, args);
  expect(make(undefined, {})).toThrow(/the dataset is undefined, expected an object with length and get/);
  expect(make(numbers(3), { collateFn: 3 })).toThrow(/collateFn is 3, expected a function/);
  expect(make(numbers(3), { batchSize: '2' })).toThrow(/batchSize is '2', expected an integer/);
  expect(make(numbers(3), { batchsize: 2 })).toThrow(/no option batchsize[\s\S]*did you mean batchSize\?/);
  expect(make(numbers(3), { collate: String })).toThrow(/did you mean collateFn\?|no option collate/);
  expect(make((function* () {})(), {})).toThrow(/a generator, which can be read only once/);
});

test('yields batches in order, with a short last batch', async () => {
  const batches = await Array.fromAsync(loader(5, { batchSize: 2 }));
  expect(batches.map(b => b.items)).toEqual([[0, 1], [2, 3], [4]]);
});

test('the last batch is dropped, or filled with earlier items', async () => {
  expect((await Array.fromAsync(loader(5, { batchSize: 2, dropLast: true }))).map(b => b.items)).toEqual([
    [0, 1],
    [2, 3],
  ]);
  const filled = await Array.fromAsync(loader(7, { batchSize: 4, fillLast: true }));
  expect(filled).toEqual([
    { items: [0, 1, 2, 3], real: 4 },
    { items: [4, 5, 6, 4], real: 3 },
  ]);
});

test('each for-await is a new epoch with a new order; the same seed gives the same orders', async () => {
  const [a, b] = [
    loader(50, { batchSize: 8, shuffle: true, seed: 3 }),
    loader(50, { batchSize: 8, shuffle: true, seed: 3 }),
  ];
  const first = flat(await Array.fromAsync(a));
  const second = flat(await Array.fromAsync(a));
  expect(sorted(first)).toEqual(upTo(50));
  expect(second).not.toEqual(first);
  expect(flat(await Array.fromAsync(b))).toEqual(first);
  expect(flat(await Array.fromAsync(b.epoch(1)))).toEqual(second);
  expect(flat(await Array.fromAsync(loader(50, { batchSize: 8, shuffle: true, seed: 4 })))).not.toEqual(first);
});

test('after skipTo, the remaining batches are the same as without it', async () => {
  const options = { batchSize: 3, shuffle: true, seed: 1, dropLast: true } as const;
  const whole = loader(20, options);
  const all = [...(await Array.fromAsync(whole)), ...(await Array.fromAsync(whole)), ...(await Array.fromAsync(whole))];
  for (const steps of [0, 4, 6, 11]) {
    const resumed = loader(20, options);
    resumed.skipTo(steps);
    const rest: Batch[] = [];
    while (rest.length < all.length - steps) rest.push(...(await Array.fromAsync(resumed)));
    expect(rest).toEqual(all.slice(steps));
  }
});

describe('a mesh', () => {
  test('only the data axis determines the shares', async () => {
    const options = { batchSize: 2, dropLast: true, shuffle: true, seed: 3, gradientAccumulationSteps: 2 } as const;
    for (const sizes of [{ data: 2, tensor: 2 }, { pipeline: 2, data: 2 }, { data: 4 }, { tensor: 4 }, { data: 1 }]) {
      for (let rank = 0; rank < new DeviceMesh(sizes).size(); rank++) {
        const mesh = new DeviceMesh(sizes, rank);
        const [worldSize, share] = [mesh.size('data'), mesh.coordinate('data')];
        const [with_, without] = [loader(50, { ...options, mesh }), loader(50, { ...options, worldSize, rank: share })];
        expect(with_.length).toBe(without.length);
        expect(await Array.fromAsync(with_)).toEqual(await Array.fromAsync(without));
      }
    }
  });

  test('rank and worldSize cannot be given with a mesh', () => {
    const mesh = new DeviceMesh({ data: 2 }, 1);
    expect(() => loader(9, { batchSize: 1, dropLast: true, mesh, rank: 1 })).toThrow(
      'rank is given with a mesh, expected undefined: the mesh says which share it is',
    );
    expect(() => loader(9, { batchSize: 1, dropLast: true, mesh, worldSize: 2 })).toThrow(
      /worldSize is given with a mesh/,
    );
    expect(() => loader(9, { batchSize: 1, mesh: { data: 2 } as never })).toThrow(/mesh.*a device's mesh/);
  });
});

describe('many ranks', () => {
  test('together they see the items that one rank with the whole batch sees', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom('drop' as const, 'fill' as const),
        fc.boolean(),
        async (items, batchSize, worldSize, last, shuffle) => {
          fc.pre(last === 'fill' || items >= batchSize * worldSize);
          const seen: Batch[][] = [];
          for (let rank = 0; rank < worldSize; rank++) {
            const shard = loader(items, { batchSize, worldSize, rank, ...rest(last), shuffle, seed: 5 });
            seen.push(await Array.fromAsync(shard));
            expect(seen.at(-1)).toHaveLength(shard.length);
          }
          const one = await Array.fromAsync(
            loader(items, { batchSize: batchSize * worldSize, ...rest(last), shuffle, seed: 5 }),
          );
          const union = one.map((_, step) => ({
            items: seen.flatMap(batches => batches[step]!.items),
            real: seen.reduce((sum, batches) => sum + batches[step]!.real, 0),
          }));
          expect(union).toEqual(one);
          if (last === 'fill') expect(sorted(flat(one))).toEqual(upTo(items));
        },
      ),
    );
  });

  test('every rank has its real items before repeated ones, and a rank may have no real items', async () => {
    const shard = await Array.fromAsync(loader(5, { batchSize: 2, worldSize: 4, rank: 3, fillLast: true }));
    expect(shard).toEqual([{ items: [1, 2], real: 0 }]);
  });
});

describe('orders', () => {
  test('a shuffle is a permutation, and each item appears at each position about equally often', () => {
    const n = 8;
    const times = Array.from({ length: n }, () => new Array<number>(n).fill(0));
    for (let epoch = 0; epoch < 4000; epoch++) {
      const order = epochOrder(n, { shuffle: true, seed: 9, epoch });
      expect(sorted([...order])).toEqual(upTo(n));
      order.forEach((item, place) => {
        times[place]![item]!++;
      });
    }
    // 4000 / 8 = 500 expected, standard deviation 21: a deviation of six of them in any of the 64 has a probability of one in a
    // million.
    for (const count of times.flat()) expect(Math.abs(count - 500)).toBeLessThan(125);
  });

  test('buckets: batches of similar lengths, no items lost, the incomplete batch last', () => {
    const length = (i: number): number => (i * 37) % 50;
    const order = epochOrder(103, {
      shuffle: true,
      seed: 2,
      epoch: 0,
      buckets: { lengthOf: length, batch: 10, window: 5 },
    });
    expect(sorted([...order])).toEqual(upTo(103));
    const spread = upTo(10).map(b => {
      const lengths = [...order.subarray(10 * b, 10 * b + 10)].map(length);
      return Math.max(...lengths) - Math.min(...lengths);
    });
    expect(Math.max(...spread)).toBeLessThan(25);
    const plain = epochOrder(103, { shuffle: true, seed: 2, epoch: 0 });
    expect([...order.subarray(100)]).toEqual([...plain.subarray(100)]);
  });
});

test.each([
  [{ batchSize: 0 }, 'batchSize is 0, expected an integer, 1 or more'],
  [{ batchSize: 1.5 }, 'batchSize is 1.5'],
  [{ batchSize: 1, worldSize: 2, rank: 2, dropLast: true }, 'rank is 2, expected 0 to 1'],
  [{ batchSize: 1, worldSize: 2 }, 'dropLast is false, expected true, or fillLast: true'],
  [{ batchSize: 11, dropLast: true }, '10 items, too few for a batch of 11 over all ranks'],
  [{ batchSize: 1, groupByLength: { lengthOf: () => 1 } }, 'groupByLength is set without shuffle'],
])('invalid options: %j', (options, expected) => {
  expect(() => loader(10, options)).toThrow(expected);
});

test('an empty dataset, and a failing collate', async () => {
  expect(() => loader(0, { batchSize: 1 })).toThrow('the dataset is empty');
  const failing = new DataLoader(numbers(3), { batchSize: 1, collateFn: () => Promise.reject(new Error('no')) });
  await expect(Array.fromAsync(failing)).rejects.toThrow('no');
});

test('sliceDataset and mapDataset', () => {
  const squares = mapDataset(numbers(5), x => x * x);
  const middle = sliceDataset(squares, 1, 3);
  expect([middle.length, middle.get(0), middle.get(1)]).toEqual([2, 1, 4]);
  expect(() => middle.get(2)).toThrow(RangeError);
  expect(sliceDataset(squares, 4, 9).length).toBe(1);
});

describe('samplers', () => {
  const raw = <T>(batches: readonly { readonly items: readonly T[] }[]) => batches.map(b => b.items);
  test('determine the order over all ranks; a DistributedSampler determines the share of a rank', async () => {
    const sampler = new RandomSampler({ length: 9 }, { seed: 3 });
    expect(await Array.fromAsync(loader(9, { batchSize: 2, sampler }))).toEqual(
      await Array.fromAsync(loader(9, { batchSize: 2, shuffle: true, seed: 3 })),
    );
    const share = (rank: number) =>
      Array.fromAsync(loader(9, { batchSize: 2, worldSize: 2, rank, sampler: [8, 7, 6, 5, 4], fillLast: true }));
    expect([raw(await share(0)), raw(await share(1))]).toEqual([
      [
        [8, 7],
        [4, 4],
      ],
      [
        [6, 5],
        [4, 4],
      ],
    ]);
    const distributed = new DistributedSampler({ length: 9 }, { numReplicas: 2, rank: 1, shuffle: false });
    const own = loader(9, { batchSize: 2, worldSize: 2, rank: 1, sampler: distributed });
    expect([raw(await Array.fromAsync(own)), own.length]).toEqual([[[1, 3], [5, 7], [0]], 3]);
  });
  test('depend on the epoch, so that resuming is exact', async () => {
    const make = () => loader(10, { batchSize: 3, sampler: new WeightedRandomSampler([1, 2, 3, 4], 10) });
    const whole = make();
    const all = [...(await Array.fromAsync(whole)), ...(await Array.fromAsync(whole))];
    const resumed = make();
    resumed.skipTo(6);
    expect(await Array.fromAsync(resumed)).toEqual(all.slice(6));
  });
  test('a batchSampler determines the batches', async () => {
    const batchSampler = new BatchSampler(new RandomSampler({ length: 7 }), 3, true);
    const batches = loader(7, { batchSampler });
    expect([raw(await Array.fromAsync(batches)), batches.length]).toEqual([
      [...new BatchSampler(new RandomSampler({ length: 7 }), 3, true)],
      2,
    ]);
    expect(raw(await Array.fromAsync(loader(9, { batchSampler: [[1], [2, 3]] })))).toEqual([[1], [2, 3]]);
  });
  test.each([
    [{ sampler: [1], shuffle: true }, 'sampler is set with shuffle'],
    [{ batchSampler: [[1]], batchSize: 2 }, 'batchSize is set with batchSampler'],
    [{ batchSampler: [[1]], worldSize: 2 }, 'batchSampler is set with 2 ranks'],
    [{ dropLast: true, fillLast: true }, 'fillLast is set with dropLast'],
    [{ sampler: 3 as never }, 'sampler is 3, expected an iterable'],
  ])('that contradict other options: %j', (options, expected) => {
    expect(() => loader(10, options)).toThrow(expected);
  });
});

describe('datasets without an index', () => {
  const stream = (n: number, length?: number) =>
    new IterableDataset(
      async function* () {
        for (let i = 0; i < n; i++) yield i;
      },
      { length },
    );
  test('are split like datasets with an index, and read again in each epoch', async () => {
    for (const options of [
      { batchSize: 3 },
      { batchSize: 2, dropLast: true, worldSize: 2, rank: 1, gradientAccumulationSteps: 2 },
      { batchSize: 2, fillLast: true, worldSize: 3, rank: 2 },
    ]) {
      const collateFn = (items: readonly number[], { real }: { readonly real: number }) => ({
        items: [...items],
        real,
      });
      const streamed = new DataLoader(stream(17, 17), { ...options, collateFn });
      const indexed = loader(17, options);
      expect(streamed.length).toBe(indexed.length);
      const expected = await Array.fromAsync(indexed);
      expect(await Array.fromAsync(streamed)).toEqual(expected);
      expect(await Array.fromAsync(streamed)).toEqual(expected);
      expect(await Array.fromAsync(streamed.epoch(0, 2))).toEqual(expected.slice(2));
    }
  });
  test('may have an unknown length', async () => {
    const unknown = new DataLoader(stream(5), { batchSize: 2 });
    expect(unknown.knownLength).toBeUndefined();
    expect(() => unknown.length).toThrow(expect.objectContaining({ code: 'UNKNOWN_LENGTH' }));
    expect(() => unknown.skipTo(1)).toThrow(expect.objectContaining({ code: 'UNKNOWN_LENGTH' }));
    expect((await Array.fromAsync(unknown)).map(b => toNumbers(b))).toEqual([[0, 1], [2, 3], [4]]);
    await expect(Array.fromAsync(new DataLoader(stream(0)))).rejects.toThrow('the dataset is empty');
    await expect(Array.fromAsync(new DataLoader(stream(3), { batchSize: 4, dropLast: true }))).rejects.toThrow(
      '3 items, too few',
    );
  });
  test('cannot be shuffled, and at most one step is read ahead', async () => {
    expect(() => new DataLoader(stream(5), { shuffle: true })).toThrow(
      'shuffle is set with a dataset that has no index',
    );
    let read = 0;
    const counted = new IterableDataset(function* () {
      for (;;) yield read++;
    });
    for await (const _ of new DataLoader(counted, { batchSize: 4 })) break;
    expect(read).toBe(4);
  });
});

test('arrays are datasets, items may be promises, and one batch is one item by default', async () => {
  expect((await Array.fromAsync(new DataLoader(['a', 'b']))).map(b => [...b])).toEqual([['a'], ['b']]);
  const delayed = mapDataset(numbers(3), async x => x * x);
  expect((await Array.fromAsync(new DataLoader(delayed, { batchSize: 2 }))).map(b => toNumbers(b))).toEqual([
    [0, 1],
    [4],
  ]);
  const failing = mapDataset(numbers(3), async x => (x === 1 ? Promise.reject(new Error('item 1')) : x));
  await expect(Array.fromAsync(new DataLoader(failing, { batchSize: 2 }))).rejects.toThrow('item 1');
});
