// Compares the received bytes with the sender's description of them.
import type { WrittenBlob } from './blobs.ts';
import type { ChecksumAlgorithm } from './checksums.ts';
import { ObjectError } from './object-error.ts';

/** The sender's information about the bytes; checked before the object becomes visible. */
export interface ExpectedBytes {
  /** In base64. */
  readonly md5?: string | undefined;
  /** In hexadecimal. */
  readonly sha256?: string | undefined;
  /** In base64. A function is called when the body has ended: trailers follow it. */
  readonly checksums?: ReadonlyMap<ChecksumAlgorithm, () => string | undefined> | undefined;
  readonly size?: number | undefined;
}

/** The number of bytes of a checksum. */
const LENGTHS: Readonly<Record<ChecksumAlgorithm, number>> = {
  CRC32: 4,
  CRC32C: 4,
  CRC64NVME: 8,
  SHA1: 20,
  SHA256: 32,
};

const hasBytes = (base64: string, length: number): boolean => {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length === length && bytes.toString('base64') === base64;
};

/** @throws {ObjectError} BadDigest, InvalidDigest, InvalidRequest */
export function checkBytes(written: Omit<WrittenBlob, 'blob'>, expected: ExpectedBytes = {}): void {
  const { md5, sha256, checksums, size } = expected;
  if (size !== undefined && size !== written.size)
    throw new ObjectError('BadDigest', `The body has ${written.size} bytes, ${size} were expected.`);
  if (md5 !== undefined && !hasBytes(md5, 16))
    throw new ObjectError('InvalidDigest', 'The Content-MD5 you specified was invalid.');
  if (md5 !== undefined && Buffer.from(md5, 'base64').toString('hex') !== written.md5)
    throw new ObjectError('BadDigest', 'The Content-MD5 you specified did not match what we received.');
  if (sha256 !== undefined && sha256 !== written.sha256)
    throw new ObjectError('BadDigest', "The provided 'x-amz-content-sha256' header does not match what was computed.");
  for (const [algorithm, value] of checksums ?? []) {
    const got = value();
    if (got !== undefined && !hasBytes(got, LENGTHS[algorithm]))
      throw new ObjectError('InvalidRequest', `Value for x-amz-checksum-${algorithm.toLowerCase()} header is invalid.`);
    if (got !== undefined && got !== written.checksums[algorithm])
      throw new ObjectError('BadDigest', `The ${algorithm} you specified did not match the calculated checksum.`);
  }
}
