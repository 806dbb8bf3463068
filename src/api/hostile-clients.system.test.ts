// Attacks on a job server, during which other clients are still served. Signatures are tested in
// aws/signature, pages of other origins in console/console-access.system.test.ts, archives of models in src/jobs/model-server.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { ListTrainingJobsCommand, SageMakerClient } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminKey, startTestServer, type TestServer } from './aws/aws-server.testing.ts';
import { callTrenio } from './aws/trenio/trenio-call.testing.ts';

const BODY_TIMEOUT_MS = 300;
let server: TestServer;
let client: SageMakerClient;
beforeAll(async () => {
  server = await startTestServer({ bodyTimeoutMs: BODY_TIMEOUT_MS });
  client = new SageMakerClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: adminKey.id, secretAccessKey: adminKey.secret },
  });
});
afterAll(async () => {
  client.destroy();
  expect(server.log).toEqual([]);
  await server[Symbol.asyncDispose]();
});

async function open(to: TestServer = server): Promise<Socket> {
  const { hostname, port } = new URL(to.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes, and returns all received bytes until the server closes the connection. */
async function answerTo(text: string, to: TestServer = server): Promise<string> {
  const socket = await open(to);
  socket.write(text);
  let answer = '';
  socket.on('data', data => {
    answer += String(data);
  });
  // Not `once` of events, because a reset connection also emits an error.
  await new Promise(resolve => socket.once('close', resolve));
  return answer;
}

const others = async (): Promise<void> => {
  expect((await client.send(new ListTrainingJobsCommand({}))).TrainingJobSummaries).toEqual([]);
};

/** Signed with a known key, but without its secret. */
const head = (service: string, ...more: readonly string[]): string =>
  [
    'POST / HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/x-amz-json-1.1',
    `X-Amz-Date: ${new Date().toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`,
    'X-Amz-Target: SageMaker.ListTrainingJobs',
    `Authorization: AWS4-HMAC-SHA256 Credential=${adminKey.id}/${new Date().toISOString().slice(0, 10).replaceAll('-', '')}/us-east-1/${service}/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=${'0'.repeat(64)}`,
    ...more,
    '',
    '',
  ].join('\r\n');

describe('bodies', () => {
  test('that are too large are cut off, regardless of their declared length', async () => {
    // With the usual time for a body: these take as long as the machine needs.
    await using patient = await startTestServer();
    const megabyte = 'x'.repeat(1024 * 1024);
    const chunk = `${megabyte.length.toString(16)}\r\n${megabyte}\r\n`;
    const answer = await answerTo(head('sagemaker', 'Transfer-Encoding: chunked') + chunk.repeat(9), patient);
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    expect(answer).toContain('RequestEntityTooLargeException');
    await expect(
      callTrenio(patient.url, adminKey, 'DescribeTrainingJobCost', { TrainingJobName: 'x'.repeat(5 * 1024 * 1024) }),
    ).rejects.toThrow('RequestEntityTooLargeException');
    expect(patient.log).toEqual([]);
    await others();
  });

  test('that do not arrive time out', async () => {
    expect(await answerTo(`${head('sagemaker', 'Content-Length: 100')}{`)).toMatch(
      /^HTTP\/1.1 408 [\s\S]*RequestTimeout/,
    );
    // An occasional byte does not extend the timeout.
    const socket = await open();
    socket.write(head('logs', 'Content-Length: 1000'));
    const drip = setInterval(() => socket.write(' '), BODY_TIMEOUT_MS / 10);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    clearInterval(drip);
    socket.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1.1 408 /);
    // Before signing in.
    const login = [
      'POST /_console/api/login HTTP/1.1',
      `Host: ${new URL(server.url).host}`,
      'Content-Type: application/json',
    ];
    expect(await answerTo([...login, 'Content-Length: 100', '', '{'].join('\r\n'))).toBe('');
    await others();
  });
});

describe('connections', () => {
  test('with floods of headers, or with garbage', async () => {
    const flood = Array.from({ length: 5000 }, (_, i) => `X-${i}: ${'y'.repeat(20)}`);
    // The response may be lost, because the connection is reset while data is still being sent.
    for (const headers of [flood.join('\r\n'), `X: ${'y'.repeat(100_000)}`])
      expect(await answerTo(`GET / HTTP/1.1\r\n${headers}\r\n\r\n`)).toMatch(/^(?:HTTP\/1.1 431 |$)/);
    expect(await answerTo('\u0000\u0001\u0002\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    // Two lengths: request smuggling, if a proxy uses the other one.
    expect(
      await answerTo('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
    ).toMatch(/^HTTP\/1.1 400 /);
    await others();
  });

  test('thousands of idle ones', async () => {
    const idle: Socket[] = [];
    for (let i = 0; i < 20; i++) idle.push(...(await Promise.all(Array.from({ length: 100 }, () => open()))));
    expect(idle.filter(socket => !socket.destroyed).length).toBe(2000);
    await others();
    for (const socket of idle) socket.destroy();
  });
});

describe('other users of this machine', () => {
  // Only root can become another user.
  test.skipIf(getuid?.() !== 0)('cannot read the store, the keys or the audit log', () => {
    const paths = ['keys.json', 'jobs.sqlite', 'objects', 'audit', ...readdirSync(server.data)];
    for (const name of paths) {
      const words = ['--reuid=65534', '--regid=65534', '--clear-groups', 'ls', join(server.data, name)];
      const { stderr, status } = spawnSync('setpriv', words, { encoding: 'utf8' });
      expect([name, status, stderr]).toEqual([name, 2, expect.stringContaining('Permission denied')]);
    }
  });
});
