// SIGTERM and SIGUSR1 as a request to save and stop: Slurm and spot instances send one before they take the machine away.
// All ranks must stop after the same step, so they tell each other at the end of a step. That waits for what is queued, and
// so is not done after every step: rank 0 measures how long steps take and says after how many the ranks ask again.
import { exitCodeOfSignal, keepStopSignals } from '../../base/interrupted.ts';
import { allReduceSum, rank, worldSize } from '../process-group.ts';

const names = ['SIGTERM', 'SIGUSR1'] as const;
/** The time between two agreements. */
const agreeEveryMs = 500;
/** A SIGTERM this soon is the same request: Slurm signals every process of a job, and `trenio run` passes its own on. */
const sameRequestMs = 2000;

export class StopSignal {
  #received: (typeof names)[number] | undefined;
  #receivedMs = 0;
  #lastStep: number | undefined;
  #lastMs = 0;
  #nextStep = 0;

  /** From here on the signals are kept until the end of a step; a later SIGTERM ends the process. */
  listen(): void {
    for (const name of names) process.on(name, this.#onSignal);
    keepStopSignals(true);
  }
  unlisten(): void {
    for (const name of names) process.off(name, this.#onSignal);
    keepStopSignals(false);
  }
  readonly #onSignal = (name: NodeJS.Signals): void => {
    const nowMs = performance.now();
    if (this.#received === 'SIGTERM' && name === 'SIGTERM') {
      if (nowMs - this.#receivedMs < sameRequestMs) return;
      process.exit(exitCodeOfSignal('SIGTERM'));
    }
    this.#received = name as (typeof names)[number];
    this.#receivedMs = nowMs;
  };

  /** Whether to stop after this step: the same answer on every rank. */
  after(step: number): boolean {
    if (worldSize() === 1) return this.#received !== undefined;
    if (step < this.#nextStep) return false;
    const nowMs = performance.now();
    const stepMs =
      this.#lastStep === undefined ? agreeEveryMs : (nowMs - this.#lastMs) / Math.max(1, step - this.#lastStep);
    const proposal = Math.max(1, Math.round(agreeEveryMs / stepMs));
    const [stop = 0, stride = 1] = allReduceSum([this.#received === undefined ? 0 : 1, rank() === 0 ? proposal : 0]);
    this.#lastStep = step;
    this.#lastMs = nowMs;
    this.#nextStep = step + stride;
    return stop > 0;
  }
}
