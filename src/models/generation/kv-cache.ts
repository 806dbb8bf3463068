// A cache of tensors of a fixed length, updated in place, so that one program works at every position.
// B rows, G heads of keys, S slots of the cache, T new tokens, E size of a head.
//
//   slot     0 1 2 3 4 5 6 7        Each row starts at slot 0 and has its own length. New tokens are stored behind it; a query
//   row 0    a b c d e . . .        attends to the slots up to its own, or to the last `window` of them; later slots are masked.
//   row 1    f g h . . . . .

import { literal } from '../../hlo/literal.ts';
import type { Value } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { functional as F } from '../../nn/index.ts';
import { cat, type Device, type DType, record, type Tensor, zeros } from '../../tensor/index.ts';
import type { Cache, CachedAttentionOptions, EncodedSource, LayerCache } from './cache.ts';

/** The sizes of a cache. */
export interface CacheSizes {
  /** The number of sequences. */
  readonly rows: number;
  /** The number of slots. */
  readonly length: number;
  /** The number of layers. */
  readonly layers: number;
  /** The number of heads of keys. */
  readonly keyHeads: number;
  /** The size of a head. */
  readonly headDim: number;
  readonly dtype: DType;
  readonly device: Device;
}

/** Keys and values of all layers, [B, G, S, E] each. */
export class KeyValueCache {
  readonly sizes: CacheSizes;
  readonly keys: readonly Tensor[];
  readonly values: readonly Tensor[];
  constructor(sizes: CacheSizes) {
    const { rows, length, layers, keyHeads, headDim, dtype, device } = sizes;
    this.sizes = sizes;
    const make = (): Tensor => zeros([rows, keyHeads, length, headDim], { dtype, device });
    this.keys = Array.from({ length: layers }, make);
    this.values = Array.from({ length: layers }, make);
  }
  get tensors(): readonly Tensor[] {
    return [...this.keys, ...this.values];
  }
}

/** Keys and values of an encoder's result, computed once for all steps: [B, G, S, E] for each layer. */
export class SourceCache {
  readonly keys: readonly Tensor[];
  readonly values: readonly Tensor[];
  /** Added to scores, f32 [B, 1, 1, S]. */
  readonly mask: Tensor;
  constructor(sizes: CacheSizes) {
    const { keys, values } = new KeyValueCache(sizes);
    this.keys = keys;
    this.values = values;
    this.mask = zeros([sizes.rows, 1, 1, sizes.length], { device: sizes.device });
  }
  /** Stores the result for N sources, each of them for B / N consecutive rows. */
  store({ keys, values, mask }: EncodedSource): void {
    const copied = (one: Tensor, into: Tensor): void => {
      into.assign_(one.repeatInterleave(into.shape[0]! / one.shape[0]!, 0).to(into.dtype));
    };
    this.keys.forEach((own, i) => {
      copied(keys[i]!, own);
    });
    this.values.forEach((own, i) => {
      copied(values[i]!, own);
    });
    copied(F.additiveMask(mask), this.mask);
  }
}

/** The slots of the tokens of a step. */
export interface StepPosition {
  /** The number of tokens that each row has before the step, i32 [B]. */
  readonly lengths: Tensor;
  /** The number of new tokens. */
  readonly time: number;
  /** Whether the cache is empty: earlier slots are not read. */
  readonly isFirst: boolean;
}

/** One forward pass with a cache: T tokens are added to each row. */
export class CacheStep implements Cache {
  readonly #cache: KeyValueCache;
  readonly #position: StepPosition;
  readonly #masks = new Map<number | undefined, Tensor>();
  readonly #source: SourceCache | undefined;
  constructor(cache: KeyValueCache, position: StepPosition, source: SourceCache | undefined) {
    this.#cache = cache;
    this.#position = position;
    this.#source = source;
  }

  layer(index: number): LayerCache {
    const [keys, values] = [this.#cache.keys[index]!, this.#cache.values[index]!];
    const { lengths, isFirst } = this.#position;
    return {
      attend: (query, key, value, options = {}) => {
        keys.assign_(written(keys, key, lengths));
        values.assign_(written(values, value, lengths));
        const visible = this.#mask(options.window);
        const mask = options.bias === undefined ? visible : visible.add(options.bias);
        return isFirst ? causal(query, key, value, mask, options) : grouped(query, keys, values, mask, options);
      },
      attendSource: (query, scale) => {
        const source = this.#source!;
        return F.scaledDotProductAttention(query, source.keys[index]!, source.values[index]!, {
          mask: source.mask,
          scale,
        });
      },
    };
  }

  /** The mask that is added to scores, [B, 1, T, S]; layers with the same window share it. */
  #mask(window: number | undefined): Tensor {
    let mask = this.#masks.get(window);
    if (mask === undefined) {
      const { time, lengths, isFirst } = this.#position;
      const { rows, length } = this.#cache.sizes;
      mask = visibility([rows, 1, time, isFirst ? time : length], isFirst, lengths, window);
      this.#masks.set(window, mask);
    }
    return mask;
  }
}

/** `cache` with `part` [B, G, T, E] written behind the `lengths` of its rows. */
function written(cache: Tensor, part: Tensor, lengths: Tensor): Tensor {
  return record('cacheWrite', [cache, part.to(cache.dtype), lengths], (b, [all, update, at]) => {
    // One row: its slots follow each other in each head.
    if (cache.shape[0] === 1) {
      const zero = b.constant(literal('i32', [], [0]));
      return b.emit1('dynamic_update_slice', [all!, update!, zero, zero, b.reshape(at!, []), zero], {});
    }
    const { elementType } = cache.type;
    const scalar = tensorType(elementType);
    const dimensionNumbers = {
      updateWindowDims: [1, 2, 3],
      insertedWindowDims: [],
      inputBatchingDims: [0],
      scatterIndicesBatchingDims: [0],
      scatterDimsToOperandDims: [2],
      indexVectorDim: 1,
    };
    return b.emit1(
      'scatter',
      [all!, b.reshape(at!, [cache.shape[0]!, 1]), update!],
      { dimensionNumbers, indicesAreSorted: false, uniqueIndices: true },
      [b.region([scalar, scalar], (_, [, replacement]) => [replacement!])],
    );
  });
}

const lowest = -3.4028234663852886e38;

/** 0 where a query attends to a key, the lowest f32 elsewhere. Queries start behind the lengths of their rows, keys at slot 0. */
function visibility(
  shape: readonly [rows: number, heads: 1, time: number, length: number],
  isFirst: boolean,
  lengths: Tensor,
  window: number | undefined,
): Tensor {
  return record('cacheMask', [lengths], (b, [before]) => {
    const type = tensorType('i32', shape);
    const key = b.iota(type, 3);
    let query: Value = b.iota(type, 2);
    if (!isFirst) query = b.add(query, b.broadcastInDim(before!, [0], shape));
    let isSeen = b.compare('LE', key, query);
    if (window !== undefined)
      isSeen = b.binary('and', isSeen, b.compare('LT', b.subtract(query, key), b.like(query, window)));
    return b.select(isSeen, b.fill('f32', shape, 0), b.fill('f32', shape, lowest));
  });
}

/** Queries that attend together: later keys than theirs are not multiplied. */
const causalBlock = 128;

/** Attention of the first tokens to themselves. */
function causal(query: Tensor, key: Tensor, value: Tensor, mask: Tensor, options: CachedAttentionOptions): Tensor {
  const time = query.shape[2]!;
  if (time <= causalBlock) return grouped(query, key, value, mask, options);
  const mixed = Array.from({ length: Math.ceil(time / causalBlock) }, (_, block) => {
    const from = block * causalBlock;
    const count = Math.min(causalBlock, time - from);
    const end = from + count;
    const seen = mask.narrow(2, from, count).narrow(3, 0, end);
    return grouped(query.narrow(2, from, count), key.narrow(2, 0, end), value.narrow(2, 0, end), seen, options);
  });
  return cat(mixed, 2);
}

/** Attention with grouped heads: the query heads that share a key head become rows of one matmul, so keys are not copied. */
function grouped(
  query: Tensor,
  key: Tensor,
  value: Tensor,
  mask: Tensor,
  { scale, softCap, sinks }: CachedAttentionOptions,
): Tensor {
  const [rows, heads, time, size] = query.shape as [number, number, number, number];
  const [, keyHeads, length] = key.shape as [number, number, number, number];
  const share = heads / keyHeads;
  const own = query.reshape(rows, keyHeads, share * time, size);
  const seen =
    time === 1 || share === 1
      ? mask
      : mask
          .reshape(rows, 1, 1, time, length)
          .expand([rows, 1, share, time, length])
          .reshape(rows, 1, share * time, length);
  const mixed = F.scaledDotProductAttention(own, key, value, {
    mask: seen,
    softCap,
    sinks: sinks
      ?.reshape(keyHeads, share, 1)
      .expand([keyHeads, share, time])
      .reshape(1, keyHeads, share * time, 1),
    ...(scale === undefined ? {} : { scale }),
  });
  return mixed.reshape(rows, heads, time, size);
}
