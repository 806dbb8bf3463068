// The console's requests for access keys and the audit log, over plain HTTP. The page itself is in test/console.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ListTrainingJobsCommand, SageMakerClient, StopTrainingJobCommand } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditFolder } from '../access/audit-log.ts';
import { adminKey, readerKey, signInToConsole, startTestServer, type TestServer } from '../aws/aws-server.testing.ts';
import type { AccessKeyRow, AuditRow, AuditRows, MadeKey } from './messages.ts';

let server: TestServer;
type Session = Readonly<Record<string, string>>;
let admin: Session;
beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(adminKey.id);
});
afterAll(async () => {
  expect(server.log).toEqual([]);
  await server[Symbol.asyncDispose]();
});

const signIn = (keyId: string): Promise<Session> => signInToConsole(server, keyId);

interface Asked {
  readonly session?: Session;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
async function ask(path: string, { session = admin, body, headers }: Asked = {}): Promise<Response> {
  return fetch(`${server.url}/_console/api/access/${path}`, {
    headers: { ...session, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
}
const get = async <T>(path: string): Promise<T> => (await (await ask(path)).json()) as T;
const post = async (path: string, body: unknown = {}): Promise<MadeKey> =>
  (await (await ask(path, { body })).json()) as MadeKey;
const codeOf = async (answer: Response): Promise<string> =>
  ((await answer.json()) as { readonly error: { readonly code: string } }).error.code;
const rowOf = async (id: string): Promise<AccessKeyRow | undefined> =>
  (await get<readonly AccessKeyRow[]>('keys')).find(row => row.id === id);
type Send = (client: SageMakerClient) => Promise<unknown>;
const outcome = async (key: MadeKey, send: Send): Promise<string> => {
  const client = new SageMakerClient({
    endpoint: server.url,
    region: 'us-east-1',
    maxAttempts: 1,
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
  });
  try {
    await send(client);
    return 'done';
  } catch (error) {
    return (error as Error).name;
  } finally {
    client.destroy();
  }
};
const list: Send = client => client.send(new ListTrainingJobsCommand({}));
const stop: Send = client => client.send(new StopTrainingJobCommand({ TrainingJobName: 'none' }));

test('keys are created, rotated, disabled, enabled and removed; each change takes effect immediately and is recorded', async () => {
  const made = await post('keys', { role: 'developer', name: 'ci', actions: ['sagemaker:*'] });
  expect(made).toEqual({ id: expect.stringMatching(/^AKIA/), secret: expect.stringMatching(/^\w{40}$/) });
  expect(await rowOf(made.id)).toMatchObject({
    name: 'ci',
    actions: ['sagemaker:*'],
    state: 'usable',
    lastUsedMs: null,
  });
  expect(await outcome(made, list)).toBe('done');
  expect((await rowOf(made.id))!.lastUsedMs).toEqual(expect.any(Number));
  const next = await post(`keys/${made.id}/rotate`, { overlapHours: 2 });
  expect([await outcome(made, list), await outcome(next, list)]).toEqual(['done', 'done']);
  expect(await rowOf(made.id)).toMatchObject({ state: 'ending', expiresMs: expect.any(Number) });
  expect(await rowOf(next.id)).toMatchObject({ state: 'usable', name: 'ci', replaces: made.id });
  expect(await post(`keys/${next.id}/disable`)).toEqual({});
  expect([(await rowOf(next.id))!.state, await outcome(next, list)]).toEqual([
    'disabled',
    'UnrecognizedClientException',
  ]);
  await post(`keys/${next.id}/enable`);
  expect(await outcome(next, list)).toBe('done');
  await post(`keys/${made.id}/remove`);
  expect([await rowOf(made.id), await outcome(made, list)]).toEqual([undefined, 'UnrecognizedClientException']);
  const { entries } = await get<AuditRows>('audit?contains=server%3A');
  const changes = entries.filter(({ action }) => action !== 'server:ReadAccess');
  expect(changes.map(({ action, resource, from, key, result }) => [action, resource, from, key, result])).toEqual(
    [
      ['server:CreateKey', made.id],
      ['server:RotateKey', `${made.id} ${next.id}`],
      ['server:DisableKey', next.id],
      ['server:EnableKey', next.id],
      ['server:RemoveKey', made.id],
    ]
      .toReversed()
      .map(([action, resource]) => [action, resource, 'console', adminKey.id, 'done']),
  );
});

test('secrets do not occur in lists, logs or later answers', async () => {
  const made = await post('keys', { role: 'admin' });
  const shown = [
    JSON.stringify(await get('keys')),
    JSON.stringify(await get('audit?limit=500')),
    await (await ask('audit/file?format=csv')).text(),
    await (await ask(`keys/${made.id}/disable`, { body: {} })).text(),
    ...readdirSync(auditFolder(server.data)).map(name => readFileSync(join(auditFolder(server.data), name), 'utf8')),
  ].join('\n');
  for (const { secret } of [made, adminKey, readerKey, ...server.keys.list()]) expect(shown).not.toContain(secret);
  expect(shown).toContain(made.id);
});

test('the last admin key cannot be removed', async () => {
  const [last] = server.keys.list();
  expect(await rowOf(last!.id)).toMatchObject({ isLastAdmin: true });
  for (const name of ['disable', 'remove']) {
    const refused = await ask(`keys/${last!.id}/${name}`, { body: {} });
    expect([refused.status, await codeOf(refused)]).toEqual([409, 'LAST_ADMIN_KEY']);
  }
  expect(server.keys.find(last!.id)).toBeDefined();
  expect((await get<AuditRows>('audit?limit=1')).entries[0]).toMatchObject({
    result: 'failed',
    code: 'LAST_ADMIN_KEY',
  });
});

test('requests by other roles, and from other sites, are rejected', async () => {
  const developer = await server.keys.create({ role: 'developer' });
  const scoped = await server.keys.create({ role: 'admin', actions: ['sagemaker:*'] });
  const before = server.keys.list();
  const writes = ['keys', ...['rotate', 'disable', 'enable', 'remove'].map(name => `keys/${developer.id}/${name}`)];
  const body = { role: 'admin' };
  for (const { id } of [readerKey, developer, scoped]) {
    const session = await signIn(id);
    for (const path of ['keys', 'audit', 'audit/file?format=json'])
      expect([id, path, (await ask(path, { session })).status]).toEqual([id, path, 403]);
    for (const path of writes) expect([id, path, (await ask(path, { session, body })).status]).toEqual([id, path, 403]);
  }
  const { entries } = await get<AuditRows>(`audit?key=${developer.id}&result=refused`);
  expect(entries.length).toBe(8);
  const action = 'console:POST access/keys/:id/remove';
  expect(entries[0]).toMatchObject({ action, resource: developer.id, code: 'ROLE_NOT_ALLOWED' });
  for (const [headers, status] of [
    [{ cookie: '' }, 401],
    [{ origin: 'http://evil.example' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    // A form of another page.
    [{ 'content-type': 'text/plain' }, 415],
  ] as const)
    for (const path of writes)
      expect([headers, (await ask(path, { headers, body })).status]).toEqual([headers, status]);
  expect(server.keys.list()).toEqual(before);
});

test('who reads keys and the audit log is recorded, once an hour', async () => {
  const session = await signIn((await server.keys.create({ role: 'admin', name: 'reader' })).id);
  for (const path of ['keys', 'keys', 'audit', 'audit/file?format=json']) await ask(path, { session });
  const { key } = (await get<AuditRows>('audit?contains=ReadAccess')).entries[0]!;
  const { entries } = await get<AuditRows>(`audit?contains=ReadAccess&key=${key}`);
  expect(entries.map(({ resource, result }) => [resource, result])).toEqual([
    ['audit/file', 'done'],
    ['audit', 'done'],
    ['keys', 'done'],
  ]);
});

test('invalid requests are rejected, and change nothing', async () => {
  const before = server.keys.list();
  const id = before[0]!.id;
  for (const body of [{}, { role: 'root' }, { role: 'admin', secret: 'x' }, { role: 'admin', actions: ['all'] }, [], 1])
    expect([body, (await ask('keys', { body })).status]).toEqual([body, 400]);
  for (const overlapHours of [-1, 1.5, 1e9, '1'])
    expect((await ask(`keys/${id}/rotate`, { body: { overlapHours } })).status).toBe(400);
  expect(await codeOf(await ask('keys/AKIANONE/remove', { body: {} }))).toBe('ACCESS_KEY_NOT_FOUND');
  for (const query of ['limit=0', 'before=../../keys.json:1', 'result=good', 'sinceMs=x', 'other=1'])
    expect([query, (await ask(`audit?${query}`)).status]).toEqual([query, 400]);
  expect((await ask('audit/file?format=exe')).status).toBe(400);
  expect(server.keys.list()).toEqual(before);
});

test('the audit log is read backward, page by page, with filters, while it grows; and can be downloaded', async () => {
  const key = await post('keys', { role: 'developer', name: 'busy' });
  for (let i = 0; i < 5; i++) expect(await outcome(key, stop)).toBe('ValidationException');
  const found: AuditRow[] = [];
  let next: string | null = '';
  while (next !== null) {
    const page: AuditRows = await get(`audit?key=${key.id}&limit=2${next === '' ? '' : `&before=${next}`}`);
    found.push(...page.entries);
    next = page.next;
    // Newer lines do not move the older ones.
    if (found.length === 2) await outcome(key, stop);
  }
  expect(found.length).toBe(5);
  expect(new Set(found.map(({ place }) => place)).size).toBe(5);
  expect(found.map(({ time }) => time)).toEqual(
    found
      .map(({ time }) => time)
      .toSorted()
      .toReversed(),
  );
  expect((await get<AuditRows>(`audit?key=${key.id}&contains=STOPtraining&result=failed`)).entries.length).toBe(6);
  expect((await get<AuditRows>(`audit?key=${key.id}&result=done`)).entries).toEqual([]);
  expect((await get<AuditRows>(`audit?sinceMs=${Date.now() + 60_000}`)).entries).toEqual([]);
  const csv = await ask(`audit/file?format=csv&key=${key.id}`);
  expect(csv.headers.get('content-disposition')).toMatch(/attachment; filename="audit-[\d-]+\.csv"/);
  const lines = (await csv.text()).trim().split('\r\n');
  expect([lines.length, lines[0]]).toEqual([
    7,
    'time,key,role,from,action,resource,result,code,status,request,leftOut',
  ]);
  const json = (await (await ask(`audit/file?format=json&key=${key.id}`)).json()) as readonly AuditRow[];
  expect(json.map(({ code }) => code)).toEqual(Array(6).fill('ValidationException'));
  expect(await (await ask('audit/file?format=json&key=unused')).text()).toBe('[]\n');
});
