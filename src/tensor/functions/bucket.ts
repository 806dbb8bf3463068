// The sizes that varying lengths are rounded up to. It does not use tensors: the data loader uses it in its worker threads, too.
import { TrenioError } from '../../base/errors.ts';
import { userLocation } from '../location.ts';

/**
 * The size that `length` is padded to: the smallest size in `bucket` that holds it, or above the largest, the next multiple of
 * the largest.
 *
 * ```ts
 * bucketOf(70, [64, 128]); // 128
 * ```
 * @throws {INVALID_OPTION}
 * @example
 * bucketOf(37, [32, 64, 128]) // 64
 */
export function bucketOf(length: number, bucket: readonly number[]): number {
  const isValid =
    Array.isArray(bucket) && bucket.length > 0 && bucket.every(size => Number.isInteger(size) && size > 0);
  if (!isValid)
    throw new TrenioError(
      'INVALID_OPTION',
      { what: 'padTo', option: 'bucket', got: String(bucket), expected: 'sizes, such as [64, 128, 256]' },
      { location: userLocation() },
    );
  const sorted = [...bucket].sort((a, b) => a - b);
  const largest = sorted.at(-1)!;
  return sorted.find(size => size >= length) ?? Math.ceil(length / largest) * largest;
}
