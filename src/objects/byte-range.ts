// Ranges of an object: the Range header, and the location of the bytes.
import type { BlobRange } from './blobs.ts';
import { ObjectError } from './object-error.ts';
import type { ObjectRow } from './object-index.ts';

export interface ByteRange {
  readonly start: number;
  /** One after the last byte. */
  readonly end: number;
}

/**
 * The bytes that a Range header requests; undefined if the header is invalid.
 * @throws {ObjectError} InvalidRange if no byte of the object is in the range
 */
export function byteRange(header: string, size: number): ByteRange | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  if (match === null || (match[1] === '' && match[2] === '')) return undefined;
  const [first, last] = [match[1]!, match[2]!];
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (start >= size || end <= start) throw new ObjectError('InvalidRange', 'The requested range is not satisfiable');
  return { start, end };
}

/** The blobs, or parts of them, that contain these bytes of an object. */
export function blobRanges(parts: ObjectRow['parts'], start: number, end: number): readonly BlobRange[] {
  const ranges: BlobRange[] = [];
  let offset = 0;
  for (const { blob, size } of parts) {
    const [from, to] = [Math.max(start - offset, 0), Math.min(end - offset, size)];
    if (from < to) ranges.push({ blob, start: from, end: to });
    offset += size;
  }
  return ranges;
}
