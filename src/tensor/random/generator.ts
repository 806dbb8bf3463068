// A source of random numbers independent of the global one: its numbers depend on its seed and the number of earlier
// samples, not on `manualSeed`. Passed to random functions as { generator }. The numbers are counter-based
// (Philox), so its state is two numbers. Not for dropout, which uses the random state of the step (`random.ts`).
import { tensorType } from '../../hlo/types.ts';
import { wrongArgument } from '../check-arguments.ts';
import type { HostInput } from '../step/host-input.ts';
import { mix64 } from './random.ts';

/** The state of a generator. */
export interface GeneratorState {
  /** The seed. */
  readonly seed: number;
  /** The number of streams that were sampled from. */
  readonly draws: number;
}
const mask64 = (1n << 64n) - 1n;

/**
 * A source of random numbers. PyTorch: `torch.Generator`.
 *
 *     const generator = new Generator().manualSeed(42);
 *     const noise = randn([2, 3], { generator });
 * @example
 * const generator = new Generator().manualSeed(7);
 * const a = rand(2, { generator });
 * generator.manualSeed(7);
 * a.equal(rand(2, { generator })) // true
 */
export class Generator {
  #seed: number;
  #samples = 0;
  /** @internal The state of one use within a program. */
  readonly input: HostInput = {
    label: 'generator',
    type: tensorType('ui64', [2]),
    next: () => {
      const key = mix64(mix64(BigInt(this.#seed)));
      const words = [key & mask64, BigInt(this.#samples++) << 32n];
      return new Uint8Array(new BigUint64Array(words).buffer);
    },
  };

  constructor(seed = 67280421310721) {
    this.#seed = checkedSeed(seed);
  }
  /** Restarts from a seed. @throws {WRONG_ARGUMENT} */
  manualSeed(seed: number): this {
    this.#seed = checkedSeed(seed);
    this.#samples = 0;
    return this;
  }
  /** Restarts from a random seed, and returns it. */
  seed(): number {
    const [high, low] = crypto.getRandomValues(new Uint32Array(2)) as unknown as [number, number];
    this.manualSeed((high >>> 11) * 2 ** 32 + low);
    return this.#seed;
  }
  /** The seed that it was started from. */
  initialSeed(): number {
    return this.#seed;
  }
  /** The state, for `setState`: data that can be written as JSON. */
  getState(): GeneratorState {
    return { seed: this.#seed, draws: this.#samples };
  }
  /** Restores a state of `getState`, also one of another generator. @throws {WRONG_ARGUMENT} */
  setState(state: GeneratorState): this {
    const { seed, draws } = state ?? {};
    if (!Number.isSafeInteger(draws) || draws < 0)
      throw wrongArgument({ call: 'setState', argument: 'the state' }, state, 'what getState() returned');
    this.#seed = checkedSeed(seed);
    this.#samples = draws;
    return this;
  }
  /** @internal The stream of one tensor that is created on the host: the same as after `manualSeed` of this seed. */
  nextStream(): { readonly key: bigint; readonly counter: bigint } {
    return { key: mix64(BigInt(this.#seed)), counter: BigInt(this.#samples++) << 64n };
  }
}
function checkedSeed(seed: number): number {
  if (Number.isSafeInteger(seed)) return seed;
  throw wrongArgument({ call: 'Generator', argument: 'the seed' }, seed, 'an integer');
}
