// Keys, tags and documents that XML has to escape, and the codes of documents that are not right.
import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
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
import { afterAll, expect, test } from 'vitest';
import { findConnection } from '../../../client/wire/connection.ts';
import { ObjectClient } from '../../../client/wire/object-client.ts';
import { Wire } from '../../../client/wire/wire.ts';
import { credentials, nameOf, serverWithBucket } from './bucket.testing.ts';

const Bucket = 'documents';
const { server, s3 } = await serverWithBucket(Bucket);
const wire = new Wire(await findConnection({}, server.variables()));
afterAll(() => wire[Symbol.dispose]());

const keysLeft = async (): Promise<readonly string[]> =>
  (await s3.send(new ListObjectsV2Command({ Bucket, EncodingType: 'url' }))).Contents?.map(({ Key }) =>
    decodeURIComponent(Key!),
  ) ?? [];

/** Sends a document as it is. */
async function send(query: Readonly<Record<string, string>>, body: string, key = '', headers = {}): Promise<string> {
  const method = 'tagging' in query ? 'PUT' : 'POST';
  const path = `/${Bucket}/${encodeURIComponent(key)}`;
  const { status, body: answer } = await wire.send({ service: 's3', method, path, query, headers, body });
  return `${status} ${(await answer.toArray()).join('')}`;
}

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
  expect(await send({ delete: '' }, document)).toMatch(/^200 /);
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
    await new ObjectClient(wire).delete(Bucket, Key);
    expect(await keysLeft()).toEqual([]);
  },
);

test('a document that is not right changes nothing', async () => {
  await s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x', Tagging: 'a=1' }));
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'k' }));
  const upload = { uploadId: UploadId! };
  const objects = '<Delete><Object><Key>k</Key></Object></Delete>';
  const md5 = createHash('md5').update('other').digest('base64');
  const cases: readonly (readonly [code: string, answer: string])[] = [
    ['MalformedXML', await send({ delete: '' }, '')],
    ['MalformedXML', await send({ delete: '' }, '<Delete></Delete>')],
    ['MalformedXML', await send({ delete: '' }, '<Delete><Object><Key>k&nbsp;</Key></Object></Delete>')],
    ['MalformedXML', await send({ delete: '' }, '<Delete><Object><Key>k\u0001</Key></Object></Delete>')],
    ['MalformedXML', await send({ delete: '' }, objects.replaceAll('Delete>', 'Remove>'))],
    ['BadDigest', await send({ delete: '' }, objects, '', { 'content-md5': md5 })],
    ['BadDigest', await send({ delete: '' }, objects, '', { 'x-amz-checksum-crc32': 'AAAAAA==' })],
    ['InvalidArgument', await send({ delete: '' }, objects.replace('</Key>', '</Key><VersionId>1</VersionId>'))],
    ['MalformedXML', await send(upload, '', 'k')],
    ['MalformedXML', await send(upload, '<CompleteMultipartUpload></CompleteMultipartUpload>', 'k')],
    ['MalformedXML', await send({ tagging: '' }, '', 'k')],
    ['MalformedXML', await send({ tagging: '' }, '<Tagging/>', 'k')],
  ];
  for (const [code, answer] of cases) expect(answer).toContain(`<Code>${code}</Code>`);
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
  const own = new Wire(await findConnection({ region: 'eu-west-1' }, server.variables()));
  await new ObjectClient(own).createBucket('from-client');
  own[Symbol.dispose]();
});
