// Ranges of an object: the Range header, and the location of the bytes.
import type { BlobRange } from './blobs.ts';
import { ObjectError } from './object-error.ts';
import type { ObjectRow } from './object-index.ts';

export interface ByteRange {
  readonly start: number;
  /** One after the last byte. */
  readonly end: number;
}

/** Undefined if the header is invalid. @throws {ObjectError} InvalidRange where no byte of the object is in the range */
function byteRange(header: string, size: number): ByteRange | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  if (match === null || (match[1] === '' && match[2] === '')) return undefined;
  const [first, last] = [match[1]!, match[2]!];
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (start >= size || end <= start) throw new ObjectError('InvalidRange', 'The requested range is not satisfiable');
  return { start, end };
}

/** An object that was not uploaded in parts has one. @throws {ObjectError} InvalidPartNumber */
function partRange(number: number, parts: ObjectRow['parts']): ByteRange {
  const part = parts[number - 1];
  if (part === undefined) throw new ObjectError('InvalidPartNumber', 'The requested partnumber is not satisfiable');
  const start = parts.slice(0, number - 1).reduce((sum, { size }) => sum + size, 0);
  return { start, end: start + part.size };
}

/** A Range header, or the number of a part, from 1. */
export type Piece = string | number;

/** @throws {ObjectError} InvalidRange, InvalidPartNumber */
export const pieceRange = ({ size, parts }: ObjectRow, piece: Piece | undefined): ByteRange | undefined =>
  piece === undefined ? undefined : typeof piece === 'number' ? partRange(piece, parts) : byteRange(piece, size);

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
