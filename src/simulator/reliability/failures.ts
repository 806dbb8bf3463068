// The interruptions of a training run, sampled in advance from a counter-based stream: the failures for a seed do not depend on
// the checkpoint interval, so that two intervals are compared with the same failures.
import { philox4x32 } from '../../numerics/index.ts';
import { jobMtbf, type LongRun } from './long-run.ts';

export interface Failures {
  /** Ascending, within the run. */
  readonly times: Float64Array;
  /** Seconds until the broken instance is back; negative if nothing has to be replaced. */
  readonly repairs: Float64Array;
}

/** The failures of one history of the run. `seed` and `history` are 32-bit words. */
export function sampleFailures(run: LongRun, seed: number, history: number): Failures {
  const mtbf = jobMtbf(run);
  const words = new Uint32Array(4);
  const times: number[] = [];
  const repairs: number[] = [];
  let now = 0;
  for (let n = 0; ; n++) {
    philox4x32(n, history, 0, 0, seed, 0, words);
    now += -mtbf * Math.log(unit(words[0]!, words[1]!));
    if (now >= run.seconds) break;
    times.push(now);
    const replace = words[2]! < run.replacementShare * 2 ** 32;
    repairs.push(replace ? -run.repair * Math.log((words[3]! + 0.5) / 2 ** 32) : -1);
  }
  return { times: Float64Array.from(times), repairs: Float64Array.from(repairs) };
}

/** In (0, 1), of 53 bits. */
const unit = (high: number, low: number): number => ((high >>> 5) * 2 ** 26 + (low >>> 6) + 0.5) / 2 ** 53;
