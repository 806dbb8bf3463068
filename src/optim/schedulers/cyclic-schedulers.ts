// Schedulers that cycle the learning rate, and the momentum in the opposite direction (Smith, 2017 and 2018), as in PyTorch.
// Momentum, or the first beta, is a step scalar like the rate, so changing them does not recompile.

import { checkChoice, checkSetting } from '../update/check-settings.ts';
import {
  LRScheduler,
  type OptionsOf,
  perGroup,
  type Scheduled,
  type ScheduledGroup,
  type SchedulerArguments,
} from './lr-scheduler.ts';

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

/** Sets the momentum of a group, or its first beta. */
function setMomentum(group: ScheduledGroup, momentum: number): void {
  if (group.betas !== undefined) group.betas = [momentum, group.betas[1]];
  else group.momentum = momentum;
}

/** Options of `CyclicLR`. */
export interface CyclicLROptions {
  /** The lowest rate, or a list with one for each group. */
  readonly baseLr: number | readonly number[];
  /** The highest rate, before `mode` reduces it. */
  readonly maxLr: number | readonly number[];
  /** The number of steps in the rising half of a cycle; 2000 by default. */
  readonly stepSizeUp: number;
  /** The number of steps in the falling half; null by default: the same as `stepSizeUp`. */
  readonly stepSizeDown: number | null;
  /** The amplitude of cycles: constant, halved in each cycle, or multiplied by `gamma` at each step; 'triangular' by default. */
  readonly mode: 'triangular' | 'triangular2' | 'exp_range';
  /** The base of 'exp_range'; 1 by default. */
  readonly gamma: number;
  /** Scales the amplitude, instead of `mode`: a function of the cycle number, from 1, or of the step. null by default. */
  readonly scaleFn: ((x: number) => number) | null;
  /** The argument of `scaleFn`; 'cycle' by default. */
  readonly scaleMode: 'cycle' | 'iterations';
  /** Moves the momentum, or the first beta, opposite to the rate; true by default. */
  readonly cycleMomentum: boolean;
  /** The lowest momentum; 0.8 by default. */
  readonly baseMomentum: number | readonly number[];
  /** The highest momentum; 0.9 by default. */
  readonly maxMomentum: number | readonly number[];
}
/**
 * Cycles learning rates between two bounds (Smith, "Cyclical Learning Rates for Training Neural Networks", 2017), as
 * torch.optim.lr_scheduler.CyclicLR. Call `step()` after each batch.
 *
 *     new CyclicLR(optimizer, { baseLr: 0.01, maxLr: 0.1, stepSizeUp: 500 })
 *
 * @throws {INVALID_OPTION} for an unknown mode, a number of rates other than one per group, or an optimizer without momentum
 * @example
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = new optim.CyclicLR(optimizer, { baseLr: 0.1, maxLr: 0.5, stepSizeUp: 2, cycleMomentum: false });
 * const lrs = Array.from({ length: 4 }, () => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [0.3, 0.5, 0.3, 0.1]
 */
export class CyclicLR extends LRScheduler<CyclicLROptions> {
  readonly #maxLrs: readonly number[];
  readonly #momenta: readonly (readonly [base: number, max: number])[];
  constructor(
    optimizer: Scheduled,
    baseLr: number | readonly number[] | OptionsOf<CyclicLROptions, 'baseLr' | 'maxLr'>,
    ...rest: SchedulerArguments<
      CyclicLROptions,
      [
        'maxLr',
        'stepSizeUp',
        'stepSizeDown',
        'mode',
        'gamma',
        'scaleFn',
        'scaleMode',
        'cycleMomentum',
        'baseMomentum',
        'maxMomentum',
      ]
    >
  ) {
    super(optimizer, [baseLr, ...rest], {
      baseLr: Number.NaN,
      maxLr: Number.NaN,
      stepSizeUp: 2000,
      stepSizeDown: null,
      mode: 'triangular',
      gamma: 1,
      scaleFn: null,
      scaleMode: 'cycle',
      cycleMomentum: true,
      baseMomentum: 0.8,
      maxMomentum: 0.9,
    });
    const { stepSizeUp, stepSizeDown, mode, scaleMode, cycleMomentum, baseMomentum, maxMomentum } = this.options;
    checkSetting('CyclicLR', 'stepSizeUp', stepSizeUp, stepSizeUp > 0, 'a number above 0');
    checkSetting('CyclicLR', 'stepSizeDown', stepSizeDown ?? 1, (stepSizeDown ?? 1) > 0, 'a number above 0');
    checkChoice('CyclicLR', 'mode', mode, ['triangular', 'triangular2', 'exp_range']);
    checkChoice('CyclicLR', 'scaleMode', scaleMode, ['cycle', 'iterations']);
    const baseLrs = this.perGroup('baseLr', this.options.baseLr);
    this.#maxLrs = this.perGroup('maxLr', this.options.maxLr);
    for (const lr of [...baseLrs, ...this.#maxLrs])
      checkSetting('CyclicLR', 'baseLr and maxLr', lr, lr >= 0, 'numbers of at least 0');
    if (this.lastEpoch === -1)
      this.groups.forEach((group, i) => {
        group.lr = baseLrs[i]!;
      });
    this.#momenta = cycleMomentum ? cycledMomenta(this, this.groups, baseMomentum, maxMomentum) : [];
    this.start();
    this.baseLrs = baseLrs;
  }
  protected override getLr(): readonly number[] {
    const { stepSizeUp, stepSizeDown } = this.options;
    const length = stepSizeUp + (stepSizeDown ?? stepSizeUp);
    const turn = stepSizeUp / length;
    const cycle = Math.floor(1 + this.lastEpoch / length);
    const x = 1 + this.lastEpoch / length - cycle;
    const height = (x <= turn ? x / turn : (x - 1) / (turn - 1)) * this.#scale(cycle);
    this.#momenta.forEach(([base, max], i) => {
      setMomentum(this.groups[i]!, max - (max - base) * height);
    });
    return this.baseLrs.map((base, i) => base + (this.#maxLrs[i]! - base) * height);
  }
  #scale(cycle: number): number {
    const { mode, gamma, scaleFn, scaleMode } = this.options;
    if (scaleFn !== null) return scaleFn(scaleMode === 'cycle' ? cycle : this.lastEpoch);
    if (mode === 'triangular') return 1;
    return mode === 'triangular2' ? 1 / 2 ** (cycle - 1) : gamma ** this.lastEpoch;
  }
}

/** The bounds of momentum for each group, stored in the groups; the momentum starts at the upper one. */
function cycledMomenta(
  scheduler: LRScheduler,
  groups: readonly ScheduledGroup[],
  base: number | readonly number[],
  max: number | readonly number[],
): readonly (readonly [number, number])[] {
  const what = scheduler.constructor.name;
  const { defaults } = scheduler.optimizer;
  checkSetting(
    what,
    'cycleMomentum',
    Number('momentum' in defaults || 'betas' in defaults),
    'momentum' in defaults || 'betas' in defaults,
    `false for ${scheduler.optimizer.constructor.name}, which has neither momentum nor betas`,
  );
  const [bases, maxima] = [base, max].map((value, i) =>
    perGroup(what, groups.length, i === 0 ? 'baseMomentum' : 'maxMomentum', value),
  ) as [readonly number[], readonly number[]];
  if (scheduler.lastEpoch === -1)
    groups.forEach((group, i) => {
      group.maxMomentum = maxima[i]!;
      group.baseMomentum = bases[i]!;
      setMomentum(group, maxima[i]!);
    });
  return bases.map((low, i) => [low, maxima[i]!]);
}

/** Options of `OneCycleLR`. */
export interface OneCycleLROptions {
  /** The highest rate, or one for each group. */
  readonly maxLr: number | readonly number[];
  /** The length of the cycle; null by default: `epochs` times `stepsPerEpoch`. */
  readonly totalSteps: number | null;
  /** The number of epochs; null if `totalSteps` is given. */
  readonly epochs: number | null;
  /** The number of steps per epoch; null if `totalSteps` is given. */
  readonly stepsPerEpoch: number | null;
  /** The fraction of the cycle in which rates rise; 0.3 by default. */
  readonly pctStart: number;
  /** The annealing strategy; 'cos' by default. */
  readonly annealStrategy: 'cos' | 'linear';
  /** Moves the momentum, or the first beta, opposite to the rate; true by default. */
  readonly cycleMomentum: boolean;
  /** The lowest momentum; 0.85 by default. */
  readonly baseMomentum: number | readonly number[];
  /** The highest momentum; 0.95 by default. */
  readonly maxMomentum: number | readonly number[];
  /** The first rate is maxLr / divFactor; 25 by default. */
  readonly divFactor: number;
  /** The last rate is the first one / finalDivFactor; 1e4 by default. */
  readonly finalDivFactor: number;
  /** Three phases: rates fall to the first rate as fast as they rose, then to the last; false by default. */
  readonly threePhase: boolean;
}
interface Phase {
  readonly end: number;
  readonly lr: readonly [from: 'initialLr' | 'maxLr', to: 'maxLr' | 'initialLr' | 'minLr'];
  readonly momentum: readonly [from: 'maxMomentum' | 'baseMomentum', to: 'maxMomentum' | 'baseMomentum'];
}
/**
 * One cycle from a low rate to a high one, and down to a much lower one (Smith and Topin, "Super-Convergence", 2018), as
 * torch.optim.lr_scheduler.OneCycleLR. Call `step()` after each batch.
 *
 *     new OneCycleLR(optimizer, { maxLr: 0.1, epochs: 10, stepsPerEpoch: loader.length })
 *
 * @throws {INVALID_OPTION} for a length that is missing or not above 0, a fraction outside of [0, 1], or an optimizer without
 * momentum; by `step()`, after the last step
 * @example
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = new optim.OneCycleLR(optimizer, { maxLr: 1, totalSteps: 5, cycleMomentum: false });
 * const lrs = Array.from({ length: 4 }, () => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [0.9504…, 0.6112…, 0.1882…, 0.000004]
 */
export class OneCycleLR extends LRScheduler<OneCycleLROptions> {
  readonly #totalSteps: number;
  constructor(
    optimizer: Scheduled,
    maxLr: number | readonly number[] | OptionsOf<OneCycleLROptions, 'maxLr'>,
    ...rest: SchedulerArguments<
      OneCycleLROptions,
      [
        'totalSteps',
        'epochs',
        'stepsPerEpoch',
        'pctStart',
        'annealStrategy',
        'cycleMomentum',
        'baseMomentum',
        'maxMomentum',
        'divFactor',
        'finalDivFactor',
        'threePhase',
      ]
    >
  ) {
    super(optimizer, [maxLr, ...rest], {
      maxLr: Number.NaN,
      totalSteps: null,
      epochs: null,
      stepsPerEpoch: null,
      pctStart: 0.3,
      annealStrategy: 'cos',
      cycleMomentum: true,
      baseMomentum: 0.85,
      maxMomentum: 0.95,
      divFactor: 25,
      finalDivFactor: 1e4,
      threePhase: false,
    });
    const { totalSteps, epochs, stepsPerEpoch, pctStart, annealStrategy } = this.options;
    const count = totalSteps ?? (epochs ?? Number.NaN) * (stepsPerEpoch ?? Number.NaN);
    checkSetting('OneCycleLR', 'totalSteps', count, isCount(count), 'an integer above 0, or epochs and stepsPerEpoch');
    this.#totalSteps = count;
    // With three phases, the last one starts at twice this step.
    const isShare = pctStart >= 0 && pctStart <= 1;
    checkSetting(
      'OneCycleLR',
      'pctStart',
      pctStart,
      isShare,
      'a number in [0, 1]: the warm-up cannot be longer than the cycle',
    );
    checkChoice('OneCycleLR', 'annealStrategy', annealStrategy, ['cos', 'linear']);
    const maxLrs = this.perGroup('maxLr', this.options.maxLr);
    for (const lr of maxLrs) checkSetting('OneCycleLR', 'maxLr', lr, lr >= 0, 'numbers of at least 0');
    if (this.lastEpoch === -1)
      this.groups.forEach((group, i) => {
        group.initialLr = maxLrs[i]! / this.options.divFactor;
        group.maxLr = maxLrs[i]!;
        group.minLr = group.initialLr / this.options.finalDivFactor;
      });
    const { cycleMomentum, baseMomentum, maxMomentum } = this.options;
    if (cycleMomentum) cycledMomenta(this, this.groups, baseMomentum, maxMomentum);
    this.start();
  }
  #phases(): readonly Phase[] {
    const { pctStart, threePhase } = this.options;
    const total = this.#totalSteps;
    const up: Phase = {
      end: pctStart * total - 1,
      lr: ['initialLr', 'maxLr'],
      momentum: ['maxMomentum', 'baseMomentum'],
    };
    if (!threePhase) return [up, { end: total - 1, lr: ['maxLr', 'minLr'], momentum: ['baseMomentum', 'maxMomentum'] }];
    return [
      up,
      { end: 2 * pctStart * total - 2, lr: ['maxLr', 'initialLr'], momentum: ['baseMomentum', 'maxMomentum'] },
      { end: total - 1, lr: ['initialLr', 'minLr'], momentum: ['maxMomentum', 'maxMomentum'] },
    ];
  }
  protected override getLr(): readonly number[] {
    const step = this.lastEpoch;
    if (step > this.#totalSteps)
      throw this.invalid('the step', String(step), `at most totalSteps, ${this.#totalSteps}`);
    const phases = this.#phases();
    const found = phases.findIndex(({ end }) => step <= end);
    const index = found < 0 ? phases.length - 1 : found;
    const { end, lr, momentum } = phases[index]!;
    const start = index === 0 ? 0 : phases[index - 1]!.end;
    const share = (step - start) / (end - start);
    return this.groups.map(group => {
      if (this.options.cycleMomentum)
        setMomentum(group, this.#between(group[momentum[0]]!, group[momentum[1]]!, share));
      return this.#between(group[lr[0]]!, group[lr[1]]!, share);
    });
  }
  #between(from: number, to: number, share: number): number {
    if (this.options.annealStrategy === 'linear') return (to - from) * share + from;
    return to + ((from - to) / 2) * (Math.cos(Math.PI * share) + 1);
  }
}
