import { describe, expect, test } from 'vitest';
import { formatUsd, usd } from '../../base/money.ts';
import type { Layout } from '../layout.ts';
import { stepsOf } from './amount.ts';
import { compareTrainings } from './comparison.ts';
import { fakePredict, smallWorkload, testMachine, testPrice } from './fake-predict.testing.ts';
import { planTraining } from './training.ts';

const layout: Layout = {
  data: 8,
  tensor: 1,
  pipeline: 1,
  interleave: 1,
  expert: 1,
  sequenceParallel: false,
  zero1: false,
  microBatch: 4,
  microBatches: 1,
  recompute: 'none',
};
const step = fakePredict({ workload: smallWorkload, machine: testMachine('p.large'), nodes: 1, layout });

describe('steps of an amount', () => {
  test('whole steps, rounded up', () => {
    expect(stepsOf({ kind: 'steps', steps: 10 }, step)).toBe(10);
    expect(stepsOf({ kind: 'samples', samples: 33 }, step)).toBe(2);
    expect(stepsOf({ kind: 'tokens', tokens: 32 * 1024 * 5 }, step)).toBe(5);
    expect(stepsOf({ kind: 'epochs', epochs: 3, samples: 33 }, step)).toBe(6);
    expect(stepsOf({ kind: 'epochs', epochs: 0.5, samples: 64 }, step)).toBe(1);
  });

  test('rejects amounts that cannot be converted to steps', () => {
    expect(() => stepsOf({ kind: 'steps', steps: 0 }, step)).toThrow('a plan: steps is 0, expected a number above 0');
    expect(() => stepsOf({ kind: 'tokens', tokens: 1e30 }, step)).toThrow('expected an amount of at most 2^53 steps');
    expect(() => stepsOf({ kind: 'epochs', epochs: Number.NaN, samples: 5 }, step)).toThrow('epochs is NaN');
    const program = { model: 'train.ts', samplesPerStep: 8, tokensPerStep: undefined };
    expect(() => stepsOf({ kind: 'tokens', tokens: 5 }, program)).toThrow(
      'the plan of train.ts: tokens is 5, but how many tokens a step has is not known, expected an amount in steps, samples or epochs',
    );
  });
});

test('time and cost of the published result: billed seconds times the price, for one node and for two', () => {
  const machine = testMachine('ml.trn1.32xlarge', {
    prices: [testPrice('on-demand', 24.725, { service: 'sagemaker' }), testPrice('on-demand', 21.5)],
  });
  const prediction = { ...fakePredict({ workload: smallWorkload, machine, nodes: 1, layout }), stepSeconds: 1 };
  const startUp = { provision: 100, prepare: 33 };
  const plan = planTraining(prediction, { kind: 'steps', steps: 6000 }, { startUp });
  // Finding the instance is waited for and not billed by the managed service.
  expect([plan.steps, plan.seconds, plan.billedSeconds]).toEqual([6000, 6133, 6033]);
  expect(formatUsd(plan.cost!)).toBe('$41.43');
  const two = planTraining({ ...prediction, nodes: 2 }, { kind: 'steps', steps: 6000 }, { startUp });
  expect(formatUsd(two.cost!)).toBe('$82.87');
  const bare = planTraining(prediction, { kind: 'steps', steps: 6000 }, { startUp, service: 'ec2' });
  expect([bare.billedSeconds, formatUsd(bare.cost!)]).toEqual([6133, '$36.63']);
});

test('a plan lists its assumptions and its bottleneck', () => {
  const plan = planTraining(step, { kind: 'samples', samples: 3200 });
  expect([plan.steps, plan.bound]).toEqual([100, 'tensor engine']);
  expect(plan.boundShare).toBeCloseTo(1 - 1e-3 / step.stepSeconds, 9);
  expect(plan.joules).toBeCloseTo(100 * 400 * 8 * step.stepSeconds, 6);
  expect(plan.assumptions).toMatchInlineSnapshot(`
    [
      "Half of the peak is reached.",
      "Start-up on p.large is assumed to take 300 s to get machines and 120 s to compile and load.",
      "p.large costs what was published 2026-07-20 for EC2 on-demand: a price list. Storage, network and tax are not in it.",
      "3,200 samples: 100 steps, all at the same speed: no evaluation, no failures, no waiting for data.",
    ]
  `);
});

test('without a public price there is no cost, and never 0', () => {
  const plan = planTraining(
    fakePredict({ workload: smallWorkload, machine: testMachine('trn2', { prices: [] }), nodes: 1, layout }),
    {
      kind: 'steps',
      steps: 5,
    },
  );
  expect([plan.price, plan.cost]).toEqual([undefined, undefined]);
  expect(plan.assumptions.join()).toContain('trn2 has no public price (EC2 on-demand), so its cost is not known.');
});

test('uses the newest price, and in the launch profile the oldest', () => {
  const prices = [
    testPrice('on-demand', 21.957642, { date: '2026-07-20' }),
    testPrice('on-demand', 32.7726, { date: '2023-05' }),
  ];
  const priceIn = (profile: 'docs' | 'launch') =>
    planTraining(
      fakePredict({ workload: smallWorkload, machine: testMachine('p4d', { prices, profile }), nodes: 1, layout }),
      {
        kind: 'steps',
        steps: 1,
      },
    ).price?.perHour;
  expect([priceIn('docs'), priceIn('launch')]).toEqual([usd(21.957642), usd(32.7726)]);
});

test('the cheapest and the fastest are marked, among those that fit', () => {
  const amount = { kind: 'steps', steps: 1000 } as const;
  const on = (name: string, dollars: number | undefined, memoryBytes: number, speed: number) => {
    const base = testMachine(name);
    const device = { ...base.device, memoryBytes, peakFlops: { f32: 1e13, bf16: speed } };
    const prices = dollars === undefined ? [] : [testPrice('on-demand', dollars)];
    return planTraining(
      fakePredict({ workload: smallWorkload, machine: { ...base, device, prices }, nodes: 1, layout }),
      amount,
    );
  };
  const plans = [
    on('too small', 0.01, 1e6, 1e16),
    on('cheap', 1, 16e9, 1e13),
    on('fast', 100, 16e9, 1e15),
    on('no price', undefined, 16e9, 1e13),
  ];
  expect(compareTrainings(plans).map(c => [c.plan.prediction.machine.name, c.cheapest, c.fastest])).toEqual([
    ['too small', false, false],
    ['cheap', true, false],
    ['fast', false, true],
    ['no price', false, false],
  ]);
});
