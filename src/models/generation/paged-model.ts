// A language model whose sequences share steps: the tokens of a step are rows of few numbers of rows, each of which has a
// compiled program; the rest is padding. What a row computes does not depend on the others.
import { philox4x32 } from '../../numerics/philox.ts';
import { atOneLocation, compile, noGrad, type Tensor, tensor, userLocation } from '../../tensor/index.ts';
import type { AdapterSlots } from '../adapters/adapter-slots.ts';
import { bestTokens, type ChoiceInputs, type ChosenTokens, chooseTokens, type LogitEdits } from './choose-tokens.ts';
import type { GenerativeModel } from './generative-model.ts';
import { BlockPool, type PagedPositions, PagedStep, type PoolSizes } from './paged-cache.ts';
import { powerOfTwo } from './session.ts';

/** The sizes of a model's steps. */
export interface PagedModelSizes extends Pick<PoolSizes, 'blocks' | 'blockSize' | 'dtype'> {
  /** The maximum length of a sequence, in tokens. */
  readonly positions: number;
  /** The maximum number of sequences of a step. */
  readonly mostSequences: number;
  /** The maximum number of tokens of a step. */
  readonly mostTokens: number;
  /** The maximum number of tokens that a step chooses. */
  readonly mostChoices: number;
}

/** The tokens of a step, N of them, of S sequences. */
export interface StepTokens {
  readonly ids: Int32Array;
  /** The position of each token in its sequence. */
  readonly positions: Int32Array;
  /** The sequence of each token: a number below S. */
  readonly sequences: Int32Array;
  /** The blocks of each sequence. */
  readonly tables: readonly (readonly number[])[];
  /** The slot of each sequence's adapter, −1 for none. */
  readonly adapters?: readonly number[];
  /** The tokens after these are chosen. */
  readonly last: Int32Array;
}

/** How the token of each row is chosen. */
export interface RowChoice {
  /** 0: the most probable one. */
  readonly temperature: number;
  /** 0: all. */
  readonly topK: number;
  readonly topP: number;
  readonly minP: number;
  readonly typicalP: number;
  /** The random number depends on these and on the position. */
  readonly seed: bigint;
  readonly choice: number;
  /** Takes this token. */
  readonly given?: number | undefined;
}
/** Changes the logits of a row, [V] each: see `LogitEdits`. Factors are 1, and 0 is added, where it writes nothing. */
export type EditRow = (row: number, factors: Float32Array, added: Float32Array) => void;

/** The choice of a step: only the most probable ids, any tokens with their probabilities, or the latter of changed logits. */
export type StepKind = 'best' | 'chosen' | 'edited';
export const stepKinds: readonly StepKind[] = ['best', 'chosen', 'edited'];

/** The result of a step; rows beyond those asked for are padding. */
export interface StepOutput {
  readonly ids: Tensor;
  readonly chosen: ChosenTokens | undefined;
  /** f32 [rows, V]; absent for a step of kind `best`. */
  readonly logits: Tensor | undefined;
}

interface StepArguments extends PagedPositions {
  readonly ids: Tensor;
  readonly inputs: readonly Tensor[];
  readonly adapters: Tensor | undefined;
  readonly last: Tensor;
  readonly choice: ChoiceInputs | undefined;
  readonly edits: LogitEdits | undefined;
}

export class PagedModel {
  readonly sizes: PagedModelSizes;
  readonly #model: GenerativeModel;
  readonly #tableLength: number;
  readonly #step: (step: StepArguments) => StepOutput;

  readonly #slots: AdapterSlots | undefined;

  constructor(model: GenerativeModel, sizes: PagedModelSizes, slots?: AdapterSlots) {
    this.sizes = sizes;
    this.#slots = slots;
    this.#model = model;
    const { blocks, blockSize, dtype, positions } = sizes;
    const { layers, keyHeads, headDim, device } = model;
    const pool = new BlockPool({ layers, blocks, blockSize, keyHeads, headDim, dtype, device });
    this.#tableLength = Math.ceil(positions / blockSize);
    this.#step = compile(({ ids, inputs, adapters, last, choice, edits, ...at }: StepArguments): StepOutput => {
      const forward = (): Tensor => model.forward(ids, inputs, new PagedStep(pool, at)); // [N, 1, H]
      const hidden = adapters === undefined ? forward() : slots!.within(adapters, forward);
      const rows = last.shape[0]!;
      const logits = model.logits(hidden.indexSelect(0, last)).to('f32').reshape(rows, -1);
      if (choice === undefined) return { ids: bestTokens(logits), chosen: undefined, logits: undefined };
      const chosen = chooseTokens(logits, choice, edits);
      return { ids: chosen.ids, chosen, logits };
    });
  }

  get vocabulary(): number {
    return this.#model.vocabulary;
  }
  /** The numbers of tokens for which there are programs. */
  get buckets(): readonly number[] {
    const most = Math.ceil(Math.log2(this.sizes.mostTokens));
    return Array.from({ length: most + 1 }, (_, i) => Math.min(2 ** i, this.sizes.mostTokens));
  }

  /** Starts a step; its results may be read when it has run. */
  run(step: StepTokens, choices: readonly RowChoice[], kind: StepKind, edit?: EditRow): StepOutput {
    const tokens = Math.min(powerOfTwo(step.ids.length), this.sizes.mostTokens);
    const rows = Math.min(tokens, this.sizes.mostChoices);
    return noGrad(() =>
      atOneLocation(() => this.#step(this.#argumentsOf(step, choices, kind, edit, tokens, rows)), userLocation()),
    );
  }

  #argumentsOf(
    { ids, positions, sequences, tables, last, adapters = [] }: StepTokens,
    choices: readonly RowChoice[],
    kind: StepKind,
    edit: EditRow | undefined,
    tokens: number,
    rows: number,
  ): StepArguments {
    const { device } = this.#model;
    const { blocks, blockSize } = this.sizes;
    const upload = (data: Float32Array | Int32Array | Uint32Array, shape: readonly number[]): Tensor =>
      tensor(data, { shape, device });
    /** `value` for each token, `rest` for padding. */
    const perToken = (value: (n: number) => number, rest = 0): Int32Array =>
      Int32Array.from({ length: tokens }, (_, n) => (n < ids.length ? value(n) : rest));
    const at = perToken(n => positions[n]!);
    const slots = new Int32Array(2 * tokens).fill(blocks);
    ids.forEach((_, n) => {
      slots[2 * n] = tables[sequences[n]!]![Math.floor(positions[n]! / blockSize)]!;
      slots[2 * n + 1] = positions[n]! % blockSize;
    });
    const lists = Math.min(tokens, this.sizes.mostSequences);
    const table = new Int32Array(lists * this.#tableLength);
    tables.forEach((list, s) => {
      table.set(list, s * this.#tableLength);
    });
    return {
      ids: upload(
        perToken(n => ids[n]!),
        [tokens, 1],
      ),
      sequences: upload(
        perToken(n => sequences[n]!),
        [tokens],
      ),
      lengths: upload(
        perToken(n => positions[n]! + 1),
        [tokens],
      ),
      slots: upload(slots, [tokens, 2]),
      tables: upload(table, [lists, this.#tableLength]),
      inputs: this.#model
        // The same rotations for a sequence of any length.
        .positionInputs(at, tokens, this.sizes.positions, this.#tableLength * blockSize)
        .map(({ data, shape }) => upload(data, shape)),
      adapters:
        this.#slots === undefined
          ? undefined
          : upload(
              perToken(n => adapters[sequences[n]!] ?? -1, -1),
              [tokens],
            ),
      last: upload(
        Int32Array.from({ length: rows }, (_, i) => last[i] ?? 0),
        [rows],
      ),
      choice: kind === 'best' ? undefined : this.#choiceOf(choices, last, positions, rows),
      edits: kind === 'edited' ? this.#editsOf(edit, choices.length, rows) : undefined,
    };
  }

  #choiceOf(choices: readonly RowChoice[], last: Int32Array, positions: Int32Array, rows: number): ChoiceInputs {
    const { device, vocabulary } = this.#model;
    const perRow = (value: (choice: RowChoice) => number, rest: number): Float32Array =>
      Float32Array.from({ length: rows }, (_, i) => (i < choices.length ? value(choices[i]!) : rest));
    const column = (data: Float32Array | Int32Array): Tensor => tensor(data, { shape: [rows, 1], device });
    const keys = new Uint32Array(2 * rows);
    choices.forEach(({ seed, choice }, i) => {
      keys.set(randomKey(seed, choice, positions[last[i]!]!), 2 * i);
    });
    const topK = perRow(c => (c.topK > 0 ? Math.min(c.topK, vocabulary) : vocabulary), vocabulary);
    return {
      temperature: column(perRow(c => c.temperature, 0)),
      topK: column(Int32Array.from(topK)),
      topP: column(perRow(c => c.topP, 1)),
      minP: column(perRow(c => c.minP, 0)),
      typicalP: column(perRow(c => c.typicalP, 1)),
      given: column(Int32Array.from(perRow(c => c.given ?? -1, -1))),
      keys: tensor(keys, { shape: [rows, 2], device }),
    };
  }
  #editsOf(edit: EditRow | undefined, count: number, rows: number): LogitEdits {
    const { device, vocabulary } = this.#model;
    const [factors, added] = [new Float32Array(rows * vocabulary).fill(1), new Float32Array(rows * vocabulary)];
    const rowOf = (data: Float32Array, row: number): Float32Array =>
      data.subarray(row * vocabulary, (row + 1) * vocabulary);
    if (edit !== undefined) for (let row = 0; row < count; row++) edit(row, rowOf(factors, row), rowOf(added, row));
    const shape = [rows, vocabulary];
    return { factors: tensor(factors, { shape, device }), added: tensor(added, { shape, device }) };
  }
}

/** Two random words of a seed of 64 bits, a choice of a request and a position. */
function randomKey(seed: bigint, choice: number, position: number): Uint32Array {
  const words = new Uint32Array(4);
  const [low, high] = [Number(seed & 0xffffffffn), Number((seed >> 32n) & 0xffffffffn)];
  philox4x32(position, choice, 0, 0, low, high, words);
  return words.subarray(0, 2);
}
