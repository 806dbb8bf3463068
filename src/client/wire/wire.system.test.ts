import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeyFile } from '../../api/access/key-file.ts';
import { adminKey, readerKey, startTestServer, type TestServer } from '../../api/aws/aws-server.testing.ts';
import { takeServerFolder, writeServerState } from '../../api/server-folder.ts';
import { type Connection, findConnection } from './connection.ts';
import { ObjectClient } from './object-client.ts';
import { ServiceClient } from './service-client.ts';
import { Wire } from './wire.ts';

let server: TestServer;
let wire: Wire;
beforeAll(async () => {
  server = await startTestServer();
  wire = new Wire(await findConnection({}, server.variables()));
});
afterAll(async () => {
  wire[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

const errorOf = async (promise: Promise<unknown>): Promise<string> => {
  const error: unknown = await promise.then(
    () => 'no error',
    (e: unknown) => e,
  );
  return error instanceof Error ? error.message : String(error);
};

test('objects: buckets, keys that need escaping, files, listings with several pages, copies', async () => {
  const objects = new ObjectClient(wire);
  await objects.createBucket('data');
  await objects.createBucket('data');
  using elsewhere = new Wire(await findConnection({ region: 'eu-west-1' }, server.variables()));
  for (const _ of [1, 2]) await new ObjectClient(elsewhere).createBucket('there');
  expect((await objects.buckets()).map(({ name }) => name)).toEqual(['data', 'there']);
  const key = "a b/../ü+%20/(1)*'!.txt";
  await objects.putBytes('data', key, 'text');
  expect((await objects.getBytes('data', key)).toString()).toBe('text');
  expect(await objects.sizeOf('data', key)).toBe(4);
  expect(await objects.sizeOf('data', 'none')).toBeUndefined();
  const file = join(server.files, 'large');
  const bytes = Buffer.alloc(3_000_000, 'abc');
  writeFileSync(file, bytes);
  let sent = 0;
  await objects.putFile('data', 'deep/large', file, {
    onBytes: n => {
      sent += n;
    },
  });
  expect(sent).toBe(bytes.length);
  await objects.copy({ bucket: 'data', key: 'deep/large' }, { bucket: 'data', key: 'copied' });
  await objects.getFile('data', 'copied', join(server.files, 'new/copied'));
  expect(readFileSync(join(server.files, 'new/copied')).equals(bytes)).toBe(true);
  const listed = await Array.fromAsync(objects.list('data', '', '/'));
  expect(listed.map(one => (typeof one === 'string' ? one : `${one.key} ${one.size}`))).toEqual([
    'a b/',
    'deep/',
    'copied 3000000',
  ]);
  for await (const one of objects.list('data', '')) if (typeof one !== 'string') await objects.delete('data', one.key);
  expect(await Array.fromAsync(objects.list('data', ''))).toEqual([]);
  await Promise.all(Array.from({ length: 1001 }, (_, i) => objects.putBytes('data', `many/${i}`, '')));
  expect(await Array.fromAsync(objects.list('data', 'many/'))).toHaveLength(1001);
  expect(await errorOf(objects.deleteBucket('data'))).toContain('DeleteBucket: ');
});

test('operations of JSON services and STS; refusals are typed errors', async () => {
  const services = new ServiceClient(wire);
  expect(await services.account()).toBe('123456789012');
  expect(await services.sagemaker('ListTrainingJobs', {})).toEqual({ TrainingJobSummaries: [] });
  expect(await errorOf(services.sagemaker('DescribeTrainingJob', { TrainingJobName: 'none' }))).toMatchInlineSnapshot(`
    "DescribeTrainingJob: Requested resource not found. (ValidationException)
      fix: correct the request as the message says"
  `);
  expect(await errorOf(services.logs('GetLogEvents', { logStreamName: 'x', logGroupName: 'x' }))).toContain(
    'GetLogEvents: The specified log group does not exist. (ResourceNotFoundException)',
  );
  using wrong = new Wire({ ...wire.connection, secretAccessKey: 'wrong' });
  expect(await errorOf(new ServiceClient(wrong).sagemaker('ListTrainingJobs', {}))).toContain(
    'fix: set AWS_ACCESS_KEY_ID',
  );
  expect(await errorOf(new ObjectClient(wrong).buckets())).toContain('(SignatureDoesNotMatch)');
  expect(await errorOf(new ServiceClient(wrong).account())).toContain('(SignatureDoesNotMatch)');
  using reader = new Wire({ ...wire.connection, accessKeyId: readerKey.id, secretAccessKey: readerKey.secret });
  expect(await errorOf(new ObjectClient(reader).createBucket('mine'))).toContain(
    'is not authorized to perform: s3:CreateBucket (AccessDenied)',
  );
});

test('retryable responses are retried, signed again with the same invocation id', async () => {
  const seen: (string | undefined)[] = [];
  const http = createServer((request, response) => {
    seen.push(`${String(request.headers['amz-sdk-invocation-id'])} ${String(request.headers['amz-sdk-request'])}`);
    // The first one gets no answer at all.
    if (seen.length === 1) request.socket.destroy();
    else response.writeHead(seen.length === 2 ? 503 : 200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>(done => http.listen(0, '127.0.0.1', done));
  using flaky = new Wire({ ...wire.connection, endpoint: `http://127.0.0.1:${(http.address() as AddressInfo).port}` });
  expect(await new ServiceClient(flaky).sagemaker('ListTrainingJobs', {})).toEqual({});
  expect(seen.map(one => one?.replace(/^\S+/, ''))).toEqual([
    ' attempt=1; max=4',
    ' attempt=2; max=4',
    ' attempt=3; max=4',
  ]);
  expect(new Set(seen.map(one => one?.split(' ')[0])).size).toBe(1);
  flaky[Symbol.dispose]();
  http.close();
});

describe('which server', () => {
  const none = { HOME: '/nonexistent', XDG_DATA_HOME: '/nonexistent' };

  test('options take precedence over the environment', async () => {
    const variables = { ...none, AWS_ENDPOINT_URL: 'http://h:1/', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
    const found: Connection = { endpoint: 'http://h:1', region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' };
    expect(await findConnection({}, variables)).toEqual(found);
    expect(await findConnection({ endpoint: 'https://x', region: 'eu-north-1' }, variables)).toEqual({
      ...found,
      endpoint: 'https://x',
      region: 'eu-north-1',
    });
  });

  test('the server that runs on this machine', async () => {
    const data = join(server.folder, 'home/trenio/server');
    mkdirSync(data, { recursive: true });
    const variables = { XDG_DATA_HOME: join(server.folder, 'home') };
    expect(await errorOf(findConnection({}, variables))).toContain(`no server uses the folder ${data}`);
    using _lock = takeServerFolder(data);
    const key = (await KeyFile.open(data)).first();
    await writeServerState(data, { url: server.url, pid: process.pid, startedAt: new Date().toISOString() });
    const found = { endpoint: server.url, accessKeyId: key!.id, secretAccessKey: key!.secret };
    expect(await findConnection({}, variables)).toMatchObject(found);
    expect(await findConnection({ data }, { ...none, AWS_ENDPOINT_URL: 'http://other:1' })).toMatchObject(found);
    // The key of a local server is used only for that server.
    expect(await errorOf(findConnection({}, { ...variables, AWS_ENDPOINT_URL: 'http://other:1' }))).toContain(
      'no access key for http://other:1',
    );
  });

  test('no server is an error', async () => {
    expect(await errorOf(findConnection({}, none))).toMatchInlineSnapshot(`
      "no job server: AWS_ENDPOINT_URL is not set, and no server uses the folder /nonexistent/trenio/server
        fix: start one with: trenio server; or set AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY as it prints them"
    `);
    const gone = { endpoint: 'http://127.0.0.1:9', accessKeyId: adminKey.id, secretAccessKey: adminKey.secret };
    using wire = new Wire(await findConnection(gone));
    expect(await errorOf(new ServiceClient(wire).account())).toContain(
      'the job server at http://127.0.0.1:9 does not answer: connect ECONNREFUSED',
    );
    expect(await errorOf(findConnection({ endpoint: 'nonsense', accessKeyId: 'a', secretAccessKey: 'b' }))).toContain(
      "endpoint (AWS_ENDPOINT_URL) is 'nonsense'",
    );
    expect(await errorOf(findConnection({ endpont: 'x' } as never))).toContain('did you mean endpoint?');
  });
});
