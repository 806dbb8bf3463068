// Virtual hosts on shared cores.
import { expect, test } from 'vitest';
import { sharedCoresStep } from './shared-cores.ts';

const at = (hosts: number) =>
  sharedCoresStep({
    hosts,
    cores: 2,
    stepMs: 100,
    measured: [
      { hosts: 2, ms: 300 },
      { hosts: 4, ms: 600 },
    ],
  });

test('measured numbers of hosts take the measured time', () => {
  expect(at(2)).toEqual({ ms: 300, computeMs: 100, communicationMs: 200, share: 2 / 3 });
  expect(at(4)).toMatchObject({ ms: 600, computeMs: 200 });
});

test('one host does not communicate', () => {
  expect(at(1)).toEqual({ ms: 100, computeMs: 100, communicationMs: 0, share: 0 });
});

test('more hosts share the cores for computation, and each adds communication', () => {
  expect(at(16)).toEqual({ ms: 2400, computeMs: 800, communicationMs: 1600, share: 2 / 3 });
});
