// Gives instances to waiting jobs, first come first served for each instance type, and notices runners that have died. It keeps
// nothing in memory: a new server goes on where the old one ended.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';

import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inheritedVariables } from '../../base/environment.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { lifeOf } from '../../base/process-identity.ts';
import type { InstancePool } from './instance-pool.ts';
import type { JobStore } from './job-store.ts';
import type { ReservedJobs } from './reserved-jobs.ts';
import type { RunnerArguments } from './runner-main.ts';
import { moved, type TrainingJob } from './training-job.ts';

export interface SchedulerOptions {
  readonly jobs: JobStore;
  readonly pool: InstancePool;
  readonly reserved: ReservedJobs;
  /** The server's folder. */
  readonly data: string;
  /** The file with images, for the runners. */
  readonly images: string | undefined;
  readonly now: () => number;
  readonly log: (line: string) => void;
}

const TICK_MS = 500;
/** A runner writes a heartbeat every two seconds while its job trains; it may copy large files for longer. */
const START_MS = 30_000;
const main = fileURLToPath(new URL(`./runner-main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url));

export class Scheduler {
  readonly #options: SchedulerOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    makeFolder(join(options.data, 'runs'), 0o700);
  }

  start(): void {
    this.#timer = setInterval(() => this.tick(), TICK_MS);
    this.tick();
  }

  /** Jobs that run go on. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /** One look at all jobs that have not ended. */
  tick(): void {
    const { jobs, pool, reserved } = this.#options;
    const active = jobs.active();
    for (const job of active) {
      if (job.runner === undefined) continue;
      this.#watch(job);
      reserved.drain(job);
    }
    const running = active.filter(({ runner }) => runner !== undefined).map(({ spec }) => spec);
    const full = new Set<string>();
    for (const job of active.filter(({ runner }) => runner === undefined)) {
      if (this.#endWaiting(job)) continue;
      const { instanceType, reservation } = job.spec;
      if (reservation !== undefined) {
        if (!reserved.mayStart(job, running) || !pool.fitsReserved(job.spec, running)) continue;
        running.push(job.spec);
        this.#launch(job);
        continue;
      }
      // A job that does not fit holds back those behind it that want the same type: it would otherwise wait for ever.
      if (full.has(instanceType) || !pool.fits(job.spec, running, reserved.held(instanceType, running))) {
        full.add(instanceType);
        continue;
      }
      running.push(job.spec);
      this.#launch(job);
    }
  }

  /** Ends a job that waits, if its time is over. */
  #endWaiting({ name, createdMs, spec }: TrainingJob): boolean {
    const { jobs, now } = this.#options;
    const { maxWaitSeconds } = spec;
    if (maxWaitSeconds === undefined || now() - createdMs <= maxWaitSeconds * 1000) return false;
    jobs.update(name, job =>
      job.runner === undefined ? moved(job, 'MaxWaitTimeExceeded', 'scheduler', now()) : undefined,
    );
    return true;
  }

  #launch({ name }: TrainingJob): void {
    const { jobs, pool, data, images, now, log } = this.#options;
    const token = randomBytes(16).toString('hex');
    const claimed = jobs.update(name, job =>
      job.runner !== undefined
        ? undefined
        : { ...job, attempt: job.attempt + 1, runner: { token, process: undefined, heartbeatMs: now() } },
    );
    if (claimed?.runner?.token !== token) return;
    const args: RunnerArguments = {
      data,
      name,
      token,
      attempt: claimed.attempt,
      images,
      cores: pool.coresOf(claimed.spec.instanceType),
    };
    const output = openSync(join(data, 'runs', `${name}-${claimed.attempt}.log`), 'a', 0o600);
    const runner = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, JSON.stringify(args)], {
      detached: true,
      stdio: ['ignore', output, output],
      env: inheritedVariables(),
    });
    closeSync(output);
    runner.once('error', error => log(`the runner of ${name} could not be started: ${error.message}`));
    runner.unref();
  }

  /** A job whose runner has died is started again, or has failed. */
  #watch({ name, runner, attempt }: TrainingJob): void {
    const { jobs, now, data, log } = this.#options;
    if (runner === undefined) return;
    const isDead =
      runner.process === undefined ? now() - runner.heartbeatMs > START_MS : lifeOf(runner.process) === 'ended';
    if (!isDead) return;
    let isLost = false;
    jobs.update(name, job => {
      // It may have stored its outcome, and ended, since the job was read.
      if (job.runner?.token !== runner.token) return undefined;
      isLost = true;
      const ended =
        job.secondary === 'Stopping'
          ? moved(job, 'Stopped', 'scheduler', now())
          : moved(job, 'Failed', 'scheduler', now());
      return {
        ...ended,
        failureReason:
          ended.secondary === 'Failed'
            ? 'InternalServerError: We encountered an internal error. Please try again.'
            : undefined,
      };
    });
    if (!isLost) return;
    log(`the runner of ${name} has ended without an outcome; its output is in ${join(data, 'runs')}`);
    void rm(join(data, 'runs', `${name}-${attempt}`), { recursive: true, force: true }).catch((error: Error) =>
      log(`${name}: ${error.message}`),
    );
  }
}
