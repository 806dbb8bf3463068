// Uploads in parts: created, filled, listed, completed.
import { checksumAlgorithms } from '../../../objects/checksums.ts';
import type { ObjectRow, UploadRow } from '../../../objects/object-index.ts';
import { commonPrefixOf } from '../../../objects/object-list.ts';
import type { ObjectStore } from '../../../objects/object-store.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsReply, AwsRequest } from '../aws-request.ts';
import { header, type RequestHead } from '../signature/request-head.ts';
import { children, type ParsedXml, textOf } from '../xml.ts';
import { copySource } from './copy-source.ts';
import { readDocument } from './read-document.ts';
import {
  checksumElements,
  checksumHeaders,
  checksumType,
  copyResult,
  emptyReply,
  quoted,
  xmlReply,
} from './s3-reply.ts';
import {
  attributesOf,
  checksumAlgorithmOf,
  checksumsIn,
  checksumTypeOf,
  conditionsOf,
  expectedBytes,
  integerParameter,
  keyEncoder,
  partNumberOf,
  type S3Address,
} from './s3-request.ts';

type Parameters = ReadonlyMap<string, string>;

const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024;

export function createUpload(store: ObjectStore, head: RequestHead, { bucket, key }: S3Address): AwsReply {
  const { id, checksum } = store.createUpload(
    bucket,
    key,
    attributesOf(head),
    checksumAlgorithmOf(head),
    checksumTypeOf(head),
  );
  const reply = xmlReply({ InitiateMultipartUploadResult: { Bucket: bucket, Key: key, UploadId: id } });
  if (checksum === undefined) return reply;
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'x-amz-checksum-algorithm': checksum.algorithm,
      'x-amz-checksum-type': checksum.type,
    },
  };
}

export async function putPart(
  store: ObjectStore,
  request: AwsRequest,
  { bucket, key }: S3Address,
  parameters: Parameters,
  upload: string,
): Promise<AwsReply> {
  const { head } = request;
  const number = partNumberOf(parameters);
  const at = { bucket, key, upload, number };
  if (header(head, 'x-amz-copy-source') === undefined) {
    const { etag, checksums } = await store.putPart(at, request.body, expectedBytes(request));
    return emptyReply(200, { etag: quoted(etag), ...checksumHeaders(checksums) });
  }
  const from = copySource(head);
  const range = header(head, 'x-amz-copy-source-range');
  const { bytes } = await store.readSource(from.bucket, from.key, range, conditionsOf(head, 'x-amz-copy-source-'));
  return xmlReply({ CopyPartResult: copyResult(await store.putPart(at, bytes)) });
}

export function listParts(
  store: ObjectStore,
  { bucket, key }: S3Address,
  parameters: Parameters,
  upload: string,
): AwsReply {
  const marker = integerParameter(parameters, 'part-number-marker', 0, 2_147_483_647);
  const max = integerParameter(parameters, 'max-parts', 1000, 1000);
  const rest = store.parts(bucket, key, upload).filter(({ number }) => number > marker);
  const page = rest.slice(0, max);
  return xmlReply({
    ListPartsResult: {
      Bucket: bucket,
      Key: key,
      UploadId: upload,
      PartNumberMarker: marker,
      NextPartNumberMarker: page.at(-1)?.number,
      MaxParts: max,
      IsTruncated: page.length < rest.length,
      StorageClass: 'STANDARD',
      Part: page.map(({ number, size, etag, modifiedMs, checksums }) => ({
        PartNumber: number,
        LastModified: new Date(modifiedMs).toISOString(),
        ETag: quoted(etag),
        Size: size,
        ...checksumElements(checksums),
      })),
    },
  });
}

export async function completeUpload(
  store: ObjectStore,
  request: AwsRequest,
  { bucket, key }: S3Address,
  upload: string,
): Promise<AwsReply> {
  // The checksums in the headers are those of the object, not of the document.
  const { md5 } = expectedBytes(request);
  const root = await readDocument(request, 'CompleteMultipartUpload', MAX_DOCUMENT_BYTES, { md5 });
  const parts = children(root, 'Part').map(part => {
    const [number, etag] = [textOf(part, 'PartNumber'), textOf(part, 'ETag')];
    if (number === undefined || !/^\d{1,5}$/.test(number) || etag === undefined)
      throw new AwsError('MalformedXML', 'Each Part needs a PartNumber and an ETag.');
    return { number: Number(number), etag, checksums: checksumsOf(part) };
  });
  const object = await store.completeUpload(
    bucket,
    key,
    upload,
    parts,
    conditionsOf(request.head),
    checksumsIn(request.head),
  );
  return xmlReply({
    CompleteMultipartUploadResult: {
      Location: `/${bucket}/${key}`,
      Bucket: bucket,
      Key: key,
      ETag: quoted(object.etag),
      ...checksumElements(object.checksums),
      ChecksumType: Object.values(object.checksums).map(checksumType)[0],
    },
  });
}

/** The checksums of a part in a document. */
const checksumsOf = (part: ParsedXml): ObjectRow['checksums'] =>
  Object.fromEntries(
    checksumAlgorithms.flatMap(algorithm => {
      const value = textOf(part, `Checksum${algorithm}`);
      return value === undefined ? [] : [[algorithm, value]];
    }),
  );

/** A page of uploads; those whose keys are equal up to the delimiter are one entry, a common prefix. */
export function listUploads(store: ObjectStore, bucket: string, parameters: Parameters): AwsReply {
  const [prefix, keyMarker] = [parameters.get('prefix') ?? '', parameters.get('key-marker') ?? ''];
  const [delimiter, idMarker] = [parameters.get('delimiter') ?? '', parameters.get('upload-id-marker') ?? ''];
  const max = integerParameter(parameters, 'max-uploads', 1000, 1000);
  const text = keyEncoder(parameters);
  const all = store.uploads(bucket).filter(({ key }) => key.startsWith(prefix));
  // Uploads of one key follow each other in the order of their creation.
  const seen = all.findIndex(({ id, key }) => id === idMarker && key === keyMarker) + 1;
  const isAfter = (entry: string): boolean =>
    keyMarker === '' || Buffer.compare(Buffer.from(entry), Buffer.from(keyMarker)) > 0;
  const entries = new Map<string, UploadRow | string>();
  for (const upload of seen > 0 ? all.slice(seen) : all) {
    const common = commonPrefixOf(upload.key, prefix, delimiter);
    if (seen > 0 || isAfter(common ?? upload.key)) entries.set(common ?? upload.id, common ?? upload);
  }
  const page = [...entries.values()].slice(0, max);
  const isTruncated = page.length < entries.size;
  const last = isTruncated ? page.at(-1) : undefined;
  return xmlReply({
    ListMultipartUploadsResult: {
      Bucket: bucket,
      KeyMarker: text(keyMarker),
      UploadIdMarker: idMarker,
      NextKeyMarker: last && text(typeof last === 'string' ? last : last.key),
      NextUploadIdMarker: typeof last === 'object' ? last.id : undefined,
      Prefix: text(prefix),
      Delimiter: delimiter === '' ? undefined : text(delimiter),
      EncodingType: parameters.get('encoding-type'),
      MaxUploads: max,
      IsTruncated: isTruncated,
      Upload: page
        .filter(entry => typeof entry === 'object')
        .map(({ id, key, createdMs, checksum }) => ({
          Key: text(key),
          UploadId: id,
          StorageClass: 'STANDARD',
          Initiated: new Date(createdMs).toISOString(),
          ChecksumAlgorithm: checksum?.algorithm,
          ChecksumType: checksum?.type,
        })),
      CommonPrefixes: page.filter(entry => typeof entry === 'string').map(common => ({ Prefix: text(common) })),
    },
  });
}
