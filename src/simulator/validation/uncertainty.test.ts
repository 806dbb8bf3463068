// Intervals hold the share that they promise, and are wide where nothing has been published.
import { expect, test } from 'vitest';
import { machineOf } from '../../hardware/index.ts';
import type { Layout } from '../layout.ts';
import { modelOf } from '../models/presets.ts';
import type { StepQuestion } from '../question.ts';
import { publishedSteps } from './evidence.ts';
import { coverageOf, factorOf, isTie, uncertaintyOf } from './uncertainty.ts';

const layout: Layout = {
  data: 8,
  tensor: 1,
  pipeline: 1,
  interleave: 1,
  expert: 1,
  sequenceParallel: false,
  zero1: true,
  shard: 'weights',
  microBatch: 1,
  microBatches: 1,
  recompute: 'full',
};
const question = (machine: string, more: Partial<StepQuestion> = {}): StepQuestion => ({
  workload: {
    model: modelOf('llama3-8b'),
    run: { kind: 'training', sequence: 8192, optimizer: 'adamw' },
    precision: 'bf16-mixed',
    attention: 'blocked',
  },
  machine: machineOf(machine),
  nodes: 1,
  layout,
  ...more,
});

test('80 % intervals from the runs of other models hold 75 to 90 % of the runs of each kind of device', () => {
  const all = publishedSteps();
  const gpus = all.filter(run => run.software !== 'neuron');
  const trainium = all.filter(run => run.software === 'neuron');
  for (const runs of [all, gpus, trainium]) {
    expect(coverageOf(runs, all)).toBeGreaterThan(0.75);
    expect(coverageOf(runs, all)).toBeLessThan(0.9);
  }
});

test('an interval comes from runs like the one asked about, next to the nearest of them', () => {
  const { level, factor, runs, reason, nearest } = uncertaintyOf(question('p5.48xlarge'));
  expect([level, runs]).toEqual([0.8, 30]);
  expect(factor).toBeGreaterThan(1.05);
  expect(factor).toBeLessThan(1.15);
  expect(reason).toMatch(/^from the errors of 30 published runs on such devices, 16 of them with this software, and/);
  expect(nearest?.what).toBe('Llama 3 8B, 8 × H100 at 500 W, torchtitan');
  expect(uncertaintyOf(question('trn1.32xlarge')).nearest?.what).toContain('trn1.32xlarge');
});

test.each([
  ['trn2.48xlarge', '2 × NeuronCore-v3'],
  ['inf2.48xlarge', 'NeuronCore-v2'],
  ['g5.48xlarge', 'NVIDIA A10G'],
])('no training run on %s has been published: a wide interval that says so', (machine, device) => {
  const { factor, runs, reason } = uncertaintyOf(question(machine));
  expect([factor, runs]).toEqual([1.56, 0]);
  expect(reason).toContain(`no training run on ${device} has been published`);
});

test('few runs give no interval, and one more run of unknown error counts', () => {
  const [run] = publishedSteps();
  expect(factorOf(run!, [run!, run!, run!])).toBeUndefined();
  expect(factorOf(run!, [run!, run!, run!, run!])).toBeCloseTo(
    Math.exp(Math.abs(Math.log(run!.published / run!.predicted))),
    12,
  );
});

test('answers closer than their intervals are ties', () => {
  const of = (machine: string, factor: number) => ({
    machine: machineOf(machine),
    uncertainty: { ...uncertaintyOf(question(machine)), factor },
  });
  const [h100, a100] = [of('p5.48xlarge', 1.1), of('p4d.24xlarge', 1.1)];
  expect([isTie(100, 109, h100, h100), isTie(100, 112, h100, h100)]).toEqual([true, false]);
  // Errors on two machines are independent.
  expect([isTie(100, 112, h100, a100), isTie(112, 100, h100, a100), isTie(100, 116, h100, a100)]).toEqual([
    true,
    true,
    false,
  ]);
});
