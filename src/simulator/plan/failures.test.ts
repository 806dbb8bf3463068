// Failures take time and money, more of both on more machines.
import { expect, test } from 'vitest';
import { machineOf } from '../../hardware/index.ts';
import { modelOf } from '../models/presets.ts';
import { predict } from '../predict.ts';
import type { Workload } from '../workload.ts';
import { type FailureOptions, underFailures } from './failures.ts';
import { planTraining } from './training.ts';

const workload: Workload = {
  model: modelOf('gpt3-46b'),
  run: { kind: 'training', sequence: 2048, optimizer: 'adamw' },
  precision: 'bf16',
  attention: 'unfused',
};
function failing(nodes: number, options: FailureOptions = {}) {
  const step = predict({
    workload,
    machine: machineOf('trn1.32xlarge'),
    nodes,
    layout: {
      data: nodes / 2,
      tensor: 8,
      pipeline: 8,
      interleave: 1,
      expert: 1,
      sequenceParallel: true,
      zero1: true,
      microBatch: 1,
      microBatches: 64,
      recompute: 'full',
    },
  });
  const plan = planTraining(step, { kind: 'tokens', tokens: 100e9 }, { purchase: 'on-demand' });
  return { plan, failures: underFailures(plan, workload, options) };
}

test('a training run under failures takes longer and costs more', () => {
  const { plan, failures } = failing(64);
  const { goodput } = failures.reliability;
  expect(goodput.mean).toBeGreaterThan(0.5);
  expect(goodput.mean).toBeLessThan(1);
  expect(failures.seconds).toBeCloseTo(plan.seconds + plan.stepsSeconds * (1 / goodput.mean - 1), 3);
  expect(failures.cost!).toBeGreaterThan(plan.cost!);
  // bf16 weights and two moments of bf16
  expect(failures.checkpointBytes / 6).toBeCloseTo(46e9, -10);
  expect(failures.assumptions.join('\n')).toMatch(/as frequent as in the training of Llama 3/);
});

test('more machines fail more often, more reliable ones less often', () => {
  const goodput = (nodes: number, options?: FailureOptions): number =>
    failing(nodes, options).failures.reliability.goodput.mean;
  expect(goodput(256)).toBeLessThan(goodput(16));
  expect(goodput(64, { mtbfDays: 10_000 })).toBeGreaterThan(goodput(64));
  expect(goodput(64, { checkpointEvery: 7 * 86_400 })).toBeLessThan(goodput(64));
});

test('invalid figures are rejected', () => {
  expect(() => failing(64, { mtbfDays: -1 })).toThrow(/nodeMtbf/);
  expect(() => failing(64, { nodeBandwidth: 0 })).toThrow(/nodeBandwidth/);
  expect(() => failing(64, { spares: 0.5 })).toThrow(/spares/);
});
