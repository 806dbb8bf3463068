// Documents of any number of tokens, packed into sequences of one length: only the last one is padded. Each sequence has the
// document number of each token, so that attention can stay within documents.
//
//   documents   a a a ⏎ | b b ⏎ | c c c c c ⏎           length 5, ⏎ = eos
//   inputIds    a a a ⏎ b │ b ⏎ c c c │ c c ⏎ 0 0
//   segmentIds  1 1 1 1 2 │ 1 1 2 2 2 │ 1 1 1 0 0        0: padding
//   positionIds 0 1 2 3 0 │ 0 1 0 1 2 │ 0 1 2 0 0        from 0 in each part of a document
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { isLiteral } from '../../tensor/types/host-data.ts';
import { invalidOption, requireCount, wrongOption } from '../check-options.ts';
import type { Lazy } from '../datasets/lazy.ts';

/** Options of `IterableDataset.packSequences`. */
export interface PackOptions {
  /** Tokens in a sequence. */
  readonly length: number;
  /** The token that ends a document. Default: none is added. */
  readonly eos?: number | undefined;
  /** The field of an item that has the tokens, if items are objects. Default 'inputIds'. */
  readonly field?: string | undefined;
  /** Leaves out the last sequence if it is not full. Default false: it is filled with `padValue`. */
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
  /** The number of each token's document in the sequence, from 1; 0 for padding. */
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

/** A part of a document in a sequence. */
interface Piece {
  readonly document: Lazy<unknown>;
  readonly from: number;
  readonly count: number;
}

/** Packs documents one after another, by their numbers of tokens only: tokens are copied when a sequence is used. */
export class SequencePacker {
  readonly #options: PackOptions;
  #pieces: Piece[] = [];
  #filled = 0;

  constructor(options: PackOptions) {
    this.#options = options;
  }
  /** The tokens that a document takes. @throws {INVALID_OPTION} for an item without tokens */
  countOf(item: unknown): number {
    return this.#tokensOf(item).length + (this.#options.eos === undefined ? 0 : 1);
  }
  /** The sequences that this document of `count` tokens completes. */
  *push(count: number, lazy: Lazy<unknown>): Generator<Lazy<PackedSequence>> {
    const document = once(lazy);
    let from = 0;
    while (from < count) {
      const take = Math.min(count - from, this.#options.length - this.#filled);
      this.#pieces.push({ document, from, count: take });
      from += take;
      this.#filled += take;
      if (this.#filled === this.#options.length) yield this.#take();
    }
  }
  /** The last sequence, if any. */
  *end(): Generator<Lazy<PackedSequence>> {
    if (this.#filled > 0 && this.#options.dropLast !== true) yield this.#take();
  }
  #take(): Lazy<PackedSequence> {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#filled = 0;
    return () => {
      const documents = pieces.map(({ document }) => document());
      return documents.some(one => one instanceof Promise)
        ? Promise.all(documents).then(known => this.#sequence(pieces, known))
        : this.#sequence(pieces, documents);
    };
  }
  #sequence(pieces: readonly Piece[], documents: readonly unknown[]): PackedSequence {
    const { length, padValue = 0, eos } = this.#options;
    const inputIds = new Int32Array(length).fill(padValue);
    const positionIds = new Int32Array(length);
    const segmentIds = new Int32Array(length);
    let at = 0;
    for (const [n, { from, count }] of pieces.entries()) {
      const tokens = this.#tokensOf(documents[n]);
      for (let i = 0; i < count; i++, at++) {
        inputIds[at] = from + i < tokens.length ? Number(tokens[from + i]) : eos!;
        positionIds[at] = i;
        segmentIds[at] = n + 1;
      }
    }
    return { inputIds, positionIds, segmentIds };
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

/** A document may be in several sequences. */
function once(lazy: Lazy<unknown>): Lazy<unknown> {
  let known: { readonly item: unknown } | undefined;
  return () => {
    known ??= { item: lazy() };
    return known.item;
  };
}
