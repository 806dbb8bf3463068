// Uploads by forms, as browsers send them; forms of boto3 are in test/boto3/suite.py.
import { createHmac } from 'node:crypto';
import { CreateBucketCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminKey, readerKey, startTestServer, type TestServer } from '../aws-server.testing.ts';

let server: TestServer;
let s3: S3Client;
const Bucket = 'forms';
beforeAll(async () => {
  server = await startTestServer();
  const credentials = { accessKeyId: adminKey.id, secretAccessKey: adminKey.secret };
  s3 = new S3Client({ endpoint: server.url, region: 'us-east-1', credentials, forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket }));
});
afterAll(async () => {
  s3.destroy();
  expect(server.log).toEqual([]);
  await server[Symbol.asyncDispose]();
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const inAMinute = (): string => new Date(Date.now() + 60_000).toISOString();
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The fields of a policy that is signed with version 4. */
function signed(conditions: readonly unknown[], expiration = inAMinute(), key = adminKey): Record<string, string> {
  const date = `${new Date().toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
  const scope = [date.slice(0, 8), 'us-east-1', 's3', 'aws4_request'] as const;
  const own = {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${key.id}/${scope.join('/')}`,
    'X-Amz-Date': date,
  };
  const policy = base64(
    JSON.stringify({ expiration, conditions: [...conditions, ...Object.entries(own).map(([k, v]) => ({ [k]: v }))] }),
  );
  const signing = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${key.secret}`);
  return { ...own, Policy: policy, 'X-Amz-Signature': hmac(signing, policy).toString('hex') };
}

async function post(
  fields: Readonly<Record<string, string>>,
  file: string | undefined,
  name = 'cat.txt',
): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  if (file !== undefined) form.append('file', new File([file], name));
  const reply = await fetch(`${server.url}/${Bucket}`, { method: 'POST', body: form, redirect: 'manual' });
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}

const stored = async (Key: string): Promise<string> =>
  (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body!.transformToString();
const problem = async (...args: Parameters<typeof post>): Promise<string> => {
  const { status, text } = await post(...args);
  return `${status} ${/<Code>(.*)<\/Code>/.exec(text)?.[1]}: ${/<Message>(.*)<\/Message>/.exec(text)?.[1]}`;
};

test('a form uploads its file, with the type, metadata and tags of its fields', async () => {
  const fields = {
    key: `a/\${filename}`,
    'Content-Type': 'text/plain',
    'x-amz-meta-owner': 'me',
    tagging: '<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>',
  };
  const conditions = [
    { bucket: Bucket },
    ['starts-with', '$key', 'a/'],
    ['eq', '$Content-Type', 'text/plain'],
    ['starts-with', '$x-amz-meta-owner', ''],
    ['starts-with', '$tagging', ''],
  ];
  const { status, headers } = await post({ ...fields, ...signed(conditions) }, 'meow');
  expect(status).toBe(204);
  expect(headers.get('location')).toBe(`${server.url}/${Bucket}/a/cat.txt`);
  const object = await s3.send(new GetObjectCommand({ Bucket, Key: 'a/cat.txt' }));
  expect(await object.Body!.transformToString()).toBe('meow');
  expect([object.ContentType, object.Metadata, object.TagCount]).toEqual(['text/plain', { owner: 'me' }, 1]);
});

test('files of any size, also those that contain parts of boundaries', async () => {
  for (const size of [0, 1, 65_536, 5_000_000]) {
    const text = '\r\n--'.repeat(size / 4);
    expect((await post({ key: `size-${size}`, ...signed([{ key: `size-${size}` }]) }, text)).status).toBe(204);
    expect(await stored(`size-${size}`)).toBe(text);
  }
});

test('the answer is as the form asks', async () => {
  const free = [
    ['starts-with', '$key', ''],
    ['starts-with', '$success_action_status', ''],
  ];
  const created = await post({ key: 'x y', success_action_status: '201', ...signed(free) }, '1');
  expect(created.status).toBe(201);
  expect(created.text).toContain(
    `<Location>${server.url}/${Bucket}/x%20y</Location><Bucket>${Bucket}</Bucket><Key>x y`,
  );
  const address = 'http://example.org/done?a=1';
  const conditions = [{ key: 'r' }, { success_action_redirect: address }];
  const { status, headers } = await post({ key: 'r', success_action_redirect: address, ...signed(conditions) }, '1');
  expect(status).toBe(303);
  expect(headers.get('location')).toMatch(
    /^http:\/\/example\.org\/done\?a=1&bucket=forms&key=r&etag=%22[0-9a-f]{32}%22$/,
  );
});

test('what the policy does not allow is refused, and nothing is stored', async () => {
  const key = 'refused';
  const only = [{ key }];
  expect(await problem({ key, ...signed(only, '2020-01-01T00:00:00Z') }, '1')).toBe(
    '403 AccessDenied: Invalid according to Policy: Policy expired.',
  );
  expect(await problem({ key, ...signed([['starts-with', '$key', 'b/']]) }, '1')).toContain(
    'Invalid according to Policy: Policy Condition failed: [&quot;starts-with&quot;, &quot;$key&quot;, &quot;b/&quot;]',
  );
  expect(await problem({ key, 'x-amz-meta-a': '1', ...signed(only) }, '1')).toBe(
    '403 AccessDenied: Invalid according to Policy: Extra input fields: x-amz-meta-a',
  );
  const sized = signed([...only, ['content-length-range', 2, 4]]);
  expect(await problem({ key, ...sized }, '1')).toContain('400 EntityTooSmall');
  expect(await problem({ key, ...sized }, '12345')).toContain('400 EntityTooLarge');
  expect(await problem({ key, ...signed([['bad', '$key', '']]) }, '1')).toContain('400 InvalidPolicyDocument');
  await expect(stored(key)).rejects.toThrow();
  expect((await post({ key, ...sized }, '1234')).status).toBe(204);
});

test('forms without a valid signature, a key or a file', async () => {
  const key = 'unsigned';
  const good = { key, ...signed([{ key }]) };
  expect(await problem({ key }, '1')).toContain('403 AccessDenied');
  expect(await problem({ ...good, 'X-Amz-Signature': '0'.repeat(64) }, '1')).toContain('403 SignatureDoesNotMatch');
  expect(await problem({ ...good, Policy: base64('{}') }, '1')).toContain('403 SignatureDoesNotMatch');
  expect(await problem({ ...good, 'X-Amz-Credential': 'x' }, '1')).toContain('400 AuthorizationHeaderMalformed');
  expect(await problem({ key, ...signed([{ key }], inAMinute(), readerKey) }, '1')).toContain('403 AccessDenied');
  expect(await problem(good, undefined)).toContain('exactly one file');
  expect(await problem(signed([]), '1')).toContain('field named');
  expect(await problem({ ...good, key: 'k'.repeat(70_000) }, '1')).toContain('400 MaxPostPreDataLengthExceeded');
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  for (const body of [
    '',
    'x',
    '--b',
    '--b\r\n\r\n--b--',
    '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nopen',
  ]) {
    const reply = await fetch(`${server.url}/${Bucket}`, { method: 'POST', headers, body });
    expect([400, 403]).toContain(reply.status);
  }
});
