// The schedules on paper: each action once and in order, no deadlock, the bubbles of the literature, and what is kept meanwhile.
import { describe, expect, test } from 'vitest';
import { runSchedule } from './run-schedule.ts';
import { type Action, actionsOf, fits, type PipelineSizes, scheduleNames, schedules } from './schedules.ts';

const names = (list: readonly Action[]): string =>
  list.map(({ kind, stage, microBatch }) => `${kind}${stage}.${microBatch}`).join(' ');
const sizesOf = (ranks: number, microBatches: number, perRank = 1): PipelineSizes => ({
  ranks,
  stages: ranks * perRank,
  microBatches,
});
/** All passes take one unit. */
const units = { F: 1, B: 1, I: 1, W: 1 };

test('1F1B of two ranks', () => {
  const [first, second] = actionsOf('1F1B', sizesOf(2, 3));
  expect(names(first!)).toBe('F0.0 F0.1 B0.0 F0.2 B0.1 B0.2');
  expect(names(second!)).toBe('F1.0 B1.0 F1.1 B1.1 F1.2 B1.2');
});

describe.each(scheduleNames)('%s', name => {
  const { rankOf, splitsBackward, stagesPerRank, isFixed } = schedules[name];
  const all = [1, 2, 3, 4].flatMap(ranks =>
    [2, 3, 4, 7, 8].flatMap(count =>
      (isFixed ? [stagesPerRank] : [1, 2, 3]).map(perRank => sizesOf(ranks, count, perRank)),
    ),
  );
  test('has each action once, in the order of micro-batches, and ends', () => {
    for (const sizes of all.filter(one => fits(name, one))) {
      const actions = actionsOf(name, sizes);
      const counts = new Map<string, number>();
      for (const [rank, list] of actions.entries())
        for (const { kind, stage, microBatch } of list) {
          expect(rankOf(stage, sizes.ranks)).toBe(rank);
          expect(microBatch).toBe(counts.get(`${kind}${stage}`) ?? 0);
          counts.set(`${kind}${stage}`, microBatch + 1);
        }
      const kinds = splitsBackward ? ['F', 'I', 'W'] : ['F', 'B'];
      expect([...counts.values()]).toEqual(Array(kinds.length * sizes.stages).fill(sizes.microBatches));
      runSchedule(actions, sizes.stages);
    }
  });
});

test.each([
  ['GPipe', 4, 8],
  ['1F1B', 4, 8],
  ['1F1B', 2, 16],
] as const)('the bubble of %s on %i ranks with %i micro-batches is (p − 1) / (m + p − 1)', (name, ranks, count) => {
  const run = runSchedule(actionsOf(name, sizesOf(ranks, count)), ranks, units);
  expect(run.bubble).toBeCloseTo((ranks - 1) / (count + ranks - 1), 10);
});
test('several stages a rank, and later gradients of weights, leave smaller bubbles', () => {
  const bubble = (name: Parameters<typeof actionsOf>[0], perRank: number): number =>
    runSchedule(actionsOf(name, sizesOf(4, 8, perRank)), 4 * perRank).bubble;
  const plain = bubble('1F1B', 1);
  expect(bubble('Interleaved1F1B', 2)).toBeCloseTo(3 / (2 * 8 + 3), 10);
  for (const [name, perRank] of [
    ['ZBH1', 1],
    ['ZBVZeroBubble', 2],
    ['DualPipeV', 2],
  ] as const)
    expect(bubble(name, perRank)).toBeLessThan(plain / 2);
});
test('1F1B keeps as many micro-batches as there are stages to come, GPipe all', () => {
  expect(runSchedule(actionsOf('1F1B', sizesOf(4, 16)), 4).live).toEqual([4, 3, 2, 1]);
  expect(runSchedule(actionsOf('GPipe', sizesOf(4, 16)), 4).live).toEqual([16, 16, 16, 16]);
});
test('ranks that wait for each other are a deadlock', () => {
  const [first, second] = actionsOf('GPipe', sizesOf(2, 2));
  expect(() => runSchedule([first!.toReversed(), second!], 2)).toThrow(
    /deadlock: rank 0 waits in B0 of micro-batch 1, rank 1 waits in F1 of micro-batch 0/,
  );
});
