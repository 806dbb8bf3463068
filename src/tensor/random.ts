// The state from which a device's random numbers are drawn inside programs (dropout). It is an input of each execution,
// two 64-bit words, so that no seed and no step count is ever part of a program:
//
//   base  = [mix(seed, reads within this step), step << 32]
//   state of use i = [base₀ + mix(i), base₁ + m · blocks]      (a Philox block is four 32-bit numbers)
//   m = rank · micro-batches a step + micro-batches before this one; uses count from 0 in each micro-batch
//
// So ranks and micro-batches that split a batch along its leading dimension draw what one rank draws for the whole batch,
// and 1 rank with 4 micro-batches what 2 ranks draw with 2 and 4 with 1.
import { roundingArgument } from '../compiler/passes/stochastic-rounding.ts';
import { tensorType } from '../hlo/types.ts';
import type { HostInput } from './trace.ts';

const mask64 = (1n << 64n) - 1n;

/** SplitMix64's finalizer: spreads neighbouring integers over all 64 bits. */
export function mix64(x: bigint): bigint {
  let z = (x + 0x9e3779b97f4a7c15n) & mask64;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask64;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask64;
  return z ^ (z >> 31n);
}

const words = (a: bigint, b: bigint): Uint8Array => new Uint8Array(new BigUint64Array([a & mask64, b & mask64]).buffer);
const stateType = tensorType('ui64', [2]);

/** Where a device's randomness stands: all that an exact resume needs. */
export interface RandomState {
  readonly seed: number;
  readonly step: number;
  /** The seed of stochastic rounding, where that is on. */
  readonly rounding?: number | undefined;
}

export class RandomSource {
  #seed: number;
  #step = 0;
  #reads = 0;
  /** The seed of stochastic rounding; undefined while rounding is to the nearest. */
  roundingSeed: number | undefined;
  /** Executions within this step that rounded stochastically. */
  #roundings = 0;
  /** Micro-batches of this step in traces that are over. */
  #done = 0;
  /** Micro-batches a step. */
  microBatches = 1;
  readonly #rank: number;
  readonly #places: HostInput[] = [];
  readonly base: HostInput = {
    label: 'random state',
    type: stateType,
    next: () => words(mix64(mix64(BigInt(this.#seed)) + BigInt(this.#reads)), BigInt(this.#step) << 32n),
  };

  constructor(seed: number, rank: number) {
    this.#seed = seed;
    this.#rank = rank;
  }
  /** [0, m] of the micro-batch that follows `before` others of the same trace. */
  place(before: number): HostInput {
    this.#places[before] ??= {
      label: 'micro-batch',
      type: stateType,
      next: () => words(0n, BigInt(this.#rank * this.microBatches + this.#done + before)),
    };
    return this.#places[before];
  }
  get microBatchesSoFar(): number {
    return this.#done;
  }
  get state(): RandomState {
    const { roundingSeed: rounding } = this;
    return { seed: this.#seed, step: this.#step, ...(rounding === undefined ? {} : { rounding }) };
  }
  set state({ seed, step, rounding }: RandomState) {
    this.#seed = seed;
    this.#step = step;
    if (this.roundingSeed !== undefined) this.roundingSeed = rounding ?? this.roundingSeed;
    this.#roundings = 0;
    this.#reads = 0;
    this.#done = 0;
  }
  /** A trace with so many micro-batches is over. Those of one step share its number. */
  nextStep(microBatches: number): void {
    this.#roundings = 0;
    this.#done += microBatches;
    if (this.#done % this.microBatches !== 0) {
      this.#reads = microBatches > 0 ? 0 : this.#reads + 1;
      return;
    }
    this.#done = 0;
    this.#step++;
    this.#reads = 0;
  }
  /** A micro-batch is over: the next has numbers of its own, whatever was read. True if that changes the base. */
  endReads(): boolean {
    const changes = this.#reads > 0;
    this.#reads = 0;
    return changes;
  }
  /** The random state of the roundings of one execution. */
  nextRoundings(): Uint8Array {
    const part = this.#rank * this.microBatches + this.#done;
    return roundingArgument({ seed: this.roundingSeed ?? 0, step: this.#step, draw: this.#roundings++, part });
  }
  /** A loop that reads without marking steps draws new numbers after each read. */
  afterRead(): void {
    this.#reads++;
  }
}
