// Settings and access lists, with the AWS SDK for JavaScript: what a new bucket has may be set, other changes are refused.
import {
  CreateBucketCommand,
  DeleteBucketCorsCommand,
  DeleteBucketLifecycleCommand,
  DeleteBucketPolicyCommand,
  DeletePublicAccessBlockCommand,
  GetObjectAclCommand,
  PutBucketAclCommand,
  PutBucketEncryptionCommand,
  PutBucketOwnershipControlsCommand,
  PutBucketVersioningCommand,
  PutObjectAclCommand,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
  S3Client,
  type S3ServiceException,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminKey, startTestServer, type TestServer } from '../aws-server.testing.ts';

let server: TestServer;
let s3: S3Client;
const Bucket = 'settings';
const at = { Bucket, Key: 'one' };
beforeAll(async () => {
  server = await startTestServer();
  const credentials = { accessKeyId: adminKey.id, secretAccessKey: adminKey.secret };
  s3 = new S3Client({ endpoint: server.url, region: 'us-east-1', credentials, forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket, ACL: 'private' }));
  await s3.send(new PutObjectCommand({ ...at, Body: '1', ACL: 'bucket-owner-full-control' }));
});
afterAll(async () => {
  s3.destroy();
  expect(server.log).toEqual([]);
  await server[Symbol.asyncDispose]();
});

const codeOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'none',
    (error: S3ServiceException) => error.name,
  );

test("only the owner's access list is accepted", async () => {
  const refused = 'AccessControlListNotSupported';
  expect(await codeOf(s3.send(new CreateBucketCommand({ Bucket: 'public', ACL: 'public-read' })))).toBe(
    'InvalidBucketAclWithObjectOwnership',
  );
  expect(await codeOf(s3.send(new PutObjectCommand({ ...at, Body: '2', ACL: 'public-read' })))).toBe(refused);
  expect(await codeOf(s3.send(new PutObjectCommand({ ...at, Body: '2', GrantRead: 'id=x' })))).toBe(refused);
  expect(await codeOf(s3.send(new PutObjectAclCommand({ ...at, ACL: 'public-read' })))).toBe(refused);
  expect(await codeOf(s3.send(new PutObjectAclCommand({ ...at, ACL: 'private' })))).toBe('none');
  expect(await codeOf(s3.send(new PutObjectAclCommand({ Bucket, Key: 'missing', ACL: 'private' })))).toBe('NoSuchKey');
  expect(await codeOf(s3.send(new PutBucketAclCommand({ Bucket, ACL: 'public-read' })))).toBe(refused);
  const { Grants, Owner } = await s3.send(new GetObjectAclCommand(at));
  expect(await codeOf(s3.send(new PutBucketAclCommand({ Bucket, AccessControlPolicy: { Grants, Owner } })))).toBe(
    'none',
  );
  const others = { Grants: [{ Grantee: { Type: 'CanonicalUser', ID: 'x' }, Permission: 'READ' }], Owner } as const;
  const list = { Grants: [...others.Grants], Owner };
  expect(await codeOf(s3.send(new PutObjectAclCommand({ ...at, AccessControlPolicy: list })))).toBe(refused);
});

test('what a new bucket has may be set, and what it lacks deleted', async () => {
  const all = {
    BlockPublicAcls: true,
    IgnorePublicAcls: true,
    BlockPublicPolicy: true,
    RestrictPublicBuckets: true,
  };
  const block = (settings: object) =>
    codeOf(s3.send(new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration: settings })));
  expect(await block(all)).toBe('none');
  expect(await block({ ...all, BlockPublicPolicy: false })).toBe('NotImplemented');
  const encrypt = (SSEAlgorithm: 'AES256' | 'aws:kms') =>
    codeOf(
      s3.send(
        new PutBucketEncryptionCommand({
          Bucket,
          ServerSideEncryptionConfiguration: { Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm } }] },
        }),
      ),
    );
  expect(await encrypt('AES256')).toBe('none');
  expect(await encrypt('aws:kms')).toBe('NotImplemented');
  const own = { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' as const }] };
  expect(await codeOf(s3.send(new PutBucketOwnershipControlsCommand({ Bucket, OwnershipControls: own })))).toBe('none');
  for (const command of [
    new DeleteBucketCorsCommand({ Bucket }),
    new DeleteBucketLifecycleCommand({ Bucket }),
    new DeleteBucketPolicyCommand({ Bucket }),
  ])
    expect(await codeOf(s3.send(command as DeleteBucketCorsCommand))).toBe('none');
  expect(await codeOf(s3.send(new DeletePublicAccessBlockCommand({ Bucket })))).toBe('NotImplemented');
  const versions = { Bucket, VersioningConfiguration: { Status: 'Enabled' as const } };
  expect(await codeOf(s3.send(new PutBucketVersioningCommand(versions)))).toBe('NotImplemented');
});
