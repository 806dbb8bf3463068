// Documents of tokens of all lengths, packed into sequences of one length: nothing is padded but the last. Each sequence says
// which document each token is of, so that attention can stay within it.
//
//   documents   a a a ⏎ | b b ⏎ | c c c c c ⏎           length 5, ⏎ = eos
//   inputIds    a a a ⏎ b │ b ⏎ c c c │ c c ⏎ 0 0
//   segmentIds  1 1 1 1 2 │ 1 1 2 2 2 │ 1 1 1 0 0        0: padding
//   positionIds 0 1 2 3 0 │ 0 1 0 1 2 │ 0 1 2 0 0        from 0 in each part of a document
import { refuseUnknownOptions } from '../base/known-options.ts';
import { isLiteral } from '../tensor/host-data.ts';
import { invalidOption, requireCount, wrongOption } from './options.ts';

/** Options of `IterableDataset.packSequences`. */
export interface PackOptions {
  /** Tokens in a sequence. */
  readonly length: number;
  /** The token that ends a document. Default: none is added. */
  readonly eos?: number | undefined;
  /** The field of an item that has the tokens, where items are objects. Default 'inputIds'. */
  readonly field?: string | undefined;
  /** Leaves out the last sequence where it is not full. Default false: it is filled with `padValue`. */
  readonly dropLast?: boolean | undefined;
  /** Default 0. */
  readonly padValue?: number | undefined;
}

/** Tokens of one or more documents. */
export interface PackedSequence {
  /** The token ids. */
  readonly inputIds: Int32Array;
  /** Positions within each part of a document, from 0. */
  readonly positionIds: Int32Array;
  /** Which document of the sequence a token is of, from 1; 0 for padding. */
  readonly segmentIds: Int32Array;
}

/** @throws {INVALID_OPTION} @throws {NO_SUCH_OPTION} */
export function checkPackOptions(options: PackOptions): void {
  const what = 'packSequences';
  refuseUnknownOptions(what, options, ['length', 'eos', 'field', 'dropLast', 'padValue']);
  requireCount(what, 'length', options?.length, 1);
  if (options.eos !== undefined) requireCount(what, 'eos', options.eos, 0);
  if (typeof (options.dropLast ?? false) !== 'boolean')
    throw wrongOption(what, 'dropLast', options.dropLast, 'true or false');
}

/** Packs documents one after another. Holds one sequence. */
export class SequencePacker {
  readonly #options: PackOptions;
  #ids: Int32Array;
  #positions: Int32Array;
  #segments: Int32Array;
  #filled = 0;
  #documents = 0;

  constructor(options: PackOptions) {
    this.#options = options;
    const { length, padValue = 0 } = options;
    this.#ids = new Int32Array(length).fill(padValue);
    this.#positions = new Int32Array(length);
    this.#segments = new Int32Array(length);
  }
  /** The sequences that this document completes. */
  *push(item: unknown): Generator<PackedSequence> {
    const { eos } = this.#options;
    const tokens = this.#tokensOf(item);
    const count = tokens.length + (eos === undefined ? 0 : 1);
    let done = 0;
    while (done < count) {
      const take = Math.min(count - done, this.#options.length - this.#filled);
      this.#documents++;
      for (let i = 0; i < take; i++) {
        const at = this.#filled + i;
        this.#ids[at] = done + i < tokens.length ? Number(tokens[done + i]) : eos!;
        this.#positions[at] = i;
        this.#segments[at] = this.#documents;
      }
      done += take;
      this.#filled += take;
      if (this.#filled === this.#options.length) yield this.#take();
    }
  }
  /** The last sequence, where there is one. */
  *end(): Generator<PackedSequence> {
    if (this.#filled > 0 && this.#options.dropLast !== true) yield this.#take();
  }
  #take(): PackedSequence {
    const sequence = { inputIds: this.#ids, positionIds: this.#positions, segmentIds: this.#segments };
    const { length, padValue = 0 } = this.#options;
    this.#ids = new Int32Array(length).fill(padValue);
    this.#positions = new Int32Array(length);
    this.#segments = new Int32Array(length);
    this.#filled = 0;
    this.#documents = 0;
    return sequence;
  }
  #tokensOf(item: unknown): ArrayLike<number | bigint> {
    const { field = 'inputIds' } = this.#options;
    const found =
      Array.isArray(item) || ArrayBuffer.isView(item) || isLiteral(item)
        ? item
        : (item as Readonly<Record<string, unknown>> | null)?.[field];
    const tokens = isLiteral(found) ? found.data : found;
    if (!Array.isArray(tokens) && !(ArrayBuffer.isView(tokens) && !(tokens instanceof DataView)))
      throw invalidOption(
        'packSequences',
        'an item',
        `without tokens in ${field}`,
        'an array of tokens, or an object with one',
      );
    return tokens as ArrayLike<number>;
  }
}
