// Where the hosts of a training job run, if not as processes of this machine: what a runner asks of an engine. The engine of
// Slurm is in src/clusters.
import type { HostCommand, RunningProgram } from './host-program.ts';

export interface HostRequest {
  readonly job: string;
  readonly attempt: number;
  /** `algo-1` and so on. */
  readonly hosts: readonly string[];
  readonly instanceType: string;
  readonly isSpot: boolean;
  /** The folder of the attempt; each host's is in it. */
  readonly folder: string;
}

export type EngineState =
  | { readonly kind: 'waiting' }
  /** The machines are there. */
  | { readonly kind: 'ready' }
  /** The machines were taken for other work, and may come back. */
  | { readonly kind: 'preempted' }
  /** Somebody ended the job by means of the engine. */
  | { readonly kind: 'canceled' }
  /** A machine was lost. */
  | { readonly kind: 'lost'; readonly reason: string };

export interface HostEngine {
  /** Asks for machines. */
  request(asked: HostRequest): Promise<void>;
  /** @param isFresh not one of a moment ago */
  state(isFresh?: boolean): Promise<EngineState>;
  start<Host>(host: Host, name: string, command: HostCommand): RunningProgram<Host>;
  /** Gives the machines back, and ends what runs on them. */
  release(): Promise<void>;
}

/** An engine as a server sees it. */
export interface EngineOfServer {
  /** The instances that its machines stand in for. */
  readonly instances: readonly { readonly type: string; readonly count: number }[];
  /** The program that runs an attempt, and its arguments. */
  runnerWords(attempt: string): readonly string[];
  /** Ends what the attempt of a dead runner left on the machines. */
  abandon(job: string, attempt: number): Promise<void>;
}
