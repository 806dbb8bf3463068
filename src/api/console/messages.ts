// The JSON messages between the console's pages and the server, and a header: console/ imports this file, too. Times are
// milliseconds since 1970, amounts of money are dollars, and unknown values are null.
import type { SecondaryStatus, TrainingJobStatus } from '../../jobs/training/state-machine.ts';

export type ConsoleRole = 'admin' | 'developer' | 'read-only';

/** The header with the proof of a session; its cookie alone is not enough. */
export const PROOF_HEADER = 'x-trenio-session';
/** The response to signing in. */
export interface SignedIn {
  readonly proof: string;
}
/** Where a file can be downloaded, once. */
export interface DownloadAddress {
  readonly address: string;
}

export interface SessionInfo {
  readonly role: ConsoleRole;
  /** The id of the session's access key. */
  readonly keyId: string;
  readonly account: string;
  readonly region: string;
  readonly version: string;
  /** The server's clock, with which the cost of running jobs grows. */
  readonly nowMs: number;
  /** Commands that this server can run for its pages. */
  readonly hasCommands: boolean;
}

/** A training job in lists. */
export interface JobRow {
  readonly name: string;
  readonly status: TrainingJobStatus;
  readonly secondary: SecondaryStatus;
  readonly image: string;
  readonly instanceType: string;
  readonly instanceCount: number;
  readonly isSpot: boolean;
  /** Why it has no instances yet, as a clause; null: it has, or the reason is not known yet. */
  readonly waitsFor: string | null;
  readonly createdMs: number;
  /** The time when it first got its instances. */
  readonly startedMs: number | null;
  readonly endedMs: number | null;
  /** Instance time of completed attempts. */
  readonly billedMs: number;
  /** The share of the on-demand price that is billed: less than 1 on spot instances. */
  readonly priceShare: number;
  /** The time when the running attempt got its instances. */
  readonly sinceMs: number | null;
  /** The price of all its instances, at spot prices if applicable; null: no public price. */
  readonly usdPerHour: number | null;
  readonly metric: { readonly name: string; readonly value: number } | null;
}

export interface JobList {
  readonly rows: readonly JobRow[];
  /** The position at which the stream of events continues. */
  readonly cursor: string;
}

/** The cost of a period: jobs, endpoints, and the fees of training plans and capacity blocks. */
export interface Spent {
  /** Null: only jobs without a price ran. */
  readonly usd: number | null;
  /** Jobs that ran and are not in the sum. */
  readonly jobsWithoutPrice: number;
}

export interface Overview {
  readonly running: number;
  readonly queued: number;
  readonly completed: number;
  readonly failed: number;
  readonly stopped: number;
  readonly today: Spent;
  readonly month: Spent;
  /** The cost of each day's jobs that have a price; the last one is today. */
  readonly usdByDay: readonly number[];
  readonly active: readonly JobRow[];
  readonly latest: readonly JobRow[];
  readonly failures: readonly (JobRow & { readonly reason: string })[];
}

export interface SeriesSummary {
  readonly name: string;
  readonly count: number;
  readonly lastStep: number;
  readonly lastMs: number;
  readonly lastValue: number;
}

export interface HostRow {
  readonly name: string;
  /** Its log stream. */
  readonly stream: string | null;
  readonly cores: number;
}

/** The cores and memory that a host uses, over time. */
export interface HostUseRow {
  readonly name: string;
  /** The limit. */
  readonly cores: number;
  readonly timesMs: readonly number[];
  readonly usedCores: readonly number[];
  readonly memoryBytes: readonly number[];
}

export interface StoredObject {
  readonly bucket: string;
  readonly key: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

export interface BucketRow {
  readonly name: string;
  readonly createdMs: number;
}

/** The objects and folders of one folder of a bucket, in the order of their keys. */
export interface ObjectList {
  /** Their whole prefixes, with the slash at the end. */
  readonly folders: readonly string[];
  readonly objects: readonly StoredObject[];
  /** The position of the rest; null: this is all. */
  readonly next: string | null;
}

export interface JobDetail {
  readonly row: JobRow;
  readonly arn: string;
  readonly failureReason: string | null;
  readonly transitions: readonly {
    readonly status: SecondaryStatus;
    readonly startMs: number;
    readonly endMs: number | null;
    readonly message: string;
  }[];
  readonly attempt: number;
  readonly hyperparameters: Readonly<Record<string, string>>;
  /** Names only: values may be secrets. */
  readonly environment: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  readonly channels: readonly { readonly name: string; readonly uri: string; readonly distribution: string }[];
  readonly outputUri: string;
  readonly checkpointUri: string | null;
  readonly command: readonly string[];
  readonly hasNetwork: boolean;
  /** Resources that the last attempt shares with the machine, in sentences; null: it has not started. */
  readonly shared: readonly string[] | null;
  readonly maxRuntimeSeconds: number;
  readonly maxWaitSeconds: number | null;
  readonly hosts: readonly HostRow[];
  readonly series: readonly SeriesSummary[];
  readonly artifacts: readonly StoredObject[];
  readonly hasCode: boolean;
}

export interface LogLine {
  readonly id: number;
  readonly host: string;
  readonly timeMs: number;
  readonly text: string;
}

export interface LogPage {
  readonly lines: readonly LogLine[];
  /** Whether there are earlier lines. */
  readonly hasMore: boolean;
}

/** A downsampled series that covers the same pixels as all points. */
export interface SeriesPage {
  readonly name: string;
  /** The number of points in the whole series. */
  readonly count: number;
  readonly steps: readonly number[];
  readonly timesMs: readonly number[];
  readonly values: readonly number[];
}

export interface CodeFile {
  readonly path: string;
  readonly bytes: number;
  /** Null: not text, or too long. */
  readonly text: string | null;
}

export interface PoolRow {
  readonly instanceType: string;
  readonly count: number;
  readonly cores: number;
  readonly taken: number;
  /** Instances that blocks reserve now and that no job uses. */
  readonly reserved: number;
  readonly waiting: number;
  readonly usdPerHour: number | null;
}

/** The changes to a job that is run again; everything else, including the environment, stays the same. */
export interface RunAgain {
  readonly name: string;
  readonly hyperparameters: Readonly<Record<string, string>>;
  readonly instanceType: string;
  readonly instanceCount: number;
  readonly maxRuntimeSeconds: number;
}

export interface WireFault {
  readonly error: { readonly code: string; readonly message: string; readonly fix?: string };
}

/** The events of a stream, by name. */
export interface ConsoleEvents {
  readonly jobs: { readonly rows: readonly JobRow[]; readonly removed: readonly string[] };
  readonly log: { readonly lines: readonly LogLine[] };
  readonly metrics: { readonly series: readonly SeriesSummary[] };
}

export interface EndpointRow {
  readonly name: string;
  readonly status: string;
  readonly configName: string;
  readonly createdMs: number;
  readonly modifiedMs: number;
  readonly variants: readonly { readonly name: string; readonly modelName: string; readonly instanceType: string }[];
  readonly ready: number;
  readonly desired: number;
  /** The count of the last hour. */
  readonly invocations: number;
  readonly errors: number;
  readonly p99Ms: number | null;
}

export interface EndpointMinute {
  readonly startMs: number;
  readonly invocations: number;
  readonly clientErrors: number;
  readonly errors: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly overheadMs: number | null;
  readonly concurrency: number;
  readonly batchSize: number | null;
}

export interface EndpointDetail {
  readonly name: string;
  readonly arn: string;
  readonly status: string;
  readonly configName: string;
  readonly createdMs: number;
  readonly modifiedMs: number;
  readonly backlog: number;
  readonly variants: readonly {
    readonly name: string;
    readonly isShadow: boolean;
    readonly weight: number;
    readonly desiredCount: number;
    readonly instanceType: string;
    readonly modelName: string;
    readonly outstanding: number;
    readonly waiting: number;
    readonly replicas: readonly {
      readonly id: string;
      readonly status: string;
      readonly outstanding: number;
      readonly createdMs: number;
      readonly readyMs: number | null;
    }[];
    readonly minutes: readonly EndpointMinute[];
  }[];
}

export interface TriedAnswer {
  readonly ms: number;
  readonly contentType: string;
  readonly body: string;
}

/** A hyperparameter tuning job in lists. */
export interface TuningRow {
  readonly name: string;
  readonly status: string;
  readonly strategy: string;
  /** The objective. */
  readonly metric: string;
  readonly isMaximized: boolean;
  readonly createdMs: number;
  readonly endedMs: number | null;
  /** Training jobs: the maximum, and the current number. */
  readonly maxJobs: number | null;
  readonly running: number;
  readonly completed: number;
  readonly stopped: number;
  readonly failed: number;
  readonly best: { readonly job: string; readonly value: number } | null;
}

export type TuningRange =
  | { readonly kind: 'categorical'; readonly name: string; readonly values: readonly string[] }
  | {
      readonly kind: 'numeric';
      readonly name: string;
      readonly min: number;
      readonly max: number;
      readonly scaling: 'linear' | 'logarithmic' | 'reverse-logarithmic';
    };

export interface TuningTrial {
  /** The name of its training job. */
  readonly job: string;
  readonly status: string;
  /** The value of the objective; null: not known yet, or never reported. */
  readonly value: number | null;
  readonly hyperparameters: Readonly<Record<string, string>>;
  readonly startMs: number | null;
  readonly endMs: number | null;
  readonly failureReason: string | null;
}

export interface TuningDetail extends TuningRow {
  readonly arn: string;
  readonly failureReason: string | null;
  readonly seed: number;
  readonly maxParallel: number;
  readonly maxRuntimeSeconds: number | null;
  readonly target: number | null;
  readonly ranges: readonly TuningRange[];
  readonly trials: readonly TuningTrial[];
}

export interface BlockRow {
  readonly id: string;
  readonly purpose: string;
  readonly name: string;
  readonly instanceType: string;
  readonly instanceCount: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly state: 'scheduled' | 'active' | 'expired';
  readonly usd: number;
  /** The number of times that its end was extended. */
  readonly extensions: number;
}

export interface ClusterRow {
  readonly name: string;
  /** In pcluster's words: CREATE_COMPLETE and so on. */
  readonly status: string;
  readonly fleetStatus: string;
  readonly region: string;
  readonly createdMs: number;
}

export interface ClusterNode {
  readonly name: string;
  readonly queue: string;
  readonly instanceType: string;
  readonly state: 'idle' | 'busy' | 'off' | 'starting' | 'stopping' | 'drained' | 'down';
  /** Why it is down or drained. */
  readonly reason: string | null;
}

export interface ClusterJob {
  readonly id: number;
  readonly name: string;
  readonly user: string;
  readonly queue: string;
  readonly state: string;
  /** Why it waits, in readable words. */
  readonly reason: string | null;
  readonly nodeCount: number;
  readonly nodes: string;
}

export interface ClusterDetail extends ClusterRow {
  /** Why Slurm does not answer; the lists of nodes and jobs are then empty. */
  readonly problem: string | null;
  readonly nodes: readonly ClusterNode[];
  readonly jobs: readonly ClusterJob[];
  /** The hourly price of its nodes on AWS, from the catalog; null if a price is unknown. */
  readonly usdPerHour: { readonly up: number; readonly idle: number } | null;
  readonly users: readonly { readonly user: string; readonly nodes: number; readonly usdPerHour: number | null }[];
  readonly reservations: readonly ClusterReservation[];
}

export interface ClusterReservation {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  /** As Slurm writes them: `a-[1-2]`. */
  readonly nodes: string;
  readonly state: 'active' | 'scheduled';
}

/** The output of a job of Slurm. */
export interface ClusterJobLog {
  readonly id: number;
  readonly name: string;
  readonly user: string;
  readonly state: string;
  readonly nodes: readonly string[];
  /** Why there are no lines. */
  readonly problem: string | null;
  /** Whether there are earlier lines. */
  readonly hasMore: boolean;
  readonly lines: readonly ClusterJobLine[];
}

export interface ClusterJobLine {
  /** Null: a line of the whole job. */
  readonly rank: number | null;
  /** Null if unknown. */
  readonly node: string | null;
  readonly text: string;
}

export type AccessKeyState = 'usable' | 'ending' | 'expired' | 'disabled';

/** An access key, without its secret. */
export interface AccessKeyRow {
  readonly id: string;
  readonly name: string | null;
  readonly role: ConsoleRole;
  /** Null: all actions of its role. */
  readonly actions: readonly string[] | null;
  readonly createdMs: number | null;
  readonly expiresMs: number | null;
  readonly lastUsedMs: number | null;
  /** The id of the key that it replaces. */
  readonly replaces: string | null;
  readonly state: AccessKeyState;
  /** Passed to the server at its start: it cannot be changed here. */
  readonly isFixed: boolean;
  /** The only permanent admin key: it cannot be disabled or removed. */
  readonly isLastAdmin: boolean;
}

/** The answer to the creation of a key, the only one that contains its secret. */
export interface MadeKey {
  readonly id: string;
  readonly secret: string;
}

export interface AuditRow {
  /** Identifies the line, and is the position at which the log continues. */
  readonly place: string;
  readonly time: string;
  readonly key: string;
  readonly role?: string | undefined;
  readonly from: string;
  readonly action: string;
  readonly resource?: string | undefined;
  readonly result: 'done' | 'refused' | 'failed';
  readonly code?: string | undefined;
  readonly request?: string | undefined;
  /** The number of rejected requests that were not recorded before this one. */
  readonly leftOut?: number | undefined;
}

/** Lines of the audit log, newest first. */
export interface AuditRows {
  readonly entries: readonly AuditRow[];
  /** The position of older lines; null: there are none. */
  readonly next: string | null;
}
