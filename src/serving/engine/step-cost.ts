// The time of a step by its number of tokens, fitted to those that were measured last: overhead + tokens × each.

const FORGET = 0.97;
/** Tokens that cost nothing next to the rest of a step are no reason for steps of any size. */
const MOST = 1024;

export class StepCost {
  // Weighted sums for a least-squares line.
  #weight = 0;
  #x = 0;
  #y = 0;
  #xx = 0;
  #xy = 0;

  observe(tokens: number, ms: number): void {
    this.#weight = this.#weight * FORGET + 1;
    this.#x = this.#x * FORGET + tokens;
    this.#y = this.#y * FORGET + ms;
    this.#xx = this.#xx * FORGET + tokens * tokens;
    this.#xy = this.#xy * FORGET + tokens * ms;
  }

  /** The time of a step without tokens, in that of a token; by default that of a model of which a token reads all weights. */
  get overhead(): number {
    const spread = this.#weight * this.#xx - this.#x * this.#x;
    if (this.#weight < 4 || spread < this.#weight) return 4;
    const each = (this.#weight * this.#xy - this.#x * this.#y) / spread;
    const none = (this.#y - each * this.#x) / this.#weight;
    return each <= 0 ? MOST : Math.min(MOST, Math.max(0.5, none / each));
  }
}
