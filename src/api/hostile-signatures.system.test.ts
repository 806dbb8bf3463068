// Requests whose signature is missing, wrong, old or copied, sent to a server with a simulated clock. The signatures themselves
// are tested in aws/signature.
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SageMakerClient, StopTrainingJobCommand } from '@aws-sdk/client-sagemaker';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readAudit } from './access/read-audit.ts';
import { adminKey, startTestServer, type TestServer } from './aws/aws-server.testing.ts';
import { ReplayGuard } from './aws/replay-guard.ts';

/** The server's clock advances only through this, so that the tests do not depend on how long they take. */
const startMs = Date.now();
let laterMs = 0;
let server: TestServer;
let options: {
  readonly endpoint: string;
  readonly region: string;
  readonly maxAttempts: number;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
};
beforeAll(async () => {
  server = await startTestServer({ now: () => startMs + laterMs });
  const credentials = { accessKeyId: adminKey.id, secretAccessKey: adminKey.secret };
  options = { endpoint: server.url, region: 'us-east-1', maxAttempts: 1, credentials };
});
afterEach(() => {
  laterMs = 0;
});
afterAll(async () => {
  expect(server.log).toEqual([]);
  await server[Symbol.asyncDispose]();
});

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
/** A request as the client sent it, which an attacker may have captured. */
async function copied(name: string): Promise<Sent> {
  const client = new SageMakerClient(options);
  let sent: Sent | undefined;
  client.middlewareStack.add(
    next => args => {
      sent = args.request as Sent;
      return next(args);
    },
    { step: 'deserialize', priority: 'low' },
  );
  await expect(client.send(new StopTrainingJobCommand({ TrainingJobName: name }))).rejects.toThrow('not found');
  client.destroy();
  return sent!;
}
async function answerTo({ headers, body }: Sent): Promise<string> {
  const { host: _, 'content-length': _length, ...more } = headers;
  const answer = await fetch(server.url, { method: 'POST', headers: more, body });
  const { __type, message } = (await answer.json()) as { readonly __type: string; readonly message: string };
  return `${answer.status} ${__type}: ${message}`;
}
const without = ({ headers, body }: Sent, name: string): Sent => ({
  headers: Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name)),
  body,
});

test('requests without a signature are rejected', async () => {
  const sent = await copied('unsigned');
  expect(await answerTo(without(sent, 'authorization'))).toMatch(/^400 MissingAuthenticationTokenException/);
  expect((await fetch(`${server.url}/data/key`)).status).toBe(403);
  expect((await fetch(`${server.url}/data/key`, { method: 'PUT', body: 'x' })).status).toBe(403);
});

test('a request that was changed in transit is rejected', async () => {
  const sent = await copied('changed');
  const other = JSON.stringify({ TrainingJobName: 'another' });
  const target = { ...sent.headers, 'x-amz-target': 'SageMaker.DeleteTrainingJob' };
  for (const changed of [
    { ...sent, body: other },
    { ...sent, headers: target },
  ])
    expect(await answerTo(changed)).toMatch(/^400 InvalidSignatureException/);
});

test('a replayed request is rejected once the few seconds that retries may take are over', async () => {
  const sent = await copied('copied');
  expect(await answerTo(sent)).toMatch(/^400 ValidationException: .*not found/);
  for (const seconds of [11, 600, 14 * 60]) {
    laterMs = seconds * 1000;
    expect(await answerTo(sent)).toBe('400 InvalidSignatureException: This signed request was sent before.');
  }
  // Its date is too old.
  laterMs = 20 * 60_000;
  expect(await answerTo(sent)).toMatch(/^400 InvalidSignatureException: The difference between the request time/);
  const refused = await Array.fromAsync(readAudit(server.data, { sinceMs: 0, result: 'refused' }));
  expect(refused.filter(({ code }) => code === 'InvalidSignatureException').length).toBeGreaterThanOrEqual(4);
});

test('remembered signatures are forgotten once they are too old to be accepted', () => {
  const guard = new ReplayGuard();
  const seen = { kind: 'header', signature: '' } as Parameters<ReplayGuard['check']>[0];
  for (let i = 0; i < 1000; i++) guard.check({ ...seen, signature: `${i}` }, 'POST', i);
  expect(() => guard.check({ ...seen, signature: '0' }, 'POST', 20_000)).toThrow('sent before');
  guard.check({ ...seen, signature: 'next' }, 'POST', 3_600_000);
  expect(guard.size).toBe(1);
});

test('a presigned URL expires', async () => {
  const s3 = new S3Client({ ...options, forcePathStyle: true });
  server.service.objects.createBucket('signed');
  await s3.send(new PutObjectCommand({ Bucket: 'signed', Key: 'a', Body: 'text' }));
  const address = await getSignedUrl(s3, new GetObjectCommand({ Bucket: 'signed', Key: 'a' }), { expiresIn: 60 });
  expect(await (await fetch(address)).text()).toBe('text');
  laterMs = 300_000;
  const late = await fetch(address);
  expect([late.status, await late.text()]).toEqual([403, expect.stringContaining('<Code>AccessDenied</Code>')]);
  laterMs = 0;
  const longer = await fetch(address.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000'));
  expect([longer.status, await longer.text()]).toEqual([403, expect.stringContaining('SignatureDoesNotMatch')]);
  s3.destroy();
});
