// The interface between a language model and generation.
import type { Module } from '../../nn/index.ts';
import type { Device, DType, Tensor } from '../../tensor/index.ts';
import type { Cache, EncodedSource } from './cache.ts';

/** An input that depends on the positions of tokens, computed on the host. */
export interface PositionInput {
  readonly data: Float32Array | Int32Array;
  readonly shape: readonly number[];
}

/** The inputs of an encoder, of sizes that few compiled programs cover. */
export interface SourceInputs {
  readonly inputs: readonly Tensor[];
  /** The number of positions of the encoder's result. */
  readonly length: number;
}

/** A language model that can generate. B rows, T new tokens, H width, V vocabulary. */
export interface GenerativeModel {
  readonly module: Module;
  /** Its name in errors. */
  readonly name: string;
  readonly device: Device;
  readonly dtype: DType;
  readonly vocabulary: number;
  readonly layers: number;
  readonly keyHeads: number;
  readonly headDim: number;
  /** The maximum length of a sequence, in tokens. */
  readonly maxPositions: number;
  /** Sequences longer than this use other rotations, for their earlier tokens too. */
  readonly rotationsChangeAfter: number | undefined;
  /**
   * The inputs of `forward` that depend on positions; `longest` is the length of the sequence so far, `keys` the number of slots
   * that are attended to.
   */
  positionInputs(positions: Int32Array, rows: number, longest: number, keys: number): readonly PositionInput[];
  /** Encoder–decoders: the keys and values of sources. */
  encode?(inputs: readonly Tensor[]): EncodedSource;
  /** Token ids [B, T] → hidden states [B, T, H]. */
  forward(ids: Tensor, positions: readonly Tensor[], cache: Cache): Tensor;
  /** Hidden states [B, T, H] → logits [B, T, V]. */
  logits(hidden: Tensor): Tensor;
}
