// Operations on a bucket: create, delete, list, delete many.
import { ObjectError } from '../../../objects/object-error.ts';
import type { ObjectRow } from '../../../objects/object-index.ts';
import type { ListPage } from '../../../objects/object-list.ts';
import type { ObjectStore } from '../../../objects/object-store.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsReply, AwsRequest } from '../aws-request.ts';
import { children, type ParsedXml, textOf, type XmlElements } from '../xml.ts';
import { checkAclOfBucket, MAX_SETTING_BYTES } from './access-lists.ts';
import { settingIn, settingOf } from './bucket-settings.ts';
import { readDocument } from './read-document.ts';
import { toS3Error } from './s3-errors.ts';
import { algorithmsOf, checksumType, emptyReply, owner, quoted, xmlReply } from './s3-reply.ts';
import { checkVersion, FIRST_REGION, integerParameter, keyEncoder } from './s3-request.ts';
import { listUploads } from './upload-operations.ts';

type Parameters = ReadonlyMap<string, string>;

export async function bucketOperation(
  store: ObjectStore,
  request: AwsRequest,
  bucket: string,
  parameters: Parameters,
): Promise<AwsReply> {
  const { method } = request.head;
  const setting = settingIn(parameters);
  if (setting !== undefined) return settingOf(store, request, bucket, setting);
  switch (method) {
    case 'PUT':
      checkAclOfBucket(request.head);
      checkLocation(await readDocument(request, 'CreateBucketConfiguration', MAX_SETTING_BYTES), request.region);
      createBucket(store, bucket, request.region);
      return emptyReply(200, { location: `/${bucket}` });
    case 'HEAD':
      store.checkBucket(bucket);
      return emptyReply(200, { 'x-amz-bucket-region': request.region });
    case 'DELETE':
      await store.deleteBucket(bucket);
      return emptyReply(204);
    case 'GET':
      if (parameters.has('uploads')) return listUploads(store, bucket, parameters);
      if (parameters.has('versions')) return listVersions(store, bucket, parameters);
      return parameters.get('list-type') === '2'
        ? listV2(store, bucket, parameters)
        : listV1(store, bucket, parameters);
    case 'POST':
      if (parameters.has('delete')) return deleteMany(store, request, bucket);
      break;
  }
  throw new AwsError('MethodNotAllowed', 'The specified method is not allowed against this resource.', 405);
}

/** The region in which a bucket is created is that of the request. @throws {AwsError} IllegalLocationConstraintException */
function checkLocation(document: ParsedXml | undefined, region: string): void {
  const location = textOf(document, 'LocationConstraint') || undefined;
  // The first region has no name here.
  if (location !== (region === FIRST_REGION ? undefined : region))
    throw new AwsError(
      'IllegalLocationConstraintException',
      `The ${location ?? 'unspecified'} location constraint is incompatible for the region specific endpoint this request was sent to.`,
    );
}

/** In the first region, creating one's own bucket again succeeds. */
function createBucket(store: ObjectStore, bucket: string, region: string): void {
  try {
    store.createBucket(bucket);
  } catch (error) {
    const exists = error instanceof ObjectError && error.code === 'BucketAlreadyOwnedByYou';
    if (!exists || region !== FIRST_REGION) throw error;
  }
}

function listV2(store: ObjectStore, bucket: string, parameters: Parameters): AwsReply {
  const token = parameters.get('continuation-token');
  const after = token === undefined ? (parameters.get('start-after') ?? '') : fromToken(token);
  const options = listOptions(parameters, after);
  const page = store.list(bucket, options);
  const text = keyEncoder(parameters);
  return xmlReply({
    ListBucketResult: {
      Name: bucket,
      ...listElements(page, options, parameters),
      KeyCount: page.objects.length + page.commonPrefixes.length,
      ContinuationToken: token,
      NextContinuationToken: page.next === undefined ? undefined : toToken(page.next),
      StartAfter: parameters.has('start-after') ? text(parameters.get('start-after')!) : undefined,
    },
  });
}

function listV1(store: ObjectStore, bucket: string, parameters: Parameters): AwsReply {
  const options = listOptions(parameters, parameters.get('marker') ?? '');
  const page = store.list(bucket, options);
  const text = keyEncoder(parameters);
  return xmlReply({
    ListBucketResult: {
      Name: bucket,
      Marker: text(options.after),
      ...listElements(page, options, parameters),
      NextMarker: page.next === undefined ? undefined : text(page.next),
    },
  });
}

const listOptions = (parameters: Parameters, after: string) => ({
  prefix: parameters.get('prefix') ?? '',
  delimiter: parameters.get('delimiter') ?? '',
  maxKeys: integerParameter(parameters, 'max-keys', 1000, 1000),
  after,
});

function listElements(
  page: ListPage,
  { prefix, delimiter, maxKeys }: ReturnType<typeof listOptions>,
  parameters: Parameters,
): XmlElements {
  const text = keyEncoder(parameters);
  return {
    Prefix: text(prefix),
    Delimiter: delimiter === '' ? undefined : text(delimiter),
    MaxKeys: maxKeys,
    EncodingType: parameters.get('encoding-type'),
    IsTruncated: page.next !== undefined,
    Contents: page.objects.map(object => ({
      ...objectElements(object, text),
      // Version 2 of the listing leaves the owner out unless it is asked for.
      Owner: parameters.get('list-type') !== '2' || parameters.get('fetch-owner') === 'true' ? owner : undefined,
    })),
    CommonPrefixes: page.commonPrefixes.map(common => ({ Prefix: text(common) })),
  };
}

const objectElements = (
  { key, size, etag, modifiedMs, checksums }: ObjectRow,
  text: (key: string) => string,
): XmlElements => ({
  Key: text(key),
  LastModified: new Date(modifiedMs).toISOString(),
  ETag: quoted(etag),
  ChecksumAlgorithm: algorithmsOf(checksums),
  ChecksumType: Object.values(checksums).map(checksumType)[0],
  Size: size,
  StorageClass: 'STANDARD',
});

const toToken = (key: string): string => Buffer.from(key).toString('base64url');
const fromToken = (token: string): string => {
  const key = Buffer.from(token, 'base64url').toString();
  if (toToken(key) !== token) throw new AwsError('InvalidArgument', 'The continuation token provided is incorrect');
  return key;
};

/** Each object has one version, `null`. */
function listVersions(store: ObjectStore, bucket: string, parameters: Parameters): AwsReply {
  const marker = parameters.get('key-marker') ?? '';
  const options = listOptions(parameters, marker);
  const page = store.list(bucket, options);
  const text = keyEncoder(parameters);
  const { Contents: _, ...elements } = listElements(page, options, parameters);
  return xmlReply({
    ListVersionsResult: {
      Name: bucket,
      ...elements,
      KeyMarker: text(marker),
      VersionIdMarker: parameters.get('version-id-marker') ?? '',
      NextKeyMarker: page.next === undefined ? undefined : text(page.next),
      NextVersionIdMarker: page.next === undefined ? undefined : 'null',
      Version: page.objects.map(object => ({
        ...objectElements(object, text),
        VersionId: 'null',
        IsLatest: true,
        Owner: owner,
      })),
    },
  });
}

const MAX_DELETED = 1000;
const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024;

async function deleteMany(store: ObjectStore, request: AwsRequest, bucket: string): Promise<AwsReply> {
  store.checkBucket(bucket);
  const root = await readDocument(request, 'Delete', MAX_DOCUMENT_BYTES);
  const objects = children(root, 'Object');
  const keys = objects.map(object => textOf(object, 'Key'));
  if (keys.length === 0 || keys.length > MAX_DELETED || keys.some(key => key === undefined))
    throw new AwsError('MalformedXML', `Delete takes 1 to ${MAX_DELETED} objects, each with a Key.`);
  const deleted: XmlElements[] = [];
  const errors: XmlElements[] = [];
  for (const [i, key] of (keys as readonly string[]).entries()) {
    try {
      checkVersion(textOf(objects[i], 'VersionId'));
      checkDirectoryMembers(objects[i]);
      const ifMatch = textOf(objects[i], 'ETag');
      if (ifMatch !== undefined) store.head(bucket, key, { ifMatch });
      await store.delete(bucket, key);
      deleted.push({ Key: key });
    } catch (error) {
      const known = toS3Error(error);
      if (!(known instanceof AwsError)) throw error;
      errors.push({ Key: key, Code: known.code, Message: known.message });
    }
  }
  const isQuiet = textOf(root, 'Quiet') === 'true';
  return xmlReply({ DeleteResult: { Deleted: isQuiet ? [] : deleted, Error: errors } });
}

/** Conditions of directory buckets. @throws {AwsError} NotImplemented */
function checkDirectoryMembers(object: ParsedXml | undefined): void {
  const name = ['Size', 'LastModifiedTime'].find(member => textOf(object, member) !== undefined);
  if (name !== undefined)
    throw new AwsError('NotImplemented', `${name} of objects to delete is for directory buckets only.`, 501);
}
