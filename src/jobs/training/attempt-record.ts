// The record of an attempt that its runner writes: the job's states, log lines and metrics, and the runner's heartbeat. Only the
// holder of the job's lock may write.

import { orIfFull } from '../../base/or-if-full.ts';
import { LogLines } from '../logs/log-lines.ts';
import { LockLostError, OwnJob } from '../own-job.ts';
import type { RunnerSetting } from '../runner-setting.ts';
import { SecretMask } from '../secrets.ts';
import { FailureLine } from './failure-line.ts';
import { afterInternalError } from './internal-error.ts';
import { MetricWatch } from './metric-watch.ts';
import type { SecondaryStatus } from './state-machine.ts';
import { moved, type TrainingJob } from './training-job.ts';
import { timeOver } from './waiting-time.ts';

export const LOG_GROUP = '/aws/sagemaker/TrainingJobs';
const HEARTBEAT_MS = 2000;
const MAX_REASON_CHARACTERS = 1024;

export class AttemptRecord {
  readonly #setting: RunnerSetting;
  readonly #own: OwnJob<TrainingJob>;
  readonly #metrics: MetricWatch;
  readonly #lines = new Map<string, LogLines>();
  readonly #failureLine = new FailureLine();
  readonly #secrets: SecretMask;
  readonly #startMs = performance.now();
  /** By performance.now(): the wall clock may be set back. */
  #heartbeatMs = Number.NEGATIVE_INFINITY;
  /** The job as the attempt began. */
  readonly job: TrainingJob;

  constructor(setting: RunnerSetting) {
    this.#setting = setting;
    this.#own = new OwnJob(setting.jobs.training, setting);
    this.job = this.#own.begin();
    const { spec, finalMetrics } = this.job;
    this.#metrics = new MetricWatch(spec.metrics, finalMetrics);
    this.#secrets = new SecretMask(spec.environment);
  }

  /** @throws {LockLostError} */
  update(change: (job: TrainingJob) => TrainingJob | undefined): TrainingJob {
    return this.#own.update(change);
  }

  move(to: SecondaryStatus): void {
    this.update(job =>
      // A stop was requested in the meantime: the job is Stopping, and stays so until its upload is complete.
      job.secondary === 'Stopping' && (to === 'Downloading' || to === 'Training')
        ? undefined
        : moved(job, to, 'runner', this.#setting.now()),
    );
  }

  /** Returns the instances and releases the job; false if a client has requested a stop in the meantime. */
  interrupt(): boolean {
    this.flush();
    const job = this.update(one =>
      one.secondary === 'Stopping' ? undefined : moved(one, 'Interrupted', 'runner', this.#setting.now()),
    );
    return job.secondary === 'Interrupted';
  }

  end(to: SecondaryStatus, failureReason?: string): void {
    const { now } = this.#setting;
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
    return this.#setting.ageMs + performance.now() - this.#startMs;
  }

  /** Ends a job that has waited too long for machines: the runner does what the scheduler does for other jobs. */
  endWaiting(): boolean {
    const { now } = this.#setting;
    const job = this.update(one => {
      const over = timeOver({ ...one, attempt: one.attempt - 1 }, this.ageMs());
      return over && moved(one, over.to, 'scheduler', now(), over.message);
    });
    return job.runner === undefined;
  }

  /** @param isClients whether the failure is caused by the job, not the system */
  fail(error: unknown, isClients: boolean): void {
    const message = error instanceof Error ? error.message : String(error);
    try {
      if (isClients) this.end('Failed', `ClientError: ${message}`);
      else {
        this.flush();
        this.update(job => afterInternalError(job, 'runner', this.#setting.now(), message));
      }
    } catch (second) {
      if (!(second instanceof LockLostError)) throw second;
    }
  }

  /** Updates the runner's heartbeat; true every other second, when it is also stored. */
  showLife(timeMs: number): boolean {
    this.#own.showLife(timeMs);
    const steadyMs = performance.now();
    if (steadyMs - this.#heartbeatMs < HEARTBEAT_MS) return false;
    this.#heartbeatMs = steadyMs;
    this.#own.tryUpdate(
      job =>
        job.runner && {
          ...job,
          finalMetrics: this.#metrics.values(),
          runner: { ...job.runner, heartbeatMs: timeMs },
        },
    );
    return true;
  }

  /** The request since the attempt began; a stop takes precedence over an interruption. */
  request(): 'stopped' | 'interrupted' | undefined {
    const job = this.#own.read();
    if (job?.stopRequestedMs !== undefined) return 'stopped';
    return job?.interruptRequestedMs === undefined ? undefined : 'interrupted';
  }

  /** Adds a log line of a host. */
  log(stream: string, line: string): void {
    const message = this.#secrets.mask(line);
    const timeMs = this.#setting.wallNow();
    this.#metrics.line(message, timeMs);
    this.#failureLine.add(message);
    this.#linesOf(stream).add(message, timeMs);
  }

  #linesOf(stream: string): LogLines {
    const known = this.#lines.get(stream);
    if (known !== undefined) return known;
    const lines = new LogLines(this.#setting.logs, LOG_GROUP, stream);
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
    const { metrics, name } = this.#setting;
    for (const lines of this.#lines.values()) lines.flush();
    if (orIfFull(() => metrics.appendAll(name, this.#metrics.fresh()))) this.#metrics.clearFresh();
  }

  close(): void {
    this.flush();
    for (const lines of this.#lines.values()) lines.close();
  }
}
