// The state of a device's random numbers inside programs (dropout). It is an input of each execution,
// two 64-bit words, so that no seed and no step count is ever part of a program:
//
//   base  = [mix(seed, reads and passes within this step), step << 32]
//   state of use i = [base₀ + mix(i), base₁ + m · blocks]      (a Philox block is four 32-bit numbers)
//   m = coordinate on the axis `data` · micro-batches per step + micro-batches before this one; uses count from 0 in each pass
//
// So ranks and micro-batches that split a batch along its leading dimension sample the same numbers as one rank for the whole
// batch, and 1 rank with 4 micro-batches the same as 2 ranks with 2 and 4 ranks with 1. The step is that of the optimizer:
// samples within `noGrad` are counted separately, so an evaluation does not change the random numbers of training, however many
// batches it has.
//
// Stochastic rounding uses the same step, micro-batch and counts in another form: see `sections.ts`.

import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { tensorType } from '../../hlo/types.ts';
import { roundingArgument } from '../../transforms/stochastic-rounding.ts';
import type { HostInput } from '../step/host-input.ts';
import { phases, type Section } from '../step/sections.ts';

const mask64 = (1n << 64n) - 1n;

/** SplitMix64's finalizer: spreads neighboring integers over all 64 bits. */
export function mix64(x: bigint): bigint {
  let z = (x + 0x9e3779b97f4a7c15n) & mask64;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask64;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask64;
  return z ^ (z >> 31n);
}

const words = (a: bigint, b: bigint): Uint8Array => new Uint8Array(new BigUint64Array([a & mask64, b & mask64]).buffer);
const stateType = tensorType('ui64', [2]);

/** The complete random state of a device, for an exact resume. */
export interface RandomState {
  /** The seed. */
  readonly seed: number;
  /** The step. */
  readonly step: number;
  /** The seed of stochastic rounding, where that is on. */
  readonly rounding?: number | undefined;
  /** How often an optimizer stepped, if not once per step. */
  readonly updates?: number | undefined;
  /** The samples of this step so far, if any. */
  readonly executions?: Executions | undefined;
}

/** Reads and runs within a step that sampled random numbers and did not complete the step. */
export interface Executions {
  readonly training: number;
  readonly evaluation: number;
}
/** The outcome of a finished trace. */
export interface TraceOutcome {
  /** Calls of `backward()`. */
  readonly backwards: number;
  /** An optimizer stepped. */
  readonly isUpdated: boolean;
  /** Whether random numbers were sampled since the last read. */
  readonly sampled: { readonly [K in keyof Executions]: boolean };
}

const executionBits = 22;
const passBits = 8;

export class RandomSource {
  #seed: number;
  #step = 0;
  /** Steps of optimizers: their random bits for rounding do not depend on the programs that computed the gradients. */
  #updates = 0;
  #executions = { training: 0, evaluation: 0 };
  /** The seed of stochastic rounding; undefined while rounding is to the nearest. */
  roundingSeed: number | undefined;
  /** Micro-batches of this step in traces that are over. */
  #done = 0;
  /** Micro-batches per step. */
  microBatches = 1;
  /** The device; its mesh may still be set. */
  readonly #owner: { readonly mesh: DeviceMesh };
  readonly #positions: HostInput[] = [];
  readonly #bases: { readonly [K in keyof Executions]: HostInput[] } = { training: [], evaluation: [] };

  constructor(seed: number, owner: { readonly mesh: DeviceMesh }) {
    this.#seed = seed;
    this.#owner = owner;
  }
  /** The random state in pass `pass`. */
  base(kind: keyof Executions, pass: number): HostInput {
    this.#bases[kind][pass] ??= {
      label: 'random state',
      type: stateType,
      next: () => {
        const offset = BigInt(this.#executions[kind]) + (BigInt(pass) << 32n) + (kind === 'training' ? 0n : 1n << 48n);
        return words(mix64(mix64(BigInt(this.#seed)) + offset), BigInt(this.#step) << 32n);
      },
    };
    return this.#bases[kind][pass];
  }
  /** [0, m] of the micro-batch that follows `before` others of the same trace. */
  place(before: number): HostInput {
    this.#positions[before] ??= {
      label: 'micro-batch',
      type: stateType,
      next: () => words(0n, BigInt(this.#partOf(before))),
    };
    return this.#positions[before];
  }
  #partOf(before: number): number {
    return this.#owner.mesh.coordinate('data') * this.microBatches + this.#done + before;
  }
  get microBatchesSoFar(): number {
    return this.#done;
  }
  get executions(): Executions {
    return { ...this.#executions };
  }
  get state(): RandomState {
    const { roundingSeed: rounding } = this;
    return {
      seed: this.#seed,
      step: this.#step,
      ...(rounding === undefined ? {} : { rounding }),
      ...(rounding === undefined || this.#updates === this.#step ? {} : { updates: this.#updates }),
      ...(this.#executions.training + this.#executions.evaluation === 0 ? {} : { executions: this.executions }),
    };
  }
  set state({ seed, step, rounding, updates = step, executions }: RandomState) {
    this.#seed = seed;
    this.#updates = updates;
    if (this.roundingSeed !== undefined) this.roundingSeed = rounding ?? this.roundingSeed;
    this.#begin(step);
    if (executions !== undefined) this.#executions = { ...executions };
  }
  #begin(step: number): void {
    this.#step = step;
    this.#done = 0;
    this.#executions = { training: 0, evaluation: 0 };
  }

  /**
   * The micro-batch of an op that is recorded after the given number of `backward()` calls in the open trace: after the last
   * micro-batch of a step, it still belongs to that one, in another pass.
   */
  position(backwards: number): { readonly part: number; readonly pass: number } {
    if (this.microBatches === 1) return { part: 0, pass: backwards };
    const pass = Math.floor((this.#done + backwards) / this.microBatches);
    const isComplete = backwards > 0 && (this.#done + backwards) % this.microBatches === 0;
    return { part: isComplete ? backwards - 1 : backwards, pass };
  }
  /** A value was read: ops recorded from now on sample new numbers. */
  afterRead(kind: keyof Executions): void {
    this.#executions[kind]++;
  }
  /** `backward()` was called: the next pass has its own numbers, whatever was read. True if that changes a state. */
  endPass(): boolean {
    const changes = this.#executions.training > 0;
    this.#executions.training = 0;
    return changes;
  }
  /** A trace is over. Those of one optimizer step share its number. */
  endTrace({ backwards, isUpdated, sampled }: TraceOutcome): void {
    this.#done += this.microBatches === 1 ? 0 : backwards;
    this.#updates += isUpdated ? 1 : 0;
    const isComplete = backwards > 0 && this.#done % this.microBatches === 0;
    const hasSampled = sampled.training || this.#executions.training > 0;
    // Samples outside of training have separate steps; within one, they are distinguished by their count.
    if (isComplete || (backwards === 0 && this.#done === 0 && hasSampled)) this.#begin(this.#step + 1);
    else {
      if (backwards > 0) this.#executions.training = 0;
      else if (sampled.training) this.#executions.training++;
      if (sampled.evaluation) this.#executions.evaluation++;
    }
  }

  /** The random state of the roundings of a section; `since`: how far the counts are from where it was recorded. */
  roundingState({ phase, pass, execution, part }: Section, since: Executions): Uint8Array {
    const count =
      phase === 'forward'
        ? execution + since.training
        : phase === 'evaluation'
          ? execution + since.evaluation
          : execution;
    const number =
      phases.indexOf(phase) * 2 ** (passBits + executionBits) +
      (pass % 2 ** passBits) * 2 ** executionBits +
      (count % 2 ** executionBits);
    return roundingArgument({
      seed: this.roundingSeed ?? 0,
      step: phase === 'update' ? this.#updates : this.#step,
      execution: number,
      part: part === undefined ? 0 : this.#partOf(part),
    });
  }
}
