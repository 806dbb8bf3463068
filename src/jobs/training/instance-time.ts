// How long the instances of an attempt are held, by a clock that does not jump.
import type { TrainingJob } from './training-job.ts';

/** A larger difference of the clocks means that the wall clock was set; a smaller one is drift. */
const SET_MS = 1000;

/** Measures the instances of one attempt, in the process that holds them. */
export class InstanceTime {
  readonly #steadyNow: () => number;
  #sinceMs: number | undefined;

  constructor(steadyNow = () => performance.now()) {
    this.#steadyNow = steadyNow;
  }

  /** The job after a change, billed for the time that really passed if the wall clock was set meanwhile. */
  billed(before: TrainingJob, after: TrainingJob): TrainingJob {
    const nowMs = this.#steadyNow();
    if (after.instancesSinceMs !== undefined) {
      this.#sinceMs ??= nowMs;
      return after;
    }
    if (before.instancesSinceMs === undefined || this.#sinceMs === undefined) return after;
    const heldMs = Math.round(nowMs - this.#sinceMs);
    const isSet = Math.abs(after.billedMs - before.billedMs - heldMs) > SET_MS;
    return isSet ? { ...after, billedMs: before.billedMs + heldMs } : after;
  }
}
