// Which batches of an epoch a trial run is given.
import { expect, test } from 'vitest';
import { literal } from '../../hlo/literal.ts';
import { differentBatches } from './trial-batches.ts';

async function lengthsOf(batches: Iterable<number[]>, batchesPerStep = 1, now?: () => number): Promise<number[]> {
  const given: number[] = [];
  for await (const batch of differentBatches(batches[Symbol.iterator](), batchesPerStep, now)) given.push(batch.length);
  return given;
}
const batches = (...lengths: number[]): number[][] => lengths.map(length => new Array<number>(length).fill(0));
const times = (n: number, length: number): number[] => new Array<number>(n).fill(length);

test('the first batches of each shape, and any new shape among the others', async () => {
  expect(await lengthsOf(batches(...times(500, 4), 7, ...times(500, 4), 3))).toEqual([...times(16, 4), 7, 3]);
  expect(await lengthsOf(batches(1, 2, 3))).toEqual([1, 2, 3]);
});
test('whole steps', async () => {
  const given = await lengthsOf(batches(...times(99, 4), 7, ...times(98, 4), 3), 3);
  expect(given).toEqual([...times(18, 4), 7, 4, 4, 3]);
});
test('an infinite loader is ended after a while', async () => {
  function* forever(): Generator<number[]> {
    for (;;) yield [1];
  }
  let clock = 0;
  expect(await lengthsOf(forever(), 1, () => (clock += 10))).toHaveLength(16);
});
test.each<[string, unknown, unknown, boolean]>([
  ['other numbers', { ids: [[1, 2]], n: 3 }, { ids: [[5, 6]], n: 3 }, true],
  ['another shape', { ids: [[1, 2]] }, { ids: [[1], [2]] }, false],
  ['a number that is not data', { n: 3 }, { n: 4 }, false],
  ['typed arrays', Float32Array.of(1, 2), Float32Array.of(3, 4), true],
  ['of another type', Float32Array.of(1, 2), Int32Array.of(3, 4), false],
  ['literals', [literal('f32', [2], [1, 2])], [literal('f32', [2], [3, 4])], true],
  ['of another type', [literal('f32', [2], [1, 2])], [literal('i32', [2], [3, 4])], false],
])('%s: %j and %j are alike: %j', async (_, one, other, alike) => {
  const given: unknown[] = [];
  for await (const batch of differentBatches([...times(40, 0).map(() => one), other].values(), 1)) given.push(batch);
  expect(given).toHaveLength(alike ? 16 : 17);
});
