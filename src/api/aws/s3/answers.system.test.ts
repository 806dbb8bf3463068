// Less common requests of S3 clients: pieces of objects, tags, versions, missing settings, checksums of uploads.
import {
  type ChecksumAlgorithm,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectTaggingCommand,
  GetBucketAclCommand,
  GetBucketEncryptionCommand,
  GetBucketPolicyCommand,
  GetBucketTaggingCommand,
  GetObjectAclCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  ListPartsCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expect, test } from 'vitest';
import { startChecksum } from '../../../objects/checksums.ts';
import { nameOf, serverWithBucket } from './bucket.testing.ts';

const Bucket = 'answers';
const { s3 } = await serverWithBucket(Bucket);

const put = (Key: string, Body: string | Uint8Array = 'hello world') =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body }));

test('HeadObject of a range returns the size of the range', async () => {
  await put('range');
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key: 'range', Range: 'bytes=2-5' }));
  expect(head).toMatchObject({ ContentLength: 4, ContentRange: 'bytes 2-5/11', $metadata: { httpStatusCode: 206 } });
});

test.each(['', 'foo', 'a/b/c', 'x y/z'])('a presigned upload may have the content type %j', async type => {
  const url = await getSignedUrl(s3, new PutObjectCommand({ Bucket, Key: 'typed' }));
  const reply = await fetch(url, { method: 'PUT', body: 'x', headers: { 'content-type': type } });
  expect([reply.status, await reply.text()]).toEqual([200, '']);
});

test('headers that a presigned URL has in its query act as headers', async () => {
  const upload = async (url: string, body = 'x'): Promise<number> => (await fetch(url, { method: 'PUT', body })).status;
  const command = new PutObjectCommand({
    Bucket,
    Key: 'described',
    Metadata: { owner: 'Ada' },
    Tagging: 'a=1',
    CacheControl: 'no-store',
    ChecksumAlgorithm: 'SHA256',
  });
  const url = await getSignedUrl(s3, command);
  expect(url).toContain('x-amz-meta-owner=Ada');
  expect((await fetch(url, { method: 'PUT', body: 'x', headers: { 'cache-control': 'no-store' } })).status).toBe(200);
  const head = await fetch(await getSignedUrl(s3, new HeadObjectCommand({ Bucket, Key: 'described' })), {
    method: 'HEAD',
  });
  expect([head.status, head.headers.get('x-amz-meta-owner')]).toEqual([200, 'Ada']);
  const got = await fetch(
    await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: 'described', ChecksumMode: 'ENABLED' })),
  );
  expect([await got.text(), got.headers.get('x-amz-tagging-count')]).toEqual(['x', '1']);
  const refused = new PutObjectCommand({ Bucket, Key: 'locked', ObjectLockMode: 'GOVERNANCE' });
  expect(await upload(await getSignedUrl(s3, refused))).toBe(400);
  const copy = new CopyObjectCommand({ Bucket, Key: 'moved', CopySource: `${Bucket}/described` });
  expect((await fetch(await getSignedUrl(s3, copy), { method: 'PUT' })).status).toBe(200);
  expect((await s3.send(new HeadObjectCommand({ Bucket, Key: 'moved' }))).Metadata).toEqual({ owner: 'Ada' });
});

test('parts are uploaded by presigned URLs', async () => {
  const at = { Bucket, Key: 'in-parts' };
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(at));
  const url = await getSignedUrl(s3, new UploadPartCommand({ ...at, UploadId, PartNumber: 1 }));
  const sent = await fetch(url, { method: 'PUT', body: 'part one' });
  const Parts = [{ PartNumber: 1, ETag: sent.headers.get('etag')! }];
  await s3.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }));
  expect(await (await s3.send(new GetObjectCommand(at))).Body?.transformToString()).toBe('part one');
});

test('tags are stored with an object, changed, copied and removed', async () => {
  const Key = 'tagged';
  await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x', Tagging: 'a=1&b=two%20words' }));
  const tags = async (key: string) =>
    (await s3.send(new GetObjectTaggingCommand({ Bucket, Key: key }))).TagSet?.map(tag => [tag.Key, tag.Value]);
  expect(await tags(Key)).toEqual([
    ['a', '1'],
    ['b', 'two words'],
  ]);
  expect((await s3.send(new GetObjectCommand({ Bucket, Key }))).TagCount).toBe(2);
  await s3.send(new CopyObjectCommand({ Bucket, Key: 'copied', CopySource: `${Bucket}/${Key}` }));
  await s3.send(
    new CopyObjectCommand({
      Bucket,
      Key: 'replaced',
      CopySource: `${Bucket}/${Key}`,
      TaggingDirective: 'REPLACE',
      Tagging: 'c=3',
    }),
  );
  expect(await tags('copied')).toEqual(await tags(Key));
  expect(await tags('replaced')).toEqual([['c', '3']]);
  await s3.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging: { TagSet: [{ Key: 'd', Value: '' }] } }));
  expect(await tags(Key)).toEqual([['d', '']]);
  await s3.send(new DeleteObjectTaggingCommand({ Bucket, Key }));
  expect(await tags(Key)).toEqual([]);
  const eleven = Array.from({ length: 11 }, (_, i) => ({ Key: `${i}`, Value: 'x' }));
  expect(await nameOf(s3.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging: { TagSet: eleven } })))).toBe(
    'InvalidTag',
  );
  expect(await nameOf(s3.send(new GetObjectTaggingCommand({ Bucket, Key: 'absent' })))).toBe('NoSuchKey');
});

test('every bucket has the settings of a new one', async () => {
  expect((await s3.send(new GetBucketAclCommand({ Bucket }))).Grants).toMatchObject([{ Permission: 'FULL_CONTROL' }]);
  expect((await s3.send(new GetObjectAclCommand({ Bucket, Key: 'range' }))).Owner?.ID).toBe('trenio');
  const encryption = await s3.send(new GetBucketEncryptionCommand({ Bucket }));
  expect(encryption.ServerSideEncryptionConfiguration?.Rules).toHaveLength(1);
  expect(await nameOf(s3.send(new GetBucketPolicyCommand({ Bucket })))).toBe('NoSuchBucketPolicy');
  expect(await nameOf(s3.send(new GetBucketTaggingCommand({ Bucket })))).toBe('NoSuchTagSet');
});

test('objects have one version', async () => {
  await put('versioned');
  const listed = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix: 'versioned' }));
  expect(listed.Versions).toMatchObject([{ Key: 'versioned', VersionId: 'null', IsLatest: true }]);
  const got = await s3.send(new GetObjectCommand({ Bucket, Key: 'versioned', VersionId: 'null' }));
  expect(got.ContentLength).toBe(11);
  expect(await nameOf(s3.send(new GetObjectCommand({ Bucket, Key: 'versioned', VersionId: 'x' })))).toBe(
    'InvalidArgument',
  );
});

test('buckets and owners', async () => {
  await s3.send(new CreateBucketCommand({ Bucket: 'answers-2' }));
  const first = await s3.send(new ListBucketsCommand({ MaxBuckets: 1, Prefix: 'answers' }));
  expect(first.Buckets?.map(({ Name }) => Name)).toEqual(['answers']);
  const second = await s3.send(new ListBucketsCommand({ MaxBuckets: 1, ContinuationToken: first.ContinuationToken }));
  expect(second.Buckets?.map(({ Name }) => Name)).toEqual(['answers-2']);
  expect(second.ContinuationToken).toBeUndefined();
  const owned = await s3.send(new ListObjectsV2Command({ Bucket, FetchOwner: true, MaxKeys: 1 }));
  expect(owned.Contents?.[0]?.Owner?.ID).toBe('trenio');
  const other = new HeadObjectCommand({ Bucket, Key: 'range', ExpectedBucketOwner: '111122223333' });
  expect((await s3.send(other).catch(error => error)).$metadata.httpStatusCode).toBe(403);
});

test('malformed checksums and conditions are refused', async () => {
  const send = (more: object) => nameOf(s3.send(new PutObjectCommand({ Bucket, Key: 'bad', Body: 'x', ...more })));
  expect(await send({ ContentMD5: 'xx' })).toBe('InvalidDigest');
  expect(await send({ ChecksumSHA256: 'zz' })).toBe('InvalidRequest');
  expect(await send({ IfNoneMatch: '"abc"' })).toBe('NotImplemented');
  await put('source');
  const { ETag } = await s3.send(new HeadObjectCommand({ Bucket, Key: 'source' }));
  const copy = { Bucket, Key: 'to', CopySource: `${Bucket}/source` };
  expect(await nameOf(s3.send(new CopyObjectCommand({ ...copy, CopySourceIfNoneMatch: ETag })))).toBe(
    'PreconditionFailed',
  );
  const copied = await s3.send(new CopyObjectCommand({ ...copy, ChecksumAlgorithm: 'SHA256' }));
  expect(copied.CopyObjectResult?.ChecksumSHA256).toHaveLength(44);
});

const PARTS = [new Uint8Array(5 * 1024 * 1024).fill(97), new TextEncoder().encode('the end')];

async function upload(Key: string, ChecksumAlgorithm: ChecksumAlgorithm, type?: 'COMPOSITE' | 'FULL_OBJECT') {
  const { UploadId } = await s3.send(
    new CreateMultipartUploadCommand({ Bucket, Key, ChecksumAlgorithm, ChecksumType: type }),
  );
  const sent = await Promise.all(
    PARTS.map((Body, i) =>
      s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: i + 1, Body, ChecksumAlgorithm })),
    ),
  );
  const Parts = sent.map(({ $metadata: _, ...part }, i) => ({ ...part, PartNumber: i + 1 }));
  return { UploadId, Parts, parts: { Bucket, Key, UploadId } };
}

test.each([
  ['CRC32', 'FULL_OBJECT'],
  ['CRC32C', 'FULL_OBJECT'],
  ['CRC64NVME', undefined],
] as const)('the %s of all bytes of an upload', async (algorithm, type) => {
  const { parts, Parts } = await upload('whole', algorithm, type);
  const running = startChecksum(algorithm);
  for (const part of PARTS) running.update(part);
  const expected = running.digest();
  const complete = (more: object) =>
    s3.send(new CompleteMultipartUploadCommand({ ...parts, MultipartUpload: { Parts }, ...more }));
  const wrong = startChecksum(algorithm).digest();
  expect(await nameOf(complete({ [`Checksum${algorithm}`]: wrong }))).toBe('BadDigest');
  const done = await complete({ [`Checksum${algorithm}`]: expected });
  expect(done).toMatchObject({ [`Checksum${algorithm}`]: expected, ChecksumType: 'FULL_OBJECT' });
  const got = await s3.send(new GetObjectCommand({ Bucket, Key: 'whole', ChecksumMode: 'ENABLED' }));
  expect((await got.Body?.transformToByteArray())?.length).toBe(PARTS[0]!.length + PARTS[1]!.length);
});

test('an upload in parts: its pages, types, attributes and parts', async () => {
  expect(await nameOf(upload('x', 'SHA256', 'FULL_OBJECT'))).toBe('InvalidRequest');
  const { parts, Parts } = await upload('parts', 'SHA256');
  const listed = await s3.send(new ListPartsCommand({ ...parts, MaxParts: 1 }));
  expect(listed).toMatchObject({ IsTruncated: true, NextPartNumberMarker: '1', Parts: [{ PartNumber: 1 }] });
  const rest = await s3.send(new ListPartsCommand({ ...parts, PartNumberMarker: listed.NextPartNumberMarker }));
  expect(rest).toMatchObject({ IsTruncated: false, Parts: [{ PartNumber: 2 }] });
  const uploads = await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: 'part' }));
  expect(uploads.Uploads).toMatchObject([{ Key: 'parts', ChecksumAlgorithm: 'SHA256', ChecksumType: 'COMPOSITE' }]);
  expect((await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: 'q' }))).Uploads).toBeUndefined();
  const swapped = Parts.map(part => ({ ...part, ChecksumSHA256: Parts[0]!.ChecksumSHA256 }));
  const complete = (Part: typeof Parts) =>
    s3.send(new CompleteMultipartUploadCommand({ ...parts, MultipartUpload: { Parts: Part } }));
  expect(await nameOf(complete(swapped))).toBe('InvalidPart');
  await complete(Parts);
  const part = await s3.send(new GetObjectCommand({ Bucket, Key: 'parts', PartNumber: 2 }));
  expect(await part.Body?.transformToString()).toBe('the end');
  expect(part).toMatchObject({ PartsCount: 2, ContentLength: 7 });
  expect((await s3.send(new HeadObjectCommand({ Bucket, Key: 'parts', PartNumber: 1 }))).ContentLength).toBe(
    5 * 2 ** 20,
  );
  expect(await nameOf(s3.send(new GetObjectCommand({ Bucket, Key: 'parts', PartNumber: 3 })))).toBe(
    'InvalidPartNumber',
  );
  const attributes = await s3.send(
    new GetObjectAttributesCommand({ Bucket, Key: 'parts', ObjectAttributes: ['ETag', 'ObjectParts', 'ObjectSize'] }),
  );
  expect(attributes).toMatchObject({ ObjectParts: { TotalPartsCount: 2 }, ObjectSize: 5 * 2 ** 20 + 7 });
});
