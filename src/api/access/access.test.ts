// Access keys that change while a server runs, and the audit log, with the AWS SDK and the `trenio` command.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ListTrainingJobsCommand, SageMakerClient, StopTrainingJobCommand } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ran, runTrenio } from '../../cli/job-server.testing.ts';
import { adminKey, readerKey, startTestServer, type TestServer } from '../aws/aws-server.testing.ts';
import type { AccessKey } from '../aws/signature/access-keys.ts';
import type { AuditEntry } from './audit-entry.ts';
import { AuditLog, auditFolder } from './audit-log.ts';
import { KeyFile } from './key-file.ts';
import { readAudit } from './read-audit.ts';

const timeout = 30_000;

describe('keys.json', () => {
  let data: string;
  beforeAll(() => {
    data = mkdtempSync(join(tmpdir(), 'trenio-keys-'));
  });
  afterAll(() => rmSync(data, { recursive: true }));

  test('is made with a key of an admin, for its owner alone; each change is seen by others at once', async () => {
    let nowMs = Date.now();
    const [keys, server] = [await KeyFile.open(data), await KeyFile.open(data, () => nowMs)];
    const [first] = keys.list();
    expect(first).toMatchObject({ role: 'admin', id: expect.stringMatching(/^AKIA[A-Z2-7]{16}$/) });
    expect(statSync(join(data, 'keys.json')).mode & 0o777).toBe(0o600);
    expect(server.find(first!.id)?.secret).toBe(first!.secret);
    const made = await keys.create({ role: 'developer', name: 'ci' });
    expect(server.find(made.id)).toMatchObject({ role: 'developer' });
    await keys.setDisabled(made.id, true);
    expect(server.find(made.id)).toBeUndefined();
    await keys.setDisabled(made.id, false);
    const next = await keys.rotate(made.id, 3_600_000);
    expect(next).toMatchObject({ role: 'developer', name: 'ci', replaces: made.id });
    expect(next.secret).not.toBe(made.secret);
    expect([server.find(made.id)?.id, server.find(next.id)?.id]).toEqual([made.id, next.id]);
    nowMs += 3_600_001;
    expect([server.find(made.id)?.id, server.find(next.id)?.id]).toEqual([undefined, next.id]);
    await keys.remove(made.id);
    expect(keys.list().map(({ id }) => id)).toEqual([first!.id, next.id]);
  });

  test('the last key of an admin stays; unknown ids and damaged files are refused', async () => {
    const keys = await KeyFile.open(data);
    const admin = keys.first()!;
    for (const change of [keys.remove(admin.id), keys.setDisabled(admin.id, true)])
      await expect(change).rejects.toThrow('create another one first');
    await expect(keys.remove('AKIANONE')).rejects.toThrow('trenio server keys ls');
    expect(keys.find(admin.id)).toBeDefined();
    writeFileSync(join(data, 'keys.json'), '[{"id": 1}]');
    expect(() => keys.list()).toThrow('keys.json');
  });
});

describe('the audit log', () => {
  test('a file for each day, for its owner alone; old ones are removed; a flood of strangers is cut', async () => {
    const data = mkdtempSync(join(tmpdir(), 'trenio-audit-'));
    try {
      mkdirSync(auditFolder(data), { mode: 0o700 });
      writeFileSync(join(auditFolder(data), '2026-01-01.jsonl'), '');
      let nowMs = Date.parse('2026-01-10T23:59:59Z');
      const log: string[] = [];
      const audit = new AuditLog({ data, days: 2, now: () => nowMs, log: line => log.push(line) });
      expect(readdirSync(auditFolder(data))).toEqual([]);
      const entry = { key: 'a', from: 'x', action: 's3:PutObject', result: 'done' } as const;
      audit.write(entry);
      nowMs += 2000;
      for (let i = 0; i < 100; i++) audit.writeStranger({ ...entry, key: 'none', result: 'refused' });
      nowMs += 60_000;
      audit.writeStranger({ ...entry, key: 'none', result: 'refused' });
      expect(readdirSync(auditFolder(data)).sort()).toEqual(['2026-01-10.jsonl', '2026-01-11.jsonl']);
      expect(statSync(join(auditFolder(data), '2026-01-11.jsonl')).mode & 0o777).toBe(0o600);
      // Torn by a crash.
      writeFileSync(join(auditFolder(data), '2026-01-11.jsonl'), '{"time": "2026-0', { flag: 'a' });
      const found = await Array.fromAsync(readAudit(data, { sinceMs: Date.parse('2026-01-10T00:00:00Z') }));
      expect([found.length, found[0]?.key, found.at(-1)?.leftOut]).toEqual([62, 'a', 40]);
      nowMs += 3 * 86_400_000;
      audit.write(entry);
      expect(readdirSync(auditFolder(data))).toEqual(['2026-01-14.jsonl']);
      audit.close();
      expect(log).toEqual([]);
    } finally {
      rmSync(data, { recursive: true });
    }
  });
});

describe('a server', { timeout }, () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const trenio = (...words: readonly string[]): Promise<Ran> => runTrenio(server, [...words, '--data', server.data]);
  const outcome = async (command: (client: SageMakerClient) => Promise<unknown>, key: Credentials): Promise<string> => {
    const client = new SageMakerClient(optionsOf(key));
    try {
      await command(client);
      return 'done';
    } catch (error) {
      return (error as Error).name;
    } finally {
      client.destroy();
    }
  };
  type Credentials = Pick<AccessKey, 'id' | 'secret'>;
  const optionsOf = ({ id, secret }: Credentials) => ({
    endpoint: server.url,
    region: 'us-east-1',
    maxAttempts: 1,
    credentials: { accessKeyId: id, secretAccessKey: secret },
  });
  const list = (client: SageMakerClient) => client.send(new ListTrainingJobsCommand({}));
  const stop = (client: SageMakerClient) => client.send(new StopTrainingJobCommand({ TrainingJobName: 'none' }));
  const recorded = async (key: string): Promise<readonly AuditEntry[]> =>
    Array.fromAsync(readAudit(server.data, { sinceMs: 0, key }));

  test('keys made, rotated and disabled by the command count at once', async () => {
    const made = JSON.parse((await trenio('server', 'keys', 'create', '--name', 'ci', '--json')).stdout) as Credentials;
    expect(await outcome(list, made)).toBe('done');
    const rotated = JSON.parse(
      (await trenio('server', 'keys', 'rotate', made.id, '--overlap-hours', '0', '--json')).stdout,
    ) as Credentials;
    expect(await outcome(list, made)).toBe('UnrecognizedClientException');
    expect(await outcome(list, rotated)).toBe('done');
    expect((await trenio('server', 'keys', 'disable', rotated.id)).code).toBe(0);
    expect(await outcome(list, rotated)).toBe('UnrecognizedClientException');
    await trenio('server', 'keys', 'enable', rotated.id);
    expect(await outcome(list, rotated)).toBe('done');
    const { stdout } = await trenio('server', 'keys', 'ls');
    expect(stdout).toMatch(new RegExp(`${made.id} +developer +ci +all +\\S+ +expired`));
    expect(stdout).toMatch(new RegExp(`${rotated.id} +developer +ci +all +\\S+ +usable`));
    for (const secret of [made.secret, rotated.secret]) expect(stdout).not.toContain(secret);
    expect((await trenio('server', 'keys', 'rm', rotated.id)).code).toBe(0);
    expect(await outcome(list, rotated)).toBe('UnrecognizedClientException');
    const refused = await trenio('server', 'keys', 'create', '--role', 'root');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('admin, developer, read-only')]);
    expect((await trenio('server', 'keys', 'create', '--actions', 'everything')).stderr).toContain('s3:GetObject');
    const empty = await runTrenio(server, ['server', 'keys', 'ls', '--data', server.files]);
    expect(empty.stderr).toContain('expected the folder of a server');
  });

  test('roles, and keys for some actions only', async () => {
    const { keys } = server;
    expect(await outcome(stop, readerKey)).toBe('AccessDeniedException');
    const scoped = await keys.create({ role: 'developer', actions: ['sagemaker:List*', 's3:*Object'] });
    expect(await outcome(list, scoped)).toBe('done');
    expect(await outcome(stop, scoped)).toBe('AccessDeniedException');
    server.service.objects.createBucket('scoped');
    const s3 = new S3Client({ ...optionsOf(scoped), forcePathStyle: true });
    const object = { Bucket: 'scoped', Key: 'a' };
    await s3.send(new PutObjectCommand({ ...object, Body: 'x' }));
    await s3.send(new GetObjectCommand(object));
    await expect(s3.send(new CreateBucketCommand({ Bucket: 'other' }))).rejects.toThrow(
      'is not authorized to perform: s3:CreateBucket',
    );
    s3.destroy();
    // The pages of the console show more than that.
    const token = new URL(server.service.consoleUrl(scoped.id)).hash.replace('#token=', '');
    const login = await fetch(`${server.url}/_console/api/login`, {
      method: 'POST',
      body: JSON.stringify({ token }),
      headers: { 'content-type': 'application/json' },
    });
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
    const jobs = await fetch(`${server.url}/_console/api/jobs`, { headers: { cookie } });
    expect(jobs.status).toBe(403);
  });

  test('who did what, and who was refused, is recorded; reads and secrets are not', async () => {
    const { keys } = server;
    const key = await keys.create({ role: 'developer' });
    expect(await outcome(list, key)).toBe('done');
    expect(await outcome(stop, key)).toBe('ValidationException');
    expect(await outcome(stop, { ...key, secret: 'wrong' })).toBe('InvalidSignatureException');
    // A secret in the place of the id.
    expect(await outcome(stop, { id: adminKey.secret.replaceAll(' ', ''), secret: 'x' })).toBe(
      'UnrecognizedClientException',
    );
    expect(await outcome(stop, readerKey)).toBe('AccessDeniedException');
    expect(await recorded(key.id)).toEqual([
      {
        time: expect.any(String),
        key: key.id,
        role: 'developer',
        from: '127.0.0.1',
        action: 'sagemaker:StopTrainingJob',
        resource: 'none',
        result: 'failed',
        code: 'ValidationException',
        status: 400,
        request: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ]);
    expect(await recorded('thes…')).toMatchObject([{ result: 'refused', code: 'UnrecognizedClientException' }]);
    expect((await recorded(readerKey.id)).at(-1)).toMatchObject({
      action: 'sagemaker:StopTrainingJob',
      result: 'refused',
      code: 'AccessDeniedException',
    });
    await fetch(`${server.url}/_console/api/login`, {
      method: 'POST',
      body: JSON.stringify({ accessKeyId: adminKey.id, secretAccessKey: adminKey.secret }),
      headers: { 'content-type': 'application/json' },
    });
    expect((await recorded(adminKey.id)).at(-1)).toMatchObject({ action: 'console:SignIn', result: 'done' });
    const shown = await trenio('server', 'audit', '--contains', 'keys', '--json');
    const entries = (await trenio('server', 'audit', '--key', key.id)).stdout;
    expect(shown.code).toBe(0);
    expect(entries).toContain('failed: ValidationException');
    expect((await trenio('server', 'audit', '--result', 'good')).stderr).toContain('done, refused, failed');
    const changes = await trenio('server', 'audit', '--contains', 'DisableKey', '--json');
    expect(JSON.parse(changes.stdout)).toMatchObject({
      from: 'command',
      result: 'done',
      key: expect.stringMatching(/^local user /),
    });
    const folder = auditFolder(server.data);
    const all = readdirSync(folder)
      .map(name => readFileSync(join(folder, name), 'utf8'))
      .join('');
    for (const secret of [
      adminKey.secret.replaceAll(' ', ''),
      readerKey.secret,
      key.secret,
      ...keys.list().map(one => one.secret),
    ])
      expect(all).not.toContain(secret);
    expect(server.log).toEqual([]);
  });
});
