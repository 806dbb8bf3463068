// How long jobs wait for instances, and may wait.
import type { SecondaryStatus } from './state-machine.ts';
import type { TrainingJob } from './training-job.ts';

/**
 * The ages of jobs by a clock that does not jump: a wall clock that is set forward ends no waiting job, and one that is set back
 * lets none wait longer. What happened before this process knew a job is by the wall clock.
 */
export class JobAges {
  readonly #known = new Map<string, { readonly ageMs: number; readonly sinceMs: number }>();
  readonly #now: () => number;
  readonly #steadyNow: () => number;

  constructor(now: () => number, steadyNow = () => performance.now()) {
    this.#now = now;
    this.#steadyNow = steadyNow;
  }

  /** In milliseconds. */
  of({ name, createdMs }: Pick<TrainingJob, 'name' | 'createdMs'>): number {
    const sinceMs = this.#steadyNow();
    const known = this.#known.get(name);
    if (known !== undefined) return known.ageMs + sinceMs - known.sinceMs;
    const ageMs = Math.max(0, this.#now() - createdMs);
    this.#known.set(name, { ageMs, sinceMs });
    return ageMs;
  }

  /** Forgets the jobs that have ended. */
  keep(active: readonly Pick<TrainingJob, 'name'>[]): void {
    if (this.#known.size <= 2 * active.length) return;
    const names = new Set(active.map(({ name }) => name));
    for (const name of this.#known.keys()) if (!names.has(name)) this.#known.delete(name);
  }
}

/** The outcome of a waiting job that ends now; undefined: it keeps waiting. */
export function timeOver(
  { secondary, attempt, billedMs, spec }: TrainingJob,
  ageMs: number,
): { readonly to: SecondaryStatus; readonly message?: string } | undefined {
  const { maxWaitSeconds, maxPendingSeconds, maxRuntimeSeconds } = spec;
  const isOver = (seconds: number | undefined): boolean => seconds !== undefined && ageMs > seconds * 1000;
  if (isOver(maxWaitSeconds)) return { to: 'MaxWaitTimeExceeded' };
  if (secondary === 'Restarting' && billedMs >= maxRuntimeSeconds * 1000) return { to: 'MaxRuntimeExceeded' };
  if (secondary === 'Starting' && attempt === 0 && isOver(maxPendingSeconds))
    return { to: 'Stopped', message: 'Training job pending time exceeded MaxPendingTimeInSeconds' };
  return undefined;
}
