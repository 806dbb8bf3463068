import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCpuList } from '../../base/cpu-list.ts';
import { type CpuPlace, formatCpuList, shareCores } from './core-shares.ts';

const machine = (packages: number, coresEach: number, threadsEach: number): CpuPlace[] => {
  const cores = packages * coresEach;
  return Array.from({ length: cores * threadsEach }, (_, cpu) => {
    const core = cpu % cores;
    return { cpu, core, package: Math.floor(core / coresEach) };
  });
};

describe('shares of cores', () => {
  test('shares are whole cores, with neighbors together', () => {
    expect(shareCores(machine(2, 2, 2), 2)).toEqual([
      [0, 4, 1, 5],
      [2, 6, 3, 7],
    ]);
    expect(shareCores(machine(1, 2, 1), 2)).toEqual([[0], [1]]);
    expect(shareCores(machine(1, 4, 1), 3)).toEqual([[0], [1], [2, 3]]);
  });

  test('more ranks than cores: hardware threads; more ranks than hardware threads share them in turn', () => {
    expect(shareCores(machine(1, 1, 2), 2)).toEqual([[0], [1]]);
    expect(shareCores(machine(1, 2, 1), 3)).toEqual([[0], [1], [0]]);
  });

  test('each CPU belongs to exactly one share, and no share is empty', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 2 }),
        fc.integer({ min: 1, max: 20 }),
        (packages, cores, threads, ranks) => {
          const places = machine(packages, cores, threads);
          const shares = shareCores(places, ranks);
          expect(shares).toHaveLength(ranks);
          expect(shares.every(share => share.length > 0)).toBe(true);
          if (ranks <= places.length) {
            expect(shares.flat().toSorted((a, b) => a - b)).toEqual(places.map(p => p.cpu));
          }
        },
      ),
    );
  });
});

test('a CPU list is written as the environment reads it', () => {
  expect(formatCpuList([8, 0, 2, 1])).toBe('0-2,8');
  expect(formatCpuList([5])).toBe('5');
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(300), { minLength: 1 }), cpus => {
      expect(parseCpuList(formatCpuList(cpus))).toEqual(cpus.toSorted((a, b) => a - b));
    }),
  );
});
