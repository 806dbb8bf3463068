// The rows of all training jobs, kept up to date from the store, because reading 10,000 jobs for each request would be slow.
import { costOf, type MicroUsd, sumOfKnown, toDollars, usd } from '../../base/money.ts';
import type { JobStore } from '../../jobs/store/job-store.ts';
import { hourlyPriceOf } from '../../jobs/training/billing.ts';
import { statusOf } from '../../jobs/training/state-machine.ts';
import type { TrainingJob } from '../../jobs/training/training-job.ts';
import { describeWait } from '../../jobs/wait-reason.ts';
import type { JobRow, Overview, Spent } from './messages.ts';

/** Writers read the clock before they commit, so changes may become visible slightly late. */
const LATE_MS = 2000;
const DAY_MS = 86_400_000;
const SHOWN = 8;

export interface RowChanges {
  readonly rows: readonly JobRow[];
  readonly removed: readonly string[];
}

export class JobRows {
  readonly #jobs: JobStore;
  /** In the order of creation. */
  readonly #rows = new Map<string, { readonly row: JobRow; readonly modifiedMs: number; readonly reason: string }>();
  #cursorMs = 0;

  constructor(jobs: JobStore) {
    this.#jobs = jobs;
  }

  /** The time of the last known change. */
  get cursorMs(): number {
    return this.#cursorMs;
  }

  /** Reads the changes. */
  refresh(): RowChanges {
    const rows: JobRow[] = [];
    for (const job of this.#jobs.training.changedSince(this.#cursorMs - LATE_MS)) {
      this.#cursorMs = Math.max(this.#cursorMs, job.modifiedMs);
      const row = rowOf(job);
      const known = this.#rows.get(job.name);
      if (known !== undefined && JSON.stringify(known.row) === JSON.stringify(row)) continue;
      this.#rows.set(job.name, { row, modifiedMs: job.modifiedMs, reason: job.failureReason ?? '' });
      rows.push(row);
    }
    const removed: string[] = [];
    if (this.#jobs.training.count() !== this.#rows.size) {
      const names = this.#jobs.training.names();
      for (const name of this.#rows.keys()) if (!names.has(name)) removed.push(name);
      for (const name of removed) this.#rows.delete(name);
    }
    return { rows, removed };
  }

  all(): readonly JobRow[] {
    return [...this.#rows.values()].map(({ row }) => row);
  }

  /** The rows that changed at or after this time. */
  since(ms: number): readonly JobRow[] {
    return [...this.#rows.values()].filter(({ modifiedMs }) => modifiedMs >= ms).map(({ row }) => row);
  }

  /**
   * @param dayStartMs the start of today in the reader's time zone
   * @param others costs that are not those of jobs
   */
  overview(
    nowMs: number,
    dayStartMs: number,
    monthStartMs: number,
    days: number,
    others: (fromMs: number, toMs: number) => readonly (MicroUsd | undefined)[] = () => [],
  ): Overview {
    const rows = this.all();
    const count = (...wanted: readonly JobRow['status'][]): number =>
      rows.filter(({ status }) => wanted.includes(status)).length;
    const active = rows.filter(({ status }) => status === 'InProgress' || status === 'Stopping');
    const spent = (fromMs: number, toMs: number): Spent => {
      const { sum, unknown } = sumOfKnown([
        ...rows.map(row => costBetween(row, fromMs, toMs, nowMs)),
        ...others(fromMs, toMs),
      ]);
      return { usd: sum === undefined ? null : toDollars(sum), jobsWithoutPrice: unknown };
    };
    const byTime = (a: JobRow, b: JobRow): number => (b.endedMs ?? b.createdMs) - (a.endedMs ?? a.createdMs);
    const failures = [...this.#rows.values()].filter(({ row }) => row.status === 'Failed');
    return {
      running: active.filter(isOnInstances).length,
      queued: active.filter(row => !isOnInstances(row)).length,
      completed: count('Completed'),
      failed: count('Failed'),
      stopped: count('Stopped'),
      today: spent(dayStartMs, nowMs),
      month: spent(monthStartMs, nowMs),
      usdByDay: Array.from({ length: days }, (_, i) => {
        const start = dayStartMs - (days - 1 - i) * DAY_MS;
        return spent(start, Math.min(nowMs, start + DAY_MS)).usd ?? 0;
      }),
      active: active.toSorted(
        (a, b) => Number(isOnInstances(b)) - Number(isOnInstances(a)) || a.createdMs - b.createdMs,
      ),
      latest: rows
        .filter(({ endedMs }) => endedMs !== null)
        .toSorted(byTime)
        .slice(0, SHOWN),
      failures: failures
        .toSorted((a, b) => byTime(a.row, b.row))
        .slice(0, SHOWN)
        .map(({ row, reason }) => ({ ...row, reason })),
    };
  }
}

const isOnInstances = ({ sinceMs }: JobRow): boolean => sinceMs !== null;

export function rowOf(job: TrainingJob): JobRow {
  const { spec } = job;
  const price = hourlyPriceOf(job);
  const [metric] = job.finalMetrics;
  return {
    name: job.name,
    status: statusOf(job.secondary),
    secondary: job.secondary,
    image: spec.image,
    instanceType: spec.instanceType,
    instanceCount: spec.instanceCount,
    isSpot: spec.isSpot,
    waitsFor: job.waitsFor === undefined ? null : describeWait(job.waitsFor),
    createdMs: job.createdMs,
    startedMs: job.trainingStartMs ?? null,
    endedMs: isEnded(job) ? job.modifiedMs : null,
    billedMs: job.billedMs,
    priceShare: job.priceShare,
    sinceMs: job.instancesSinceMs ?? null,
    usdPerHour: price === undefined ? null : toDollars(price) * spec.instanceCount * job.priceShare,
    metric: metric === undefined ? null : { name: metric.name, value: metric.value },
  };
}

const isEnded = ({ secondary }: TrainingJob): boolean => {
  const status = statusOf(secondary);
  return status !== 'InProgress' && status !== 'Stopping';
};

/**
 * The cost of the job's instance time between two moments; undefined: it ran then and has no price. Earlier attempts are
 * counted as if just before the last one.
 */
function costBetween(row: JobRow, fromMs: number, toMs: number, nowMs: number): MicroUsd | undefined {
  const end = row.sinceMs === null ? (row.endedMs ?? row.createdMs) : nowMs;
  const total = row.billedMs + (row.sinceMs === null ? 0 : nowMs - row.sinceMs);
  const overlap = Math.max(0, Math.min(end, toMs) - Math.max(end - total, fromMs));
  if (overlap === 0) return usd(0);
  return row.usdPerHour === null ? undefined : costOf(usd(row.usdPerHour), overlap / 1000);
}
