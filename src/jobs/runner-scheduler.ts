// Starts the runners of jobs with a single attempt (transform and processing jobs), as many at a time as there are instances, and
// detects runners that have died. It keeps no state in memory: a new server continues where the old one ended.
import { spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runnerVariables } from '../base/environment.ts';
import { guarded } from '../base/guarded.ts';
import { makeFolder } from '../base/make-folder.ts';
import type { ProcessIdentity } from '../base/process-identity.ts';
import { RunnerLives } from './process-life.ts';
import { lastHeartbeatMs, touchRunnerOutput } from './runner-heartbeat.ts';
import type { ResourceTable } from './store/resource-table.ts';
import type { Resource } from './store/resources.ts';
import type { InstancePool, Taken } from './training/instance-pool.ts';

/**
 *   InProgress ──► Completed │ Failed      a client asks: Stopping ──► Stopped
 */
const oneAttemptStatuses = ['InProgress', 'Completed', 'Failed', 'Stopping', 'Stopped'] as const;
export type OneAttemptStatus = (typeof oneAttemptStatuses)[number];

/** A job that is run once, by a separate process. */
export interface OneAttemptJob extends Resource {
  readonly spec: Taken;
  readonly status: OneAttemptStatus;
  /** When its instances were taken and returned. */
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  readonly failureReason: string | undefined;
  /** The process that runs it; set when it is started. */
  readonly runner: { readonly sinceMs: number; readonly process: ProcessIdentity | undefined } | undefined;
}

export interface RunnerSchedulerOptions<T extends OneAttemptJob> {
  /** Such as `transform job`. */
  readonly kind: string;
  readonly jobs: ResourceTable<T>;
  readonly pool: InstancePool;
  /** The instances that jobs of other kinds hold. */
  readonly others: () => readonly Taken[];
  /** The folder of the runners: a folder for each, and their own output. */
  readonly folder: string;
  /** The program of a runner, and its argument, written as JSON. */
  readonly main: string;
  readonly argumentsOf: (job: T, cores: number) => object;
  readonly now: () => number;
  /** A clock that does not jump. */
  readonly steadyNow?: () => number;
  readonly log: (line: string) => void;
}

const TICK_MS = 250;
const INTERNAL_ERROR = 'InternalServerError: We encountered an internal error. Please try again.';

const outputOfRunner = (folder: string, name: string): string => join(folder, `${name}.log`);

/** Marks a runner as alive. @param nowMs by a clock that does not jump */
export function touchRunner(folder: string, name: string, nowMs: number): void {
  touchRunnerOutput(outputOfRunner(folder, name), nowMs);
}

export class RunnerScheduler<T extends OneAttemptJob> {
  readonly #options: RunnerSchedulerOptions<T>;
  readonly #lives: RunnerLives;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RunnerSchedulerOptions<T>) {
    this.#options = options;
    this.#lives = new RunnerLives(options.steadyNow);
    makeFolder(options.folder, 0o700);
  }

  start(): void {
    const tick = guarded(`the scheduler of ${this.#options.kind}s`, () => this.tick(), this.#options.log);
    this.#timer = setInterval(tick, TICK_MS).unref();
    tick();
  }

  /** Running jobs continue. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /** The instances that its jobs hold. */
  taken(): readonly Taken[] {
    return this.#options.jobs
      .active()
      .filter(({ runner }) => runner !== undefined)
      .map(({ spec }) => spec);
  }

  tick(): void {
    const { jobs, pool, others } = this.#options;
    const active = jobs.active();
    this.#lives.keep(active);
    for (const job of active) if (job.runner !== undefined) this.#watch(job);
    const running = [...this.taken(), ...others()];
    for (const job of active.filter(({ runner }) => runner === undefined)) {
      if (job.status === 'Stopping') {
        this.#end(job, 'Stopped', undefined);
        continue;
      }
      if (!pool.fits(job.spec, running)) continue;
      running.push(job.spec);
      this.#launch(job);
    }
  }

  #launch(job: T): void {
    const { jobs, kind, folder, now, main, argumentsOf, pool, log } = this.#options;
    const { name, spec } = job;
    const nowMs = now();
    jobs.update(name, one => ({ ...one, startMs: nowMs, runner: { sinceMs: nowMs, process: undefined } }));
    const argument = JSON.stringify(argumentsOf(job, pool.coresOf(spec.instanceType)));
    const output = openSync(outputOfRunner(folder, name), 'a', 0o600);
    const runner = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, argument], {
      detached: true,
      stdio: ['ignore', output, output],
      env: runnerVariables(),
    });
    closeSync(output);
    runner.once('error', error => log(`the runner of the ${kind} ${name} could not be started: ${error.message}`));
    runner.unref();
  }

  #watch(job: T): void {
    const { log, kind, folder } = this.#options;
    const { runner, name } = job;
    if (runner === undefined) return;
    const signMs = runner.process === undefined ? runner.sinceMs : this.#lastSeenMs(job);
    if (!this.#lives.isDead(name, runner.process, signMs)) return;
    const isLost = this.#end(job, job.status === 'Stopping' ? 'Stopped' : 'Failed', INTERNAL_ERROR);
    if (!isLost) return;
    log(`the runner of the ${kind} ${name} has ended without an outcome; its output is in ${folder}`);
    void rm(join(folder, name), { recursive: true, force: true }).catch((error: Error) =>
      log(`${name}: ${error.message}`),
    );
  }

  /** False if its runner has stored an outcome in the meantime. */
  #end(job: T, status: 'Stopped' | 'Failed', reason: string | undefined): boolean {
    const { jobs, now } = this.#options;
    let isEnded = false;
    jobs.update(job.name, one => {
      if (one.runner?.sinceMs !== job.runner?.sinceMs || !isActive(one)) return undefined;
      isEnded = true;
      const failureReason = status === 'Failed' ? reason : undefined;
      const endMs = one.runner === undefined ? undefined : this.#lastSeenMs(one);
      return { ...one, status, failureReason, endMs: endMs ?? now(), modifiedMs: now(), runner: undefined };
    });
    return isEnded;
  }

  /** When a dead runner was last alive: the time until its death is detected is not billed. */
  #lastSeenMs({ name, startMs = 0 }: T): number {
    return Math.max(startMs, lastHeartbeatMs(outputOfRunner(this.#options.folder, name)) ?? startMs);
  }
}

export const isActive = ({ status }: OneAttemptJob): boolean => status === 'InProgress' || status === 'Stopping';

/** Removes the output file of a runner if it is empty: runners print only when they fail. */
export function removeEmptyOutput(folder: string, name: string): void {
  const output = outputOfRunner(folder, name);
  if (statSync(output, { throwIfNoEntry: false })?.size === 0) rmSync(output);
}
