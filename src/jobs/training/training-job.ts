// A stored training job: the request, and its outcome.
import type { InstanceClaim, InstanceJob } from '../job.ts';
import { describeWait, type WaitReason } from '../wait-reason.ts';
import type { JobMeasurement, JobPrediction } from './job-estimates.ts';
import { type Mover, mayMove, type SecondaryStatus, statusMessages } from './state-machine.ts';
import { poolAtEnd, type WarmPool } from './warm-pool-state.ts';

export interface Channel {
  readonly name: string;
  readonly bucket: string;
  /** The prefix of the keys; the rest of a key is the path of the file. */
  readonly prefix: string;
  readonly contentType: string | undefined;
  /** Each host gets all objects, or its share of them. */
  readonly distribution: 'FullyReplicated' | 'ShardedByS3Key';
  readonly gzip: boolean;
}

/** The validated definition of a job. */
export interface TrainingJobSpec extends InstanceClaim {
  readonly image: string;
  readonly entrypoint: readonly string[] | undefined;
  readonly arguments: readonly string[];
  readonly hyperparameters: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly channels: readonly Channel[];
  readonly output: { readonly bucket: string; readonly prefix: string; readonly compressed: boolean };
  /** The prefix that /opt/ml/checkpoints is copied from and to. */
  readonly checkpoints: { readonly bucket: string; readonly prefix: string } | undefined;
  /** The folder below /opt/ml whose files are copied to a prefix while the job runs. */
  readonly tensorBoard?: { readonly folder: string; readonly bucket: string; readonly prefix: string } | undefined;
  readonly maxRuntimeSeconds: number;
  /** For spot jobs: the limit of queued, interrupted and running time together. */
  readonly maxWaitSeconds: number | undefined;
  /** How long it may wait for its first instances. */
  readonly maxPendingSeconds: number | undefined;
  /** How often it is restarted after an internal error. */
  readonly retryAttempts: number;
  /** The disk of each host; undefined: not limited. */
  readonly volumeGb?: number | undefined;
  /** How long its instances are kept after its end, as a warm pool. */
  readonly keepAliveSeconds?: number | undefined;
  /** Jobs with equal keys may use each other's warm pools. */
  readonly warmPoolKey?: string | undefined;
  readonly isSpot: boolean;
  readonly hasNetwork: boolean;
  readonly metrics: readonly { readonly name: string; readonly regex: string }[];
}

export interface StatusTransition {
  readonly status: SecondaryStatus;
  readonly startMs: number;
  readonly endMs: number | undefined;
  readonly message: string;
}

export interface MetricValue {
  readonly name: string;
  readonly value: number;
  readonly timeMs: number;
}

export interface TrainingJob extends InstanceJob {
  readonly spec: TrainingJobSpec;
  /** Members of the request that change nothing on this server. */
  readonly withoutEffect?: readonly string[] | undefined;
  readonly secondary: SecondaryStatus;
  readonly transitions: readonly StatusTransition[];
  /** Why it has no instances yet, once that is known. */
  readonly waitsFor?: WaitReason | undefined;
  readonly trainingStartMs: number | undefined;
  readonly trainingEndMs: number | undefined;
  /** The time on instances of all ended attempts. */
  readonly billedMs: number;
  /** When the instances of the running attempt were taken; undefined if none runs. */
  readonly instancesSinceMs: number | undefined;
  readonly failureReason: string | undefined;
  readonly finalMetrics: readonly MetricValue[];
  /** Counts the starts of the job, from 0. */
  readonly attempt: number;
  /** Counts the restarts after an internal error. */
  readonly retries: number;
  /** The instances of the running attempt are being interrupted. */
  readonly interruptRequestedMs: number | undefined;
  /** The price of its instances as a share of the on-demand price: less than 1 for spot instances. */
  readonly priceShare: number;
  /** The resources that the last attempt shares with the machine (shared-with-machine.ts); undefined: it has not started. */
  readonly shared?: readonly string[] | undefined;
  readonly warmPool?: WarmPool | undefined;
  /** Set for jobs of the image `trenio` that took training steps. */
  readonly measured?: JobMeasurement | undefined;
  readonly predicted?: JobPrediction | undefined;
  /** The client tokens of the requests that created and stopped it: a repeated request gets the same answer. */
  readonly createdBy?: string | undefined;
  readonly stoppedBy?: string | undefined;
  /** Whether a client requested a stop. */
  readonly stopRequestedMs: number | undefined;
}

/**
 * The job in another state: the transition is recorded, and time on instances is added up when the job leaves them.
 * @throws {Error} for a transition that the state machine does not allow: a bug
 */
export function moved(
  job: TrainingJob,
  to: SecondaryStatus,
  mover: Mover,
  nowMs: number,
  message: string = statusMessages[to],
): TrainingJob {
  if (!mayMove(job.secondary, to, mover))
    throw new Error(`Trenio bug: the ${mover} moved a job from ${job.secondary} to ${to}.`);
  const ended = job.transitions.map(one => (one.endMs === undefined ? { ...one, endMs: nowMs } : one));
  const started = to === 'Downloading' && job.instancesSinceMs === undefined ? nowMs : job.instancesSinceMs;
  const released = leavesInstances.has(to) && started !== undefined;
  return {
    ...job,
    secondary: to,
    waitsFor: undefined,
    transitions: [
      ...ended,
      {
        status: to,
        startMs: nowMs,
        endMs: leavesInstances.has(to) && !comesBack.has(to) ? nowMs : undefined,
        message,
      },
    ],
    modifiedMs: nowMs,
    trainingStartMs: job.trainingStartMs ?? (to === 'Downloading' ? nowMs : undefined),
    trainingEndMs: released && !comesBack.has(to) ? nowMs : job.trainingEndMs,
    billedMs: released ? job.billedMs + Math.max(0, nowMs - started) : job.billedMs,
    instancesSinceMs: released ? undefined : started,
    warmPool: released && !comesBack.has(to) ? poolAtEnd(job.warmPool, job.spec.keepAliveSeconds, nowMs) : job.warmPool,
    interruptRequestedMs: leavesInstances.has(to) ? undefined : job.interruptRequestedMs,
    runner: leavesInstances.has(to) ? undefined : job.runner,
  };
}

/** The job has no instances now, but continues later. */
const comesBack: ReadonlySet<SecondaryStatus> = new Set(['Interrupted', 'Restarting']);

const leavesInstances: ReadonlySet<SecondaryStatus> = new Set([
  ...comesBack,
  'Stopped',
  'MaxRuntimeExceeded',
  'MaxWaitTimeExceeded',
  'Completed',
  'Failed',
]);

/** The job with this reason; undefined: nothing changes. @param reason undefined: it does not wait */
export function withWait(job: TrainingJob, reason: WaitReason | undefined, nowMs: number): TrainingJob | undefined {
  const isSame = JSON.stringify(job.waitsFor) === JSON.stringify(reason);
  return isSame ? undefined : { ...job, waitsFor: reason, modifiedMs: nowMs };
}

/** The transitions of a job. The message of the last one says why the job waits. */
export function transitionsOf({ transitions, waitsFor }: TrainingJob): readonly StatusTransition[] {
  const last = transitions.at(-1);
  if (waitsFor === undefined || last === undefined) return transitions;
  return [...transitions.slice(0, -1), { ...last, message: `${last.message} (waiting: ${describeWait(waitsFor)})` }];
}
