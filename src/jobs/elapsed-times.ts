// How long ago the stored times of jobs were, by a clock that does not jump: a wall clock that is set forward ends nothing, and
// one that is set back delays nothing. Time before this process knew a job is taken from the wall clock.

interface Known {
  readonly storedMs: number;
  /** How long ago it was when it became known, and when that was. */
  readonly agoMs: number;
  readonly sinceMs: number;
}

interface Job {
  readonly name: string;
  readonly createdMs: number;
}

export class ElapsedTimes {
  readonly #known = new Map<string, Map<string, Known>>();
  readonly #now: () => number;
  readonly #steadyNow: () => number;
  /** The last look, and the one before. */
  #lookMs = Number.NEGATIVE_INFINITY;
  #beforeMs = Number.NEGATIVE_INFINITY;

  constructor(now: () => number, steadyNow = () => performance.now()) {
    this.#now = now;
    this.#steadyNow = steadyNow;
  }

  /**
   * To be called several times a second: what is new about a job that was known before has happened since the last look.
   * Forgets other jobs.
   */
  look(jobs: readonly Job[]): void {
    const names = new Set(jobs.map(({ name }) => name));
    for (const name of this.#known.keys()) if (!names.has(name)) this.#known.delete(name);
    for (const job of jobs) this.ageMs(job);
    this.#beforeMs = this.#lookMs;
    this.#lookMs = this.#steadyNow();
  }

  /** The age of a job, in milliseconds. */
  ageMs({ name, createdMs }: Job): number {
    return this.since(name, 'created', createdMs);
  }

  /**
   * In milliseconds.
   * @param name of the job
   * @param event what happened at that time
   */
  since(name: string, event: string, storedMs: number): number {
    const sinceMs = this.#steadyNow();
    const ofJob = this.#known.get(name);
    const known = ofJob?.get(event);
    if (known?.storedMs === storedMs) return known.agoMs + sinceMs - known.sinceMs;
    const created = ofJob?.get('created');
    // The stored time may be by a clock that was set differently.
    const atMost = created !== undefined && created.sinceMs <= this.#beforeMs ? sinceMs - this.#beforeMs : Infinity;
    const agoMs = Math.min(atMost, Math.max(0, this.#now() - storedMs));
    this.#known.set(name, (ofJob ?? new Map<string, Known>()).set(event, { storedMs, agoMs, sinceMs }));
    return agoMs;
  }
}
