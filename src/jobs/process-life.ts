// Whether a process that works for the server has ended.
import { lifeOf, type ProcessIdentity } from '../base/process-identity.ts';
import { LastChange } from './last-change.ts';

/** How long the process of a runner may take to start. */
const START_MS = 30_000;
/**
 * A process of an earlier boot, another container or another machine cannot be inspected: it counts as ended if its heartbeat has
 * stopped.
 */
const SILENT_MS = 30_000;

/** @param silentMs how long ago its last sign of life was */
export function isGone(process: ProcessIdentity, silentMs: number): boolean {
  const life = lifeOf(process);
  return life === 'ended' || (life === 'unknown' && silentMs > SILENT_MS);
}

/** Watches the runners of jobs, by a clock that does not jump: a wall clock that is set ends none of them. */
export class RunnerLives {
  readonly #signs = new Map<string, LastChange>();
  readonly #steadyNow: () => number;

  constructor(steadyNow = () => performance.now()) {
    this.#steadyNow = steadyNow;
  }

  /**
   * @param process undefined: it has not started
   * @param signMs its last sign of life, or its launch; only compared with the one before
   */
  isDead(job: string, process: ProcessIdentity | undefined, signMs: number): boolean {
    const steadyMs = this.#steadyNow();
    const sign = this.#signs.get(job) ?? new LastChange(steadyMs);
    this.#signs.set(job, sign);
    const silentMs = sign.sinceMs(signMs, steadyMs);
    return process === undefined ? silentMs > START_MS : isGone(process, silentMs);
  }

  /** Forgets all other jobs. */
  keep(jobs: readonly { readonly name: string }[]): void {
    const names = new Set(jobs.map(({ name }) => name));
    for (const name of this.#signs.keys()) if (!names.has(name)) this.#signs.delete(name);
  }
}
