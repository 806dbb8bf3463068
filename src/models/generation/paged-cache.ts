// Keys and values of many sequences in a pool of blocks. N tokens of several sequences are computed together, each as a row of
// one token; it attends to the earlier ones of its sequence in their blocks, so sequences of any lengths share a step. P blocks
// of C positions, G heads of keys, E size of a head.
//
//   pool      │ 0 │ 1 │ 2 │ 3 │ 4 │ 5 │          table of sequence 0:  4 1
//               f   c       d   a   e            table of sequence 1:  3 5 0
//               .   .       d   b   e
import { type PagedAttentionOptions, pagedAttentionCall } from '../../hlo/ops/paged-attention.ts';
import { tensorTypeOf } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { type Device, type DType, record, type Tensor, zeros } from '../../tensor/index.ts';
import type { Cache, CachedAttentionOptions, LayerCache } from './cache.ts';

/** The sizes of a pool. */
export interface PoolSizes {
  readonly layers: number;
  readonly blocks: number;
  /** Positions of a block, a multiple of 16. */
  readonly blockSize: number;
  readonly keyHeads: number;
  readonly headDim: number;
  readonly dtype: DType;
  readonly device: Device;
}

/** The keys [P, G, E, C] and the values [P, G, C, E] of each layer. */
export class BlockPool {
  readonly sizes: PoolSizes;
  readonly keys: readonly Tensor[];
  readonly values: readonly Tensor[];
  constructor(sizes: PoolSizes) {
    const { layers, blocks, blockSize, keyHeads, headDim, dtype, device } = sizes;
    this.sizes = sizes;
    const make = (...shape: number[]): readonly Tensor[] =>
      Array.from({ length: layers }, () => zeros([blocks, keyHeads, ...shape], { dtype, device }));
    this.keys = make(headDim, blockSize);
    this.values = make(blockSize, headDim);
  }
  /** The bytes of a block, in all layers. */
  static blockBytes({ layers, blockSize, keyHeads, headDim }: Omit<PoolSizes, 'blocks'>, elementBytes: number): number {
    return 2 * layers * blockSize * keyHeads * headDim * elementBytes;
  }
}

/** Where the tokens of a step are. */
export interface PagedPositions {
  /** The sequence of each token, i32 [N]. */
  readonly sequences: Tensor;
  /** The number of tokens of its sequence up to each token, its own included, i32 [N]; 0 for padding. */
  readonly lengths: Tensor;
  /** The block and the position in it where the token is stored, i32 [N, 2]; outside the pool for padding. */
  readonly slots: Tensor;
  /** The blocks of each sequence, i32 [S, B]. */
  readonly tables: Tensor;
}

/** One forward pass over N tokens, as rows of one token. */
export class PagedStep implements Cache {
  readonly #pool: BlockPool;
  readonly #positions: PagedPositions;
  constructor(pool: BlockPool, positions: PagedPositions) {
    this.#pool = pool;
    this.#positions = positions;
  }

  layer(index: number): LayerCache {
    const [keys, values] = [this.#pool.keys[index]!, this.#pool.values[index]!];
    return {
      attend: (query, key, value, options = {}) => {
        const [tokens, heads, , size] = query.shape as [number, number, number, number];
        keys.assign_(written(keys, key, this.#positions.slots, 3));
        values.assign_(written(values, value, this.#positions.slots, 2));
        return attended(query.reshape(tokens, heads, size), keys, values, this.#positions, options).reshape(
          query.shape,
        );
      },
      attendSource: () => {
        throw new TypeError('a pool has no source');
      },
    };
  }
}

/** `pool` with `rows` [N, G, 1, E] at their slots; `dim`: that of the positions of a block. */
function written(pool: Tensor, rows: Tensor, slots: Tensor, dim: number): Tensor {
  return record('pagedWrite', [pool, rows.to(pool.dtype), slots], (b, [all, update, at]) => {
    const { elementType } = tensorTypeOf(all!);
    const scalar = tensorType(elementType);
    const [tokens, heads, , size] = rows.shape as [number, number, number, number];
    const dimensionNumbers = {
      updateWindowDims: [1, 2],
      insertedWindowDims: [0, dim],
      inputBatchingDims: [],
      scatterIndicesBatchingDims: [],
      scatterDimsToOperandDims: [0, dim],
      indexVectorDim: 1,
    };
    return b.emit1(
      'scatter',
      [all!, at!, b.reshape(update!, [tokens, heads, size])],
      { dimensionNumbers, indicesAreSorted: false, uniqueIndices: true },
      [b.region([scalar, scalar], (_, [, replacement]) => [replacement!])],
    );
  });
}

/** @param query [N, heads, E] */
function attended(
  query: Tensor,
  keys: Tensor,
  values: Tensor,
  { tables, sequences, lengths }: PagedPositions,
  { scale, softCap, window, bias, sinks }: CachedAttentionOptions,
): Tensor {
  const options: PagedAttentionOptions = {
    scale: scale ?? query.shape[2]! ** -0.5,
    ...(softCap === undefined ? {} : { softCap }),
    ...(window === undefined ? {} : { window }),
    ...(bias === undefined ? {} : { bias: true }),
    ...(sinks === undefined ? {} : { sinks: true }),
  };
  const more = [
    ...(bias === undefined ? [] : [bias.reshape(bias.shape[1]!, bias.shape[3]!).to('f32')]),
    ...(sinks === undefined ? [] : [sinks.to('f32')]),
  ];
  return record('pagedAttention', [query, keys, values, tables, sequences, lengths, ...more], (b, operands) =>
    b.emit1('custom_call', operands, pagedAttentionCall(tensorTypeOf(operands[0]!), options)),
  );
}
