import { expect, test } from 'vitest';
import { allowedCpus, threadPlan } from './threads.ts';

const plan = (
  variables: Record<string, string>,
  allowed: readonly number[] | undefined,
  parallelism: number,
): number[] => [...threadPlan(variables, allowed, parallelism)];

test('a thread for each CPU that this process may use, pinned', () => {
  expect(plan({}, [0, 3], 2)).toEqual([0, 3]);
});
test('fewer threads than CPUs are not pinned: another process would choose the same ones', () => {
  expect(plan({ TRENIO_NUM_THREADS: '2' }, [0, 1, 2, 3], 4)).toEqual([-1, -1]);
  expect(plan({}, [0, 1, 2, 3], 2)).toEqual([-1, -1]); // a container's quota
  expect(plan({}, [], 2)).toEqual([-1, -1]);
});
test('given CPUs are used, one a thread', () => {
  expect(plan({ TRENIO_CPUS: '4-6' }, [0, 1], 2)).toEqual([4, 5, 6]);
  expect(plan({ TRENIO_CPUS: '4-6', TRENIO_NUM_THREADS: '2' }, [0, 1], 2)).toEqual([4, 5]);
  expect(plan({ TRENIO_CPUS: '4', TRENIO_NUM_THREADS: '2' }, [0, 1], 2)).toEqual([-1, -1]);
});
test.runIf(process.platform === 'linux')('the kernel says which CPUs may be used', () => {
  expect(allowedCpus()!.length).toBeGreaterThan(0);
  expect(allowedCpus('/nowhere')).toBeUndefined();
});
