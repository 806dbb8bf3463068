// Starts the runners of batch transform jobs, as many at a time as there are instances, and notices those that have died. It
// keeps nothing in memory: a new server goes on where the old one ended.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inheritedVariables } from '../../base/environment.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { lifeOf } from '../../base/process-identity.ts';
import type { InstancePool } from '../training/instance-pool.ts';
import type { TransformJob } from './transform-job.ts';
import type { TransformArguments } from './transform-main.ts';
import type { TransformStore } from './transform-store.ts';

export interface TransformSchedulerOptions {
  readonly store: TransformStore;
  readonly pool: InstancePool;
  readonly data: string;
  readonly images: string | undefined;
  /** The program of the image `trenio`. */
  readonly serveProgram: string;
  readonly now: () => number;
  readonly log: (line: string) => void;
}

const TICK_MS = 250;
const START_MS = 30_000;
const main = fileURLToPath(
  new URL(`./transform-main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);

export class TransformScheduler {
  readonly #options: TransformSchedulerOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TransformSchedulerOptions) {
    this.#options = options;
    makeFolder(join(options.data, 'transforms'), 0o700);
  }

  start(): void {
    this.#timer = setInterval(() => this.tick(), TICK_MS).unref();
    this.tick();
  }

  /** Jobs that run go on. */
  stop(): void {
    clearInterval(this.#timer);
  }

  tick(): void {
    const { store, pool } = this.#options;
    const active = store.active();
    for (const job of active) if (job.runner !== undefined) this.#watch(job);
    const running = active.filter(({ runner }) => runner !== undefined).map(({ spec }) => spec);
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

  #launch({ name, spec }: TransformJob): void {
    const { store, now, data, images, pool, serveProgram, log } = this.#options;
    const nowMs = now();
    store.jobs.update(name, job => ({ ...job, startMs: nowMs, runner: { sinceMs: nowMs, process: undefined } }));
    const args: TransformArguments = { data, name, images, cores: pool.coresOf(spec.instanceType), serveProgram };
    const output = openSync(join(data, 'transforms', `${name}.log`), 'a', 0o600);
    const runner = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, JSON.stringify(args)], {
      detached: true,
      stdio: ['ignore', output, output],
      env: inheritedVariables(),
    });
    closeSync(output);
    runner.once('error', error =>
      log(`the runner of the transform job ${name} could not be started: ${error.message}`),
    );
    runner.unref();
  }

  #watch(job: TransformJob): void {
    const { now, log, data } = this.#options;
    const { runner, name } = job;
    if (runner === undefined) return;
    const isDead =
      runner.process === undefined ? now() - runner.sinceMs > START_MS : lifeOf(runner.process) === 'ended';
    if (!isDead) return;
    const reason = 'InternalServerError: We encountered an internal error. Please try again.';
    const isLost = this.#end(job, job.status === 'Stopping' ? 'Stopped' : 'Failed', reason);
    if (!isLost) return;
    log(`the runner of the transform job ${name} has ended without an outcome; its output is in ${data}/transforms`);
    void rm(join(data, 'transforms', name), { recursive: true, force: true }).catch((error: Error) =>
      log(`${name}: ${error.message}`),
    );
  }

  /** False if its runner has stored an outcome meanwhile. */
  #end({ name, runner }: TransformJob, status: 'Stopped' | 'Failed', reason: string | undefined): boolean {
    const { store, now } = this.#options;
    let isEnded = false;
    store.jobs.update(name, job => {
      if (job.runner?.sinceMs !== runner?.sinceMs || !['InProgress', 'Stopping'].includes(job.status)) return undefined;
      isEnded = true;
      const failureReason = status === 'Failed' ? reason : undefined;
      return { ...job, status, failureReason, endMs: now(), modifiedMs: now(), runner: undefined };
    });
    return isEnded;
  }
}
