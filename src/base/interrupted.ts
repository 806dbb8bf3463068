// Why something was asked to stop from outside: the reason of the AbortSignal that the command line hands down.
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

/** What a shell reports for a process that a signal ended: 128 and the signal's number. */
export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
