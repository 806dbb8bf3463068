// One history of a run: training, checkpoints, failures.
//
//   train τ │ckpt│ train τ │ckpt│ train ✗ ─ wait for an instance ─ restart ─ train τ │ckpt│ …
//                               └ lost ┘
import type { Failures } from './failures.ts';
import { type LongRun, restartSeconds } from './long-run.ts';

/** The activities on which a training run with failures spends its time. */
export const timeCauses = ['useful', 'checkpoint', 'lost work', 'restart', 'waiting for repair'] as const;
/** The breakdown of the time of a run. */
export type TimeCause = (typeof timeCauses)[number];

/** Seconds; they sum to the run. */
export type TimeByCause = Record<TimeCause, number>;

/** Plays the failures against checkpoints every `interval` seconds of training. */
export function playRun(run: LongRun, failures: Failures, interval: number): TimeByCause {
  const spent: TimeByCause = { useful: 0, checkpoint: 0, 'lost work': 0, restart: 0, 'waiting for repair': 0 };
  const { times, repairs } = failures;
  const { blocking, background } = run.checkpoint;
  const end = run.seconds;
  const restart = restartSeconds(run);
  // The next checkpoint is taken when the one before is written.
  const train = Math.max(interval, background - blocking);
  const cycle = train + blocking;
  const pool = new Pool(run.spares);
  let now = 0;
  let next = 0;
  while (now < end) {
    const stop = next < times.length ? times[next]! : end;
    // Training until then.
    const up = stop - now;
    const taken = Math.floor(up / cycle);
    const rest = up - taken * cycle;
    const progress = taken * train + Math.min(rest, train);
    spent.checkpoint += up - progress;
    if (next >= times.length) {
      spent.useful += progress;
      break;
    }
    const written = Math.max(0, Math.floor((up - background) / cycle));
    spent.useful += written * train;
    spent['lost work'] += progress - written * train;
    // Until training resumes, which other failures may delay.
    let failed = stop;
    for (;;) {
      const repair = repairs[next++]!;
      if (repair >= 0) pool.replace(failed, failed + repair);
      const complete = pool.complete(failed);
      const back = complete + restart;
      const again = next < times.length && times[next]! < back;
      const until = Math.min(again ? times[next]! : back, end);
      const waited = Math.min(complete, until) - failed;
      spent['waiting for repair'] += waited;
      spent.restart += until - failed - waited;
      failed = until;
      if (!again) break;
    }
    now = failed;
  }
  return spent;
}

/** Standby instances, and those in repair. */
class Pool {
  private spares: number;
  /** When each comes back. */
  private readonly returning: number[] = [];

  constructor(spares: number) {
    this.spares = spares;
  }

  /** One broke at `time` and will be back at `back`; a spare takes its place. Below 0 spares, instances are missing. */
  replace(time: number, back: number): void {
    this.collect(time);
    this.spares--;
    this.returning.push(back);
  }

  /** The first time from `time` on when all instances are available. */
  complete(time: number): number {
    this.collect(time);
    let at = time;
    while (this.spares < 0) {
      at = Math.max(at, Math.min(...this.returning));
      this.collect(at);
    }
    return at;
  }

  private collect(time: number): void {
    for (let i = this.returning.length - 1; i >= 0; i--) {
      if (this.returning[i]! > time) continue;
      this.returning.splice(i, 1);
      this.spares++;
    }
  }
}
