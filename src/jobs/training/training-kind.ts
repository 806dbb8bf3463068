// Training jobs as a kind: first come first served for each instance type, on demand, in a warm pool, on spot instances, which
// are interrupted, or in a capacity block. It keeps no state in memory but the ages of jobs.
import { Ages } from '../ages.ts';
import type { CapacityStore } from '../capacity/capacity-store.ts';
import type { Clocks } from '../clocks.ts';
import type { InstancePool } from '../instance-pool.ts';
import type { Runner } from '../job.ts';
import type { JobKind, Start } from '../kind.ts';
import type { HeldInstances } from '../ledger.ts';
import type { JobStore } from '../store/job-store.ts';
import type { ResourceTable } from '../store/resource-table.ts';
import type { WaitReason } from '../wait-reason.ts';
import type { EngineOfServer } from './host-engine.ts';
import { afterInternalError } from './internal-error.ts';
import { awayMs, interruptionMs, interruptTrainingJob } from './interruption.ts';
import { admit, drain } from './reserved-jobs.ts';
import type { SecondaryStatus } from './state-machine.ts';
import { moved, type TrainingJob, withWait } from './training-job.ts';
import { timeOver } from './waiting-time.ts';
import { expiryMs, matches, poolAtStart, withPoolEnded, withPoolReused } from './warm-pool.ts';

export interface TrainingKindOptions {
  readonly jobs: JobStore;
  readonly pool: InstancePool;
  readonly capacity: CapacityStore;
  /** Between SIGTERM and SIGKILL of a job's programs; undefined: two minutes. */
  readonly graceMs?: number | undefined;
  /** The engine that runs jobs; undefined: this machine. */
  readonly engine?: EngineOfServer | undefined;
  readonly clocks: Clocks;
  /** The clock of capacity blocks. */
  readonly now: () => number;
}

const INTERNAL_ERROR = 'We encountered an internal error. Please try again.';

/** States in which a job may wait for instances. */
const waits: ReadonlySet<SecondaryStatus> = new Set(['Starting', 'Interrupted', 'Restarting']);

export class TrainingKind implements JobKind<TrainingJob> {
  readonly name = 'training';
  readonly table: ResourceTable<TrainingJob>;
  readonly engine: EngineOfServer | undefined;
  readonly #options: TrainingKindOptions;
  readonly #ages: Ages;

  constructor(options: TrainingKindOptions) {
    this.#options = options;
    this.table = options.jobs.training;
    this.engine = options.engine;
    this.#ages = new Ages(options.clocks);
  }

  /** Ends expired warm pools. */
  readonly look = (active: readonly TrainingJob[]): void => {
    const pools = this.#warmPools();
    this.#ages.look([...active, ...pools]);
    for (const { name } of pools)
      this.table.update(name, one => {
        const expiry = expiryMs(one);
        return expiry === undefined || expiry > this.#poolMs(one) ? undefined : withPoolEnded(one, expiry);
      });
  };

  /** Interrupts spot instances, and stops jobs whose block is about to end. */
  readonly watch = (job: TrainingJob): void => {
    const { jobs, pool, clocks } = this.#options;
    const { name, instancesSinceMs } = job;
    const afterMs = interruptionMs(pool.spot, job);
    if (afterMs !== undefined && this.#ages.of(name, instancesSinceMs ?? clocks.wall(), 'instances') >= afterMs)
      interruptTrainingJob(jobs, name, clocks.wall());
    drain(job, this.#options);
  };

  readonly starting = (waiting: readonly TrainingJob[], held: HeldInstances): readonly Start<TrainingJob>[] => {
    const pools = [...this.#warmPools()];
    const full = new Set<string>();
    const starts: Start<TrainingJob>[] = [];
    const reasons: (readonly [TrainingJob, WaitReason])[] = [];
    for (const job of waiting) {
      if (this.#endWaiting(job)) continue;
      const { instanceType, reservation } = job.spec;
      const warm = pools.find(one => matches(job, one));
      const reason = this.#reasonToWait(job, held, warm, pools, full);
      if (reason === 'ended') continue;
      if (reason !== undefined) {
        // A job that does not fit holds back later jobs of the same instance type: otherwise it could wait forever.
        if (reservation === undefined && reason.kind !== 'no spot instances') full.add(instanceType);
        reasons.push([job, reason]);
        continue;
      }
      held.add(job.spec);
      if (warm !== undefined) pools.splice(pools.indexOf(warm), 1);
      starts.push({ job, claim: runner => this.#claim(job, runner, warm) });
    }
    this.#storeReasons(reasons);
    return starts;
  };

  readonly argumentsOf = ({ name, createdMs, spec: { instanceType } }: TrainingJob): object => {
    const { pool, graceMs } = this.#options;
    return { ageMs: this.#ages.of(name, createdMs), memoryGb: pool.memoryGbOf(instanceType), graceMs };
  };

  // The server ended before it could start the process: another one is started, which does not count as a retry.
  readonly afterLoss = (job: TrainingJob, endMs: number, isStarted: boolean): TrainingJob =>
    !isStarted && job.secondary !== 'Stopping'
      ? { ...job, runner: undefined }
      : afterInternalError(job, 'scheduler', endMs, INTERNAL_ERROR);

  /** Undefined: it starts. @param full instance types for which an earlier job waits */
  #reasonToWait(
    job: TrainingJob,
    held: HeldInstances,
    warm: TrainingJob | undefined,
    pools: readonly TrainingJob[],
    full: ReadonlySet<string>,
  ): WaitReason | 'ended' | undefined {
    if (this.#isAway(job)) return { kind: 'no spot instances' };
    const { instanceType, reservation } = job.spec;
    if (reservation !== undefined) {
      const admitted = admit(job, reservation, held.inBlock(reservation), this.#options);
      return admitted === 'runs' ? held.waitOfReserved(job.spec) : admitted;
    }
    if (full.has(instanceType) && warm === undefined) return { kind: 'order', instanceType };
    const ofOthers = pools.filter(one => one !== warm && one.spec.instanceType === instanceType);
    const kept = ofOthers.reduce((sum, { spec }) => sum + spec.instanceCount, held.reserved(instanceType));
    return held.waitOf(job.spec, kept);
  }

  /** Stores what jobs wait for, where it has changed. */
  #storeReasons(waiting: readonly (readonly [TrainingJob, WaitReason])[]): void {
    const { jobs, clocks } = this.#options;
    const changed = waiting.filter(([job, reason]) => withWait(job, reason, 0) !== undefined);
    if (changed.length === 0) return;
    jobs.transaction(() => {
      for (const [{ name }, reason] of changed)
        this.table.update(name, one =>
          one.runner === undefined && waits.has(one.secondary) ? withWait(one, reason, clocks.wall()) : undefined,
        );
    });
  }

  #warmPools(): readonly TrainingJob[] {
    return this.table.having('$.warmPool.status', 'Available');
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
    const ageMs = this.#ages.of(job.name, job.createdMs);
    if (timeOver(job, ageMs) === undefined) return false;
    this.table.update(job.name, one => {
      // A client may have stopped it since it was read.
      const over = one.runner === undefined && waits.has(one.secondary) ? timeOver(one, ageMs) : undefined;
      return over && moved(one, over.to, 'scheduler', this.#options.clocks.wall(), over.message);
    });
    return true;
  }

  /** @param warm a job whose warm instances it takes over */
  #claim({ name }: TrainingJob, runner: Runner, warm: TrainingJob | undefined): TrainingJob | undefined {
    const nowMs = runner.heartbeatMs;
    const from = warm && this.table.get(warm.name);
    // The pool may have been deleted or changed since it was read.
    if (warm !== undefined && from?.warmPool?.status !== 'Available') return undefined;
    const started = this.table.update(name, job =>
      job.runner !== undefined || !waits.has(job.secondary)
        ? undefined
        : {
            ...(job.secondary === 'Interrupted' ? moved(job, 'Starting', 'scheduler', nowMs) : job),
            attempt: job.attempt + 1,
            waitsFor: undefined,
            interruptRequestedMs: undefined,
            warmPool: poolAtStart(job.spec, from, nowMs),
            runner,
          },
    );
    if (started?.runner?.token !== runner.token) return undefined;
    if (from !== undefined) this.table.update(from.name, one => withPoolReused(one, name, this.#poolMs(one)));
    return started;
  }
}
