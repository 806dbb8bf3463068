// SIGTERM and SIGUSR1 as a request to save and stop: Slurm and spot instances send one before they reclaim the machine.
// All ranks must stop after the same step, so they communicate at the end of a step. This waits for queued work, and
// is therefore not done after every step: rank 0 measures the step time and determines the number of steps until the next check.
import { setImmediate } from 'node:timers/promises';
import { exitCodeOfSignal, keepStopSignals, takeSaveRequest } from '../../base/interrupted.ts';
import { allReduceSum, rank, worldSize } from '../process-group.ts';

const names = ['SIGTERM', 'SIGUSR1'] as const;
/** The time between two agreements. */
const agreeEveryMs = 500;
/**
 * A SIGTERM this soon is the same request: Slurm signals every process of a job, and `trenio run` forwards its own, which takes
 * it seconds on a busy machine.
 */
const sameRequestMs = 30_000;

/** Signals arrive in the event loop, to which a training loop that waits only for its device does not return. */
const eventLoop = (): Promise<void> => setImmediate();

export class StopSignal {
  #received: (typeof names)[number] | undefined;
  #receivedMs = 0;
  #lastStep: number | undefined;
  #lastMs = 0;
  /** The length of a step between the last two agreements. */
  #stepMs: number | undefined;
  #nextStep = 0;

  /** From here on the signals are kept until the end of a step, also a SIGUSR1 from before; a later SIGTERM ends the process. */
  listen(): void {
    if (takeSaveRequest()) this.#received = 'SIGUSR1';
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
  async after(step: number): Promise<boolean> {
    if (worldSize() === 1) {
      if (performance.now() - this.#lastMs >= agreeEveryMs) {
        await eventLoop();
        this.#lastMs = performance.now();
      }
      return this.#received !== undefined;
    }
    if (step < this.#nextStep) return false;
    await eventLoop();
    const proposal = Math.max(1, Math.round(agreeEveryMs / (this.#stepMs ?? agreeEveryMs)));
    const [stop = 0, stride = 1] = allReduceSum([this.#received === undefined ? 0 : 1, rank() === 0 ? proposal : 0]);
    // Measured after queued work is done, because queueing a step takes much less time than running it.
    const nowMs = performance.now();
    if (this.#lastStep !== undefined) this.#stepMs = (nowMs - this.#lastMs) / Math.max(1, step - this.#lastStep);
    this.#lastStep = step;
    this.#lastMs = nowMs;
    this.#nextStep = step + stride;
    return stop > 0;
  }
}
