import { expect, test } from 'vitest';
import { machineInfo } from '../runtime/execution/cores.ts';
import { runMachine } from './run-machine.ts';

test('only usable CPUs are counted, by affinity and quota', () => {
  const machine = { ...machineInfo(), model: 'Some CPU', cpus: 8, allowed: [0, 2, 3], memoryBytes: 8e9 };
  expect(runMachine(1, machine, 8)).toEqual({ name: '3 × Some CPU', cpu: 'Some CPU', threads: 3, memoryBytes: 8e9 });
  expect(runMachine(1, machine, 2).threads).toBe(2);
  expect(runMachine(2, { ...machine, cpus: 4 }, 2).threads).toBe(4);
  expect(runMachine().threads).toBeGreaterThan(0);
});
