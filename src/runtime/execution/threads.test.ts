import { expect, test } from 'vitest';
import { allowedCpus, threadPlan } from './threads.ts';

const plan = (
  variables: Record<string, string>,
  allowed: readonly number[] | undefined,
  parallelism: number,
  ranks = { localRank: 0, localWorldSize: 1 },
  total = 4,
): number[] => [...threadPlan(variables, ranks, { allowed, parallelism, total })];

test('one pinned thread for each CPU that this process may use', () => {
  expect(plan({}, [0, 3], 2)).toEqual([0, 3]);
});
test('fewer threads than CPUs are not pinned: another process would choose the same ones', () => {
  expect(plan({ TRENIO_NUM_THREADS: '2' }, [0, 1, 2, 3], 4)).toEqual([-1, -1]);
  expect(plan({}, [0, 1, 2, 3], 2)).toEqual([-1, -1]); // a container's quota
  expect(plan({}, [], 2)).toEqual([-1, -1]);
});
test('the given CPUs are used, one per thread', () => {
  expect(plan({ TRENIO_CPUS: '4-6' }, [0, 1], 2)).toEqual([4, 5, 6]);
  expect(plan({ TRENIO_CPUS: '4-6', TRENIO_NUM_THREADS: '2' }, [0, 1], 2)).toEqual([4, 5]);
  expect(plan({ TRENIO_CPUS: '4', TRENIO_NUM_THREADS: '2' }, [0, 1], 2)).toEqual([-1, -1]);
});
test('ranks that may use the same CPUs divide them', () => {
  const ranks = (localWorldSize: number, variables = {}) =>
    Array.from({ length: localWorldSize }, (_, localRank) =>
      plan(variables, [0, 1, 2, 3], 4, { localRank, localWorldSize }),
    );
  expect(ranks(2)).toEqual([
    [0, 1],
    [2, 3],
  ]);
  expect(ranks(3)).toEqual([[0], [1], [2, 3]]);
  expect(ranks(4, { TRENIO_NUM_THREADS: '1' })).toEqual([[0], [1], [2], [3]]);
  expect(ranks(2, { TRENIO_NUM_THREADS: '1' })).toEqual([[-1], [-1]]);
  expect(ranks(8)).toEqual(new Array(8).fill([-1]));
});
test('ranks with separate CPUs are pinned to them; ranks that share a socket are not pinned', () => {
  expect(plan({}, [2, 3], 2, { localRank: 1, localWorldSize: 2 })).toEqual([2, 3]);
  expect(plan({}, [4, 5, 6, 7], 4, { localRank: 2, localWorldSize: 4 }, 8)).toEqual([-1, -1]);
  expect(plan({}, [0, 1, 2, 3], 2, { localRank: 1, localWorldSize: 2 })).toEqual([-1]); // a container's quota
});
test.runIf(process.platform === 'linux')('reads the allowed CPUs from the kernel', () => {
  expect(allowedCpus()!.length).toBeGreaterThan(0);
  expect(allowedCpus('/nowhere')).toBeUndefined();
});
