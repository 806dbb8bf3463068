// Keys, tags and documents that XML has to escape, and the codes of documents that are not right.
import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketLocationCommand,
  GetObjectTaggingCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  PutObjectTaggingCommand,
  S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { credentials, nameOf, serverWithBucket } from './bucket.testing.ts';

const Bucket = 'documents';
const { server, s3 } = await serverWithBucket(Bucket);

const keysLeft = async (): Promise<readonly string[]> =>
  (await s3.send(new ListObjectsV2Command({ Bucket, EncodingType: 'url' }))).Contents?.map(({ Key }) =>
    decodeURIComponent(Key!),
  ) ?? [];

/** Sends a document in place of that of an operation; returns the code of the error. */
function send(
  operation: DeleteObjectsCommand | PutObjectTaggingCommand | CompleteMultipartUploadCommand,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const client = new S3Client({ endpoint: server.url, region: 'us-east-1', credentials });
  client.middlewareStack.add(
    next => args => {
      const request = args.request as { body: string; headers: Record<string, string> };
      request.body = body;
      const { host = '' } = request.headers;
      request.headers = { host, 'content-length': String(Buffer.byteLength(body)), ...headers };
      return next(args);
    },
    { step: 'build', priority: 'low' },
  );
  return nameOf(client.send(operation as DeleteObjectsCommand)).finally(() => client.destroy());
}

const deletion = () => new DeleteObjectsCommand({ Bucket, Delete: { Objects: [] } });

test.each([
  ["it's", 'it&#39;s'],
  ["it's", 'it&#x27;s'],
  ['a&b', 'a&#38;b'],
  ['a&amp;b', 'a&#38;amp;b'],
  ['a&#39;b', '<![CDATA[a&#39;b]]>'],
  ['line\nbreak', 'line&#xA;break'],
  ['cr\r', 'cr&#13;'],
  ['😀', '&#128512;'],
  [' space ', ' space '],
])('DeleteObjects of %j written as %s', async (key, xml) => {
  await s3.send(new PutObjectCommand({ Bucket, Key: key, Body: 'x' }));
  const document = `<s3:Delete xmlns:s3="http://s3.amazonaws.com/doc/2006-03-01/"><s3:Object><s3:Key>${xml}</s3:Key></s3:Object></s3:Delete>`;
  expect(await send(deletion(), document)).toBe('no error');
  expect(await keysLeft()).toEqual([]);
});

test.each(["'", '<&>', 'a\nb', 'a\rb', '\u0001\u001f', '\ufffe', ']]>', '__proto__'])(
  'every operation takes the key %j',
  async Key => {
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
    expect(await keysLeft()).toEqual([Key]);
    const CopySource = encodeURIComponent(`${Bucket}/${Key}`);
    await s3.send(new CopyObjectCommand({ Bucket, Key, CopySource, MetadataDirective: 'REPLACE' }));
    const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const uploads = await s3.send(new ListMultipartUploadsCommand({ Bucket, EncodingType: 'url' }));
    expect(uploads.Uploads?.map(upload => decodeURIComponent(upload.Key!))).toEqual([Key]);
    const part = { Bucket, Key, UploadId, PartNumber: 1 };
    const { CopyPartResult } = await s3.send(new UploadPartCopyCommand({ ...part, CopySource }));
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag: CopyPartResult?.ETag }] };
    await s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }));
    const TagSet = [{ Key: `it's`, Value: `&#39; <é>` }];
    await s3.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging: { TagSet } }));
    expect((await s3.send(new GetObjectTaggingCommand({ Bucket, Key }))).TagSet).toEqual(TagSet);
    await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    expect(await keysLeft()).toEqual([]);
  },
);

test('a document that is not right changes nothing', async () => {
  await s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x', Tagging: 'a=1' }));
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'k' }));
  const objects = '<Delete><Object><Key>k</Key></Object></Delete>';
  const md5 = createHash('md5').update('other').digest('base64');
  const complete = () => new CompleteMultipartUploadCommand({ Bucket, Key: 'k', UploadId });
  const tag = () => new PutObjectTaggingCommand({ Bucket, Key: 'k', Tagging: { TagSet: [] } });
  for (const body of [
    '',
    '<Delete></Delete>',
    '<Delete><Object><Key>k&nbsp;</Key></Object></Delete>',
    '<Delete><Object><Key>k\u0001</Key></Object></Delete>',
    objects.replaceAll('Delete>', 'Remove>'),
  ])
    expect(await send(deletion(), body)).toBe('MalformedXML');
  for (const body of ['', '<CompleteMultipartUpload></CompleteMultipartUpload>'])
    expect(await send(complete(), body)).toBe('MalformedXML');
  for (const body of ['', '<Tagging/>']) expect(await send(tag(), body)).toBe('MalformedXML');
  for (const wrong of [{ 'content-md5': md5 }, { 'x-amz-checksum-crc32': 'AAAAAA==' }])
    expect(await send(deletion(), objects, wrong)).toBe('BadDigest');
  const versions = { Bucket, Delete: { Objects: [{ Key: 'k', VersionId: '1' }] } };
  expect((await s3.send(new DeleteObjectsCommand(versions))).Errors?.[0]?.Code).toBe('InvalidArgument');
  expect(await keysLeft()).toEqual(['k']);
  expect((await s3.send(new GetObjectTaggingCommand({ Bucket, Key: 'k' }))).TagSet).toEqual([{ Key: 'a', Value: '1' }]);
  await s3.send(new AbortMultipartUploadCommand({ Bucket, Key: 'k', UploadId }));
  await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'k' }] } }));
});

test('uploads are grouped by a delimiter, over several pages', async () => {
  for (const Key of ['a', 'b/1', 'b/2', 'c']) await s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const pages: unknown[] = [];
  let after = {};
  for (let more = true; more; ) {
    const page = await s3.send(new ListMultipartUploadsCommand({ Bucket, Delimiter: '/', MaxUploads: 1, ...after }));
    pages.push(page.Uploads?.[0]?.Key ?? page.CommonPrefixes?.[0]?.Prefix);
    more = page.IsTruncated ?? false;
    after = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
  expect(pages).toEqual(['a', 'b/', 'c']);
});

test('regions: where a bucket is created, and created again', async () => {
  expect(await nameOf(s3.send(new CreateBucketCommand({ Bucket })))).toBe('no error');
  const elsewhere = new S3Client({ endpoint: server.url, region: 'eu-west-1', credentials });
  const create = (LocationConstraint: 'eu-west-1' | 'eu-west-2') =>
    nameOf(
      elsewhere.send(new CreateBucketCommand({ Bucket: 'there', CreateBucketConfiguration: { LocationConstraint } })),
    );
  expect(await create('eu-west-2')).toBe('IllegalLocationConstraintException');
  expect(await create('eu-west-1')).toBe('no error');
  expect(await create('eu-west-1')).toBe('BucketAlreadyOwnedByYou');
  const location = await elsewhere.send(new GetBucketLocationCommand({ Bucket: 'there' }));
  expect(location.LocationConstraint).toBe('eu-west-1');
  elsewhere.destroy();
});
