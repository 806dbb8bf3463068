// Completes a multipart upload: validates the parts, and computes the checksums of the whole object.
import { createHash } from 'node:crypto';
import { type ChecksumAlgorithm, startChecksum } from './checksums.ts';
import { combinedCrc } from './combined-crc.ts';
import { ObjectError } from './object-error.ts';
import type { PartRow, UploadChecksum } from './object-index.ts';

const MIN_PART_BYTES = 5 * 1024 * 1024;

export interface CompletedPart {
  readonly number: number;
  readonly etag: string;
  /** As the client has them; they must be those of the part. */
  readonly checksums?: PartRow['checksums'] | undefined;
}

/** The parts that an upload is completed from. @throws {ObjectError} MalformedXML, InvalidPart, InvalidPartOrder, EntityTooSmall */
export function checkedParts(
  completed: readonly CompletedPart[],
  stored: ReadonlyMap<number, PartRow>,
): readonly PartRow[] {
  if (completed.length === 0) throw new ObjectError('MalformedXML', 'You must specify at least one part');
  if (completed.some(({ number }, i) => i > 0 && number <= completed[i - 1]!.number))
    throw new ObjectError(
      'InvalidPartOrder',
      'The list of parts was not in ascending order. Parts must be ordered by part number.',
    );
  const parts = completed.map(({ number, etag, checksums = {} }) => {
    const part = stored.get(number);
    const differs = Object.entries(checksums).some(
      ([algorithm, value]) => part?.checksums[algorithm as ChecksumAlgorithm] !== value,
    );
    if (part === undefined || differs || part.etag !== etag.replace(/^"(.*)"$/, '$1'))
      throw new ObjectError(
        'InvalidPart',
        `One or more of the specified parts could not be found: part ${number}. The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.`,
      );
    return part;
  });
  const small = parts.slice(0, -1).find(({ size }) => size < MIN_PART_BYTES);
  if (small !== undefined)
    throw new ObjectError(
      'EntityTooSmall',
      `Your proposed upload is smaller than the minimum allowed size: part ${small.number} has ${small.size} bytes.`,
    );
  return parts;
}

/** The checksum of all bytes; or of the parts' checksums, followed by the number of parts. */
export function checksumOfParts(
  { algorithm, type }: UploadChecksum,
  parts: readonly PartRow[],
): Readonly<Partial<Record<ChecksumAlgorithm, string>>> {
  if (type === 'FULL_OBJECT') {
    const pieces = parts.map(({ checksums, size }) => ({ checksum: checksums[algorithm] ?? '', size }));
    return { [algorithm]: combinedCrc(algorithm, pieces) };
  }
  const running = startChecksum(algorithm);
  for (const { checksums } of parts) running.update(Buffer.from(checksums[algorithm] ?? '', 'base64'));
  return { [algorithm]: `${running.digest()}-${parts.length}` };
}

/** The ETag of a multipart object: the MD5 of the parts' MD5s, followed by the number of parts. */
export function compositeEtag(parts: readonly PartRow[]): string {
  const md5 = createHash('md5');
  for (const { etag } of parts) md5.update(Buffer.from(etag, 'hex'));
  return `${md5.digest('hex')}-${parts.length}`;
}
