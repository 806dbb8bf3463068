import { describe, expect, test } from 'vitest';
import { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { golden } from '../golden.testing.ts';
import { epochOrder } from './epoch-order.ts';
import {
  BatchSampler,
  DistributedSampler,
  RandomSampler,
  SequentialSampler,
  SubsetRandomSampler,
  WeightedRandomSampler,
} from './samplers.ts';

const items = (length: number) => ({ length });
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);
const sorted = (list: Iterable<number>) => [...list].sort((a, b) => a - b);

test('SequentialSampler and BatchSampler match PyTorch', () => {
  expect([...new SequentialSampler(items(4))]).toEqual([0, 1, 2, 3]);
  for (const one of golden.batches) {
    const sampler = new BatchSampler(new SequentialSampler(items(one.items)), one.size, one.dropLast);
    expect([[...sampler], sampler.length]).toEqual([one.batches, one.batches.length]);
  }
});

test('RandomSampler has the order of shuffle: true, a new one in each iteration; with replacement; more samples than items', () => {
  const sampler = new RandomSampler(items(20), { seed: 4 });
  expect([...sampler]).toEqual([...epochOrder(20, { shuffle: true, seed: 4, epoch: 0 })]);
  expect([...sampler]).toEqual([...epochOrder(20, { shuffle: true, seed: 4, epoch: 1 })]);
  sampler.setEpoch(0);
  expect([...sampler]).toEqual([...new RandomSampler(items(20), { seed: 4 })]);
  const many = [...new RandomSampler(items(5), { numSamples: 13 })];
  expect([many.length, sorted(many.slice(0, 5)), sorted(many.slice(5, 10))]).toEqual([13, upTo(5), upTo(5)]);
  expect(many.slice(0, 5)).not.toEqual(many.slice(5, 10));
  const sampled = [...new RandomSampler(items(4), { replacement: true, numSamples: 8000 })];
  for (const i of upTo(4)) expect(Math.abs(sampled.filter(d => d === i).length - 2000)).toBeLessThan(250);
  expect([...new RandomSampler(items(9), { numSamples: 3 })]).toHaveLength(3);
});

test('SubsetRandomSampler yields a subset in random order', () => {
  const sampler = new SubsetRandomSampler([5, 9, 2, 7], { seed: 1 });
  expect([sorted(sampler), sampler.length]).toEqual([[2, 5, 7, 9], 4]);
});

describe('weighted', () => {
  const { weights, with: expected, without, runs } = golden.weighted;
  /** Six standard deviations of the difference of two such frequencies. */
  const tolerance = (p: number) => 6 * Math.sqrt((2 * p * (1 - p) + 1e-4) / runs);

  test("with replacement, the frequencies are PyTorch's", () => {
    const sampled = [...new WeightedRandomSampler(weights, runs)];
    expected.forEach((p, i) => {
      expect(Math.abs(sampled.filter(d => d === i).length / runs - p)).toBeLessThan(tolerance(p));
    });
    expect(sampled).not.toContain(1);
  });
  test("without replacement, the frequencies at each position are PyTorch's", () => {
    const sampler = new WeightedRandomSampler(weights, 3, { replacement: false });
    const counts = without.map(row => row.map(() => 0));
    for (let epoch = 0; epoch < runs; epoch++)
      [...sampler.order(epoch)].forEach((index, place) => {
        counts[place]![index]!++;
      });
    without.forEach((row, place) => {
      row.forEach((p, i) => {
        expect(Math.abs(counts[place]![i]! / runs - p)).toBeLessThan(tolerance(p));
      });
    });
  });
});

test("the shares of ranks are PyTorch's without a shuffle; with one, they cover the dataset and depend on the epoch", () => {
  for (const { items: count, replicas, dropLast, shares } of golden.distributed)
    shares.forEach((share, rank) => {
      const sampler = new DistributedSampler(items(count), { numReplicas: replicas, rank, dropLast, shuffle: false });
      expect([[...sampler], sampler.length]).toEqual([share, share.length]);
    });
  const mesh = (rank: number) => new DeviceMesh({ data: 2, tensor: 2 }, rank);
  const [a, b] = [mesh(0), mesh(3)].map(m => new DistributedSampler(items(10), { mesh: m, seed: 2 }));
  expect(sorted([...a!, ...b!])).toEqual(upTo(10));
  expect([...a!]).toEqual([...a!]);
  const before = [...a!];
  a!.setEpoch(1);
  expect([...a!]).not.toEqual(before);
});

test.each([
  [
    () => new RandomSampler(items(3), { numSample: 2 } as never),
    /RandomSampler has no option numSample[\s\S]*did you mean numSamples\?/,
  ],
  [() => new RandomSampler(items(0)), 'the length of the dataset is 0, expected an integer, 1 or more'],
  [() => new SequentialSampler(undefined as never), 'dataset is undefined, expected an object with a length'],
  [() => new SubsetRandomSampler([1, -1]), 'indices[1] is -1'],
  [() => new WeightedRandomSampler([1, -1], 2), 'weights[1] is -1, expected a finite number, 0 or more'],
  [() => new WeightedRandomSampler([0, 0], 2), 'weights is positive for 0 indices'],
  [
    () => new WeightedRandomSampler([1, 0, 1], 3, { replacement: false }),
    'expected positive for at least 3, one for each sample',
  ],
  [() => new BatchSampler([1, 2] as never, 0, false), 'batchSize is 0'],
  [() => new DistributedSampler(items(4), { rank: 2, numReplicas: 2 }), 'rank is 2, expected 0 to 1'],
])('invalid arguments are refused: %#', (make, expected) => {
  expect(make).toThrow(expected);
});
