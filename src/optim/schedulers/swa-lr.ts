// The rates of stochastic weight averaging (Izmailov et al., 2018), as in PyTorch.

import { checkChoice, checkSetting } from '../update/check-settings.ts';
import { LRScheduler, type OptionsOf, type Scheduled, type SchedulerArguments } from './lr-scheduler.ts';

/** Options of `SWALR`. */
export interface SWALROptions {
  /** The final rate, or a list with one for each group. */
  readonly swaLr: number | readonly number[];
  /** The number of steps until the final rate; 10 by default. */
  readonly annealEpochs: number;
  /** The annealing strategy; 'cos' by default. */
  readonly annealStrategy: 'cos' | 'linear';
}
/**
 * Moves rates to `swaLr` and keeps them there, like torch.optim.swa_utils.SWALR: for use with `AveragedModel`.
 *
 *     new SWALR(optimizer, { swaLr: 0.05, annealEpochs: 5 })
 *
 * @throws {INVALID_OPTION} if a setting is out of range
 * @example
 * const optimizer = new optim.SGD([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = new optim.SWALR(optimizer, { swaLr: 0.1, annealEpochs: 2 });
 * const lrs = Array.from({ length: 4 }, () => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [0.55, 0.1, 0.1, 0.1]
 */
export class SWALR extends LRScheduler<SWALROptions> {
  constructor(
    optimizer: Scheduled,
    swaLr: number | readonly number[] | OptionsOf<SWALROptions, 'swaLr'>,
    ...rest: SchedulerArguments<SWALROptions, ['annealEpochs', 'annealStrategy']>
  ) {
    super(optimizer, [swaLr, ...rest], { swaLr: Number.NaN, annealEpochs: 10, annealStrategy: 'cos' });
    const { annealEpochs, annealStrategy } = this.options;
    checkChoice('SWALR', 'annealStrategy', annealStrategy, ['cos', 'linear']);
    const isCount = Number.isSafeInteger(annealEpochs) && annealEpochs >= 0;
    checkSetting('SWALR', 'annealEpochs', annealEpochs, isCount, 'an integer of at least 0');
    const rates = this.perGroup('swaLr', this.options.swaLr);
    this.groups.forEach((group, i) => {
      checkSetting('SWALR', 'swaLr', rates[i]!, rates[i]! >= 0, 'a number of at least 0');
      group.swaLr = rates[i]!;
    });
    this.start();
  }
  protected override getLr(): readonly number[] {
    const { annealEpochs } = this.options;
    const step = annealEpochs === 0 ? Math.max(1, this.stepCount - 1) : this.stepCount - 1;
    const before = this.#done((step - 1) / Math.max(1, annealEpochs));
    const now = this.#done(step / Math.max(1, annealEpochs));
    return this.groups.map(({ lr, swaLr }) => {
      const initial = before === 1 ? swaLr! : (lr - before * swaLr!) / (1 - before);
      return swaLr! * now + initial * (1 - now);
    });
  }
  #done(share: number): number {
    const t = Math.max(0, Math.min(1, share));
    return this.options.annealStrategy === 'linear' ? t : (1 - Math.cos(Math.PI * t)) / 2;
  }
}
