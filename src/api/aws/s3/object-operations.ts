// Operations on one object: put, get, copy, delete; others are in files of their own.
import { type ByteRange, type Piece, pieceRange } from '../../../objects/byte-range.ts';
import type { ObjectAttributes, ObjectRow } from '../../../objects/object-index.ts';
import type { ObjectStore } from '../../../objects/object-store.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsReply, AwsRequest } from '../aws-request.ts';
import { header, type RequestHead } from '../signature/request-head.ts';
import { checkAcl, MAX_SETTING_BYTES } from './access-lists.ts';
import { ownersControl } from './bucket-settings.ts';
import { copySource } from './copy-source.ts';
import { objectAttributes } from './object-attributes.ts';
import { tagging } from './object-tags.ts';
import { readDocument } from './read-document.ts';
import { checksumHeaders, copyResult, emptyReply, quoted, xmlReply } from './s3-reply.ts';
import {
  attributesOf,
  checksumAlgorithmOf,
  checkVersion,
  conditionsOf,
  expectedBytes,
  partNumberOf,
  type S3Address,
} from './s3-request.ts';
import { completeUpload, createUpload, listParts, putPart } from './upload-operations.ts';

type Parameters = ReadonlyMap<string, string>;

const subResources = ['acl', 'legal-hold', 'restore', 'retention', 'select', 'torrent'] as const;

export async function objectOperation(
  store: ObjectStore,
  request: AwsRequest,
  address: S3Address,
  parameters: Parameters,
): Promise<AwsReply> {
  const { head } = request;
  checkVersion(parameters.get('versionId'));
  if (parameters.has('tagging')) return tagging(store, request, address);
  if (parameters.has('attributes') && head.method === 'GET') return objectAttributes(store, head, address);
  if (parameters.has('acl') && head.method === 'GET') {
    store.head(address.bucket, address.key);
    return xmlReply(ownersControl);
  }
  if (parameters.has('acl') && head.method === 'PUT') {
    store.head(address.bucket, address.key);
    checkAcl(head, await readDocument(request, 'AccessControlPolicy', MAX_SETTING_BYTES));
    return emptyReply(200);
  }
  checkAcl(head);
  const resource = subResources.find(name => parameters.has(name));
  if (resource !== undefined)
    throw new AwsError(
      'NotImplemented',
      `The sub-resource '${resource}' of objects is not supported by this server.`,
      501,
    );
  const upload = parameters.get('uploadId');
  switch (head.method) {
    case 'GET':
      return upload === undefined
        ? get(store, head, address, parameters)
        : listParts(store, address, parameters, upload);
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
      if (header(head, 'if-match') !== undefined) store.head(address.bucket, address.key, conditionsOf(head));
      if (upload === undefined) await store.delete(address.bucket, address.key);
      else await store.abortUpload(address.bucket, address.key, upload);
      return emptyReply(204);
  }
  throw new AwsError('MethodNotAllowed', 'The specified method is not allowed against this resource.', 405);
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

/** The part or the range that a request names. @throws {AwsError} InvalidArgument, InvalidRequest */
function pieceOf(head: RequestHead, parameters: Parameters): Piece | undefined {
  const range = header(head, 'range');
  if (!parameters.has('partNumber')) return range;
  if (range !== undefined)
    throw new AwsError('InvalidRequest', 'Cannot specify both Range header and partNumber query parameter');
  return partNumberOf(parameters);
}

async function get(
  store: ObjectStore,
  head: RequestHead,
  { bucket, key }: S3Address,
  parameters: Parameters,
): Promise<AwsReply> {
  const piece = pieceOf(head, parameters);
  const { object, range, bytes } = await store.read(bucket, key, piece, conditionsOf(head));
  return { ...pieceReply(head, object, parameters, range), body: bytes };
}

function headObject(
  store: ObjectStore,
  head: RequestHead,
  { bucket, key }: S3Address,
  parameters: Parameters,
): AwsReply {
  const object = store.head(bucket, key, conditionsOf(head));
  return { ...pieceReply(head, object, parameters, pieceRange(object, pieceOf(head, parameters))), body: undefined };
}

function pieceReply(
  head: RequestHead,
  object: ObjectRow,
  parameters: Parameters,
  range: ByteRange | undefined,
): Omit<AwsReply, 'body'> {
  const headers = objectHeaders(head, object, parameters);
  if (range === undefined) return { status: 200, headers };
  const isUpload = object.parts.length > 1 || object.etag.includes('-');
  return {
    status: 206,
    headers: {
      ...headers,
      'content-length': String(range.end - range.start),
      'content-range': `bytes ${range.start}-${range.end - 1}/${object.size}`,
      ...(parameters.has('partNumber') && isUpload ? { 'x-amz-mp-parts-count': String(object.parts.length) } : {}),
    },
  };
}

function objectHeaders(head: RequestHead, object: ObjectRow, parameters: Parameters): Readonly<Record<string, string>> {
  const { contentType, headers, metadata, tags = {} } = object.attributes;
  // Checksums cover the whole object; clients would compare them with the range.
  const wantsChecksums =
    header(head, 'x-amz-checksum-mode')?.toUpperCase() === 'ENABLED' &&
    header(head, 'range') === undefined &&
    !parameters.has('partNumber');
  const overrides = [...parameters]
    .filter(([name]) => name.startsWith('response-'))
    .map(([name, value]) => [name.slice('response-'.length), singleLine(value)]);
  const tagCount = Object.keys(tags).length;
  return {
    'content-type': contentType ?? 'binary/octet-stream',
    ...headers,
    ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value])),
    ...(tagCount === 0 ? {} : { 'x-amz-tagging-count': String(tagCount) }),
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

async function copy(store: ObjectStore, head: RequestHead, { bucket, key }: S3Address): Promise<AwsReply> {
  const from = copySource(head);
  const replaces = header(head, 'x-amz-metadata-directive')?.toUpperCase() === 'REPLACE';
  const replacesTags = header(head, 'x-amz-tagging-directive')?.toUpperCase() === 'REPLACE';
  if (!replaces && !replacesTags && from.bucket === bucket && from.key === key)
    throw new AwsError(
      'InvalidRequest',
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    );
  const source = { ...from, conditions: conditionsOf(head, 'x-amz-copy-source-') };
  const own = attributesOf(head);
  const attributes = (copied: ObjectAttributes): ObjectAttributes => ({
    ...(replaces ? own : copied),
    tags: replacesTags ? own.tags : copied.tags,
  });
  const object = await store.copy(source, bucket, key, attributes, checksumAlgorithmOf(head));
  return xmlReply({ CopyObjectResult: copyResult(object) });
}
