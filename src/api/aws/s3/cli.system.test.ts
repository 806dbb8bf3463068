// The object store with the real `aws` command.
import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inheritedVariables } from '../../../base/environment.ts';
import { adminKey, readerKey, startTestServer, type TestServer } from '../aws-server.testing.ts';

const run = promisify(execFile);
const isMissing = spawnSync('aws', ['--version']).error !== undefined;

// Not skipped if CI is set: .ci/run installs it.
describe.skipIf(isMissing && inheritedVariables().CI === undefined)('aws s3', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(async () => {
    expect(server.log).toEqual([]);
    await server[Symbol.asyncDispose]();
  });

  /** Older versions do not read AWS_ENDPOINT_URL. */
  const aws = async (args: readonly string[], key = adminKey) =>
    (
      await run('aws', ['--endpoint-url', server.url, ...args], {
        env: server.variables(key),
        cwd: server.files,
      })
    ).stdout;
  const errorOf = (args: readonly string[], key = adminKey): Promise<string> =>
    aws(args, key).then(
      () => 'no error',
      (error: { readonly stderr: string }) => error.stderr,
    );
  const file = (name: string) => join(server.files, name);

  test('the identity', async () => {
    expect(JSON.parse(await aws(['sts', 'get-caller-identity', '--output', 'json']))).toEqual({
      UserId: adminKey.id,
      Account: '123456789012',
      Arn: 'arn:aws:iam::123456789012:user/admin',
    });
  });

  test('buckets, large and small files, copies, listings, presigned URLs', async () => {
    const large = randomBytes(17_000_000);
    writeFileSync(file('large'), large);
    writeFileSync(file('small file+é.txt'), 'hello');
    await aws(['s3', 'mb', 's3://data']);
    expect(await aws(['s3', 'ls'])).toContain('data');
    await aws(['s3', 'cp', '--no-progress', 'large', 's3://data/in/large']);
    await aws(['s3', 'cp', '--no-progress', 'small file+é.txt', 's3://data/in/']);
    const listing = await aws(['s3', 'ls', 's3://data/in/']);
    expect(listing).toMatch(/17000000 large\n.* 5 small file\+é\.txt\n/);
    expect(await aws(['s3', 'ls', 's3://data/'])).toContain('PRE in/');
    await aws(['s3', 'cp', '--no-progress', 's3://data/in/large', 'back']);
    expect(readFileSync(file('back')).equals(large)).toBe(true);
    const url = (await aws(['s3', 'presign', 's3://data/in/large'])).trim();
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(large)).toBe(true);
    const changed = await fetch(url.replace('/in/large', '/in/other'));
    expect(changed.status).toBe(403);
    expect(await changed.text()).toContain('<Code>SignatureDoesNotMatch</Code>');
    await aws(['s3', 'mv', '--no-progress', 's3://data/in/large', 's3://data/moved']);
    await aws(['s3', 'sync', '--no-progress', 's3://data/', 'copy']);
    expect(readFileSync(file('copy/in/small file+é.txt'), 'utf8')).toBe('hello');
    expect(readFileSync(file('copy/moved')).equals(large)).toBe(true);
    expect(await aws(['s3', 'sync', '--no-progress', 's3://data/', 'copy'])).toBe('');
    expect(await errorOf(['s3', 'rb', 's3://data'])).toContain('BucketNotEmpty');
    await aws(['s3', 'rm', '--recursive', 's3://data']);
    await aws(['s3', 'rb', 's3://data']);
    expect(await aws(['s3', 'ls'])).toBe('');
  });

  test('waiters', async () => {
    await aws(['s3', 'mb', 's3://waits']);
    await aws(['s3api', 'wait', 'bucket-exists', '--bucket', 'waits']);
    await aws(['s3api', 'put-object', '--bucket', 'waits', '--key', 'k']);
    await aws(['s3api', 'wait', 'object-exists', '--bucket', 'waits', '--key', 'k']);
  });

  test('rejects wrong keys and keys without permission', async () => {
    expect(await errorOf(['s3', 'ls'], { ...adminKey, secret: 'wrong' })).toContain('(SignatureDoesNotMatch)');
    expect(await errorOf(['s3', 'ls'], { ...adminKey, id: 'UNKNOWN' })).toContain('(InvalidAccessKeyId)');
    expect(await errorOf(['sts', 'get-caller-identity'], { ...adminKey, id: 'UNKNOWN' })).toContain(
      '(InvalidClientTokenId)',
    );
    expect(await errorOf(['s3', 'mb', 's3://not-mine'], readerKey)).toContain('AccessDenied');
    expect(await errorOf(['s3', 'ls', 's3://absent'])).toContain('NoSuchBucket');
  });
});
