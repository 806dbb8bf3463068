// Reduces learning rates when a metric stops improving, as in PyTorch. The only scheduler whose step takes a number.
import { type Settings, settle, Tensor } from '../../tensor/index.ts';
import { checkChoice, checkSetting } from '../update/check-settings.ts';
import {
  checkOptimizer,
  checkState,
  perGroup,
  type Resumable,
  type Scheduled,
  type SchedulerState,
} from './lr-scheduler.ts';

/** Options of `ReduceLROnPlateau`. */
export interface ReduceLROnPlateauOptions {
  /** Whether the metric should decrease or increase; 'min' by default. */
  readonly mode: 'min' | 'max';
  /** The factor of learning rates; 0.1 by default. */
  readonly factor: number;
  /** The number of steps without improvement after which rates are reduced; 10 by default. */
  readonly patience: number;
  /** The minimum improvement that counts; 1e-4 by default. */
  readonly threshold: number;
  /** Whether `threshold` is relative to the best metric so far, or absolute; 'rel' by default. */
  readonly thresholdMode: 'rel' | 'abs';
  /** Steps after a reduction that do not count; 0 by default. */
  readonly cooldown: number;
  /** The lowest rate, or one for each group; 0 by default. */
  readonly minLr: number | readonly number[];
  /** Smaller changes of rates are not applied; 1e-8 by default. */
  readonly eps: number;
}

/**
 * Multiplies rates by `factor` when a metric has not improved for more than `patience` steps, as
 * torch.optim.lr_scheduler.ReduceLROnPlateau. A metric that is a tensor is read.
 *
 *     const scheduler = new ReduceLROnPlateau(optimizer, { mode: 'min', patience: 3 });
 *     …
 *     scheduler.step(validate(model));
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @example
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = new optim.ReduceLROnPlateau(optimizer, { patience: 0 });
 * for (const loss of [2, 1, 1]) scheduler.step(loss);
 * scheduler.getLastLr() // [0.1]
 */
export class ReduceLROnPlateau implements Resumable {
  /** The optimizer whose learning rates are set. */
  readonly optimizer: Scheduled;
  readonly #options: ReduceLROnPlateauOptions;
  #lastEpoch = 0;
  #best: number | null = null;
  #badEpochs = 0;
  #cooldownLeft = 0;
  #lastLr: readonly number[];

  constructor(
    optimizer: Scheduled,
    ...rest: Settings<
      Partial<ReduceLROnPlateauOptions>,
      ['mode', 'factor', 'patience', 'threshold', 'thresholdMode', 'cooldown', 'minLr', 'eps']
    >
  ) {
    const name = 'ReduceLROnPlateau';
    checkOptimizer(name, optimizer);
    const defaults: ReduceLROnPlateauOptions = {
      mode: 'min',
      factor: 0.1,
      patience: 10,
      threshold: 1e-4,
      thresholdMode: 'rel',
      cooldown: 0,
      minLr: 0,
      eps: 1e-8,
    };
    const order = Object.keys(defaults) as (keyof ReduceLROnPlateauOptions)[];
    this.optimizer = optimizer;
    this.#options = { ...defaults, ...settle<Partial<ReduceLROnPlateauOptions>>(name, order, rest) };
    const { mode, factor, thresholdMode, minLr } = this.#options;
    checkChoice(name, 'mode', mode, ['min', 'max']);
    checkChoice(name, 'thresholdMode', thresholdMode, ['rel', 'abs']);
    checkSetting(name, 'factor', factor, factor < 1, 'a number below 1');
    perGroup(name, optimizer.paramGroups.length, 'minLr', minLr);
    this.#lastLr = this.#rates;
  }
  get #rates(): readonly number[] {
    return this.optimizer.paramGroups.map(({ lr }) => lr);
  }
  /** Records the metric of an epoch. */
  step(metric: number | Tensor): void {
    const current = metric instanceof Tensor ? metric.item() : metric;
    checkSetting('ReduceLROnPlateau', 'the metric', current, true, 'a number');
    const { patience, cooldown } = this.#options;
    this.#lastEpoch++;
    if (this.#isBetter(current)) {
      this.#best = current;
      this.#badEpochs = 0;
    } else this.#badEpochs++;
    if (this.#cooldownLeft > 0) {
      this.#cooldownLeft--;
      this.#badEpochs = 0;
    }
    if (this.#badEpochs > patience) {
      this.#reduce();
      this.#cooldownLeft = cooldown;
      this.#badEpochs = 0;
    }
    this.#lastLr = this.#rates;
  }
  #isBetter(metric: number): boolean {
    const { mode, threshold, thresholdMode } = this.#options;
    const best = this.#best ?? (mode === 'min' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
    if (mode === 'min') return metric < (thresholdMode === 'rel' ? best * (1 - threshold) : best - threshold);
    return metric > (thresholdMode === 'rel' ? best * (threshold + 1) : best + threshold);
  }
  #reduce(): void {
    const { factor, minLr, eps } = this.#options;
    const groups = this.optimizer.paramGroups;
    const least = perGroup('ReduceLROnPlateau', groups.length, 'minLr', minLr);
    groups.forEach((group, i) => {
      const lr = Math.max(group.lr * factor, least[i]!);
      if (group.lr - lr > eps) group.lr = lr;
    });
  }
  /** The rates that were set last, one for each group. */
  getLastLr(): readonly number[] {
    return this.#lastLr;
  }
  /** The state needed to resume from here. Save the optimizer's state with it. */
  stateDict(): SchedulerState {
    return {
      lastEpoch: this.#lastEpoch,
      best: this.#best,
      numBadEpochs: this.#badEpochs,
      cooldownCounter: this.#cooldownLeft,
      lastLr: this.#lastLr,
      ...this.#options,
    };
  }
  /**
   * Resumes from a saved state.
   * @throws {STATE_KEYS} for a state of another scheduler; nothing is changed
   * @throws {INVALID_OPTION} for a value of another type; nothing is changed
   */
  loadStateDict(state: SchedulerState): void {
    checkState('ReduceLROnPlateau', state, this.stateDict());
    this.#lastEpoch = state.lastEpoch as number;
    this.#best = state.best as number | null;
    this.#badEpochs = state.numBadEpochs as number;
    this.#cooldownLeft = state.cooldownCounter as number;
    this.#lastLr = state.lastLr as number[];
    Object.assign(this.#options, Object.fromEntries(Object.keys(this.#options).map(name => [name, state[name]])));
  }
}
