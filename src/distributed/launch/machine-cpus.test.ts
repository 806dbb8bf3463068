import { expect, test } from 'vitest';
import { machineCpus } from './machine-cpus.ts';

test('Linux: allowed CPUs with their cores; a quota limits how many', () => {
  const read = (path: string) => (path.endsWith('core_id') ? Number(/cpu(\d+)/.exec(path)![1]) % 2 : 1);
  expect(machineCpus([0, 2, 3], 8, read)).toEqual({
    cpus: [
      { cpu: 0, core: 0, package: 1 },
      { cpu: 2, core: 0, package: 1 },
      { cpu: 3, core: 1, package: 1 },
    ],
    canPin: true,
  });
  expect(machineCpus([0, 1, 2, 3], 2, () => undefined).cpus).toHaveLength(2);
});

test('other systems: CPUs are counted, not pinned', () => {
  expect(machineCpus([], 3)).toEqual({
    cpus: [0, 1, 2].map(cpu => ({ cpu, core: cpu, package: 0 })),
    canPin: false,
  });
});

test('this machine has at least one', () => {
  expect(machineCpus().cpus.length).toBeGreaterThan(0);
});
