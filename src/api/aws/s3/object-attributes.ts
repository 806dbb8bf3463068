// GetObjectAttributes: the ETag, checksum, size and parts of an object, as far as they are asked for.
import type { ObjectStore } from '../../../objects/object-store.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsReply } from '../aws-request.ts';
import { header, type RequestHead } from '../signature/request-head.ts';
import type { XmlElements } from '../xml.ts';
import { checksumElements, checksumType, xmlReply } from './s3-reply.ts';
import { conditionsOf, type S3Address } from './s3-request.ts';

const names = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize'] as const;

/** @throws {AwsError} InvalidArgument */
export function objectAttributes(store: ObjectStore, head: RequestHead, { bucket, key }: S3Address): AwsReply {
  const wanted = (header(head, 'x-amz-object-attributes') ?? '').split(',').map(name => name.trim());
  if (wanted.some(name => !names.some(known => known === name)))
    throw new AwsError('InvalidArgument', 'Invalid attribute name specified.');
  const { etag, size, checksums, parts, modifiedMs } = store.head(bucket, key, conditionsOf(head));
  const [checksum] = Object.values(checksums);
  const values: Record<(typeof names)[number], XmlElements | string | number | undefined> = {
    ETag: etag,
    Checksum:
      checksum === undefined ? undefined : { ...checksumElements(checksums), ChecksumType: checksumType(checksum) },
    ObjectParts: etag.includes('-') ? { PartsCount: parts.length } : undefined,
    StorageClass: 'STANDARD',
    ObjectSize: size,
  };
  const chosen = Object.fromEntries(names.filter(name => wanted.includes(name)).map(name => [name, values[name]]));
  const reply = xmlReply({ GetObjectAttributesResponse: chosen });
  return { ...reply, headers: { ...reply.headers, 'last-modified': new Date(modifiedMs).toUTCString() } };
}
