// Access to the console over plain HTTP: one-time tokens, roles, hosts and origins. Restrictions enforced by browsers
// are tested in test/console.test.ts.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../access/audit-entry.ts';
import { readAudit } from '../access/read-audit.ts';
import { adminKey, readerKey, signInToConsole, startTestServer, type TestServer } from '../aws/aws-server.testing.ts';
import { sagemakerOperations } from '../aws/models/operations.ts';
import type { DownloadAddress, JobDetail } from './messages.ts';
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
const signIn = (keyId: string): Promise<Readonly<Record<string, string>>> => signInToConsole(server, keyId);
const audited = async (contains: string): Promise<readonly AuditEntry[]> =>
  Array.fromAsync(readAudit(server.data, { sinceMs: 0, contains }));

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
    for (const sent of [headers, {}, { ...headers, cookie: headers.cookie!.replace(/=.*/, '=guessed') }])
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
    for (const site of ['cross-site', 'same-site', 'other'])
      for (const [path, sent] of [
        ['session', {}],
        ['jobs', {}],
        ['sagemaker/StopTrainingJob', { body }],
      ] as const) {
        const refused = await ask(path, { ...sent, headers: { ...headers, 'sec-fetch-site': site } });
        expect([site, path, codeOf(refused)]).toEqual([site, path, 'ORIGIN_NOT_ALLOWED']);
      }
    expect((await ask('session', { headers: { ...headers, 'sec-fetch-site': 'none' } })).status).toBe(200);
    // A form on another page could send such a request.
    const form = await ask('sagemaker/StopTrainingJob', {
      body,
      headers: { ...headers, 'content-type': 'text/plain' },
    });
    expect(form.status).toBe(415);
  });

  test('rejects a cookie without the proof of its session, as a server on another port would have it; recorded', async () => {
    const { cookie, ...proof } = await signIn(adminKey.id);
    const { cookie: other } = await signIn(adminKey.id);
    for (const headers of [{ cookie: cookie! }, { ...proof }, { ...proof, cookie: other! }])
      for (const [path, sent] of [
        ['session', {}],
        ['events', {}],
        ['access/keys', {}],
        ['access/keys', { body: { role: 'admin' } }],
      ] as const)
        expect([path, codeOf(await ask(path, { ...sent, headers }))]).toEqual([path, 'NOT_SIGNED_IN']);
    expect((await audited('console:POST access/keys')).at(-1)).toMatchObject({
      key: adminKey.id,
      result: 'refused',
      code: 'NOT_SIGNED_IN',
      from: '127.0.0.1',
    });
  });

  test('a ticket downloads one file once, for its own session', async () => {
    const headers = await signIn(adminKey.id);
    const address = 'access/audit/file?format=json';
    const download = async (): Promise<string> => {
      const { body } = await ask('download', { headers, body: { address } });
      return (body as DownloadAddress).address.replace('/_console/api/', '');
    };
    const once = await download();
    const { cookie: other } = await signIn(adminKey.id);
    const { cookie } = headers;
    expect((await ask(once, { headers: { cookie: cookie! } })).status).toBe(200);
    const last = await download();
    for (const [path, sent] of [
      [once, cookie],
      [(await download()).replace('json', 'csv'), cookie],
      [(await download()).replace(address, 'access/keys?'), cookie],
      [last, other],
      [last, cookie],
    ] as const)
      expect([path, codeOf(await ask(path, { headers: { cookie: sent! } }))]).toEqual([path, 'NOT_SIGNED_IN']);
    for (const wrong of ['jobs?', '//evil.example/object?', 'object?a#b', 'access/keys?'])
      expect((await ask('download', { headers, body: { address: wrong } })).status).toBe(400);
  });

  test('a session of a read-only key can read, but not change anything', async () => {
    const { jobs, logs, metrics } = server.service;
    const { name } = addSampleJobs({ jobs, logs, metrics }, 3, Date.now()).at(-1)!;
    const headers = await signIn(readerKey.id);
    const before = jobs.training.get(name);
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
    expect(jobs.training.get(name)).toEqual(before);
    expect(jobs.training.count()).toBe(3);
  });
});
