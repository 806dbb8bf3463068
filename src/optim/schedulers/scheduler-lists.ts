// Schedulers composed of others: one after another, or all at once. As in PyTorch.
import { loggerFrom } from '../../base/logger.ts';
import { type Settings, settle, wrongArgument } from '../../tensor/index.ts';
import { checkSetting } from '../update/check-settings.ts';
import { LRScheduler, type Scheduled, type SchedulerOptions, type SchedulerState } from './lr-scheduler.ts';
import { ConstantLR, LinearLR } from './step-schedulers.ts';

function checkParts(call: string, optimizer: Scheduled, schedulers: readonly LRScheduler[]): void {
  if (!Array.isArray(schedulers) || schedulers.length === 0)
    throw wrongArgument({ call, argument: 'schedulers' }, schedulers, 'a list of schedulers');
  schedulers.forEach((scheduler, i) => {
    if (!(scheduler instanceof LRScheduler))
      throw wrongArgument(
        { call, argument: `schedulers[${i}]` },
        scheduler,
        'a scheduler whose step() needs no argument',
        'step ReduceLROnPlateau separately',
      );
    if (scheduler.optimizer !== optimizer)
      throw wrongArgument(
        { call, argument: `the optimizer of schedulers[${i}]` },
        scheduler.optimizer,
        'that of the others',
      );
  });
}
const statesOf = (schedulers: readonly LRScheduler[]): SchedulerState => ({
  schedulers: schedulers.map(scheduler => scheduler.stateDict()),
});
const resumeAll = (schedulers: readonly LRScheduler[], state: SchedulerState): void =>
  schedulers.forEach((scheduler, i) => {
    scheduler.loadStateDict((state.schedulers as SchedulerState[])[i]!);
  });

/** Options of `SequentialLR`. */
export interface SequentialLROptions {
  /** The schedulers in order. */
  readonly schedulers: readonly LRScheduler[];
  /** The steps at which the next scheduler takes over: one fewer than schedulers. */
  readonly milestones: readonly number[];
}
/**
 * One scheduler after another, like torch.optim.lr_scheduler.SequentialLR. Warns if a warm-up is longer than its part.
 *
 *     const warmUp = new LinearLR(optimizer, { startFactor: 0.01, totalIters: 500 });
 *     const decay = new CosineAnnealingLR(optimizer, { tMax: totalSteps - 500 });
 *     new SequentialLR(optimizer, { schedulers: [warmUp, decay], milestones: [500] })
 *
 * @throws {WRONG_ARGUMENT} for schedulers of another optimizer, or whose `step` needs an argument
 * @throws {INVALID_OPTION} if the number of milestones is not one fewer than schedulers
 * @example
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const warmup = new optim.ConstantLR(optimizer, { factor: 0.1, totalIters: 2 });
 * const decay = new optim.ExponentialLR(optimizer, { gamma: 0.5 });
 * const scheduler = new optim.SequentialLR(optimizer, { schedulers: [warmup, decay], milestones: [2] });
 * const lrs = [1, 2, 3, 4].map(() => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [0.1, 1, 0.5, 0.25]
 */
export class SequentialLR extends LRScheduler<{
  /** The steps at which the next scheduler takes over. */
  readonly milestones: readonly number[];
}> {
  readonly #schedulers: readonly LRScheduler[];
  constructor(
    optimizer: Scheduled,
    given: readonly LRScheduler[] | (SequentialLROptions & SchedulerOptions),
    ...rest: Settings<SequentialLROptions & SchedulerOptions, ['milestones', 'lastEpoch']>
  ) {
    const order = ['schedulers', 'milestones', 'lastEpoch'] as const;
    const { schedulers, ...others } = settle<SequentialLROptions & SchedulerOptions>('SequentialLR', order, [
      given,
      ...rest,
    ]);
    super(optimizer, others, { milestones: [] });
    checkParts('SequentialLR', optimizer, schedulers);
    const { milestones } = this.options;
    const expected = schedulers.length - 1;
    const { length } = milestones;
    checkSetting(
      'SequentialLR',
      'the number of milestones',
      length,
      length === expected,
      `${expected}, one fewer than schedulers`,
    );
    this.#schedulers = schedulers;
    schedulers.forEach((scheduler, i) => {
      const steps = (milestones[i] ?? Number.POSITIVE_INFINITY) - (milestones[i - 1] ?? 0);
      if ((scheduler instanceof LinearLR || scheduler instanceof ConstantLR) && scheduler.totalIters > steps)
        loggerFrom().warn(
          `SequentialLR: schedulers[${i}] takes ${scheduler.totalIters} steps, but the next one takes over after ${steps}`,
        );
    });
    this.lastEpoch++;
    for (const group of this.groups) group.lr = group.initialLr!;
    this.undo();
    this.#at(0).initialStep();
    this.note();
  }
  #at(step: number): LRScheduler {
    return this.#schedulers[this.options.milestones.filter(milestone => milestone <= step).length]!;
  }
  override step(): void {
    this.lastEpoch++;
    const scheduler = this.#at(this.lastEpoch);
    if (this.options.milestones.includes(this.lastEpoch)) scheduler.restart(0);
    else scheduler.step();
    this.note();
  }
  override restart(epoch: number): void {
    this.lastEpoch = epoch;
    this.#at(epoch).restart(epoch);
    this.note();
  }
  override undo(): void {
    for (const scheduler of this.#schedulers) scheduler.undo();
  }
  protected override getLr(): readonly number[] {
    return this.rates;
  }
  protected override progress(): SchedulerState {
    return statesOf(this.#schedulers);
  }
  protected override resume(state: SchedulerState): void {
    resumeAll(this.#schedulers, state);
  }
}

/**
 * Several schedulers at once, each changing the rates set by the previous one, as
 * torch.optim.lr_scheduler.ChainedScheduler.
 *
 *     new ChainedScheduler([new ConstantLR(optimizer), new ExponentialLR(optimizer, { gamma: 0.9 })])
 *
 * @throws {WRONG_ARGUMENT} for schedulers of several optimizers, or whose `step` needs an argument
 * @example
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const warmup = new optim.ConstantLR(optimizer, { factor: 0.1, totalIters: 2 });
 * const decay = new optim.ExponentialLR(optimizer, { gamma: 0.5 });
 * const scheduler = new optim.ChainedScheduler([warmup, decay]);
 * const lrs = [1, 2, 3].map(() => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [0.05, 0.25, 0.125]
 */
export class ChainedScheduler extends LRScheduler {
  readonly #schedulers: readonly LRScheduler[];
  constructor(schedulers: readonly LRScheduler[], optimizer: Scheduled | undefined = schedulers?.[0]?.optimizer) {
    super(optimizer as Scheduled, {}, {});
    checkParts('ChainedScheduler', this.optimizer, schedulers);
    this.#schedulers = schedulers;
    this.lastEpoch = 0;
    this.note();
  }
  override step(): void {
    this.lastEpoch++;
    for (const scheduler of this.#schedulers) scheduler.step();
    this.note();
  }
  override initialStep(): void {
    for (const scheduler of this.#schedulers) scheduler.initialStep();
    this.note();
  }
  override restart(epoch: number): void {
    for (const scheduler of this.#schedulers) scheduler.restart(epoch);
    this.note();
  }
  override undo(): void {
    for (const scheduler of this.#schedulers) scheduler.undo();
  }
  protected override getLr(): readonly number[] {
    return this.rates;
  }
  protected override progress(): SchedulerState {
    return statesOf(this.#schedulers);
  }
  protected override resume(state: SchedulerState): void {
    resumeAll(this.#schedulers, state);
  }
}
