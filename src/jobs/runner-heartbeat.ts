// The heartbeat of a job's runner: the access time of the file of its output. Not the modification time, which changes by the
// wall clock when a dying runner prints an error. A job whose runner dies is billed until its last heartbeat.
import { statSync, utimesSync } from 'node:fs';

/** @param nowMs by the clock that bills the job, which does not jump */
export function touchRunnerOutput(file: string, nowMs: number): void {
  utimesSync(file, nowMs / 1000, nowMs / 1000);
}

/** In whole milliseconds, also of a file that no runner has touched yet. Undefined if the file does not exist. */
export function lastHeartbeatMs(file: string): number | undefined {
  const atimeMs = statSync(file, { throwIfNoEntry: false })?.atimeMs;
  return atimeMs && Math.floor(atimeMs);
}
