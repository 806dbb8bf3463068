// Schedulers that multiply learning rates at certain steps, or by a function of the step: those of torch.optim.lr_scheduler
// that are neither cosine nor cyclic. Each rate is computed from the previous one, as in PyTorch, so a rate that is set by hand
// is kept.
import { type Settings, wrongArgument } from '../../tensor/index.ts';
import { checkSetting } from '../update/check-settings.ts';
import {
  LRScheduler,
  type OptionsOf,
  type Scheduled,
  type SchedulerArguments,
  type SchedulerOptions,
} from './lr-scheduler.ts';

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

/** Options of `StepLR`. */
export interface StepLROptions {
  /** The number of steps between changes. */
  readonly stepSize: number;
  /** The factor that learning rates are multiplied by; 0.1 by default. */
  readonly gamma: number;
}
/**
 * Multiplies learning rates by `gamma` every `stepSize` steps, like torch.optim.lr_scheduler.StepLR.
 *
 *     new StepLR(optimizer, { stepSize: 30, gamma: 0.1 })
 *
 * @throws {INVALID_OPTION} if `stepSize` is not a positive integer
 * @example
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = new optim.StepLR(optimizer, { stepSize: 2 });
 * const lrs = Array.from({ length: 4 }, () => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [1, 0.1, 0.1, 0.01]
 */
export class StepLR extends LRScheduler<StepLROptions> {
  constructor(
    optimizer: Scheduled,
    stepSize: number | OptionsOf<StepLROptions, 'stepSize'>,
    ...rest: SchedulerArguments<StepLROptions, ['gamma']>
  ) {
    super(optimizer, [stepSize, ...rest], { stepSize: 0, gamma: 0.1 });
    const { stepSize: steps } = this.options;
    checkSetting('StepLR', 'stepSize', steps, isCount(steps), 'an integer above 0');
    this.start();
  }
  protected override getLr(): readonly number[] {
    const { stepSize, gamma } = this.options;
    if (this.lastEpoch === 0 || this.lastEpoch % stepSize !== 0) return this.rates;
    return this.rates.map(lr => lr * gamma);
  }
  protected override closedForm(): readonly number[] {
    const { stepSize, gamma } = this.options;
    return this.baseLrs.map(lr => lr * gamma ** Math.floor(this.lastEpoch / stepSize));
  }
}

/** Options of `MultiStepLR`. */
export interface MultiStepLROptions {
  /** The steps at which rates change. A step that is listed twice changes them twice. */
  readonly milestones: readonly number[];
  /** The factor that learning rates are multiplied by; 0.1 by default. */
  readonly gamma: number;
}
/**
 * Multiplies learning rates by `gamma` at each milestone, like torch.optim.lr_scheduler.MultiStepLR.
 *
 *     new MultiStepLR(optimizer, { milestones: [30, 80] })
 *
 * @throws {WRONG_ARGUMENT} if the milestones are not a list
 * @example
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = new optim.MultiStepLR(optimizer, { milestones: [1, 3] });
 * const lrs = Array.from({ length: 4 }, () => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [0.1, 0.1, 0.01, 0.01]
 */
export class MultiStepLR extends LRScheduler<MultiStepLROptions> {
  constructor(
    optimizer: Scheduled,
    milestones: readonly number[] | OptionsOf<MultiStepLROptions, 'milestones'>,
    ...rest: SchedulerArguments<MultiStepLROptions, ['gamma']>
  ) {
    super(optimizer, [milestones, ...rest], { milestones: [], gamma: 0.1 });
    const { milestones: steps } = this.options;
    if (!Array.isArray(steps))
      throw wrongArgument({ call: 'MultiStepLR', argument: 'milestones' }, steps, 'a list of steps');
    this.options = { ...this.options, milestones: steps.toSorted((a, b) => a - b) };
    this.start();
  }
  protected override getLr(): readonly number[] {
    const { milestones, gamma } = this.options;
    const times = milestones.filter(step => step === this.lastEpoch).length;
    return times === 0 ? this.rates : this.rates.map(lr => lr * gamma ** times);
  }
  protected override closedForm(): readonly number[] {
    const { milestones, gamma } = this.options;
    const times = milestones.filter(step => step <= this.lastEpoch).length;
    return this.baseLrs.map(lr => lr * gamma ** times);
  }
}

/** Options of `ConstantLR`. */
export interface ConstantLROptions {
  /** The factor that rates are multiplied by until step `totalIters`; 1/3 by default. */
  readonly factor: number;
  /** The number of steps; 5 by default. */
  readonly totalIters: number;
}
/**
 * Multiplies learning rates by `factor` for the first `totalIters` steps, like torch.optim.lr_scheduler.ConstantLR.
 *
 *     new ConstantLR(optimizer, { factor: 0.5, totalIters: 4 })
 *
 * @throws {INVALID_OPTION} if the factor is outside [0, 1]
 * @example
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = new optim.ConstantLR(optimizer, { factor: 0.5, totalIters: 2 });
 * const lrs = Array.from({ length: 4 }, () => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [0.5, 1, 1, 1]
 */
export class ConstantLR extends LRScheduler<ConstantLROptions> {
  constructor(optimizer: Scheduled, ...rest: SchedulerArguments<ConstantLROptions, ['factor', 'totalIters']>) {
    super(optimizer, rest, { factor: 1 / 3, totalIters: 5 });
    const { factor } = this.options;
    checkSetting('ConstantLR', 'factor', factor, factor >= 0 && factor <= 1, 'a number in [0, 1]');
    this.start();
  }
  /** @internal The length of the warm-up. */
  get totalIters(): number {
    return this.options.totalIters;
  }
  protected override getLr(): readonly number[] {
    const { factor, totalIters } = this.options;
    if (this.lastEpoch === 0) return this.rates.map(lr => lr * factor);
    if (this.lastEpoch !== totalIters) return this.rates;
    // PyTorch divides by 0 here.
    return factor === 0 ? this.baseLrs : this.rates.map(lr => lr * (1 / factor));
  }
  protected override closedForm(): readonly number[] {
    const { factor, totalIters } = this.options;
    return this.baseLrs.map(lr => lr * (factor + (this.lastEpoch >= totalIters ? 1 : 0) * (1 - factor)));
  }
}

/** Options of `LinearLR`. */
export interface LinearLROptions {
  /** The factor that rates are multiplied by at the start; 1/3 by default. */
  readonly startFactor: number;
  /** The factor that rates are multiplied by from step `totalIters` on; 1 by default. */
  readonly endFactor: number;
  /** The number of steps; 5 by default. */
  readonly totalIters: number;
}
/**
 * Multiplies learning rates by a factor that changes linearly from `startFactor` to `endFactor` over `totalIters` steps: a
 * warm-up, like torch.optim.lr_scheduler.LinearLR.
 *
 *     new LinearLR(optimizer, { startFactor: 0.01, totalIters: 500 })
 *
 * @throws {INVALID_OPTION} if `startFactor` is outside (0, 1], or `endFactor` outside [0, 1]
 * @example
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = new optim.LinearLR(optimizer, { startFactor: 0.5, totalIters: 4 });
 * const lrs = Array.from({ length: 4 }, () => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [0.625, 0.75, 0.875, 1]
 */
export class LinearLR extends LRScheduler<LinearLROptions> {
  constructor(
    optimizer: Scheduled,
    ...rest: SchedulerArguments<LinearLROptions, ['startFactor', 'endFactor', 'totalIters']>
  ) {
    super(optimizer, rest, { startFactor: 1 / 3, endFactor: 1, totalIters: 5 });
    const { startFactor, endFactor } = this.options;
    const starts = startFactor > 0 && startFactor <= 1;
    checkSetting('LinearLR', 'startFactor', startFactor, starts, 'a number in (0, 1]');
    checkSetting('LinearLR', 'endFactor', endFactor, endFactor >= 0 && endFactor <= 1, 'a number in [0, 1]');
    this.start();
  }
  /** @internal The length of the warm-up. */
  get totalIters(): number {
    return this.options.totalIters;
  }
  protected override getLr(): readonly number[] {
    const { startFactor, endFactor, totalIters } = this.options;
    const { lastEpoch } = this;
    if (lastEpoch === 0) return this.rates.map(lr => lr * startFactor);
    if (this.isInitial || lastEpoch > totalIters) return this.rates;
    const way = endFactor - startFactor;
    return this.rates.map(lr => lr * (1 + way / (totalIters * startFactor + (lastEpoch - 1) * way)));
  }
  protected override closedForm(): readonly number[] {
    const { startFactor, endFactor, totalIters } = this.options;
    const done = Math.min(totalIters, this.lastEpoch) / totalIters;
    return this.baseLrs.map(lr => lr * (startFactor + (endFactor - startFactor) * done));
  }
}

/** Options of `ExponentialLR`. */
export interface ExponentialLROptions {
  /** The factor that rates are multiplied by at each step. */
  readonly gamma: number;
}
/**
 * Multiplies learning rates by `gamma` at every step, like torch.optim.lr_scheduler.ExponentialLR.
 *
 *     new ExponentialLR(optimizer, { gamma: 0.95 })
 *
 * @throws {INVALID_OPTION} if `gamma` is not a number
 * @example
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = new optim.ExponentialLR(optimizer, { gamma: 0.5 });
 * const lrs = Array.from({ length: 4 }, () => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [0.5, 0.25, 0.125, 0.0625]
 */
export class ExponentialLR extends LRScheduler<ExponentialLROptions> {
  constructor(
    optimizer: Scheduled,
    gamma: number | OptionsOf<ExponentialLROptions, 'gamma'>,
    ...rest: SchedulerArguments<ExponentialLROptions, []>
  ) {
    super(optimizer, [gamma, ...rest], { gamma: Number.NaN });
    const { gamma: factor } = this.options;
    checkSetting('ExponentialLR', 'gamma', factor, Number.isFinite(factor), 'a number');
    this.start();
  }
  protected override getLr(): readonly number[] {
    return this.isInitial ? this.rates : this.rates.map(lr => lr * this.options.gamma);
  }
  protected override closedForm(): readonly number[] {
    return this.baseLrs.map(lr => lr * this.options.gamma ** this.lastEpoch);
  }
}

/** Options of `PolynomialLR`. */
export interface PolynomialLROptions {
  /** The step at which rates are 0; 5 by default. */
  readonly totalIters: number;
  /** The power of the decay; 1 by default, a linear decay. */
  readonly power: number;
}
/**
 * Decays learning rates to 0: lr = initial · (1 − t / totalIters)^power, like torch.optim.lr_scheduler.PolynomialLR.
 *
 *     new PolynomialLR(optimizer, { totalIters: 1000, power: 2 })
 *
 * @throws {INVALID_OPTION} if `totalIters` is not a positive integer
 * @example
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = new optim.PolynomialLR(optimizer, { totalIters: 4 });
 * const lrs = Array.from({ length: 4 }, () => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [0.75, 0.5, 0.25, 0]
 */
export class PolynomialLR extends LRScheduler<PolynomialLROptions> {
  constructor(optimizer: Scheduled, ...rest: SchedulerArguments<PolynomialLROptions, ['totalIters', 'power']>) {
    super(optimizer, rest, { totalIters: 5, power: 1 });
    const { totalIters } = this.options;
    checkSetting('PolynomialLR', 'totalIters', totalIters, isCount(totalIters), 'an integer above 0');
    this.start();
  }
  protected override getLr(): readonly number[] {
    const { totalIters, power } = this.options;
    const { lastEpoch } = this;
    if (this.isInitial || lastEpoch > totalIters) return this.rates;
    const factor = ((1 - lastEpoch / totalIters) / (1 - (lastEpoch - 1) / totalIters)) ** power;
    return this.rates.map(lr => lr * factor);
  }
  protected override closedForm(): readonly number[] {
    const { totalIters, power } = this.options;
    return this.baseLrs.map(lr => lr * (1 - Math.min(totalIters, this.lastEpoch) / totalIters) ** power);
  }
}

/** The factor that learning rates are multiplied by after this many steps of the scheduler. */
export type LrLambda = (step: number) => number;
/** One function per group. */
function perGroupLambdas(call: string, groups: number, given: LrLambda | readonly LrLambda[]): readonly LrLambda[] {
  const list = Array.isArray(given) ? (given as readonly LrLambda[]) : Array.from({ length: groups }, () => given);
  if (list.length !== groups || !list.every(lambda => typeof lambda === 'function'))
    throw wrongArgument({ call, argument: 'lrLambda' }, given, `a function, or one for each of ${groups} groups`);
  return list as readonly LrLambda[];
}
/**
 * lr = initial · lrLambda(t), starting at step 0, like torch.optim.lr_scheduler.LambdaLR.
 *
 *     new LambdaLR(optimizer, step => 0.95 ** step)
 *
 * @throws {WRONG_ARGUMENT} if `lrLambda` is neither a function nor a list with one function per group
 * @example
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = new optim.LambdaLR(optimizer, epoch => 1 / (1 + epoch));
 * const lrs = Array.from({ length: 4 }, () => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [0.5, 0.3333…, 0.25, 0.2]
 */
export class LambdaLR extends LRScheduler {
  readonly #lambdas: readonly LrLambda[];
  constructor(
    optimizer: Scheduled,
    lrLambda: LrLambda | readonly LrLambda[],
    ...rest: Settings<SchedulerOptions, ['lastEpoch']>
  ) {
    super(optimizer, rest, {});
    this.#lambdas = perGroupLambdas('LambdaLR', this.groups.length, lrLambda);
    this.start();
  }
  protected override getLr(): readonly number[] {
    return this.#lambdas.map((lambda, i) => this.baseLrs[i]! * lambda(this.lastEpoch));
  }
}
/**
 * lr ← lr · lrLambda(t) at each step, like torch.optim.lr_scheduler.MultiplicativeLR.
 *
 *     new MultiplicativeLR(optimizer, () => 0.95)
 *
 * @throws {WRONG_ARGUMENT} if `lrLambda` is neither a function nor a list with one function per group
 * @example
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = new optim.MultiplicativeLR(optimizer, () => 0.5);
 * const lrs = Array.from({ length: 4 }, () => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [0.5, 0.25, 0.125, 0.0625]
 */
export class MultiplicativeLR extends LRScheduler {
  readonly #lambdas: readonly LrLambda[];
  constructor(
    optimizer: Scheduled,
    lrLambda: LrLambda | readonly LrLambda[],
    ...rest: Settings<SchedulerOptions, ['lastEpoch']>
  ) {
    super(optimizer, rest, {});
    this.#lambdas = perGroupLambdas('MultiplicativeLR', this.groups.length, lrLambda);
    this.start();
  }
  protected override getLr(): readonly number[] {
    return this.isInitial ? this.rates : this.#lambdas.map((lambda, i) => this.rates[i]! * lambda(this.lastEpoch));
  }
}
