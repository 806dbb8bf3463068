// The reason of the command line's AbortSignal: the signal that interrupted the process.
import { constants } from 'node:os';

export type InterruptSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGPIPE';

export class Interrupted extends Error {
  readonly signal: InterruptSignal;

  constructor(signal: InterruptSignal) {
    super(`interrupted by ${signal}`);
    this.name = 'Interrupted';
    this.signal = signal;
  }

  get exitCode(): number {
    return exitCodeOfSignal(this.signal);
  }
}

/** The exit code that a shell reports for a process ended by a signal: 128 + the signal number. */
export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

let areKept = false;

/** Whether SIGTERM makes this process save and stop soon, instead of ending it; set by checkpoints. */
export const keepsStopSignals = (): boolean => areKept;

export function keepStopSignals(keep: boolean): void {
  areKept = keep;
}
