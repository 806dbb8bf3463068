// Virtual hosts on shared cores.
import { expect, test } from 'vitest';
import { communicationShare, type MeasuredRun, type SharedCoresRun, sharedCoresStep } from './shared-cores.ts';

/** A step takes 20 ms, a micro-batch 10, a message 0.25, all gradients 0.5. */
const measured = ({ hosts, microBatches }: SharedCoresRun): MeasuredRun => ({
  hosts,
  microBatches,
  computeMs: 20 + 10 * microBatches,
  communicationMs: 0.25 * (hosts - 1) + (0.5 * 2 * (hosts - 1)) / hosts,
});
const calibration = [measured({ hosts: 4, microBatches: 1 }), measured({ hosts: 8, microBatches: 4 })] as const;

test.each([1, 2, 4, 8, 16, 64])('two measured steps determine that of %i hosts', hosts => {
  for (const microBatches of [1, 2, 16]) {
    const { computeMs, communicationMs } = measured({ hosts, microBatches });
    const step = sharedCoresStep({ hosts, microBatches }, calibration);
    expect(step.computeMs).toBeCloseTo(computeMs, 9);
    expect(step.communicationMs).toBeCloseTo(communicationMs, 9);
  }
});

test('one host does not communicate', () => {
  expect(communicationShare(sharedCoresStep({ hosts: 1, microBatches: 8 }, calibration))).toBe(0);
});

test('no time is negative, however noisy the measured steps are', () => {
  const noisy = [
    { hosts: 4, microBatches: 1, computeMs: 40, communicationMs: 1 },
    { hosts: 8, microBatches: 4, computeMs: 30, communicationMs: 4 },
  ] as const;
  const { computeMs, communicationMs } = sharedCoresStep({ hosts: 16, microBatches: 1 }, noisy);
  expect(computeMs).toBe(40);
  expect(communicationMs).toBeCloseTo(5, 9);
});
