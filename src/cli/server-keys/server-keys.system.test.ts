// Access keys that change while a server runs, and its audit log, with the AWS SDK and the `trenio` command.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ListTrainingJobsCommand, SageMakerClient, StopTrainingJobCommand } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../api/access/audit-entry.ts';
import { auditFolder } from '../../api/access/audit-log.ts';
import { readAudit } from '../../api/access/read-audit.ts';
import {
  adminKey,
  readerKey,
  signInToConsole,
  startTestServer,
  type TestServer,
} from '../../api/aws/aws-server.testing.ts';
import type { AccessKey } from '../../api/aws/signature/access-keys.ts';
import { type Ran, runTrenio } from '../job-server.testing.ts';

describe('a server', () => {
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
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('admin, developer, read-only')]);
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
    const headers = await signInToConsole(server, scoped.id);
    const jobs = await fetch(`${server.url}/_console/api/jobs`, { headers });
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
