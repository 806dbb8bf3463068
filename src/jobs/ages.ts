// How long ago stored times were, by a clock that does not jump.
import type { Clocks } from './clocks.ts';

/**
 * The ages of things with stored times, in milliseconds: a wall clock that is set forward or back changes none. What happened
 * before this process knew a thing is by the wall clock.
 * @example new Ages({ wall: () => 5000, steady: () => 0 }).of('job', 2000) // 3000
 */
export class Ages {
  readonly #known = new Map<string, { readonly sinceMs: number; readonly ageMs: number; readonly knownMs: number }>();
  readonly #clocks: Clocks;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
  }

  /** @param sinceMs by the wall clock of that time; another one starts a new age */
  of(id: string, sinceMs: number): number {
    const nowMs = this.#clocks.steady();
    const known = this.#known.get(id);
    if (known?.sinceMs === sinceMs) return known.ageMs + nowMs - known.knownMs;
    const ageMs = Math.max(0, this.#clocks.wall() - sinceMs);
    this.#known.set(id, { sinceMs, ageMs, knownMs: nowMs });
    return ageMs;
  }

  forget(id: string): void {
    this.#known.delete(id);
  }
}
