// A warm-up and a decay in one scheduler, under the names of transformers (optimization.py), which most fine-tuning scripts use.

import { type Settings, settle } from '../../tensor/index.ts';
import { checkSetting } from '../update/check-settings.ts';
import type { Scheduled, SchedulerOptions } from './lr-scheduler.ts';
import { LambdaLR } from './step-schedulers.ts';

/** Options of `getLinearScheduleWithWarmup`. */
export interface WarmupOptions extends SchedulerOptions {
  /** The number of warm-up steps, in which rates rise from 0; 0 by default. */
  readonly numWarmupSteps?: number;
  /** The number of steps of the training run, at which the decay ends. */
  readonly numTrainingSteps: number;
}
/** Options of `getCosineScheduleWithWarmup`. */
export interface CosineWarmupOptions extends WarmupOptions {
  /** The number of cosine periods; 0.5 by default: from the maximum to the minimum. */
  readonly numCycles?: number;
  /** The lowest rate, as a fraction of the initial one; 0 by default. */
  readonly minLrRate?: number;
}

/** The completed fraction of the warm-up before `numWarmupSteps`, or of the decay after it. */
function phaseOf(
  call: string,
  options: WarmupOptions,
): (step: number) => { readonly rise?: number; readonly decay: number } {
  const { numWarmupSteps = 0, numTrainingSteps } = options;
  const isCount = Number.isSafeInteger(numTrainingSteps) && numTrainingSteps > 0;
  checkSetting(call, 'numTrainingSteps', numTrainingSteps, isCount, 'an integer above 0');
  const fits = numWarmupSteps >= 0 && numWarmupSteps <= numTrainingSteps;
  checkSetting(
    call,
    'numWarmupSteps',
    numWarmupSteps,
    fits,
    `a number from 0 to numTrainingSteps, ${numTrainingSteps}`,
  );
  return step =>
    step < numWarmupSteps
      ? { rise: step / Math.max(1, numWarmupSteps), decay: 0 }
      : { decay: (step - numWarmupSteps) / Math.max(1, numTrainingSteps - numWarmupSteps) };
}

/**
 * Rates that rise from 0 over `numWarmupSteps`, then fall to 0 at `numTrainingSteps`, both linearly, as
 * transformers.get_linear_schedule_with_warmup.
 *
 *     getLinearScheduleWithWarmup(optimizer, { numWarmupSteps: 100, numTrainingSteps: 2000 })
 *
 * @throws {INVALID_OPTION} for a warm-up that is longer than the training
 * @example
 * const optimizer = new AdamW([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = getLinearScheduleWithWarmup(optimizer, { numWarmupSteps: 2, numTrainingSteps: 4 });
 * const lrs = [1, 2, 3, 4].map(() => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [0.5, 1, 0.5, 0]
 */
export function getLinearScheduleWithWarmup(
  optimizer: Scheduled,
  numWarmupSteps: number | WarmupOptions,
  ...rest: Settings<WarmupOptions, ['numTrainingSteps', 'lastEpoch']>
): LambdaLR {
  const call = 'getLinearScheduleWithWarmup';
  const order = ['numWarmupSteps', 'numTrainingSteps', 'lastEpoch'] as const;
  const options = settle<WarmupOptions>(call, order, [numWarmupSteps, ...rest]);
  const phase = phaseOf(call, options);
  const factor = (step: number): number => {
    const { rise, decay } = phase(step);
    return rise ?? Math.max(0, 1 - decay);
  };
  return new LambdaLR(optimizer, factor, onlyLastEpoch(options));
}
/**
 * Rates that rise from 0 over `numWarmupSteps`, then fall along half a cosine until `numTrainingSteps`, as
 * transformers.get_cosine_schedule_with_warmup.
 *
 *     getCosineScheduleWithWarmup(optimizer, { numWarmupSteps: 100, numTrainingSteps: 2000, minLrRate: 0.1 })
 *
 * @throws {INVALID_OPTION} for a warm-up that is longer than the training
 * @example
 * const optimizer = new AdamW([new Parameter(ones(1))], { lr: 1 });
 * const scheduler = getCosineScheduleWithWarmup(optimizer, { numWarmupSteps: 2, numTrainingSteps: 4 });
 * const lrs = [1, 2, 3, 4].map(() => {
 *   optimizer.step();
 *   scheduler.step();
 *   return scheduler.getLastLr()[0]!;
 * }); // [0.5, 1, 0.5, 0]
 */
export function getCosineScheduleWithWarmup(
  optimizer: Scheduled,
  numWarmupSteps: number | CosineWarmupOptions,
  ...rest: Settings<CosineWarmupOptions, ['numTrainingSteps', 'numCycles', 'lastEpoch']>
): LambdaLR {
  const call = 'getCosineScheduleWithWarmup';
  const order = ['numWarmupSteps', 'numTrainingSteps', 'numCycles', 'lastEpoch'] as const;
  const options = settle<CosineWarmupOptions>(call, order, [numWarmupSteps, ...rest], ['minLrRate']);
  const { numCycles = 0.5, minLrRate = 0 } = options;
  const isShare = minLrRate >= 0 && minLrRate <= 1;
  checkSetting(call, 'minLrRate', minLrRate, isShare, 'a number in [0, 1]');
  const phase = phaseOf(call, options);
  const factor = (step: number): number => {
    const { rise, decay } = phase(step);
    const wave = 0.5 * (1 + Math.cos(Math.PI * numCycles * 2 * Math.min(1, decay)));
    return rise ?? minLrRate + (1 - minLrRate) * wave;
  };
  return new LambdaLR(optimizer, factor, onlyLastEpoch(options));
}
const onlyLastEpoch = ({ lastEpoch = -1 }: SchedulerOptions): SchedulerOptions => ({ lastEpoch });
