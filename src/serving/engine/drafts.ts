// Drafts by prompt lookup: where the last tokens of a sequence occurred in it before, what followed them then may follow again.
// A draft only saves steps: the token of each position is chosen as without drafts, and drafts after the first wrong one are
// dropped.

/** The last 3 tokens are looked up, then the last 2. */
const SIZES = [3, 2] as const;

export class PromptLookup {
  readonly #tokens: readonly number[];
  /** For each size: the position after the last occurrence of tokens, by a hash of them. */
  readonly #places = SIZES.map(() => new Map<number, number>());
  #known = 0;

  /** @param tokens the sequence, which grows */
  constructor(tokens: readonly number[]) {
    this.#tokens = tokens;
  }

  /** At most `most` tokens that may follow. */
  propose(most: number): readonly number[] {
    const tokens = this.#tokens;
    // The last tokens themselves become known when a token follows them.
    for (; this.#known < tokens.length; this.#known++)
      for (const [i, size] of SIZES.entries())
        if (this.#known >= size) this.#places[i]!.set(this.#hash(this.#known, size), this.#known);
    for (const [i, size] of SIZES.entries()) {
      if (tokens.length < size) continue;
      const place = this.#places[i]!.get(this.#hash(tokens.length, size));
      if (place === undefined || !this.#isEqual(place, size)) continue;
      const drafts: number[] = [];
      // A text that repeats itself goes on in its drafts.
      for (let at = place; drafts.length < most; at++) drafts.push(tokens[at] ?? drafts[at - tokens.length]!);
      return drafts;
    }
    return [];
  }

  #hash(end: number, size: number): number {
    let hash = 0;
    for (let at = end - size; at < end; at++) hash = (Math.imul(hash, 0x01000193) ^ this.#tokens[at]!) | 0;
    return hash;
  }
  #isEqual(end: number, size: number): boolean {
    const tokens = this.#tokens;
    for (let i = 1; i <= size; i++) if (tokens[end - i] !== tokens[tokens.length - i]) return false;
    return true;
  }
}

/** Tokens that are looked up at a time. */
export const MOST_DRAFTS = 8;
/** The weight of what was measured before, in drafts. */
const MEMORY = 8;
/** A sequence whose drafts do not pay tries one after this number of steps. */
const PAUSE = 32;
/** The least gain in tokens per second. */
const LEAST_GAIN = 1.05;

/** How many drafts pay for one sequence, by how many were right. */
export class DraftLength {
  #rate = 0.6;
  #pause = 0;

  /**
   * The number of drafts with the most tokens per second.
   * @param rows the tokens of the step without drafts @param timeOf the time of a step with this number of tokens
   */
  next(rows: number, timeOf: (tokens: number) => number): number {
    const before = timeOf(rows);
    let [best, bestGain, expected, chance] = [0, LEAST_GAIN, 0, 1];
    for (let drafts = 1; drafts <= MOST_DRAFTS; drafts++) {
      chance *= this.#rate;
      expected += chance;
      const gain = ((rows + expected) / rows) * (before / timeOf(rows + drafts));
      if (gain > bestGain) [best, bestGain] = [drafts, gain];
    }
    if (best > 0) return best;
    this.#pause = (this.#pause + 1) % PAUSE;
    return this.#pause === 0 ? 1 : 0;
  }

  record(drafts: number, accepted: number): void {
    const tried = Math.min(drafts, accepted + 1);
    this.#rate = (this.#rate * MEMORY + accepted) / (MEMORY + tried);
  }
}
