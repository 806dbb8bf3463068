// A model whose answer to a text is a row of numbers. Every shape requires a compilation, so texts are padded to a few lengths
// and batches to a few sizes; all shapes are compiled before the first request. A batch is divided by length and then into
// sizes, so that its cost is close to that of its texts.
//
//   lengths up to 512:   ≤ 32 │ ≤ 128 │ ≤ 512 tokens        rows: 1 │ 2 │ 4 │ … │ maxBatch
import { compile, type Device, noGrad, type Tensor, tensor } from '../../tensor/index.ts';

const SHORTEST_BUCKET = 32;
const BUCKET_RATIO = 4;

/** The lengths that texts are padded to, ascending; the last is `maxLength`. */
export function lengthBuckets(maxLength: number): readonly number[] {
  const buckets: number[] = [];
  for (let length = SHORTEST_BUCKET; length < maxLength; length *= BUCKET_RATIO) buckets.push(length);
  return [...buckets, maxLength];
}

/** The numbers of rows that batches are padded to, ascending; the last is `maxBatch`. */
export function batchSizes(maxBatch: number): readonly number[] {
  const sizes: number[] = [];
  for (let size = 1; size < maxBatch; size *= 2) sizes.push(size);
  return [...sizes, maxBatch];
}

/** The sizes that rows are run in. At most a quarter of the rows of each is padding, which costs less than another run. */
export function divideBatch(rows: number, sizes: readonly number[]): readonly number[] {
  const parts: number[] = [];
  for (let left = rows; left > 0; ) {
    const enough = sizes.find(size => size >= left);
    const size = enough !== undefined && left * 4 >= enough * 3 ? enough : sizes.findLast(one => one <= left)!;
    parts.push(size);
    left -= size;
  }
  return parts;
}

export interface PaddedRowsOptions {
  /** Token ids and mask [B, S] → [B, width], f32. */
  readonly forward: (inputIds: Tensor, attentionMask: Tensor) => Tensor;
  readonly device: Device;
  /** The maximum number of tokens of a text. */
  readonly maxLength: number;
  /** The maximum number of texts in one batch. */
  readonly maxBatch: number;
  readonly padTokenId: number;
  /** A text that fills the rows of a shape. */
  readonly empty: readonly number[];
}

export class PaddedRows {
  /** The measured time of a full batch of short texts. */
  batchMs = 0;
  readonly #options: PaddedRowsOptions;
  readonly #buckets: readonly number[];
  readonly #sizes: readonly number[];
  readonly #forward: (inputIds: Tensor, attentionMask: Tensor) => Tensor;

  constructor(options: PaddedRowsOptions) {
    this.#options = options;
    this.#buckets = lengthBuckets(options.maxLength);
    this.#sizes = batchSizes(options.maxBatch);
    this.#forward = compile(options.forward);
  }

  /** Runs each shape once, and the smallest full batch again to measure its time. */
  async warmUp(): Promise<void> {
    const { empty, maxBatch } = this.#options;
    for (const rows of this.#sizes)
      for (const length of this.#buckets) await this.#run(new Array(rows).fill(empty), length);
    const start = performance.now();
    await this.#run(new Array(maxBatch).fill(empty), this.#buckets[0]!);
    this.batchMs = performance.now() - start;
  }

  /** The rows of texts of at most `maxLength` ids, in their order. */
  async run(texts: readonly (readonly number[])[]): Promise<readonly Float32Array[]> {
    const results: Float32Array[] = [];
    // The last bucket is the maximum length.
    const byLength = Map.groupBy(texts.keys(), row => this.#buckets.find(bucket => bucket >= texts[row]!.length)!);
    for (const [length, rows] of byLength) {
      let first = 0;
      for (const size of divideBatch(rows.length, this.#sizes)) {
        const part = rows.slice(first, first + size);
        first += size;
        const padding = new Array<readonly number[]>(size - part.length).fill(this.#options.empty);
        const values = await this.#run([...part.map(row => texts[row]!), ...padding], length);
        const width = values.length / size;
        for (const [i, row] of part.entries()) results[row] = values.slice(i * width, (i + 1) * width);
      }
    }
    return results;
  }

  async #run(rows: readonly (readonly number[])[], length: number): Promise<Float32Array> {
    const { padTokenId, device } = this.#options;
    const ids = new Int32Array(rows.length * length).fill(padTokenId);
    const mask = new Int32Array(rows.length * length);
    for (const [i, row] of rows.entries()) {
      ids.set(row, i * length);
      mask.fill(1, i * length, i * length + row.length);
    }
    const upload = (data: Int32Array): Tensor => tensor(data, { shape: [rows.length, length], device });
    const result = noGrad(() => this.#forward(upload(ids), upload(mask)));
    await result.ready();
    return result.literal().data as Float32Array;
  }
}
