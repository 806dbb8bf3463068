// The time by which capacity blocks start and end: the wall clock, but a jump of more than a few seconds takes effect
// only after a minute. A clock that is set wrong for a moment does not end a block and its jobs.
//
//   wall clock   12:00 ── set to 15:00 ─────────────── 15:01 …
//   calendar     12:00 ── 12:00:01 … 12:00:59 ──────── 15:01 …
//
// Not for durations: those are measured with performance.now(), which does not jump.
import { type Clocks, systemClocks } from '../clocks.ts';

/** A step larger than what a time daemon slews, and than the pauses of a busy machine. */
const STEP_MS = 30_000;
const TRUSTED_AFTER_MS = 60_000;

export class CalendarClock {
  readonly #clocks: Clocks;
  readonly #log: (line: string) => void;
  /** The wall clock minus the steady one. */
  #offset: number;
  /** The offset after a step, and since when. */
  #step: { readonly offset: number; readonly since: number } | undefined;

  constructor(log: (line: string) => void, clocks = systemClocks) {
    this.#clocks = clocks;
    this.#log = log;
    this.#offset = clocks.wall() - clocks.steady();
  }

  now(): number {
    const steady = this.#clocks.steady();
    const offset = this.#clocks.wall() - steady;
    if (Math.abs(offset - this.#offset) <= STEP_MS) {
      if (this.#step !== undefined) this.#log('the clock of this machine was set back to the earlier time');
      this.#step = undefined;
      this.#offset = offset;
      return steady + offset;
    }
    if (this.#step === undefined || Math.abs(offset - this.#step.offset) > STEP_MS) {
      this.#step = { offset, since: steady };
      const minutes = ((offset - this.#offset) / 60_000).toFixed(1);
      this.#log(
        `the clock of this machine was set by ${minutes} minutes; capacity blocks follow it after ${TRUSTED_AFTER_MS / 1000} s`,
      );
    }
    if (steady - this.#step.since >= TRUSTED_AFTER_MS) {
      this.#step = undefined;
      this.#offset = offset;
    }
    return steady + this.#offset;
  }
}
