// Jobs that are run once: processing and transform jobs.
//
//   InProgress ──► Completed │ Failed      a client asks: Stopping ──► Stopped
import type { InstanceClaim, InstanceJob } from './job.ts';

const oneAttemptStatuses = ['InProgress', 'Completed', 'Failed', 'Stopping', 'Stopped'] as const;
export type OneAttemptStatus = (typeof oneAttemptStatuses)[number];

export interface OneAttemptJob extends InstanceJob {
  readonly spec: InstanceClaim;
  readonly status: OneAttemptStatus;
  /** When its instances were taken and returned. */
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  readonly failureReason: string | undefined;
}

/** How a job has ended. */
export interface Outcome {
  readonly status: OneAttemptStatus;
  readonly reason?: string | undefined;
}

export const INTERNAL_ERROR = 'InternalServerError: We encountered an internal error. Please try again.';
const MAX_REASON_CHARACTERS = 1024;

export const isActive = ({ status }: OneAttemptJob): boolean => status === 'InProgress' || status === 'Stopping';

/** The job with its outcome. */
export const ended = <T extends OneAttemptJob>(
  job: T,
  { status, reason }: Outcome,
  endMs: number,
  modifiedMs = endMs,
): T => ({
  ...job,
  // The stop request came after its programs had ended.
  status: status === 'Completed' && job.status === 'Stopping' ? 'Stopped' : status,
  failureReason: reason?.slice(0, MAX_REASON_CHARACTERS),
  endMs,
  modifiedMs,
  runner: undefined,
});
