// Resumed loaders: after any batch, with another number of workers or ranks, the batches that are left are those of the run
// that was not interrupted.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arrayDataset } from '../datasets/dataset.ts';
import { IterableDataset } from '../datasets/iterable-dataset.ts';
import {
  BatchSampler,
  DistributedSampler,
  RandomSampler,
  SequentialSampler,
  SubsetRandomSampler,
  WeightedRandomSampler,
} from '../datasets/samplers.ts';
import { DataLoader } from './data-loader.ts';
import type { DataLoaderOptions } from './loader-options.ts';
import { double, keep } from './worker-fixtures.testing.ts';

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
const collateFn = keep as (items: readonly number[]) => readonly number[];
type Options = DataLoaderOptions<number, readonly number[]>;
const dataset = arrayDataset(upTo(13));
const sampled: readonly (() => Options)[] = [
  () => ({ batchSize: 3 }),
  () => ({ batchSize: 3, shuffle: true, seed: 5, dropLast: true, gradientAccumulationSteps: 2 }),
  () => ({ batchSize: 2, sampler: new RandomSampler(dataset, { seed: 2 }) }),
  () => ({ batchSize: 2, sampler: new RandomSampler(dataset, { replacement: true, numSamples: 9 }) }),
  () => ({ batchSize: 2, sampler: new SequentialSampler(dataset) }),
  () => ({ batchSize: 2, sampler: new SubsetRandomSampler([1, 4, 6, 9]) }),
  () => ({ batchSize: 2, sampler: new WeightedRandomSampler(upTo(13), 8) }),
  () => ({ batchSize: 2, sampler: new DistributedSampler(dataset, { numReplicas: 2, rank: 1 }) }),
  () => ({ batchSampler: new BatchSampler(new RandomSampler(dataset, { seed: 1 }), 4, false) }),
];
const streams: readonly (() => IterableDataset<number>)[] = [
  () => new IterableDataset(() => upTo(11)),
  () => new IterableDataset(() => upTo(11), { length: 11 }).shuffle(4, { seed: 3 }).map(double),
  () => new IterableDataset(() => upTo(30)).filter(x => x % 3 > 0).skip(1),
];
const makers = [
  ...sampled.map(options => () => new DataLoader(dataset, { ...options(), collateFn })),
  ...streams.map(stream => () => new DataLoader(stream(), { batchSize: 3, collateFn })),
];

/** The batches of some epochs, with the state after each. */
async function run(loader: DataLoader<number, readonly number[]>, epochs: number) {
  const seen: { batch: readonly number[]; state: string }[] = [];
  for (let epoch = 0; epoch < epochs; epoch++)
    for await (const batch of loader) seen.push({ batch, state: JSON.stringify(loader.stateDict()) });
  return seen;
}
const batchesOf = (seen: readonly { batch: readonly number[] }[]) => seen.map(({ batch }) => batch);

test.each(upTo(makers.length))('loader %i continues with the remaining batches after any batch', async i => {
  const make = makers[i]!;
  const whole = await run(make(), 3);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async stop => {
      const { state } = whole[stop]!;
      const resumed = make();
      resumed.loadStateDict(JSON.parse(state));
      expect(JSON.stringify(resumed.stateDict())).toBe(state);
      const rest = await run(resumed, 3 - JSON.parse(state).epoch);
      expect(batchesOf(rest)).toEqual(batchesOf(whole.slice(stop + 1)));
    }),
    { numRuns: 12 },
  );
});

test('continues with a different number of workers', async () => {
  const make = (numWorkers: number) => new DataLoader(dataset, { batchSize: 2, shuffle: true, collateFn, numWorkers });
  const whole = await run(make(0), 2);
  const loader = make(2);
  const seen: (readonly number[])[] = [];
  for await (const batch of loader) if (seen.push(batch) === 3) break;
  const resumed = make(1);
  resumed.loadStateDict(loader.stateDict());
  expect([...seen, ...batchesOf(await run(resumed, 2))]).toEqual(batchesOf(whole));
});

test('fewer ranks that accumulate more continue at the same items', async () => {
  const make = (worldSize: number, rank: number, gradientAccumulationSteps: number) =>
    new DataLoader(arrayDataset(upTo(24)), {
      batchSize: 2,
      shuffle: true,
      dropLast: true,
      collateFn,
      worldSize,
      rank,
      gradientAccumulationSteps,
    });
  const two = make(2, 0, 1);
  let steps = 0;
  for await (const _ of two) if (++steps === 3) break;
  const one = make(1, 0, 2);
  one.loadStateDict(two.stateDict());
  expect(one.stateDict()).toMatchObject({ epoch: 0, step: 6 });
  expect(batchesOf(await run(one, 1))).toEqual(batchesOf((await run(make(1, 0, 2), 1)).slice(6)));
});

test('the state of a loader with other batches is rejected', () => {
  const state = new DataLoader(dataset, { batchSize: 2, shuffle: true }).stateDict();
  const into = (options: Options) => () => new DataLoader(dataset, options).loadStateDict(state);
  expect(into({ batchSize: 3, shuffle: true })).toThrow(/a loader with globalBatch 2, but this loader has 3/);
  expect(into({ batchSize: 2 })).toThrow(/shuffle true, but this loader has false/);
  expect(into({ batchSize: 2, shuffle: true, seed: 9 })).toThrow(/seed 0, but this loader has 9/);
  expect(() => new DataLoader(dataset).loadStateDict({} as never)).toThrow(/version undefined/);
});
