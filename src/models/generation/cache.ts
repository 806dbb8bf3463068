// The interface between a model's layers and the keys and values of earlier tokens. A layer does not know how these are stored,
// or how long each row is. B rows, G heads of keys, S slots of the cache, T new tokens, E size of a head.
import type { Tensor } from '../../tensor/index.ts';

/** The keys and values of one forward pass, which adds T tokens to each row. Rows may have different lengths. */
export interface Cache {
  /** The cache of a layer, counted from 0. */
  layer(index: number): LayerCache;
}

/** Options of an attention that uses the cache. */
export interface CachedAttentionOptions {
  /** Multiplies the scores. Default: 1 / √E. */
  readonly scale?: number | undefined;
  /** Limits scores to ± this by tanh. */
  readonly softCap?: number | undefined;
  /** The number of positions that a query attends to, its own included; undefined: all earlier ones. */
  readonly window?: number | undefined;
  /** Added to scores, [1, heads, T, S]; requires as many heads of keys as of queries. */
  readonly bias?: Tensor | undefined;
  /** The score of a position that has no value, of each head [heads]. */
  readonly sinks?: Tensor | undefined;
}

/** The cache of one layer, as its attention uses it. */
export interface LayerCache {
  /**
   * Stores the keys and values [B, G, T, E] of new tokens, and attends to them and to all earlier ones: queries
   * [B, heads, T, E] → the same shape.
   */
  attend(query: Tensor, key: Tensor, value: Tensor, options?: CachedAttentionOptions): Tensor;
  /** Encoder–decoders: attends to the source; queries [B, heads, T, E] → the same shape. */
  attendSource(query: Tensor, scale: number): Tensor;
}

/** The result of an encoder as attention uses it. N sources, G heads, S positions, E size of a head. */
export interface EncodedSource {
  /** The keys of each layer [N, G, S, E]. */
  readonly keys: readonly Tensor[];
  /** The values of each layer [N, G, S, E]. */
  readonly values: readonly Tensor[];
  /** 1 for positions of the source, 0 for padding [N, S]. */
  readonly mask: Tensor;
}
