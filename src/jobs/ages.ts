// How long ago stored times were, by a clock that does not jump: a wall clock that is set forward ends nothing, and one that is
// set back delays nothing. Time before this process knew a thing is taken from the wall clock.
import type { Clocks } from './clocks.ts';

interface Known {
  readonly storedMs: number;
  /** How long ago it was when it became known, and when that was by the steady clock. */
  readonly ageMs: number;
  readonly knownMs: number;
}

/** The ages of things with stored times, in milliseconds. */
export class Ages {
  readonly #known = new Map<string, Map<string, Known>>();
  readonly #clocks: Clocks;
  /** The last look, and the one before. */
  #lookMs = Number.NEGATIVE_INFINITY;
  #beforeMs = Number.NEGATIVE_INFINITY;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
  }

  /**
   * @param id of the thing
   * @param storedMs by the wall clock of that time; another one starts a new age
   * @param event what happened to the thing at that time
   * @example new Ages({ wall: () => 5000, steady: () => 0 }).of('job', 2000) // 3000
   */
  of(id: string, storedMs: number, event = 'created'): number {
    const nowMs = this.#clocks.steady();
    const ofThing = this.#known.get(id);
    const known = ofThing?.get(event);
    if (known?.storedMs === storedMs) return known.ageMs + nowMs - known.knownMs;
    const created = ofThing?.get('created');
    // The stored time may be by a clock that was set differently.
    const atMost = created !== undefined && created.knownMs <= this.#beforeMs ? nowMs - this.#beforeMs : Infinity;
    const ageMs = Math.min(atMost, Math.max(0, this.#clocks.wall() - storedMs));
    this.#known.set(id, (ofThing ?? new Map<string, Known>()).set(event, { storedMs, ageMs, knownMs: nowMs }));
    return ageMs;
  }

  /**
   * For things that are looked at several times a second: what is new about one that was known before has happened since the
   * last look. Forgets other things.
   */
  look(things: readonly { readonly name: string; readonly createdMs: number }[]): void {
    const names = new Set(things.map(({ name }) => name));
    for (const name of this.#known.keys()) if (!names.has(name)) this.forget(name);
    for (const { name, createdMs } of things) this.of(name, createdMs);
    this.#beforeMs = this.#lookMs;
    this.#lookMs = this.#clocks.steady();
  }

  forget(id: string): void {
    this.#known.delete(id);
  }
}
