// Lengths that differ from batch to batch, rounded up to a few: programs for one size are the fastest, and there is one for each
// bucket. Padding happens on the host: as a call of the step it would depend on the length.
import { TrenioError } from '../../base/errors.ts';
import { bytesOf, splat } from '../../hlo/literal.ts';
import { byteSize, tensorType } from '../../hlo/types.ts';
import { userLocation } from '../location.ts';
import { formatShape } from '../lower/shapes.ts';
import { type Tensor, uploadTo } from '../tensor.ts';
import { bucketOf } from './bucket.ts';

/** Options of `padTo`. */
export interface PadToOptions {
  /** The sizes to pad to, such as [64, 128, 256]; above the largest, its multiples. */
  readonly bucket: readonly number[];
  /** The last by default. */
  readonly dim?: number;
  /** 0 by default. */
  readonly value?: number;
}

/**
 * The tensor with `value` appended to its elements along `dim`, up to a size of `bucket`: for batches, before the step.
 *
 *     const ids = padTo(batch.ids, { bucket: [64, 128, 256], value: tokenizer.padId });
 *
 * @throws {INVALID_OPTION}
 * @throws {BAD_DIM}
 * @example
 * padTo(tensor([[1, 2, 3]]), { bucket: [4, 8] }) // [[1, 2, 3, 0]]
 */
export function padTo(x: Tensor, options: PadToOptions): Tensor {
  const { dim = -1, value = 0 } = options;
  const along = dim < 0 ? dim + x.ndim : dim;
  const size = x.shape[along];
  if (size === undefined)
    throw new TrenioError(
      'BAD_DIM',
      { op: 'padTo', dim, shape: formatShape(x.shape), rank: x.ndim },
      { location: userLocation() },
    );
  const padded = bucketOf(size, options.bucket);
  if (padded === size) return x;
  const type = tensorType(
    x.type.elementType,
    x.shape.map((d, i) => (i === along ? padded : d)),
  );
  const bytes = bytesOf(splat(type, value)).slice();
  const from = bytesOf(x.literal());
  const inner = x.shape.slice(along + 1).reduce((n, d) => n * d, byteSize(tensorType(x.type.elementType, [1])));
  const rows = x.shape.slice(0, along).reduce((n, d) => n * d, 1);
  for (let row = 0; row < rows; row++)
    bytes.set(from.subarray(row * size * inner, (row + 1) * size * inner), row * padded * inner);
  const result = uploadTo(x.device, type, bytes, 'padTo');
  result.label = x.label;
  return result;
}
