import { expect, test } from 'vitest';
import { isTrenioError } from '../../base/errors.ts';
import { usd } from '../../base/money.ts';
import { expectPlan } from './budget.ts';
import { fakePredict, smallWorkload, testMachine } from './fake-predict.testing.ts';
import { planTraining } from './training.ts';

const layout = {
  data: 4,
  tensor: 2,
  pipeline: 1,
  interleave: 1,
  expert: 1,
  sequenceParallel: false,
  zero1: false,
  microBatch: 4,
  microBatches: 2,
  recompute: 'none',
} as const;
const machine = testMachine('p.large');
const step = fakePredict({ workload: smallWorkload, machine, nodes: 1, layout });
const plan = planTraining(step, { kind: 'steps', steps: 100_000 });

test('budgets that are met can be chained', () => {
  expectPlan(step)
    .toFit()
    .stepSecondsAtMost(1)
    .samplesPerSecondAtLeast(10)
    .tokensPerSecondAtLeast(10)
    .mfuAtLeast(0.4)
    .memoryAtMost(8e9)
    .notComputingAtMost(0.2);
  expectPlan(plan).toFit().costAtMost(usd(100)).hoursAtMost(10).secondsAtMost(36_000).mfuAtLeast(0.4);
});

const message = (assertion: () => unknown): string => {
  try {
    assertion();
  } catch (error) {
    if (isTrenioError(error, 'PLAN_OVER_BUDGET')) return error.message;
    throw error;
  }
  return 'it held';
};

test('an exceeded budget is reported with its breakdown', () => {
  const little = fakePredict({
    workload: smallWorkload,
    machine: { ...machine, device: { ...machine.device, memoryBytes: 0.3e9 } },
    nodes: 1,
    layout,
  });
  const unpriced = planTraining({ ...step, machine: { ...machine, prices: [] } }, { kind: 'steps', steps: 5 });
  expect(
    [
      message(() => expectPlan(step).stepSecondsAtMost(0.001)),
      message(() => expectPlan(little).toFit()),
      message(() => expectPlan(plan).costAtMost(usd(1))),
      message(() => expectPlan(unpriced).costAtMost(usd(1))),
    ].join('\n\n'),
  ).toMatchInlineSnapshot(`
    "small-gpt on 1 × p.large: the predicted time of a step is 23.5 ms, the budget is at most 1.00 ms
      a step of 23.5 ms: backward 13.6 ms, forward 6.81 ms, layer collectives 2.04 ms, gradient collectives 1.00 ms
      fix: reduce the largest items of the breakdown (trenio plan --search tries all layouts), or raise the budget

    small-gpt on 1 × p.large: the predicted memory is 628.6 MiB, the budget is the 286.1 MiB of a device
      628.6 MiB of a device: activations 272.0 MiB, optimizer state 237.8 MiB, gradients 79.3 MiB, weights 39.6 MiB
      what would make it fit: split the model over 2 devices
      fix: reduce the largest items of the breakdown (trenio plan --search tries all layouts), or raise the budget

    small-gpt on 1 × p.large: the predicted cost is $7.68, the budget is at most $1.00
      100,000 steps of 23.5 ms, 7 min 00 s before the first; 1 × p.large at $10.00 an hour each (on-demand)
      a step of 23.5 ms: backward 13.6 ms, forward 6.81 ms, layer collectives 2.04 ms, gradient collectives 1.00 ms
      fix: reduce the largest items of the breakdown (trenio plan --search tries all layouts), or raise the budget

    small-gpt on 1 × p.large: the predicted cost is not known: no public price, the budget is at most $1.00
      5 steps of 23.5 ms, 7 min 00 s before the first; 1 × p.large
      a step of 23.5 ms: backward 13.6 ms, forward 6.81 ms, layer collectives 2.04 ms, gradient collectives 1.00 ms
      fix: reduce the largest items of the breakdown (trenio plan --search tries all layouts), or raise the budget"
  `);
});

test('each budget can fail', () => {
  expect(message(() => expectPlan(step).mfuAtLeast(0.9))).toContain('model FLOPs utilization is 4');
  expect(message(() => expectPlan(step).memoryAtMost(5))).toContain('at most 5 B');
  expect(message(() => expectPlan(step).samplesPerSecondAtLeast(1e9))).toContain('samples per second');
  expect(message(() => expectPlan(step).tokensPerSecondAtLeast(1e12))).toContain('tokens per second');
  expect(message(() => expectPlan({ ...step, tokensPerStep: undefined }).tokensPerSecondAtLeast(1))).toContain(
    'not known',
  );
  expect(message(() => expectPlan(step).notComputingAtMost(0))).toContain('share of a step without computing');
  expect(message(() => expectPlan(plan).hoursAtMost(0.1))).toContain('time to train');
});

test('a budget must be a number', () => {
  expect(() => expectPlan(step).stepSecondsAtMost(Number.NaN)).toThrow('stepSecondsAtMost is NaN');
  expect(() => expectPlan(step).mfuAtLeast(40)).toThrow('mfuAtLeast is 40, expected a share from 0 to 1');
});
