import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DeviceMesh } from '../hlo/sharding/device-mesh.ts';
import { DataLoader, type DataLoaderOptions } from './data-loader.ts';
import { arrayDataset, mapDataset, sliceDataset } from './dataset.ts';
import { epochOrder } from './epoch-order.ts';

const numbers = (n: number) => arrayDataset(Array.from({ length: n }, (_, i) => i));
type Batch = { readonly items: readonly number[]; readonly real: number };
const loader = (n: number, options: Omit<DataLoaderOptions<number, Batch>, 'collate'>) =>
  new DataLoader<number, Batch>(numbers(n), {
    ...options,
    collate: (items, { real }) => ({ items: [...items], real }),
  });
const flat = (batches: readonly Batch[]): number[] => batches.flatMap(b => b.items.slice(0, b.real));
const sorted = (items: readonly number[]): number[] => [...items].sort((a, b) => a - b);
const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

test('what is no dataset, and options that are missing, are named', () => {
  const make =
    (...args: unknown[]) =>
    () =>
      Reflect.construct(DataLoader, args);
  expect(make([1, 2], { batchSize: 1, collate: String })).toThrow(
    /dataset.* an array, expected a dataset: arrayDataset/,
  );
  expect(make(undefined, {})).toThrow(/dataset.* of type undefined, expected an object with length and get/);
  expect(make(numbers(3))).toThrow(/collate.* undefined, expected a function/);
  expect(make(numbers(3), { collate: String })).toThrow(/batchSize.* undefined, expected an integer/);
});

test('in order, with a short last batch', async () => {
  const batches = await Array.fromAsync(loader(5, { batchSize: 2 }));
  expect(batches.map(b => b.items)).toEqual([[0, 1], [2, 3], [4]]);
});

test('the last batch dropped, or filled with earlier items of its own', async () => {
  expect((await Array.fromAsync(loader(5, { batchSize: 2, last: 'drop' }))).map(b => b.items)).toEqual([
    [0, 1],
    [2, 3],
  ]);
  const filled = await Array.fromAsync(loader(7, { batchSize: 4, last: 'fill' }));
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

test('resuming is arithmetic: after skipTo the batches are those that would have come', async () => {
  const options = { batchSize: 3, shuffle: true, seed: 1, last: 'drop' } as const;
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
  test('the axis data alone says which share is whose', async () => {
    const options = { batchSize: 2, last: 'drop', shuffle: true, seed: 3, gradientAccumulationSteps: 2 } as const;
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

  test('says it alone', () => {
    const mesh = new DeviceMesh({ data: 2 }, 1);
    expect(() => loader(9, { batchSize: 1, last: 'drop', mesh, rank: 1 })).toThrow(
      'rank is given with a mesh, expected undefined: the mesh says which share it is',
    );
    expect(() => loader(9, { batchSize: 1, last: 'drop', mesh, worldSize: 2 })).toThrow(
      /worldSize is given with a mesh/,
    );
    expect(() => loader(9, { batchSize: 1, mesh: { data: 2 } as never })).toThrow(/mesh.*a device's mesh/);
  });
});

describe('many ranks', () => {
  test('together they see what one rank with the whole batch sees', async () => {
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
            const shard = loader(items, { batchSize, worldSize, rank, last, shuffle, seed: 5 });
            seen.push(await Array.fromAsync(shard));
            expect(seen.at(-1)).toHaveLength(shard.length);
          }
          const one = await Array.fromAsync(
            loader(items, { batchSize: batchSize * worldSize, last, shuffle, seed: 5 }),
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

  test('every rank has its real items first, and a rank may have none', async () => {
    const shard = await Array.fromAsync(loader(5, { batchSize: 2, worldSize: 4, rank: 3, last: 'fill' }));
    expect(shard).toEqual([{ items: [1, 2], real: 0 }]);
  });
});

describe('orders', () => {
  test('a shuffle is a permutation, and each item comes everywhere about equally often', () => {
    const n = 8;
    const times = Array.from({ length: n }, () => new Array<number>(n).fill(0));
    for (let epoch = 0; epoch < 4000; epoch++) {
      const order = epochOrder(n, { shuffle: true, seed: 9, epoch });
      expect(sorted([...order])).toEqual(upTo(n));
      order.forEach((item, place) => {
        times[place]![item]!++;
      });
    }
    // 4000 / 8 = 500 expected, standard deviation 21: six of them is one chance in a million for all 64.
    for (const count of times.flat()) expect(Math.abs(count - 500)).toBeLessThan(125);
  });

  test('buckets: batches of like length, all items still there, the incomplete batch last', () => {
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
  [{ batchSize: 1, worldSize: 2, rank: 2, last: 'drop' as const }, 'rank is 2, expected 0 to 1'],
  [{ batchSize: 1, worldSize: 2 }, "last is 'short', expected 'drop' or 'fill'"],
  [{ batchSize: 11, last: 'drop' as const }, '10 items, too few for a batch of 11 over all ranks'],
  [{ batchSize: 1, bucket: { lengthOf: () => 1 } }, 'bucket is set without shuffle'],
])('options that cannot be: %j', (options, expected) => {
  expect(() => loader(10, options)).toThrow(expected);
});

test('an empty dataset, and a failing collate', async () => {
  expect(() => loader(0, { batchSize: 1 })).toThrow('the data set is empty');
  const failing = new DataLoader(numbers(3), { batchSize: 1, collate: () => Promise.reject(new Error('no')) });
  await expect(Array.fromAsync(failing)).rejects.toThrow('no');
});

test('slices and maps of datasets', () => {
  const squares = mapDataset(numbers(5), x => x * x);
  const middle = sliceDataset(squares, 1, 3);
  expect([middle.length, middle.get(0), middle.get(1)]).toEqual([2, 1, 4]);
  expect(() => middle.get(2)).toThrow(RangeError);
  expect(sliceDataset(squares, 4, 9).length).toBe(1);
});
