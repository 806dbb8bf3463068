// Attention that depends on the distance of two positions: buckets of distances, and the disentangled attention of DeBERTa
// (arXiv:2006.03654). Tables of distances are computed on the host, once for each length, rounded to f32 as in PyTorch.
// S sequence, H heads, E size of a head, N embeddings of distances.
import { type Tensor, tensor } from '../../tensor/index.ts';

const f32 = Math.fround;

/**
 * The bucket of a distance of MPNet and T5: small distances have one bucket each, larger distances share
 * buckets on a logarithmic scale.
 * `isTwoSided`: half of the buckets are for positions after the query; if false, these positions share the first bucket.
 */
export function distanceBucket(distance: number, buckets: number, maxDistance: number, isTwoSided: boolean): number {
  const side = isTwoSided ? Math.trunc(buckets / 2) : buckets;
  const after = isTwoSided && distance > 0 ? side : 0;
  const far = isTwoSided ? Math.abs(distance) : Math.max(0, -distance);
  const exact = Math.trunc(side / 2);
  if (far < exact) return after + far;
  const logarithm = f32(Math.log(f32(far / exact)));
  const share = f32(f32(logarithm / f32(Math.log(maxDistance / exact))) * (side - exact));
  return after + Math.min(side - 1, exact + Math.trunc(share));
}

/** DeBERTa's distance, rounded for far positions to `buckets` values on each side. */
export function roundedDistance(distance: number, buckets: number, maxDistance: number): number {
  if (buckets <= 0) return distance;
  const middle = Math.trunc(buckets / 2);
  const far = Math.abs(distance) < middle ? middle - 1 : Math.abs(distance);
  if (far <= middle) return distance;
  const logarithm = f32(Math.log(f32(far / middle)));
  const whole = f32(Math.log(f32((maxDistance - 1) / middle)));
  return Math.sign(distance) * (Math.ceil(f32(f32(logarithm / whole) * (middle - 1))) + middle);
}

/** A table [S, S] of integers, kept for each length. */
export class DistanceTable {
  readonly #entry: (row: number, column: number) => number;
  readonly #tables = new Map<string, Tensor>();
  constructor(entry: (row: number, column: number) => number) {
    this.#entry = entry;
  }
  /** [rows, columns], i32. */
  of(rows: number, columns = rows): Tensor {
    const key = `${rows} ${columns}`;
    const known = this.#tables.get(key);
    if (known !== undefined) return known;
    const data = Int32Array.from({ length: rows * columns }, (_, i) =>
      this.#entry(Math.trunc(i / columns), i % columns),
    );
    const table = tensor(data, { shape: [rows, columns] });
    this.#tables.set(key, table);
    return table;
  }
}

/** The rows of the table of distances' embeddings for the two products. */
export interface DisentangledTables {
  /** Content to position: [query, key]. */
  readonly c2p: DistanceTable;
  /** Position to content: [key, query]. */
  readonly p2c: DistanceTable;
}

export function disentangledTables(span: number, buckets: number, maxDistance: number): DisentangledTables {
  const clamp = (row: number): number => Math.min(2 * span - 1, Math.max(0, row));
  const rounded = (distance: number): number => roundedDistance(distance, buckets, maxDistance);
  return {
    c2p: new DistanceTable((query, key) => clamp(rounded(query - key) + span)),
    p2c: new DistanceTable((key, query) => clamp(-rounded(key - query) + span)),
  };
}

/** Contents [B, H, S, E] times embeddings of distances [H, N, E], each at its row of `table` [S, S] → [B, H, S, S]. */
export function atDistances(contents: Tensor, distances: Tensor, table: Tensor): Tensor {
  const [batch, heads, length] = contents.shape as readonly [number, number, number];
  const products = contents.matmul(distances.transpose(-1, -2)); // [B, H, S, N]
  return products.gather(3, table.expand(batch, heads, length, table.shape[1]!));
}
