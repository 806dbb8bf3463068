// Schedulers along a cosine (Loshchilov and Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts", 2017), as PyTorch
// has them.

import { checkSetting } from '../update/check-settings.ts';
import {
  LRScheduler,
  type OptionsOf,
  type Scheduled,
  type SchedulerArguments,
  type SchedulerState,
} from './lr-scheduler.ts';

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

/** Options of `CosineAnnealingLR`. */
export interface CosineAnnealingLROptions {
  /** The step at which rates are lowest. */
  readonly tMax: number;
  /** The lowest rate; 0 by default. */
  readonly etaMin: number;
}
/**
 * Decays learning rates along half a cosine, like torch.optim.lr_scheduler.CosineAnnealingLR:
 * lr = etaMin + (initial − etaMin) · (1 + cos(π t / tMax)) / 2. After `tMax` steps, rates rise again.
 *
 *     new CosineAnnealingLR(optimizer, { tMax: totalSteps })
 *
 * @throws {INVALID_OPTION} for a length that is not an integer above 0
 * @example
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = new optim.CosineAnnealingLR(optimizer, { tMax: 4 });
 * const lrs = Array.from({ length: 4 }, () => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [0.8535…, 0.5, 0.1464…, 0]
 */
export class CosineAnnealingLR extends LRScheduler<CosineAnnealingLROptions> {
  constructor(
    optimizer: Scheduled,
    tMax: number | OptionsOf<CosineAnnealingLROptions, 'tMax'>,
    ...rest: SchedulerArguments<CosineAnnealingLROptions, ['etaMin']>
  ) {
    super(optimizer, [tMax, ...rest], { tMax: 0, etaMin: 0 });
    const { tMax: steps } = this.options;
    checkSetting('CosineAnnealingLR', 'tMax', steps, isCount(steps), 'an integer above 0');
    this.start();
  }
  protected override getLr(): readonly number[] {
    const { tMax, etaMin } = this.options;
    const { lastEpoch } = this;
    if (this.isInitial) return this.rates;
    if (this.stepCount === 1 && lastEpoch > 0) return this.closedForm();
    if ((lastEpoch - 1 - tMax) % (2 * tMax) === 0)
      return this.rates.map((lr, i) => lr + ((this.baseLrs[i]! - etaMin) * (1 - Math.cos(Math.PI / tMax))) / 2);
    const ratio = (1 + Math.cos((Math.PI * lastEpoch) / tMax)) / (1 + Math.cos((Math.PI * (lastEpoch - 1)) / tMax));
    return this.rates.map(lr => ratio * (lr - etaMin) + etaMin);
  }
  protected override closedForm(): readonly number[] {
    const { tMax, etaMin } = this.options;
    return this.baseLrs.map(lr => etaMin + ((lr - etaMin) * (1 + Math.cos((Math.PI * this.lastEpoch) / tMax))) / 2);
  }
}

/** Options of `CosineAnnealingWarmRestarts`. */
export interface CosineAnnealingWarmRestartsOptions {
  /** Steps until the first restart. */
  readonly t0: number;
  /** The factor by which this number grows at each restart; 1 by default. */
  readonly tMult: number;
  /** The lowest rate; 0 by default. */
  readonly etaMin: number;
}
/**
 * Decays learning rates along half a cosine repeatedly, like torch.optim.lr_scheduler.CosineAnnealingWarmRestarts:
 * lr = etaMin + (initial − etaMin) · (1 + cos(π t / T)) / 2, where t is the number of steps since the last restart, and T the
 * number of steps between the last and the next one.
 *
 *     new CosineAnnealingWarmRestarts(optimizer, { t0: 10, tMult: 2 })
 *
 * @throws {INVALID_OPTION} for numbers of steps that are not integers above 0
 * @example
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = new optim.CosineAnnealingWarmRestarts(optimizer, { t0: 2 });
 * const lrs = Array.from({ length: 4 }, () => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [0.5, 1, 0.5, 1]
 */
export class CosineAnnealingWarmRestarts extends LRScheduler<CosineAnnealingWarmRestartsOptions> {
  #since: number;
  #length: number;
  constructor(
    optimizer: Scheduled,
    t0: number | OptionsOf<CosineAnnealingWarmRestartsOptions, 't0'>,
    ...rest: SchedulerArguments<CosineAnnealingWarmRestartsOptions, ['tMult', 'etaMin']>
  ) {
    super(optimizer, [t0, ...rest], { t0: 0, tMult: 1, etaMin: 0 });
    const { t0: first, tMult } = this.options;
    checkSetting('CosineAnnealingWarmRestarts', 't0', first, isCount(first), 'an integer above 0');
    checkSetting('CosineAnnealingWarmRestarts', 'tMult', tMult, isCount(tMult), 'an integer above 0');
    this.#since = this.lastEpoch;
    this.#length = first;
    this.start();
  }
  /** Advances by one epoch, or to `epoch`, which may be fractional: `step(epoch + i / batches)`. */
  override step(epoch?: number): void {
    const { t0, tMult } = this.options;
    const to = epoch ?? (this.lastEpoch < 0 ? 0 : undefined);
    if (to === undefined) {
      this.#since++;
      if (this.#since >= this.#length) {
        this.#since %= this.#length;
        this.#length *= tMult;
      }
      this.lastEpoch++;
    } else {
      checkSetting('CosineAnnealingWarmRestarts', 'epoch', to, to >= 0, 'a number of at least 0');
      if (to < t0) [this.#since, this.#length] = [to, t0];
      else if (tMult === 1) this.#since = to % t0;
      else {
        const restarts = Math.trunc(Math.log((to / t0) * (tMult - 1) + 1) / Math.log(tMult));
        this.#since = to - (t0 * (tMult ** restarts - 1)) / (tMult - 1);
        this.#length = t0 * tMult ** restarts;
      }
      this.lastEpoch = Math.floor(to);
    }
    this.apply(this.getLr());
  }
  protected override getLr(): readonly number[] {
    const { etaMin } = this.options;
    const factor = (1 + Math.cos((Math.PI * this.#since) / this.#length)) / 2;
    return this.baseLrs.map(lr => etaMin + (lr - etaMin) * factor);
  }
  protected override progress(): SchedulerState {
    return { tCur: this.#since, tI: this.#length };
  }
  protected override resume(state: SchedulerState): void {
    this.#since = state.tCur as number;
    this.#length = state.tI as number;
  }
}
