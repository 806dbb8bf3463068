// Gives instances to waiting jobs, first come first served for each instance type, interrupts spot instances, and detects runners
// that have died. It keeps no state in memory: a new server continues where the old one ended.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerVariables } from '../../base/environment.ts';
import { guarded } from '../../base/guarded.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { neighbor } from '../../base/neighbor.ts';
import { Ages } from '../ages.ts';
import type { Clocks } from '../clocks.ts';
import { RunnerLives } from '../process-life.ts';
import { lastHeartbeatMs } from '../runner-heartbeat.ts';
import type { JobStore } from '../store/job-store.ts';
import type { EngineOfServer } from './host-engine.ts';
import type { InstancePool, Taken } from './instance-pool.ts';
import { afterInternalError } from './internal-error.ts';
import { awayMs, interruptionMs, interruptTrainingJob } from './interruption.ts';
import type { ReservedJobs } from './reserved-jobs.ts';
import type { RunnerArguments } from './run-attempt.ts';
import type { SecondaryStatus } from './state-machine.ts';
import { moved, type TrainingJob, withWait } from './training-job.ts';
import type { WaitReason } from './wait-reason.ts';
import { timeOver } from './waiting-time.ts';
import { expiryMs, matches, poolAtStart, withPoolEnded, withPoolReused } from './warm-pool.ts';

export interface SchedulerOptions {
  readonly jobs: JobStore;
  readonly pool: InstancePool;
  readonly reserved: ReservedJobs;
  /** The instances that jobs of other kinds hold. */
  readonly others: () => readonly Taken[];
  /** The server's folder. */
  readonly data: string;
  /** The file with images, for the runners. */
  readonly images: string | undefined;
  /** Between SIGTERM and SIGKILL of a job's programs; undefined: two minutes. */
  readonly graceMs?: number | undefined;
  /** The engine that runs jobs; undefined: this machine. */
  readonly engine?: EngineOfServer | undefined;
  readonly clocks: Clocks;
  readonly log: (line: string) => void;
}

const TICK_MS = 500;
const INTERNAL_ERROR = 'We encountered an internal error. Please try again.';
const main = fileURLToPath(neighbor(import.meta.url, './runner-main.ts'));

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #ages: Ages;
  readonly #lives: RunnerLives;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#ages = new Ages(options.clocks);
    this.#lives = new RunnerLives(options.clocks.steady);
    makeFolder(join(options.data, 'runs'), 0o700);
  }

  start(): void {
    this.#sweep();
    const tick = guarded('the scheduler', () => this.tick(), this.#options.log);
    this.#timer = setInterval(tick, TICK_MS);
    tick();
  }

  /** Removes leftovers of attempts that ended while no server ran: folders of dead runners, and empty outputs. */
  #sweep(): void {
    const { jobs, data } = this.#options;
    const runs = join(data, 'runs');
    const current = new Set(jobs.training.active().map(({ name, attempt }) => `${name}-${attempt}`));
    for (const entry of readdirSync(runs, { withFileTypes: true })) {
      const path = join(runs, entry.name);
      if (entry.isDirectory() ? !current.has(entry.name) : isEmpty(path) && !current.has(entry.name.slice(0, -4)))
        rmSync(path, { recursive: true, force: true });
    }
  }

  /** Running jobs continue. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /** The instances that its jobs hold. */
  taken(): readonly Taken[] {
    return this.#options.jobs.training
      .active()
      .filter(({ runner }) => runner !== undefined)
      .map(({ spec }) => spec);
  }

  /** Checks once all jobs that have not ended. */
  tick(): void {
    const { jobs, pool, reserved, others } = this.#options;
    const known = jobs.training.active();
    this.#ages.look([...known, ...jobs.training.having('$.warmPool.status', 'Available')]);
    for (const job of known) {
      if (job.runner === undefined) continue;
      this.#watch(job);
      reserved.drain(job);
    }
    const active = jobs.training.active();
    this.#lives.keep(active);
    const running = active.filter(({ runner }) => runner !== undefined).map(({ spec }) => spec);
    const ofOtherKinds = others();
    const pools = this.#warmPools();
    const full = new Set<string>();
    const waiting: (readonly [TrainingJob, WaitReason])[] = [];
    for (const job of active.filter(({ runner }) => runner === undefined)) {
      if (this.#endWaiting(job)) continue;
      if (this.#isAway(job)) {
        waiting.push([job, { kind: 'no spot instances' }]);
        continue;
      }
      const { instanceType, reservation } = job.spec;
      if (reservation !== undefined) {
        const admitted = reserved.admit(job, running);
        if (admitted === 'ended') continue;
        const wait = admitted === 'runs' ? pool.waitOfReserved(job.spec, [...running, ...ofOtherKinds]) : admitted;
        if (wait !== undefined) {
          waiting.push([job, wait]);
          continue;
        }
        running.push(job.spec);
        this.#launch(job);
        continue;
      }
      const warm = pools.find(one => matches(job, one));
      const ofOthers = pools.filter(one => one !== warm && one.spec.instanceType === instanceType);
      const held = ofOthers.reduce((sum, { spec }) => sum + spec.instanceCount, reserved.held(instanceType, running));
      // A job that does not fit holds back later jobs of the same instance type: otherwise it could wait forever.
      const wait: WaitReason | undefined =
        full.has(instanceType) && warm === undefined
          ? { kind: 'order', instanceType }
          : pool.waitOf(job.spec, [...running, ...ofOtherKinds], held);
      if (wait !== undefined) {
        full.add(instanceType);
        waiting.push([job, wait]);
        continue;
      }
      running.push(job.spec);
      if (warm !== undefined) pools.splice(pools.indexOf(warm), 1);
      this.#launch(job, warm);
    }
    this.#storeWaits(waiting);
  }

  /** Stores what jobs wait for, where it has changed. */
  #storeWaits(waiting: readonly (readonly [TrainingJob, WaitReason])[]): void {
    const { jobs, clocks } = this.#options;
    const changed = waiting.filter(([job, reason]) => withWait(job, reason, 0) !== undefined);
    if (changed.length === 0) return;
    jobs.transaction(() => {
      for (const [{ name }, reason] of changed)
        jobs.training.update(name, one =>
          one.runner === undefined && waits.has(one.secondary) ? withWait(one, reason, clocks.wall()) : undefined,
        );
    });
  }

  /** The existing warm pools, without expired ones. */
  #warmPools(): TrainingJob[] {
    const { jobs } = this.#options;
    return jobs.training.having('$.warmPool.status', 'Available').filter(({ name }) => {
      const job = jobs.training.update(name, one => {
        const expiry = expiryMs(one);
        return expiry === undefined || expiry > this.#poolMs(one) ? undefined : withPoolEnded(one, expiry);
      });
      return job?.warmPool?.status === 'Available';
    });
  }

  /** The time at which an available warm pool is now, counted from its start. */
  #poolMs({ name, warmPool }: TrainingJob): number {
    const sinceMs = warmPool?.keptSinceMs ?? this.#options.clocks.wall();
    return sinceMs + this.#ages.of(name, sinceMs, 'kept');
  }

  /** Whether no spot instances are available since the interruption of a job. */
  #isAway(job: TrainingJob): boolean {
    const away = awayMs(this.#options.pool.spot, job);
    return away > 0 && this.#ages.of(job.name, job.transitions.at(-1)!.startMs, 'interrupted') < away;
  }

  /** Ends a waiting job if it has waited too long. */
  #endWaiting(job: TrainingJob): boolean {
    const { jobs, clocks } = this.#options;
    const ageMs = this.#ages.of(job.name, job.createdMs);
    if (timeOver(job, ageMs) === undefined) return false;
    jobs.training.update(job.name, one => {
      // A client may have stopped it since it was read.
      const over = one.runner === undefined && waits.has(one.secondary) ? timeOver(one, ageMs) : undefined;
      return over && moved(one, over.to, 'scheduler', clocks.wall(), over.message);
    });
    return true;
  }

  /** @param warm a job whose warm instances it takes over */
  #launch({ name }: TrainingJob, warm?: TrainingJob): void {
    const { jobs, pool, data, images, graceMs, engine, clocks, log } = this.#options;
    const token = randomBytes(16).toString('hex');
    const claimed = jobs.transaction(() => {
      const from = warm && jobs.training.get(warm.name);
      // The pool may have been deleted or changed since it was read.
      if (warm !== undefined && from?.warmPool?.status !== 'Available') return undefined;
      const started = jobs.training.update(name, job =>
        job.runner !== undefined || !waits.has(job.secondary)
          ? undefined
          : {
              ...(job.secondary === 'Interrupted' ? moved(job, 'Starting', 'scheduler', clocks.wall()) : job),
              attempt: job.attempt + 1,
              waitsFor: undefined,
              interruptRequestedMs: undefined,
              warmPool: poolAtStart(job.spec, from, clocks.wall()),
              runner: { token, process: undefined, heartbeatMs: clocks.wall() },
            },
      );
      if (started?.runner?.token !== token) return undefined;
      if (from !== undefined) jobs.training.update(from.name, one => withPoolReused(one, name, this.#poolMs(one)));
      return started;
    });
    if (claimed === undefined) return;
    const args: RunnerArguments = {
      data,
      name,
      token,
      attempt: claimed.attempt,
      ageMs: this.#ages.of(claimed.name, claimed.createdMs),
      images,
      cores: pool.coresOf(claimed.spec.instanceType),
      memoryGb: pool.memoryGbOf(claimed.spec.instanceType),
      graceMs,
    };
    const output = openSync(this.#outputOf(claimed), 'a', 0o600);
    const words = engine === undefined ? [main, JSON.stringify(args)] : engine.runnerWords(JSON.stringify(args));
    const runner = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
      detached: true,
      stdio: ['ignore', output, output],
      env: runnerVariables(),
    });
    closeSync(output);
    runner.once('error', error => log(`the runner of ${name} could not be started: ${error.message}`));
    runner.unref();
  }

  #outputOf({ name, attempt }: TrainingJob): string {
    return join(this.#options.data, 'runs', `${name}-${attempt}.log`);
  }

  /** Interrupts spot instances. A job whose runner has died is restarted or fails. */
  #watch(job: TrainingJob): void {
    const { jobs, pool, clocks, data, log } = this.#options;
    const { name, runner, attempt, instancesSinceMs } = job;
    if (runner === undefined) return;
    const afterMs = interruptionMs(pool.spot, job);
    if (afterMs !== undefined && this.#ages.of(name, instancesSinceMs ?? clocks.wall(), 'instances') >= afterMs)
      interruptTrainingJob(jobs, name, clocks.wall());
    const neverStarted = runner.process === undefined;
    const signMs = neverStarted ? runner.heartbeatMs : this.#lastSeenMs(job);
    if (!this.#lives.isDead(name, runner.process, signMs)) return;
    let isLost = false;
    jobs.training.update(name, one => {
      // It may have stored its outcome, and ended, since the job was read.
      if (one.runner?.token !== runner.token) return undefined;
      isLost = true;
      // The server ended before it could start the process: another one is started, which does not count as a retry.
      if (neverStarted && one.secondary !== 'Stopping') return { ...one, runner: undefined };
      return afterInternalError(one, 'scheduler', this.#lastSeenMs(one), INTERNAL_ERROR);
    });
    if (!isLost) return;
    this.#options.engine
      ?.abandon(name, attempt)
      .catch((error: Error) => log(`${name}: what it left on the cluster was not ended: ${error.message}`));
    const output = this.#outputOf(job);
    if (!neverStarted || !isEmpty(output))
      log(`the runner of ${name} has ended without an outcome; its output is in ${output}`);
    void rm(join(data, 'runs', `${name}-${attempt}`), { recursive: true, force: true }).catch((error: Error) =>
      log(`${name}: ${error.message}`),
    );
  }

  /** When a dead runner was last alive: the time until this is noticed is not billed. */
  #lastSeenMs(job: TrainingJob): number {
    return lastHeartbeatMs(this.#outputOf(job)) ?? job.runner?.heartbeatMs ?? this.#options.clocks.wall();
  }
}

/** A file that its runner has removed in the meantime counts as empty. */
const isEmpty = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;

/** States in which a job may wait for instances. */
const waits: ReadonlySet<SecondaryStatus> = new Set(['Starting', 'Interrupted', 'Restarting']);
