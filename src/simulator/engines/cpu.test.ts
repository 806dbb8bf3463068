import { expect, test } from 'vitest';
import type { CpuDevice } from '../../hardware/machine.ts';
import { multiplySeconds } from '../calibration/index.ts';
import { cpuRates } from '../calibration/rates.testing.ts';
import type { Multiply, RowMove, Sweep } from '../work.ts';
import { timeOnCpu } from './cpu.ts';
import { boundRecord } from './spent.ts';

const rates = { ...cpuRates, kernelStart: 1e-6 };
const device: CpuDevice = {
  kind: 'cpu',
  name: 'test',
  threads: 2,
  rates,
  peakFlops: { f32: 2e11 },
  memoryBytes: 1e10,
  memoryBandwidth: 4e10,
  watts: undefined,
};
const multiply: Multiply = { kind: 'multiply', name: 'm', batch: 2, m: 100, n: 200, k: 300, type: 'f32', bytes: 1e5 };
const sweep: Sweep = {
  kind: 'sweep',
  name: 's',
  elements: 1e6,
  simple: 10,
  transcendental: 1,
  bytesRead: 5e5,
  bytesWritten: 5e5,
};
const rows: RowMove = { kind: 'row-move', name: 'r', rows: 1000, bytesPerRow: 1000, direction: 'gather' };

test('each kind of work in the description of a model', () => {
  const times = timeOnCpu([multiply, sweep, rows], device);
  const arithmetic = 1e7 / rates.simple + 1e6 / rates.transcendental;
  expect(boundRecord(times)).toMatchObject({
    'tensor engine': multiplySeconds(multiply, rates),
    'vector engine': expect.closeTo(arithmetic, 9),
    memory: expect.closeTo(1e6 / 1e11 + 1e6 / rates.gather, 9),
    launch: expect.closeTo(3e-6, 9),
  });
  expect(times.byBound.reduce((sum, s) => sum + s, 0)).toBeCloseTo(times.seconds, 9);
});

test('more work takes longer, low precision takes less; an epilogue is not counted as a separate kernel', () => {
  const seconds = (of: Partial<Multiply>): number => timeOnCpu([{ ...multiply, ...of }], device).seconds;
  expect(seconds({ k: 600 })).toBeGreaterThan(seconds({}));
  expect(seconds({ type: 'bf16' })).toBeLessThan(seconds({}));
  expect(seconds({ type: 'tf32' })).toBe(seconds({}));
  expect(boundRecord(timeOnCpu([{ ...sweep, pattern: 'epilogue' } as Sweep], device)).launch).toBe(0);
  expect(timeOnCpu([], device).seconds).toBe(0);
});
