// The state from which a device's random numbers are drawn inside programs (dropout). It is an input of each execution,
// two 64-bit words, so that no seed and no step count is ever part of a program:
//
//   base  = [mix(seed, reads within this step), step << 32]
//   state of use i on rank r = [base₀ + mix(i), base₁ + r · blocks]       (a Philox block is four 32-bit numbers)
//
// So ranks that split a batch along its leading dimension draw what one rank draws for the whole batch.
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
}

export class RandomSource {
  #seed: number;
  #step = 0;
  #reads = 0;
  readonly base: HostInput = {
    label: 'random state',
    type: stateType,
    next: () => words(mix64(mix64(BigInt(this.#seed)) + BigInt(this.#reads)), BigInt(this.#step) << 32n),
  };
  readonly rank: HostInput;

  constructor(seed: number, rank: number) {
    this.#seed = seed;
    this.rank = { label: 'rank', type: stateType, next: () => words(0n, BigInt(rank)) };
  }
  get state(): RandomState {
    return { seed: this.#seed, step: this.#step };
  }
  set state({ seed, step }: RandomState) {
    this.#seed = seed;
    this.#step = step;
    this.#reads = 0;
  }
  nextStep(): void {
    this.#step++;
    this.#reads = 0;
  }
  /** A loop that reads without marking steps draws new numbers after each read. */
  afterRead(): void {
    this.#reads++;
  }
}
