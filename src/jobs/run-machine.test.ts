import { expect, test } from 'vitest';
import { machineInfo } from '../runtime/cores.ts';
import { runMachine } from './run-machine.ts';

test('what may be used counts, by affinity and by quota', () => {
  const machine = { ...machineInfo(), model: 'Some CPU', allowed: [0, 2, 3], memoryBytes: 8e9 };
  expect(runMachine(machine, 8)).toEqual({ name: '3 × Some CPU', cpu: 'Some CPU', threads: 3, memoryBytes: 8e9 });
  expect(runMachine(machine, 2).threads).toBe(2);
  expect(runMachine().threads).toBeGreaterThan(0);
});
