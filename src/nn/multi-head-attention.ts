// Attention in several heads, with a projection each for queries, keys, values and the result.
import { TrenioError } from '../base/errors.ts';
import type { Tensor } from '../tensor/index.ts';
import * as F from './functional.ts';
import { Linear } from './layers.ts';
import { Module } from './module.ts';

/** [B, S, heads · E] → [B, heads, S, E] */
export function splitHeads(x: Tensor, heads: number): Tensor {
  const [batch, length, width] = x.shape as [number, number, number];
  return x.reshape(batch, length, heads, width / heads).transpose(1, 2);
}
/** [B, heads, S, E] → [B, S, heads · E] */
export function mergeHeads(x: Tensor): Tensor {
  const [batch, heads, length, width] = x.shape as [number, number, number, number];
  return x.transpose(1, 2).reshape(batch, length, heads * width);
}

/** Checks that a width divides into heads. @throws {INVALID_OPTION} */
export function checkHeads(what: string, width: number, heads: number): void {
  if (heads >= 1 && width % heads === 0) return;
  throw new TrenioError('INVALID_OPTION', {
    what,
    option: 'heads',
    got: String(heads),
    expected: `a divisor of the width ${width}`,
  });
}

export class MultiHeadAttention extends Module {
  readonly heads: number;
  readonly dropout: number;
  query: Linear;
  key: Linear;
  value: Linear;
  out: Linear;
  constructor(width: number, heads: number, options: { readonly dropout?: number; readonly bias?: boolean } = {}) {
    super();
    checkHeads('MultiHeadAttention', width, heads);
    this.heads = heads;
    this.dropout = options.dropout ?? 0;
    this.query = new Linear(width, width, options);
    this.key = new Linear(width, width, options);
    this.value = new Linear(width, width, options);
    this.out = new Linear(width, width, options);
  }
  /** Queries [B, L, width] attend to keys and values [B, S, width], by default to themselves. */
  override forward(
    query: Tensor,
    key: Tensor = query,
    value: Tensor = key,
    options: { readonly mask?: Tensor; readonly isCausal?: boolean } = {},
  ): Tensor {
    const [q, k, v] = [this.query.forward(query), this.key.forward(key), this.value.forward(value)];
    const mixed = F.scaledDotProductAttention(
      splitHeads(q, this.heads),
      splitHeads(k, this.heads),
      splitHeads(v, this.heads),
      {
        ...options,
        dropout: this.training ? this.dropout : 0,
      },
    );
    return this.out.forward(mergeHeads(mixed));
  }
}
