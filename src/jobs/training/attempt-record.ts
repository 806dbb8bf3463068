// The record of an attempt that its runner writes: the job's states, log lines and metrics, and the runner's heartbeat. Only the
// holder of the job's lock may write.

import { orIfFull } from '../../base/or-if-full.ts';
import { ownIdentity } from '../../base/process-identity.ts';
import { LogLines } from '../logs/log-lines.ts';
import type { LogStore } from '../logs/log-store.ts';
import type { MetricStore } from '../metrics/metric-store.ts';
import { touchRunnerOutput } from '../runner-heartbeat.ts';
import { SecretMask } from '../secrets.ts';
import type { JobStore } from '../store/job-store.ts';
import { FailureLine } from './failure-line.ts';
import { afterInternalError } from './internal-error.ts';
import { MetricWatch } from './metric-watch.ts';
import type { SecondaryStatus } from './state-machine.ts';
import { moved, type TrainingJob } from './training-job.ts';
import { timeOver } from './waiting-time.ts';

export const LOG_GROUP = '/aws/sagemaker/TrainingJobs';
const HEARTBEAT_MS = 2000;
/** The pause before a change is tried again on a full disk. */
const FULL_PAUSE_MS = 500;
const MAX_REASON_CHARACTERS = 1024;

/** The lock of a job is no longer held: the server gave the job to another runner, or ended it. */
export class LockLostError extends Error {
  constructor(name: string) {
    super(`the lock of the job ${name} is held by another runner`);
    this.name = 'LockLostError';
  }
}

export interface AttemptStores {
  readonly jobs: JobStore;
  readonly logs: LogStore;
  readonly metrics: MetricStore;
  readonly name: string;
  readonly token: string;
  /** The age of the job when the attempt starts. */
  readonly ageMs: number;
  /** The file of the runner's own output, which also keeps its heartbeat. */
  readonly output: string;
  /** The clock of states and bills, which does not jump. */
  readonly now: () => number;
  /** The wall clock, for lines and metrics. */
  readonly wallNow: () => number;
}

export class AttemptRecord {
  readonly #stores: AttemptStores;
  readonly #metrics: MetricWatch;
  readonly #lines = new Map<string, LogLines>();
  readonly #failureLine = new FailureLine();
  readonly #secrets: SecretMask;
  readonly #startMs = performance.now();
  /** By performance.now(): the wall clock may be set back. */
  #heartbeatMs = Number.NEGATIVE_INFINITY;

  constructor(stores: AttemptStores, { spec, finalMetrics }: TrainingJob) {
    this.#stores = stores;
    this.#metrics = new MetricWatch(spec.metrics, finalMetrics);
    this.#secrets = new SecretMask(spec.environment);
  }

  /** Registers this process as the runner of the job. */
  begin(): TrainingJob {
    const process = ownIdentity();
    const heartbeatMs = this.#stores.now();
    return this.update(job => job.runner && { ...job, runner: { ...job.runner, process, heartbeatMs } })!;
  }

  /**
   * Changes the job. While the disk is full, the change waits, because a lost state cannot be repeated.
   * @throws {LockLostError}
   */
  update(change: (job: TrainingJob) => TrainingJob | undefined): TrainingJob | undefined {
    const { output, now } = this.#stores;
    for (;;) {
      touchRunnerOutput(output, now());
      let job: TrainingJob | undefined;
      const isDone = orIfFull(() => {
        job = this.#update(change);
      });
      if (isDone) return job;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PAUSE_MS);
    }
  }

  #update(change: (job: TrainingJob) => TrainingJob | undefined): TrainingJob {
    const { jobs, name, token } = this.#stores;
    let isHeld = false;
    const job = jobs.training.update(name, one => {
      isHeld = one.runner?.token === token;
      return isHeld ? change(one) : undefined;
    });
    if (job === undefined || !isHeld) throw new LockLostError(name);
    return job;
  }

  move(to: SecondaryStatus): void {
    this.update(job =>
      // A stop was requested in the meantime: the job is Stopping, and stays so until its upload is complete.
      job.secondary === 'Stopping' && (to === 'Downloading' || to === 'Training')
        ? undefined
        : moved(job, to, 'runner', this.#stores.now()),
    );
  }

  /** Returns the instances and releases the job; false if a client has requested a stop in the meantime. */
  interrupt(): boolean {
    this.flush();
    const job = this.update(one =>
      one.secondary === 'Stopping' ? undefined : moved(one, 'Interrupted', 'runner', this.#stores.now()),
    );
    return job?.secondary === 'Interrupted';
  }

  end(to: SecondaryStatus, failureReason?: string): void {
    const { now } = this.#stores;
    this.flush();
    this.update(job => ({
      ...moved(
        // In these states, a stop goes through Stopping.
        to === 'Stopped' && ['Starting', 'Restarting', 'Downloading'].includes(job.secondary)
          ? moved(job, 'Stopping', 'scheduler', now())
          : job,
        to,
        'runner',
        now(),
      ),
      finalMetrics: this.#metrics.values(),
      failureReason: failureReason && this.#secrets.mask(failureReason).slice(0, MAX_REASON_CHARACTERS),
    }));
  }

  /** The age of the job, by a clock that does not jump. */
  ageMs(): number {
    return this.#stores.ageMs + performance.now() - this.#startMs;
  }

  /** Ends a job that has waited too long for machines: the runner does what the scheduler does for other jobs. */
  endWaiting(): boolean {
    const { now } = this.#stores;
    const job = this.update(one => {
      const over = timeOver({ ...one, attempt: one.attempt - 1 }, this.ageMs());
      return over && moved(one, over.to, 'scheduler', now(), over.message);
    });
    return job?.runner === undefined;
  }

  /** @param isClients whether the failure is caused by the job, not the system */
  fail(error: unknown, isClients: boolean): void {
    const message = error instanceof Error ? error.message : String(error);
    try {
      if (isClients) this.end('Failed', `ClientError: ${message}`);
      else {
        this.flush();
        this.update(job => afterInternalError(job, 'runner', this.#stores.now(), message));
      }
    } catch (second) {
      if (!(second instanceof LockLostError)) throw second;
    }
  }

  /** Updates the runner's heartbeat; true every other second, when it is also stored. */
  showLife(timeMs: number): boolean {
    touchRunnerOutput(this.#stores.output, timeMs);
    const steadyMs = performance.now();
    if (steadyMs - this.#heartbeatMs < HEARTBEAT_MS) return false;
    this.#heartbeatMs = steadyMs;
    orIfFull(() => {
      this.#update(
        job =>
          job.runner && {
            ...job,
            finalMetrics: this.#metrics.values(),
            runner: { ...job.runner, heartbeatMs: timeMs },
          },
      );
    });
    return true;
  }

  /** The request since the attempt began; a stop takes precedence over an interruption. */
  request(): 'stopped' | 'interrupted' | undefined {
    const job = this.#stores.jobs.training.get(this.#stores.name);
    if (job?.stopRequestedMs !== undefined) return 'stopped';
    return job?.interruptRequestedMs === undefined ? undefined : 'interrupted';
  }

  /** Adds a log line of a host. */
  log(stream: string, line: string): void {
    const message = this.#secrets.mask(line);
    const timeMs = this.#stores.wallNow();
    this.#metrics.line(message, timeMs);
    this.#failureLine.add(message);
    this.#linesOf(stream).add(message, timeMs);
  }

  #linesOf(stream: string): LogLines {
    const known = this.#lines.get(stream);
    if (known !== undefined) return known;
    const lines = new LogLines(this.#stores.logs, LOG_GROUP, stream);
    this.#lines.set(stream, lines);
    return lines;
  }

  /** The log line that best explains why a program has failed. */
  get failureText(): string {
    return this.#failureLine.text;
  }

  /** Creates the streams of hosts. */
  openStreams(streams: readonly string[]): void {
    for (const stream of streams) this.#linesOf(stream);
  }

  /** Writes pending lines and metrics; on a full disk, they wait for the next time. */
  flush(): void {
    const { metrics, name } = this.#stores;
    for (const lines of this.#lines.values()) lines.flush();
    if (orIfFull(() => metrics.appendAll(name, this.#metrics.fresh()))) this.#metrics.clearFresh();
  }

  close(): void {
    this.flush();
    for (const lines of this.#lines.values()) lines.close();
  }
}
