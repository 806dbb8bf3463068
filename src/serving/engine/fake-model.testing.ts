// A model without weights: the token after a position is a hash of all that the pool has for the positions up to it, of what
// chooses it and of nothing else. Keys and values in a wrong block, or of a wrong token, give other tokens.
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { AdapterRoom, Choice, Chosen, StepModel, StepPart } from './step-model.ts';

const mix = (hash: number, value: number): number => {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
};

const hashOf = (text: string): number => [...text].reduce((hash, c) => mix(hash, c.charCodeAt(0)), 1) & 0x3fffffff;

export interface FakeOptions {
  readonly vocabulary?: number;
  readonly positions?: number;
  readonly blockSize?: number;
  readonly blocks?: number;
  readonly mostSequences?: number;
  readonly mostTokens?: number;
  /** A step with this id fails. */
  readonly poison?: number;
  /** Tokens repeat those of this number of positions before, mostly. */
  readonly period?: number;
  /** Slots of adapters. */
  readonly adapters?: number;
  /** The time of a step. */
  readonly stepMs?: number;
}

export class FakeModel implements StepModel {
  readonly vocabulary: number;
  readonly positions: number;
  readonly blockSize: number;
  readonly blocks: number;
  readonly mostSequences: number;
  readonly mostTokens: number;
  readonly adapters: AdapterRoom | undefined;
  /** The directory in each slot. */
  readonly slots: (string | undefined)[] = [];
  steps = 0;
  computed = 0;
  readonly #pool: Int32Array;
  readonly #options: FakeOptions;

  constructor(options: FakeOptions = {}) {
    this.#options = options;
    this.vocabulary = options.vocabulary ?? 50;
    this.positions = options.positions ?? 512;
    this.blockSize = options.blockSize ?? 4;
    this.blocks = options.blocks ?? 256;
    this.mostSequences = options.mostSequences ?? 16;
    this.mostTokens = options.mostTokens ?? 64;
    const count = options.adapters ?? 0;
    const load = async (slot: number, directory: string): Promise<void> => {
      await nextTurn();
      if (directory.includes('bad')) throw new Error('it does not fit');
      this.slots[slot] = directory;
    };
    this.adapters = count === 0 ? undefined : { count, load };
    this.#pool = new Int32Array(this.blocks * this.blockSize).fill(-1);
  }

  padded(tokens: number): number {
    return Math.min(this.mostTokens, 2 ** Math.ceil(Math.log2(tokens)));
  }

  async run(parts: readonly StepPart[]): Promise<readonly (readonly Chosen[])[]> {
    this.steps++;
    await (this.#options.stepMs === undefined ? nextTurn() : delay(this.#options.stepMs));
    if (parts.length > this.mostSequences) throw new Error('too many sequences');
    const tokens = parts.reduce((sum, { ids }) => sum + ids.length, 0);
    if (tokens > this.mostTokens) throw new Error('too many tokens');
    if (parts.some(({ ids }) => ids.includes(this.#options.poison ?? -1))) throw new Error('poisoned');
    this.computed += tokens;
    // All parts write before any reads, as layers of a model do.
    for (const { ids, from, blocks, adapter } of parts) {
      const own = adapter === undefined ? 0 : hashOf(this.slots[adapter]!);
      for (const [i, id] of ids.entries()) this.#pool[this.#slot(blocks, from + i)] = (id * 1024 + from + i) ^ own;
    }
    return parts.map(({ ids, from, blocks, choices }) =>
      choices.map((choice, i) => this.#choose(blocks, from + ids.length - choices.length + i, choice)),
    );
  }

  #slot(blocks: readonly number[], position: number): number {
    const block = blocks[Math.floor(position / this.blockSize)];
    if (block === undefined) throw new Error('a position without a block');
    return block * this.blockSize + (position % this.blockSize);
  }

  #choose(blocks: readonly number[], position: number, { given, ...how }: Choice): Chosen {
    const { seed, choice, edits, mask, temperature } = how;
    let hash = 7;
    for (let at = 0; at <= position; at++) hash = mix(hash, this.#pool[this.#slot(blocks, at)]!);
    const { period = 0 } = this.#options;
    const isCopied = period > 0 && position > period && hash % 8 > 0;
    if (given !== undefined) return { id: given, logprob: -(mix(hash, given) % 1000) / 100, rank: 1 };
    if (temperature > 0) for (const part of [Number(seed), choice, position]) hash = mix(hash, part);
    let id = hash % this.vocabulary;
    if (isCopied) id = Math.floor(this.#pool[this.#slot(blocks, position - period)]! / 1024);
    const add = (of: number): number => {
      const at = edits?.ids.indexOf(of) ?? -1;
      return at === -1 ? 0 : edits!.adds[at]! / edits!.factors[at]!;
    };
    const isAllowed = (of: number): boolean => mask === undefined || ((mask[of >> 5]! >> (of & 31)) & 1) === 1;
    for (let i = 0; i < this.vocabulary && (!isAllowed(id) || add(id) < -1.2); i++) id = (id + 1) % this.vocabulary;
    return { id, logprob: -(hash % 1000) / 100 };
  }
}
