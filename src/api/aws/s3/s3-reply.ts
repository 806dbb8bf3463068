// Replies of S3 shared by several operations.
import type { ChecksumAlgorithm } from '../../../objects/checksums.ts';
import type { ObjectRow } from '../../../objects/object-index.ts';
import type { AwsReply } from '../aws-request.ts';
import { writeXml, type XmlElements } from '../xml.ts';

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

/** The owner of all buckets and objects. */
export const owner = { ID: 'trenio', DisplayName: 'trenio' } as const;

export const emptyReply = (status: number, headers: Readonly<Record<string, string>> = {}): AwsReply => ({
  status,
  headers,
  body: undefined,
});

/** A document with one root element, in S3's namespace. */
export function xmlReply(document: Readonly<Record<string, XmlElements>>): AwsReply {
  const roots = Object.entries(document).map(([name, content]) => [name, { '@xmlns': NAMESPACE, ...content }]);
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: writeXml(Object.fromEntries(roots)) };
}

export const quoted = (etag: string): string => `"${etag}"`;

/** x-amz-checksum-… headers. */
export function checksumHeaders(checksums: ObjectRow['checksums']): Readonly<Record<string, string>> {
  const entries = Object.entries(checksums);
  if (entries.length === 0) return {};
  return {
    ...Object.fromEntries(entries.map(([algorithm, value]) => [`x-amz-checksum-${algorithm.toLowerCase()}`, value])),
    'x-amz-checksum-type': checksumType(entries[0]![1]),
  };
}

/** ChecksumCRC32 etc., for documents. */
export const checksumElements = (checksums: ObjectRow['checksums']): XmlElements =>
  Object.fromEntries(Object.entries(checksums).map(([algorithm, value]) => [`Checksum${algorithm}`, value]));

export const copyResult = ({ etag, modifiedMs, checksums }: Pick<ObjectRow, 'etag' | 'modifiedMs' | 'checksums'>) => ({
  LastModified: new Date(modifiedMs).toISOString(),
  ETag: quoted(etag),
  ...checksumElements(checksums),
});

export const checksumType = (value: string): string => (/-\d+$/.test(value) ? 'COMPOSITE' : 'FULL_OBJECT');

/** The algorithms of an object's checksums. */
export const algorithmsOf = (checksums: ObjectRow['checksums']): readonly ChecksumAlgorithm[] =>
  Object.keys(checksums) as ChecksumAlgorithm[];
