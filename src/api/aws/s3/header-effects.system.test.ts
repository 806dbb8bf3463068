// Each header of S3's model works, is refused, or is listed as having no effect.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { serverWithBucket } from './bucket.testing.ts';
import { headerEffects } from './header-effects.ts';

/** The headers of the operations in docs/operations.md, in the model of botocore; without checksums that are compared. */
const headers = `
  acl bucket-namespace bucket-object-lock-enabled bypass-governance-retention checksum-algorithm checksum-md5 checksum-mode
  checksum-sha512 checksum-type checksum-xxhash128 checksum-xxhash3 checksum-xxhash64 copy-source copy-source-range
  copy-source-server-side-encryption-customer-algorithm copy-source-server-side-encryption-customer-key
  copy-source-server-side-encryption-customer-key-md5 expected-bucket-owner if-match-initiated-time if-match-last-modified-time
  if-match-size max-parts metadata-directive mfa mp-object-size object-annotation-directive object-attributes
  object-lock-event-hold object-lock-event-hold-duration-days object-lock-event-hold-duration-years object-lock-legal-hold
  object-lock-mode object-lock-retain-until-date object-ownership optional-object-attributes part-number-marker request-payer
  sdk-checksum-algorithm server-side-encryption server-side-encryption-aws-kms-key-id
  server-side-encryption-bucket-key-enabled server-side-encryption-context server-side-encryption-customer-algorithm
  server-side-encryption-customer-key server-side-encryption-customer-key-md5 source-expected-bucket-owner storage-class tagging
  tagging-directive website-redirect-location write-offset-bytes`
  .trim()
  .split(/\s+/)
  .map(name => `x-amz-${name}`);

test('every header is read, refused or listed', () => {
  const listed = new Set(headerEffects.flatMap(({ names }) => names));
  const code = globSync('*.ts', { cwd: import.meta.dirname, exclude: ['*.test.ts', 'header-effects.ts'] })
    .map(name => readFileSync(join(import.meta.dirname, name), 'utf8'))
    .join('\n');
  expect(headers.filter(name => !listed.has(name) && !code.includes(`'${name}'`))).toEqual([]);
  expect([...listed].filter(name => !headers.includes(name) || code.includes(`'${name}'`))).toEqual([]);
});

const Bucket = 'headers';
const { s3 } = await serverWithBucket(Bucket);
const put = (options: object) => s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x', ...options }));

test.each<[object, string]>([
  [{ SSECustomerAlgorithm: 'AES256', SSECustomerKey: 'k'.repeat(32) }, 'NotImplemented'],
  [{ ServerSideEncryption: 'none' }, 'InvalidEncryptionAlgorithmError'],
  [{ StorageClass: 'FAST' }, 'InvalidStorageClass'],
  [{ ObjectLockMode: 'GOVERNANCE', ObjectLockRetainUntilDate: new Date(2e12) }, 'InvalidRequest'],
  [{ ObjectLockLegalHoldStatus: 'ON' }, 'InvalidRequest'],
  [{ WriteOffsetBytes: 1 }, 'NotImplemented'],
])('an upload with %j is refused', async (options, code) => {
  await expect(put(options)).rejects.toMatchObject({ name: code });
});

test('headers without effect are accepted, and a redirect is returned', async () => {
  await put({
    ServerSideEncryption: 'aws:kms',
    SSEKMSKeyId: 'key',
    StorageClass: 'GLACIER',
    RequestPayer: 'requester',
  });
  await put({ WebsiteRedirectLocation: '/other' });
  expect(await s3.send(new HeadObjectCommand({ Bucket, Key: 'k' }))).toMatchObject({
    WebsiteRedirectLocation: '/other',
  });
});

test('conditions hold for deletes and the owner of a source', async () => {
  await put({});
  const ask = { Bucket, Key: 'k' };
  await expect(s3.send(new DeleteObjectCommand({ ...ask, IfMatch: '"other"' }))).rejects.toMatchObject({
    name: 'PreconditionFailed',
  });
  const many = {
    Bucket,
    Delete: {
      Objects: [
        { Key: 'k', ETag: '"other"' },
        { Key: 'k', Size: 7 },
      ],
    },
  };
  expect((await s3.send(new DeleteObjectsCommand(many))).Errors?.map(({ Code }) => Code)).toEqual([
    'PreconditionFailed',
    'NotImplemented',
  ]);
  const source = { CopySource: `${Bucket}/k`, ExpectedSourceBucketOwner: '999999999999' };
  await expect(s3.send(new CopyObjectCommand({ Bucket, Key: 'c', ...source }))).rejects.toMatchObject({
    name: 'AccessDenied',
  });
  const { ETag } = await s3.send(new HeadObjectCommand(ask));
  await s3.send(new DeleteObjectCommand({ ...ask, IfMatch: ETag }));
  await expect(s3.send(new HeadObjectCommand(ask))).rejects.toMatchObject({ name: 'NotFound' });
});
