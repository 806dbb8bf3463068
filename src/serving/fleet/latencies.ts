// Many durations in little memory: a histogram whose buckets grow by 5 %, so that quantiles are accurate to 2.5 %.

const SMALLEST_MS = 0.01;
const GROWTH = Math.log(1.05);
const BUCKETS = 360;

export interface Quantiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  readonly mean: number;
}

export class Latencies {
  #counts = new Uint32Array(BUCKETS);
  #count = 0;
  #sum = 0;
  #max = 0;

  get count(): number {
    return this.#count;
  }

  add(ms: number): void {
    const bucket = ms <= SMALLEST_MS ? 0 : Math.min(BUCKETS - 1, Math.ceil(Math.log(ms / SMALLEST_MS) / GROWTH));
    this.#counts[bucket]!++;
    this.#count++;
    this.#sum += ms;
    this.#max = Math.max(this.#max, ms);
  }

  merge(other: Latencies): void {
    for (let i = 0; i < BUCKETS; i++) this.#counts[i]! += other.#counts[i]!;
    this.#count += other.#count;
    this.#sum += other.#sum;
    this.#max = Math.max(this.#max, other.#max);
  }

  /** Undefined if there are none. */
  quantiles(): Quantiles | undefined {
    if (this.#count === 0) return undefined;
    const at = (share: number): number => {
      let left = Math.max(1, Math.ceil(this.#count * share));
      const bucket = this.#counts.findIndex(count => {
        left -= count;
        return left <= 0;
      });
      return Math.min(this.#max, SMALLEST_MS * Math.exp((bucket - 0.5) * GROWTH));
    };
    return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: this.#max, mean: this.#sum / this.#count };
  }
}
