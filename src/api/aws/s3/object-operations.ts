// Operations on one object: put, get, copy, delete, and multipart uploads.
import type { ObjectRow } from '../../../objects/object-index.ts';
import type { ObjectStore } from '../../../objects/object-store.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsReply, AwsRequest } from '../aws-request.ts';
import { readBody } from '../read-body.ts';
import { decode, header, type RequestHead } from '../signature/request-head.ts';
import { children, readXml, textOf } from '../xml.ts';
import { checksumElements, checksumHeaders, emptyReply, quoted, xmlReply } from './s3-reply.ts';
import {
  addressOf,
  attributesOf,
  checksumAlgorithmOf,
  conditionsOf,
  expectedBytes,
  integerParameter,
  type S3Address,
} from './s3-request.ts';

type Parameters = ReadonlyMap<string, string>;

const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024;
const subResources = ['acl', 'attributes', 'legal-hold', 'restore', 'retention', 'select', 'torrent'] as const;

export async function objectOperation(
  store: ObjectStore,
  request: AwsRequest,
  address: S3Address,
  parameters: Parameters,
): Promise<AwsReply> {
  const { head } = request;
  const resource = subResources.find(name => parameters.has(name));
  if (resource !== undefined)
    throw new AwsError(
      'NotImplemented',
      `The sub-resource '${resource}' of objects is not supported by this server.`,
      501,
    );
  if (parameters.has('tagging')) return tagging(store, head, address);
  const upload = parameters.get('uploadId');
  switch (head.method) {
    case 'GET':
      return upload === undefined ? get(store, head, address, parameters) : listParts(store, address, upload);
    case 'HEAD':
      return headObject(store, head, address, parameters);
    case 'PUT':
      if (upload !== undefined) return putPart(store, request, address, parameters, upload);
      return header(head, 'x-amz-copy-source') === undefined
        ? put(store, request, address)
        : copy(store, head, address);
    case 'POST':
      if (parameters.has('uploads')) return createUpload(store, head, address);
      if (upload !== undefined) return completeUpload(store, request, address, upload);
      break;
    case 'DELETE':
      if (upload === undefined) await store.delete(address.bucket, address.key);
      else await store.abortUpload(address.bucket, address.key, upload);
      return emptyReply(204);
  }
  throw new AwsError('MethodNotAllowed', 'The specified method is not allowed against this resource.', 405);
}

/** Objects have no tags; clients request them before copying a large object. */
function tagging(store: ObjectStore, { method }: RequestHead, { bucket, key }: S3Address): AwsReply {
  if (method !== 'GET') throw new AwsError('NotImplemented', 'Tags of objects are not supported by this server.', 501);
  store.head(bucket, key);
  return xmlReply({ Tagging: { TagSet: {} } });
}

async function put(store: ObjectStore, request: AwsRequest, { bucket, key }: S3Address): Promise<AwsReply> {
  const { head } = request;
  const { etag, checksums } = await store.put(bucket, key, request.body, {
    attributes: attributesOf(head),
    expected: expectedBytes(request),
    checksum: checksumAlgorithmOf(head),
    conditions: conditionsOf(head),
  });
  return emptyReply(200, { etag: quoted(etag), ...checksumHeaders(checksums) });
}

async function get(
  store: ObjectStore,
  head: RequestHead,
  { bucket, key }: S3Address,
  parameters: Parameters,
): Promise<AwsReply> {
  const { object, range, bytes } = await store.read(bucket, key, header(head, 'range'), conditionsOf(head));
  const headers = objectHeaders(head, object, parameters);
  if (range === undefined) return { status: 200, headers, body: bytes };
  return {
    status: 206,
    headers: {
      ...headers,
      'content-length': String(range.end - range.start),
      'content-range': `bytes ${range.start}-${range.end - 1}/${object.size}`,
    },
    body: bytes,
  };
}

function headObject(
  store: ObjectStore,
  head: RequestHead,
  { bucket, key }: S3Address,
  parameters: Parameters,
): AwsReply {
  const object = store.head(bucket, key, conditionsOf(head));
  return { status: 200, headers: objectHeaders(head, object, parameters), body: undefined };
}

function objectHeaders(head: RequestHead, object: ObjectRow, parameters: Parameters): Readonly<Record<string, string>> {
  const { contentType, headers, metadata } = object.attributes;
  // Checksums cover the whole object; clients would compare them with the range.
  const wantsChecksums =
    header(head, 'x-amz-checksum-mode')?.toUpperCase() === 'ENABLED' && header(head, 'range') === undefined;
  const overrides = [...parameters]
    .filter(([name]) => name.startsWith('response-'))
    .map(([name, value]) => [name.slice('response-'.length), singleLine(value)]);
  return {
    'content-type': contentType ?? 'binary/octet-stream',
    ...headers,
    ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value])),
    'content-length': String(object.size),
    etag: quoted(object.etag),
    'last-modified': new Date(object.modifiedMs).toUTCString(),
    'accept-ranges': 'bytes',
    ...(wantsChecksums ? checksumHeaders(object.checksums) : {}),
    ...Object.fromEntries(overrides),
  };
}

/** A signed URL may contain any text; a header may not. @throws {AwsError} InvalidArgument */
function singleLine(value: string): string {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new AwsError('InvalidArgument', 'Header value cannot be represented');
  return value;
}

/** @throws {AwsError} InvalidArgument */
function copySource(head: RequestHead): S3Address {
  const source = (header(head, 'x-amz-copy-source') ?? '').replace(/\?versionId=.*$/, '');
  // Some clients escape the slash between bucket and key, too.
  const address = addressOf(source.includes('/') ? source : decode(source));
  if (address.bucket === '' || address.key === '')
    throw new AwsError('InvalidArgument', 'Copy Source must mention the source bucket and key: sourcebucket/sourcekey');
  return address;
}

async function copy(store: ObjectStore, head: RequestHead, { bucket, key }: S3Address): Promise<AwsReply> {
  const from = copySource(head);
  const replaces = header(head, 'x-amz-metadata-directive')?.toUpperCase() === 'REPLACE';
  if (!replaces && from.bucket === bucket && from.key === key)
    throw new AwsError(
      'InvalidRequest',
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    );
  const source = { ...from, conditions: conditionsOf(head, 'x-amz-copy-source-') };
  const object = await store.copy(source, bucket, key, replaces ? attributesOf(head) : undefined);
  return xmlReply({ CopyObjectResult: copyResult(object) });
}

const copyResult = ({ etag, modifiedMs, checksums }: Pick<ObjectRow, 'etag' | 'modifiedMs' | 'checksums'>) => ({
  LastModified: new Date(modifiedMs).toISOString(),
  ETag: quoted(etag),
  ...checksumElements(checksums),
});

function createUpload(store: ObjectStore, head: RequestHead, { bucket, key }: S3Address): AwsReply {
  const algorithm = checksumAlgorithmOf(head);
  const { id } = store.createUpload(bucket, key, attributesOf(head), algorithm);
  const reply = xmlReply({ InitiateMultipartUploadResult: { Bucket: bucket, Key: key, UploadId: id } });
  if (algorithm === undefined) return reply;
  return {
    ...reply,
    headers: { ...reply.headers, 'x-amz-checksum-algorithm': algorithm, 'x-amz-checksum-type': 'COMPOSITE' },
  };
}

async function putPart(
  store: ObjectStore,
  request: AwsRequest,
  { bucket, key }: S3Address,
  parameters: Parameters,
  upload: string,
): Promise<AwsReply> {
  const { head } = request;
  const number = integerParameter(parameters, 'partNumber', 0, 2_147_483_647);
  const at = { bucket, key, upload, number };
  if (header(head, 'x-amz-copy-source') === undefined) {
    const { etag, checksums } = await store.putPart(at, request.body, expectedBytes(request));
    return emptyReply(200, { etag: quoted(etag), ...checksumHeaders(checksums) });
  }
  const from = copySource(head);
  const range = header(head, 'x-amz-copy-source-range');
  const { bytes } = await store.read(from.bucket, from.key, range, conditionsOf(head, 'x-amz-copy-source-'));
  return xmlReply({ CopyPartResult: copyResult(await store.putPart(at, bytes)) });
}

function listParts(store: ObjectStore, { bucket, key }: S3Address, upload: string): AwsReply {
  return xmlReply({
    ListPartsResult: {
      Bucket: bucket,
      Key: key,
      UploadId: upload,
      IsTruncated: false,
      StorageClass: 'STANDARD',
      Part: store.parts(bucket, key, upload).map(({ number, size, etag, modifiedMs, checksums }) => ({
        PartNumber: number,
        LastModified: new Date(modifiedMs).toISOString(),
        ETag: quoted(etag),
        Size: size,
        ...checksumElements(checksums),
      })),
    },
  });
}

async function completeUpload(
  store: ObjectStore,
  request: AwsRequest,
  { bucket, key }: S3Address,
  upload: string,
): Promise<AwsReply> {
  const [root] = children(readXml((await readBody(request, MAX_DOCUMENT_BYTES)).toString()), 'CompleteMultipartUpload');
  const parts = children(root, 'Part').map(part => {
    const [number, etag] = [textOf(part, 'PartNumber'), textOf(part, 'ETag')];
    if (number === undefined || !/^\d{1,5}$/.test(number) || etag === undefined)
      throw new AwsError('MalformedXML', 'Each Part needs a PartNumber and an ETag.');
    return { number: Number(number), etag };
  });
  const object = await store.completeUpload(bucket, key, upload, parts, conditionsOf(request.head));
  return xmlReply({
    CompleteMultipartUploadResult: {
      Location: `/${bucket}/${key}`,
      Bucket: bucket,
      Key: key,
      ETag: quoted(object.etag),
      ...checksumElements(object.checksums),
    },
  });
}
