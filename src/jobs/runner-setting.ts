// The setting in which a runner works, for jobs of all kinds.
import type { ObjectStore } from '../objects/object-store.ts';
import type { FindImage } from './images.ts';
import type { LogStore } from './logs/log-store.ts';
import type { MetricStore } from './metrics/metric-store.ts';
import type { JobStore } from './store/job-store.ts';
import type { HostEngine } from './training/host-engine.ts';

export interface RunnerSetting {
  readonly jobs: JobStore;
  readonly objects: ObjectStore;
  readonly logs: LogStore;
  readonly metrics: MetricStore;
  /** The cores and memory that hosts use, over time. */
  readonly usage: MetricStore;
  readonly findImage: FindImage;
  readonly name: string;
  /** The lock of the job. */
  readonly token: string;
  /** The age of the job when the attempt starts. */
  readonly ageMs: number;
  /** The folder of the attempt, removed at its end. */
  readonly folder: string;
  /** The file of the runner's own output, which also keeps its heartbeat. */
  readonly output: string;
  readonly coresPerHost: number;
  /** Undefined: that of the instance type, limited by this machine's. */
  readonly memoryGbPerHost: number | undefined;
  /** Variables that a program inherits, such as PATH. */
  readonly environment: NodeJS.ProcessEnv;
  /** Paths that its programs do not see (sandbox.ts). */
  readonly hidden: readonly string[];
  /** The program of the image `trenio` that serves models. */
  readonly serveProgram: string | undefined;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs: number | undefined;
  /** The engine that runs the hosts; undefined: this machine. */
  readonly engine: HostEngine | undefined;
  /** The clock of states and bills, which does not jump. */
  readonly now: () => number;
  /** The wall clock, for lines and metrics. */
  readonly wallNow: () => number;
}
