// The part that jobs of all kinds that run on instances have in common.
import type { ProcessIdentity } from '../base/process-identity.ts';
import type { Resource } from './store/resources.ts';

/** The instances that a job has, or waits for. */
export interface InstanceClaim {
  readonly instanceType: string;
  readonly instanceCount: number;
  /** The capacity block that they belong to; undefined: on demand or spot. */
  readonly reservation?: string | undefined;
}

/** The process that runs a job. Only the holder of the token may write. */
export interface Runner {
  readonly token: string;
  /** Undefined until it has started. */
  readonly process: ProcessIdentity | undefined;
  readonly heartbeatMs: number;
}

export interface InstanceJob extends Resource {
  readonly spec: InstanceClaim;
  /** Counts the starts of the job, from 0; undefined: a job of this kind is started once. */
  readonly attempt?: number;
  /** The job has its instances while it has a runner. */
  readonly runner: Runner | undefined;
}

/** The name of the folder of its runner; with `.log`, the file of the runner's own output. */
export const attemptName = ({ name, attempt }: InstanceJob): string =>
  attempt === undefined ? name : `${name}-${attempt}`;
