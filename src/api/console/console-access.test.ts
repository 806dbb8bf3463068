// Access to the console over plain HTTP: one-time tokens, roles, hosts and origins. Restrictions enforced by browsers
// are tested in test/console.test.ts.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminKey, readerKey, startTestServer, type TestServer } from '../aws/aws-server.testing.ts';
import { sagemakerOperations } from '../aws/models/operations.ts';
import type { JobDetail } from './messages.ts';
import { addSampleJobs } from './sample-jobs.testing.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  expect(server.log).toEqual([]);
  await server[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number;
  readonly cookie: string | undefined;
  readonly body: unknown;
}
/** With any Host and Origin, which `fetch` does not allow. */
function ask(
  path: string,
  { body, headers = {} }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${server.url}/_console/api/${path}`,
      {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      },
      async response => {
        const text = (await response.toArray()).join('');
        const cookie = response.headers['set-cookie']?.[0]?.split(';')[0];
        resolve({ status: response.statusCode!, cookie, body: JSON.parse(text) });
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
const codeOf = ({ body }: Answer): string | undefined =>
  (body as { readonly error?: { readonly code: string } }).error?.code;
const tokenFor = (keyId: string): string =>
  new URLSearchParams(new URL(server.service.consoleUrl(keyId)).hash.slice(1)).get('token')!;
const signIn = async (keyId: string): Promise<Readonly<Record<string, string>>> => {
  const { cookie } = await ask('login', { body: { token: tokenFor(keyId) } });
  return { cookie: cookie! };
};

describe('access to the console', () => {
  test('a one-time token signs in once', async () => {
    const token = tokenFor(adminKey.id);
    expect(await ask('login', { body: { token } })).toMatchObject({ status: 200, cookie: expect.stringMatching(/=./) });
    const second = await ask('login', { body: { token } });
    expect([second.cookie, codeOf(second)]).toEqual([undefined, 'SIGN_IN_REFUSED']);
  });

  test('rejects requests without a session, or after its end', async () => {
    const headers = await signIn(adminKey.id);
    expect((await ask('session', { headers })).status).toBe(200);
    await ask('logout', { body: {}, headers });
    for (const sent of [headers, {}, { cookie: headers.cookie!.replace(/=.*/, '=guessed') }])
      for (const path of ['session', 'jobs', 'overview?day=0&month=0', 'endpoints', 'pool', 'events'])
        expect([path, codeOf(await ask(path, { headers: sent }))]).toEqual([path, 'NOT_SIGNED_IN']);
  });

  test('rejects other hosts and origins, even with a session', async () => {
    const headers = await signIn(adminKey.id);
    const body = { TrainingJobName: 'job' };
    for (const [change, code] of [
      [{ host: 'attacker.example' }, 'HOST_NOT_ALLOWED'],
      [{ host: `attacker.example:${new URL(server.url).port}` }, 'HOST_NOT_ALLOWED'],
      [{ origin: 'https://attacker.example' }, 'ORIGIN_NOT_ALLOWED'],
      [{ origin: 'null' }, 'ORIGIN_NOT_ALLOWED'],
      [{ origin: 'http://127.0.0.1:1' }, 'ORIGIN_NOT_ALLOWED'],
    ] as const) {
      const refused = await ask('jobs', { headers: { ...headers, ...change } });
      expect([change, refused.status, codeOf(refused)]).toEqual([change, 403, code]);
      const change2 = await ask('sagemaker/StopTrainingJob', { body, headers: { ...headers, ...change } });
      expect([change, change2.status, codeOf(change2)]).toEqual([change, 403, code]);
    }
    const crossSite = await ask('sagemaker/StopTrainingJob', {
      body,
      headers: { ...headers, 'sec-fetch-site': 'cross-site' },
    });
    expect(codeOf(crossSite)).toBe('ORIGIN_NOT_ALLOWED');
    // A form on another page could send such a request.
    const form = await ask('sagemaker/StopTrainingJob', {
      body,
      headers: { ...headers, 'content-type': 'text/plain' },
    });
    expect(form.status).toBe(415);
  });

  test('a session of a read-only key can read, but not change anything', async () => {
    const { jobs, logs, metrics } = server.service;
    const { name } = addSampleJobs({ jobs, logs, metrics }, 3, Date.now()).at(-1)!;
    const headers = await signIn(readerKey.id);
    const before = jobs.get(name);
    expect((await ask(`jobs/${name}`, { headers })).body as JobDetail).toMatchObject({ row: { name } });
    const changes = sagemakerOperations.filter(one => !/^(?:Describe|List|Search)/.test(one));
    expect(changes.length).toBeGreaterThan(10);
    for (const path of [...changes.map(one => `sagemaker/${one}`), 'trenio/InterruptTrainingJob']) {
      const refused = await ask(path, { headers, body: { TrainingJobName: name } });
      expect([path, codeOf(refused)]).toEqual([path, 'AccessDeniedException']);
    }
    const again = { name: 'again', hyperparameters: {}, instanceType: 'ml.c5.large', instanceCount: 1 };
    for (const [path, body] of [
      [`jobs/${name}/run-again`, { ...again, maxRuntimeSeconds: 60 }],
      ['endpoints/one/try', { contentType: 'text/plain', body: 'x' }],
    ] as const)
      expect([path, codeOf(await ask(path, { headers, body }))]).toEqual([path, 'ROLE_NOT_ALLOWED']);
    expect(jobs.get(name)).toEqual(before);
    expect(jobs.count()).toBe(3);
  });
});
