// Which steps of a loop are recorded, like `torch.profiler.schedule`.
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { userLocation } from '../location.ts';

/** The action of a profiler in a step. `record_and_save` is the last step of a cycle. */
export type ProfilerAction = 'none' | 'warmup' | 'record' | 'record_and_save';
/** The action in the step with this number, from 0. */
export type ProfilerSchedule = (step: number) => ProfilerAction;

/** Options of `schedule`, in steps. */
export interface ScheduleOptions {
  /** Steps of each cycle that are not profiled. 0 by default. */
  readonly wait?: number;
  /** Steps before the recorded ones that are recorded and dropped: the first take longer. 0 by default. */
  readonly warmup?: number;
  /** Steps that are recorded. */
  readonly active: number;
  /** How often the cycle is repeated; 0, the default, for as long as the loop runs. */
  readonly repeat?: number;
  /** Steps before the first cycle. 0 by default. */
  readonly skipFirst?: number;
}

/**
 * A schedule: `skipFirst` steps, then cycles of `wait`, `warmup` and `active` steps.
 *
 * ```ts
 * const steps = profiler.schedule({ wait: 1, warmup: 1, active: 3, repeat: 1 });
 * steps(2); // 'record'
 * ```
 * @throws {INVALID_OPTION}
 * @example
 * const actions = profiler.schedule({ wait: 1, warmup: 1, active: 2 });
 * [0, 1, 2, 3].map(actions) // ['none', 'warmup', 'record', 'record_and_save']
 */
export function schedule(options: ScheduleOptions): ProfilerSchedule {
  refuseUnknownOptions('profiler.schedule', options, ['wait', 'warmup', 'active', 'repeat', 'skipFirst']);
  const { wait = 0, warmup = 0, active, repeat = 0, skipFirst = 0 } = options;
  for (const [option, value, least] of [
    ['wait', wait, 0],
    ['warmup', warmup, 0],
    ['active', active, 1],
    ['repeat', repeat, 0],
    ['skipFirst', skipFirst, 0],
  ] as const)
    if (!Number.isSafeInteger(value) || value < least)
      throw new TrenioError(
        'INVALID_OPTION',
        { what: 'profiler.schedule', option, got: String(value), expected: `an integer, ${least} or more` },
        { location: userLocation() },
      );
  const cycle = wait + warmup + active;
  return step => {
    const at = step - skipFirst;
    if (at < 0 || (repeat > 0 && at >= repeat * cycle)) return 'none';
    const within = at % cycle;
    if (within < wait) return 'none';
    if (within < wait + warmup) return 'warmup';
    return within === cycle - 1 ? 'record_and_save' : 'record';
  };
}
