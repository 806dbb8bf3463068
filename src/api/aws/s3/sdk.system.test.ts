// The object store with the AWS SDK for JavaScript, whose streams are sent as chunks with trailers.
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expect, test } from 'vitest';
import { credentials, nameOf, serverWithBucket } from './bucket.testing.ts';

const Bucket = 'data';
const { server, s3 } = await serverWithBucket(Bucket);

test('the identity', async () => {
  const sts = new STSClient({ endpoint: server.url, region: 'us-east-1', credentials });
  expect((await sts.send(new GetCallerIdentityCommand({}))).Account).toBe('123456789012');
  sts.destroy();
});

test('an object with metadata, conditions and ranges', async () => {
  const Key = 'a/b c.txt';
  const put = await s3.send(
    new PutObjectCommand({ Bucket, Key, Body: 'hello world', ContentType: 'text/plain', Metadata: { who: 'me' } }),
  );
  const got = await s3.send(new GetObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' }));
  expect(await got.Body?.transformToString()).toBe('hello world');
  expect(got).toMatchObject({ ContentType: 'text/plain', Metadata: { who: 'me' }, ETag: put.ETag, ContentLength: 11 });
  const part = await s3.send(new GetObjectCommand({ Bucket, Key, Range: 'bytes=6-' }));
  expect(await part.Body?.transformToString()).toBe('world');
  expect(part.ContentRange).toBe('bytes 6-10/11');
  expect(await nameOf(s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x', IfNoneMatch: '*' })))).toBe(
    'PreconditionFailed',
  );
  expect(await nameOf(s3.send(new GetObjectCommand({ Bucket, Key: 'absent' })))).toBe('NoSuchKey');
  expect(await nameOf(s3.send(new HeadObjectCommand({ Bucket, Key: 'absent' })))).toBe('NotFound');
  expect(await nameOf(s3.send(new GetObjectCommand({ Bucket, Key, Range: 'bytes=11-' })))).toBe('InvalidRange');
});

test('a stream of unknown length, in chunks with a trailing checksum', async () => {
  const Key = 'stream';
  const chunks = Array.from({ length: 50 }, (_, i) => Buffer.alloc(3000, i));
  const Body = Readable.from(chunks);
  await s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength: 150_000 }));
  const got = await s3.send(new GetObjectCommand({ Bucket, Key }));
  expect(Buffer.from((await got.Body?.transformToByteArray()) ?? []).equals(Buffer.concat(chunks))).toBe(true);
});

test.each(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const)('checksum %s', async ChecksumAlgorithm => {
  const Key = ChecksumAlgorithm;
  const put = await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'hello', ChecksumAlgorithm }));
  const got = await s3.send(new GetObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' }));
  // The client compares the checksum while it reads.
  expect(await got.Body?.transformToString()).toBe('hello');
  const member = `Checksum${ChecksumAlgorithm}` as const;
  expect(put[member]).toBeTruthy();
  expect(got[member]).toBe(put[member]);
});

test('a multipart upload', async () => {
  const Key = 'parts';
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const bodies = [Buffer.alloc(5 * 1024 * 1024, 1), Buffer.from('end')];
  const Parts = await Promise.all(
    bodies.map(async (Body, i) => {
      const { ETag, ChecksumCRC32 } = await s3.send(
        new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: i + 1, Body }),
      );
      return { ETag, ChecksumCRC32, PartNumber: i + 1 };
    }),
  );
  expect((await s3.send(new ListPartsCommand({ Bucket, Key, UploadId }))).Parts).toHaveLength(2);
  const done = await s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
  expect(done.ETag).toMatch(/-2"$/);
  expect((await s3.send(new HeadObjectCommand({ Bucket, Key }))).ContentLength).toBe(5 * 1024 * 1024 + 3);
});

test('keys with every kind of character, listed page by page, copied and deleted together', async () => {
  const keys = ['x/a&b<c>"\'', 'x/é😀', 'x/ü ü', 'x/100%', 'x/+=?#', 'x//', 'x/\u0001', 'x/~!*()'];
  for (const Key of keys) await s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
  const found: string[] = [];
  let ContinuationToken: string | undefined;
  do {
    const page = await s3.send(
      new ListObjectsV2Command({ Bucket, Prefix: 'x/', MaxKeys: 3, ContinuationToken, EncodingType: 'url' }),
    );
    found.push(...(page.Contents ?? []).map(object => decodeURIComponent(object.Key ?? '')));
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
  expect(found.toSorted()).toEqual(keys.toSorted());
  const CopySource = `${Bucket}/${encodeURIComponent(keys[0]!)}`;
  await s3.send(new CopyObjectCommand({ Bucket, Key: 'copied', CopySource }));
  expect(await (await s3.send(new GetObjectCommand({ Bucket, Key: 'copied' }))).Body?.transformToString()).toBe(
    keys[0],
  );
  const Objects = keys.filter(Key => Key !== 'x/\u0001').map(Key => ({ Key }));
  const deleted = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect(deleted.Deleted?.map(({ Key }) => Key)).toEqual(Objects.map(({ Key }) => Key));
  expect((await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'x/' }))).KeyCount).toBe(1);
});

test('a presigned URL with response headers', async () => {
  await s3.send(new PutObjectCommand({ Bucket, Key: 'report', Body: 'text' }));
  const command = new GetObjectCommand({ Bucket, Key: 'report', ResponseContentDisposition: 'attachment' });
  const url = await getSignedUrl(s3, command, { expiresIn: 60 });
  const answer = await fetch(url);
  expect([answer.status, await answer.text()]).toEqual([200, 'text']);
  expect(answer.headers.get('content-disposition')).toBe('attachment');
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(403);
  const put = await getSignedUrl(s3, new PutObjectCommand({ Bucket, Key: 'sent' }), { expiresIn: 60 });
  expect((await fetch(put, { method: 'PUT', body: 'by url' })).status).toBe(200);
});

test('a bucket from creation to deletion, with an upload that copies and an aborted upload', async () => {
  const at = { Bucket: 'whole-life' };
  await s3.send(new CreateBucketCommand(at));
  expect((await s3.send(new HeadBucketCommand(at))).BucketRegion).toBe('us-east-1');
  expect((await s3.send(new GetBucketLocationCommand(at))).LocationConstraint).toBeUndefined();
  expect((await s3.send(new ListBucketsCommand({}))).Buckets?.map(({ Name }) => Name)).toContain(at.Bucket);
  await s3.send(new PutObjectCommand({ ...at, Key: 'from', Body: 'some bytes' }));
  const upload = { ...at, Key: 'large', UploadId: '' };
  for (const finishes of [false, true]) {
    upload.UploadId = (await s3.send(new CreateMultipartUploadCommand({ ...at, Key: 'large' }))).UploadId!;
    const copied = await s3.send(
      new UploadPartCopyCommand({ ...upload, PartNumber: 1, CopySource: 'whole-life/from' }),
    );
    expect((await s3.send(new ListMultipartUploadsCommand(at))).Uploads?.map(({ Key }) => Key)).toEqual(['large']);
    const Parts = [{ PartNumber: 1, ETag: copied.CopyPartResult?.ETag }];
    if (finishes) await s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
    else await s3.send(new AbortMultipartUploadCommand(upload));
  }
  const listed = await s3.send(new ListObjectsCommand(at));
  expect(listed.Contents?.map(({ Key, Size }) => [Key, Size])).toEqual([
    ['from', 10],
    ['large', 10],
  ]);
  for (const Key of ['from', 'large']) await s3.send(new DeleteObjectCommand({ ...at, Key }));
  await s3.send(new DeleteBucketCommand(at));
  expect(await nameOf(s3.send(new HeadBucketCommand(at)))).toBe('NotFound');
});
