// The rates of every scheduler compared with PyTorch (scripts/golden/optimizers.py), also when resumed from a saved state at any
// step.
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Parameter } from '../../nn/index.ts';
import { device, setDefaultDevice, tensor } from '../../tensor/index.ts';
import * as optim from '../index.ts';
import { Adam, LRScheduler, lrScheduler, ReduceLROnPlateau, SGD, SWALR } from '../index.ts';
import type { Scheduled, ScheduledGroup } from './lr-scheduler.ts';

setDefaultDevice(device('interpreter'));
afterEach(() => vi.restoreAllMocks());

type Options = Readonly<Record<string, unknown>>;
interface Case {
  readonly optimizer: 'SGD' | 'Adam';
  readonly scheduler: string;
  readonly options: Options;
  readonly rates: readonly (readonly number[])[];
  readonly momenta?: readonly (readonly number[])[];
  readonly metrics?: readonly number[];
}
const { cases } = JSON.parse(
  readFileSync(new URL('../../../test/golden/pytorch/schedulers.json', import.meta.url), 'utf8'),
) as { readonly cases: readonly Case[] };

const parameter = (): Parameter => new Parameter(tensor([0]));
const optimizerOf = (kind: Case['optimizer']): Scheduled => {
  const groups = [
    { params: [parameter()], lr: 0.1 },
    { params: [parameter()], lr: 0.3 },
  ];
  const made = kind === 'SGD' ? new SGD(groups, { momentum: 0.9 }) : new Adam(groups);
  made.step();
  return made;
};
type Class = new (...args: unknown[]) => LRScheduler & ReduceLROnPlateau;
function build(name: string, options: Options, optimizer: Scheduled): LRScheduler & ReduceLROnPlateau {
  const kind = { ...lrScheduler, SWALR }[name as 'StepLR'] as unknown as Class;
  if (name === 'LambdaLR') return new kind(optimizer, [(t: number) => 0.95 ** t, (t: number) => 1 / (1 + t)]);
  if (name === 'MultiplicativeLR') return new kind(optimizer, (t: number) => 0.9 + 0.01 * t);
  const parts = (options.schedulers as [string, Options][] | undefined)?.map(([n, o]) => build(n, o, optimizer));
  if (name === 'ChainedScheduler') return new kind(parts);
  return new kind(optimizer, parts === undefined ? options : { ...options, schedulers: parts });
}
const close = (list: readonly number[]): unknown[] =>
  list.map(value => expect.toSatisfy((got: number) => Math.abs(got - value) <= 1e-12 * Math.abs(value)));

describe.each(cases.map(c => [`${c.scheduler} ${JSON.stringify(c.options)} of ${c.optimizer}`, c] as const))(
  '%s',
  (_, c) => {
    test.each([undefined, 1, 3, 6])('resumed at step %s', resumedAt => {
      let optimizer = optimizerOf(c.optimizer);
      let scheduler = build(c.scheduler, c.options, optimizer);
      const momentumOf = ({ betas, momentum }: ScheduledGroup): number => betas?.[0] ?? momentum!;
      c.rates.forEach((want, step) => {
        if (step === resumedAt) {
          const saved = JSON.parse(
            JSON.stringify({ groups: optimizer.groupSettings(), scheduler: scheduler.stateDict() }),
          ) as { groups: optim.OptimizerState['groups']; scheduler: optim.SchedulerState };
          optimizer = optimizerOf(c.optimizer);
          scheduler = build(c.scheduler, c.options, optimizer);
          optimizer.loadStateDict({ tensors: new Map(), groups: saved.groups });
          scheduler.loadStateDict(saved.scheduler);
          expect(scheduler.stateDict()).toEqual(saved.scheduler);
        }
        if (c.metrics !== undefined) scheduler.step(c.metrics[step]!);
        expect(
          optimizer.paramGroups.map(({ lr }) => lr),
          `step ${step}`,
        ).toEqual(close(want));
        if (c.metrics !== undefined || step > 0) expect(scheduler.getLastLr()).toEqual(close(want));
        if (c.momenta !== undefined)
          expect(optimizer.paramGroups.map(g => momentumOf(g))).toEqual(close(c.momenta[step]!));
        if (c.metrics === undefined && step < c.rates.length - 1) (scheduler as LRScheduler).step();
      });
    });
  },
);

test('every scheduler has golden data', () => {
  const names = Object.keys(lrScheduler).filter(name => name !== 'LRScheduler');
  expect(new Set(cases.map(c => c.scheduler))).toEqual(new Set([...names, 'SWALR']));
});

describe('incorrect use is an error', () => {
  const one = (): SGD => new SGD([parameter()], { lr: 1 });
  const stderr = (): string[] => {
    const lines: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation(line => lines.push(String(line)) > 0);
    return lines;
  };
  test('a scheduler that steps before its optimizer prints a warning', () => {
    const lines = stderr();
    const scheduler = new optim.StepLR(one(), { stepSize: 1 });
    scheduler.step();
    scheduler.step();
    expect(lines).toEqual([
      'trenio: warn: StepLR.step() was called before optimizer.step(): the first learning rate is skipped; call optimizer.step() first\n',
    ]);
  });
  test('a warm-up that is cut short prints a warning', () => {
    const lines = stderr();
    const optimizer = one();
    const schedulers = [
      new optim.LinearLR(optimizer, { totalIters: 10 }),
      new optim.CosineAnnealingLR(optimizer, { tMax: 5 }),
    ];
    new optim.SequentialLR(optimizer, { schedulers, milestones: [4] });
    expect(lines).toEqual([
      'trenio: warn: SequentialLR: schedulers[0] takes 10 steps, but the next one takes over after 4\n',
    ]);
  });
  test.each<[string, () => unknown]>([
    [
      'getLinearScheduleWithWarmup: numWarmupSteps is 11, expected a number from 0 to numTrainingSteps, 10',
      () => optim.getLinearScheduleWithWarmup(one(), { numWarmupSteps: 11, numTrainingSteps: 10 }),
    ],
    [
      'getCosineScheduleWithWarmup: numTrainingSteps is 0, expected an integer above 0',
      () => optim.getCosineScheduleWithWarmup(one(), { numTrainingSteps: 0 }),
    ],
    ['did you mean stepSize?', () => new optim.StepLR(one(), { stepsize: 3 } as never)],
    ['StepLR: stepSize is 0, expected an integer above 0', () => new optim.StepLR(one(), { gamma: 1 } as never)],
    [
      'OneCycleLR: pctStart is 1.2, expected a number in [0, 1]: the warm-up cannot be longer than the cycle',
      () => new optim.OneCycleLR(one(), { maxLr: 1, totalSteps: 3, pctStart: 1.2 }),
    ],
    [
      'OneCycleLR: totalSteps is NaN, expected an integer above 0, or epochs and stepsPerEpoch',
      () => new optim.OneCycleLR(one(), { maxLr: 1 }),
    ],
    [
      'OneCycleLR: the step is 4, expected at most totalSteps, 3',
      () => {
        const s = new optim.OneCycleLR(one(), { maxLr: 1, totalSteps: 3, cycleMomentum: false });
        s.optimizer.step();
        for (let i = 0; i < 4; i++) s.step();
      },
    ],
    [
      "CyclicLR: mode is 'square', expected 'triangular', 'triangular2', 'exp_range'",
      () => new optim.CyclicLR(one(), { baseLr: 0, maxLr: 1, mode: 'square' as 'triangular' }),
    ],
    [
      'cycleMomentum is 0, expected false for Adagrad',
      () => new optim.CyclicLR(new optim.Adagrad([parameter()]) as never, { baseLr: 0, maxLr: 1 }),
    ],
    [
      'CyclicLR: maxLr is [1,2], expected a number, or one for each of 1 groups',
      () => new optim.CyclicLR(one(), { baseLr: 0, maxLr: [1, 2] }),
    ],
    [
      'SequentialLR: the number of milestones is 0, expected 1, one fewer than schedulers',
      () => {
        const o = one();
        const s = () => new optim.ExponentialLR(o, { gamma: 0.5 });
        new optim.SequentialLR(o, { schedulers: [s(), s()], milestones: [] });
      },
    ],
    [
      'ChainedScheduler: schedulers[0] is a ReduceLROnPlateau',
      () => new optim.ChainedScheduler([new ReduceLROnPlateau(one()) as never]),
    ],
    [
      'ChainedScheduler: the optimizer of schedulers[1] is',
      () => new optim.ChainedScheduler([one(), one()].map(o => new optim.StepLR(o, { stepSize: 1 }))),
    ],
    [
      'StepLR: lastEpoch is 3, expected -1 for an optimizer without a saved state',
      () => new optim.StepLR(one(), { stepSize: 1, lastEpoch: 3 }),
    ],
    [
      'the state does not match StepLR: missing stepSize, gamma; unexpected tMax, etaMin',
      () =>
        new optim.StepLR(one(), { stepSize: 1 }).loadStateDict(
          new optim.CosineAnnealingLR(one(), { tMax: 2 }).stateDict(),
        ),
    ],
    [
      'the saved state of StepLR: gamma is a string, expected a number',
      () => {
        const s = new optim.StepLR(one(), { stepSize: 1 });
        s.loadStateDict({ ...s.stateDict(), gamma: '1' });
      },
    ],
    [
      'LambdaLR: the number of groups is 2, expected 1, as it was at the start',
      () => {
        const o = one();
        const s = new optim.LambdaLR(o, () => 1);
        o.addParamGroup({ params: [parameter()] });
        o.step();
        s.step();
      },
    ],
  ])('%s', (text, call) => {
    expect(call).toThrow(text);
  });
});

test('a custom scheduler', () => {
  class Halving extends LRScheduler {
    constructor(optimizer: Scheduled) {
      super(optimizer, {}, {});
      this.start();
    }
    protected override getLr(): readonly number[] {
      return this.baseLrs.map(lr => lr / 2 ** this.lastEpoch);
    }
  }
  const optimizer = new SGD([parameter()], { lr: 8 });
  const scheduler = new Halving(optimizer);
  optimizer.step();
  const rates = Array.from({ length: 4 }, () => {
    const { lr } = optimizer.paramGroups[0]!;
    scheduler.step();
    return lr;
  });
  expect(rates).toEqual([8, 4, 2, 1]);
});

test('ConstantLR with factor 0 returns to the initial rate, where PyTorch divides by 0', () => {
  const optimizer = new SGD([parameter()], { lr: 8 });
  const scheduler = new optim.ConstantLR(optimizer, { factor: 0, totalIters: 2 });
  optimizer.step();
  const rates = Array.from({ length: 4 }, () => {
    const [lr] = scheduler.getLastLr();
    scheduler.step();
    return lr;
  });
  expect(rates).toEqual([0, 0, 8, 8]);
});
