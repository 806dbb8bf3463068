// A kind of jobs that run on instances, as the scheduler sees it.
import type { InstanceJob, Runner } from './job.ts';
import type { HeldInstances } from './ledger.ts';
import type { ResourceTable } from './store/resource-table.ts';
import type { EngineOfServer } from './training/host-engine.ts';

export const kindNames = ['training', 'processing', 'transform'] as const;
export type KindName = (typeof kindNames)[number];

/** The folders of runners in that of the server. */
export const runnerFolders: Readonly<Record<KindName, string>> = {
  training: 'runs',
  processing: 'processing',
  transform: 'transforms',
};

/** A waiting job that starts now. */
export interface Start<T> {
  readonly job: T;
  /** Gives it the instances and stores its runner; undefined: it does not start any more. */
  readonly claim: (runner: Runner) => T | undefined;
}

export interface JobKind<T extends InstanceJob> {
  readonly name: KindName;
  readonly table: ResourceTable<T>;
  /** The engine that runs its jobs; undefined: this machine. */
  readonly engine?: EngineOfServer | undefined;
  /** Called before the jobs that have not ended are looked at one by one. */
  readonly look?: (active: readonly T[]) => void;
  /** Looks at a job that has a runner. */
  readonly watch?: (job: T) => void;
  /** The waiting jobs that start now. Ends those that no longer wait, and adds those that start to `held`. */
  readonly starting: (waiting: readonly T[], held: HeldInstances) => Iterable<Start<T>>;
  /** The arguments of its runners, besides those of all kinds. */
  readonly argumentsOf: (job: T) => object;
  /** The job after the death of its runner. @param endMs when the runner last lived */
  readonly afterLoss: (job: T, endMs: number, isStarted: boolean) => T;
}
