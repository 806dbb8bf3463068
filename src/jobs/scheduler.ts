// Starts the runners of the jobs of a kind, and detects runners that have died. It keeps no state in memory: a new server
// continues where the old one ended.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerVariables } from '../base/environment.ts';
import { makeFolder } from '../base/make-folder.ts';
import { neighbor } from '../base/neighbor.ts';
import type { Clocks } from './clocks.ts';
import { attemptName, type InstanceJob } from './job.ts';
import { type JobKind, runnerFolders, type Start } from './kind.ts';
import { HeldInstances, type LedgerSources } from './ledger.ts';
import type { Loop } from './loops.ts';
import { RunnerLives } from './process-life.ts';
import type { RunnerArguments } from './run-job.ts';
import { lastHeartbeatMs } from './runner-heartbeat.ts';

export interface SchedulerOptions extends LedgerSources {
  /** The server's folder. */
  readonly data: string;
  /** The file with images, for the runners. */
  readonly images: string | undefined;
  readonly clocks: Clocks;
  readonly log: (line: string) => void;
}

const main = fileURLToPath(neighbor(import.meta.url, './runner-main.ts'));

export class Scheduler<T extends InstanceJob> implements Loop {
  readonly name: string;
  readonly everyMs = 250;
  readonly #kind: JobKind<T>;
  readonly #options: SchedulerOptions;
  readonly #folder: string;
  readonly #lives: RunnerLives;

  constructor(kind: JobKind<T>, options: SchedulerOptions) {
    this.name = `the scheduler of ${kind.name} jobs`;
    this.#kind = kind;
    this.#options = options;
    this.#folder = join(options.data, runnerFolders[kind.name]);
    this.#lives = new RunnerLives(options.clocks.steady);
    makeFolder(this.#folder, 0o700);
  }

  /** Removes leftovers of runners that ended while no server ran: their folders, and empty outputs. */
  sweep(): void {
    const current = new Set(this.#kind.table.active().map(attemptName));
    for (const entry of readdirSync(this.#folder, { withFileTypes: true })) {
      const path = join(this.#folder, entry.name);
      if (entry.isDirectory() ? !current.has(entry.name) : isEmpty(path) && !current.has(entry.name.slice(0, -4)))
        rmSync(path, { recursive: true, force: true });
    }
  }

  /** Checks once all jobs that have not ended. */
  tick(): void {
    const { table, look, watch, starting } = this.#kind;
    const known = table.active();
    look?.(known);
    for (const job of known) {
      if (job.runner === undefined) continue;
      watch?.(job);
      this.#checkLife(job);
    }
    const active = table.active();
    this.#lives.keep(active);
    const waiting = active.filter(({ runner }) => runner === undefined);
    if (waiting.length === 0) return;
    for (const start of starting(waiting, new HeldInstances(this.#options))) this.#launch(start);
  }

  #launch({ job: { name }, claim }: Start<T>): void {
    const { data, images, jobs, pool, clocks, log } = this.#options;
    const { name: kind, engine, argumentsOf } = this.#kind;
    const token = randomBytes(16).toString('hex');
    const job = jobs.transaction(() => claim({ token, process: undefined, heartbeatMs: clocks.wall() }));
    if (job?.runner?.token !== token) return;
    const { instanceType } = job.spec;
    const cores = pool.coresOf(instanceType);
    const args = { kind, data, name, token, images, cores, ...argumentsOf(job) } satisfies RunnerArguments;
    const output = openSync(this.#outputOf(job), 'a', 0o600);
    const words = engine?.runnerWords(JSON.stringify(args)) ?? [main, JSON.stringify(args)];
    const runner = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
      detached: true,
      stdio: ['ignore', output, output],
      env: runnerVariables(),
    });
    closeSync(output);
    runner.once('error', error => log(`the runner of the ${kind} job ${name} could not be started: ${error.message}`));
    runner.unref();
  }

  /** Stores the loss of a job whose runner has died. */
  #checkLife(job: T): void {
    const { table, name: kind, afterLoss, engine } = this.#kind;
    const { log } = this.#options;
    const { runner, name } = job;
    if (runner === undefined) return;
    const isStarted = runner.process !== undefined;
    if (!this.#lives.isDead(name, runner.process, isStarted ? this.#lastSeenMs(job) : runner.heartbeatMs)) return;
    let isLost = false;
    table.update(name, one => {
      // It may have stored its outcome, and ended, since the job was read.
      if (one.runner?.token !== runner.token) return undefined;
      isLost = true;
      return afterLoss(one, this.#lastSeenMs(one), isStarted);
    });
    if (!isLost) return;
    engine
      ?.abandon(name, job.attempt ?? 0)
      .catch((error: Error) => log(`${name}: what it left on the cluster was not ended: ${error.message}`));
    const output = this.#outputOf(job);
    if (isStarted || !isEmpty(output))
      log(`the runner of the ${kind} job ${name} has ended without an outcome; its output is in ${output}`);
    void rm(join(this.#folder, attemptName(job)), { recursive: true, force: true }).catch((error: Error) =>
      log(`${name}: ${error.message}`),
    );
  }

  #outputOf(job: T): string {
    return join(this.#folder, `${attemptName(job)}.log`);
  }

  /** When a dead runner was last alive: the time until this is noticed is not billed. */
  #lastSeenMs(job: T): number {
    return lastHeartbeatMs(this.#outputOf(job)) ?? job.runner?.heartbeatMs ?? this.#options.clocks.wall();
  }
}

/** A file that its runner has removed in the meantime counts as empty. */
const isEmpty = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
