// The interface between a runner and an engine that runs the hosts of a training job elsewhere than on this machine. The Slurm
// engine is in src/clusters.
import type { HostCommand, RunningProgram } from './host-program.ts';

export interface HostRequest {
  readonly job: string;
  readonly attempt: number;
  /** `algo-1` and so on. */
  readonly hosts: readonly string[];
  readonly instanceType: string;
  readonly isSpot: boolean;
  /** The folder of the attempt; it contains the folder of each host. */
  readonly folder: string;
}

export type EngineState =
  /** `reason`: a clause, once it is known */
  | { readonly kind: 'waiting'; readonly reason?: string }
  /** The machines are available. */
  | { readonly kind: 'ready' }
  /** The machines were taken for other work, and may be returned. */
  | { readonly kind: 'preempted' }
  /** The job was canceled through the engine. */
  | { readonly kind: 'canceled' }
  /** A machine was lost. */
  | { readonly kind: 'lost'; readonly reason: string };

export interface HostEngine {
  /** Requests machines. */
  request(asked: HostRequest): Promise<void>;
  /** @param isFresh whether a recently cached state is not good enough */
  state(isFresh?: boolean): Promise<EngineState>;
  start<Host>(host: Host, name: string, command: HostCommand): RunningProgram<Host>;
  /** Returns the machines, and ends the programs on them. */
  release(): Promise<void>;
}

/** The server's view of an engine. */
export interface EngineOfServer {
  /** The instances that its machines represent now; a cluster can be updated while the server runs. */
  instances(): readonly { readonly type: string; readonly count: number }[];
  /** The program that runs an attempt, and its arguments. */
  runnerWords(attempt: string): readonly string[];
  /** Ends the programs that the attempt of a dead runner left on the machines. */
  abandon(job: string, attempt: number): Promise<void>;
}
