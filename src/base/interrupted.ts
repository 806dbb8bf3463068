// The reason of the command line's AbortSignal: the signal that interrupted the process.
import { constants } from 'node:os';
import { readIfThere } from './file-error.ts';

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

let isStopRequested = false;

/** From here on, a SIGTERM that nothing else handles yet is kept, instead of ending the process. */
export function keepStopRequests(): void {
  process.on('SIGTERM', () => {
    isStopRequested = true;
  });
}

/** Whether such a signal has come. */
export const wasStopRequested = (): boolean => isStopRequested;

let isSaveRequested = false;

/**
 * From here on, a SIGUSR1 that nothing else handles yet is kept as a request to save and stop, for the first checkpointer.
 * Without a handler, Node would open its debugger.
 */
export function keepSaveRequests(): void {
  process.on('SIGUSR1', () => {
    if (process.listenerCount('SIGUSR1') === 1) isSaveRequested = true;
  });
  // Lets `handlesSaveRequests` see that this has been called: Node itself handles SIGUSR1 before, but never SIGURG.
  process.on('SIGURG', () => {});
}

/** Whether such a signal came since the last call. */
export function takeSaveRequest(): boolean {
  const wasRequested = isSaveRequested;
  isSaveRequested = false;
  return wasRequested;
}

/** Whether a process has called `keepSaveRequests`; true where there is no /proc. */
export function handlesSaveRequests(pid: number): boolean {
  const caught = /^SigCgt:\s*([0-9a-f]+)/m.exec(readIfThere(`/proc/${pid}/status`) ?? '')?.[1];
  return caught === undefined || (BigInt(`0x${caught}`) & (1n << BigInt(constants.signals.SIGURG - 1))) !== 0n;
}
