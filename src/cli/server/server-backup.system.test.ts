// Backups of a job server that is being used, and servers that are started with them.
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { StopTrainingJobCommand } from '@aws-sdk/client-sagemaker';
import { extract } from 'tar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeyFile } from '../../api/access/key-file.ts';
import { TrainingJobs } from '../../api/aws/sagemaker/training-jobs.testing.ts';
import { startJobService } from '../../api/job-service.ts';
import { runTrenio } from '../job-server.testing.ts';

let jobs: TrainingJobs;
beforeAll(async () => {
  jobs = await TrainingJobs.start();
});
afterAll(() => jobs[Symbol.asyncDispose]());

const backup = (...words: readonly string[]) =>
  runTrenio(jobs.server, ['server', 'backup', ...words, '--data', jobs.server.data, '--json']);

async function textOf(service: TrainingJobs['server']['service'], key: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await service.objects.read('data', key)).bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A server with a copy, some time later. */
const restored = async (data: string, laterMs = 0) =>
  startJobService({
    ...{ data, host: '127.0.0.1', port: 0, account: '123456789012', region: 'us-east-1', images: undefined },
    ...{ pool: undefined, keys: await KeyFile.open(data), now: () => Date.now() + laterMs },
    log: () => {},
  });

test('has every job, line, metric and artifact, also while the server writes', async () => {
  await jobs.create('first');
  await jobs.ended('first');
  const { objects } = jobs.server.service;
  let isOver = false;
  const write = (i: number) =>
    objects.put('data', 'changing', Readable.from([Buffer.from(`version ${i}`.repeat(1000))]));
  await write(0);
  const writer = (async () => {
    // Replaced again and again: each copy must have the bytes that its index names.
    for (let i = 1; !isOver; i++) await write(i);
  })();
  const folder = join(jobs.server.files, 'backups/one');
  const archive = join(jobs.server.files, 'two.tar.gz');
  const taken = await backup(folder);
  const packed = await backup('two.tar.gz');
  isOver = true;
  await writer;
  expect([taken.code, packed.code, taken.stderr]).toEqual([0, 0, '']);
  expect(JSON.parse(taken.stdout)).toMatchObject({ target: folder, blobs: expect.any(Number) });
  expect([statSync(folder).mode & 0o777, statSync(archive).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(readdirSync(jobs.server.data)).not.toContain('backup-links');
  const unpacked = join(jobs.server.files, 'two');
  mkdirSync(unpacked);
  await extract({ file: archive, cwd: unpacked });
  for (const copy of [folder, unpacked]) {
    const service = await restored(copy);
    try {
      expect(service.jobs.training.get('first')).toEqual(jobs.stored('first'));
      expect(service.logs.streams('/aws/sagemaker/TrainingJobs', 'first/')).toHaveLength(1);
      expect(service.objects.head('data', 'out/first/output/model.tar.gz').size).toBeGreaterThan(0);
      expect(await textOf(service, 'out/first/output/model.tar.gz')).toBe(
        await textOf(jobs.server.service, 'out/first/output/model.tar.gz'),
      );
      expect(await textOf(service, 'changing')).toMatch(/^(version \d+)\1{999}$/);
    } finally {
      await service.close();
    }
  }
});

test('a running job has no runner in the copy, also on another machine; the original continues', {
  timeout: 180_000,
}, async () => {
  await jobs.create('running', { HyperParameters: { seconds: '50' } });
  await jobs.line('running', 'from the start');
  const folder = join(jobs.server.files, 'running');
  expect((await backup(folder)).code).toBe(0);
  const service = await restored(folder, 60_000);
  try {
    service.jobs.training.update('running', job => ({
      ...job,
      // As a process of another machine is seen.
      runner: job.runner && { ...job.runner, process: { ...job.runner.process!, realm: '0123456789ab' } },
    }));
    while (service.jobs.training.get('running')!.secondary === 'Training')
      await new Promise(resolve => setTimeout(resolve, 50));
    expect(service.jobs.training.get('running')).toMatchObject({
      secondary: 'Failed',
      failureReason: expect.stringContaining('InternalServerError'),
    });
  } finally {
    await service.close();
  }
  expect(jobs.stored('running').secondary).toBe('Training');
  await jobs.sagemaker.send(new StopTrainingJobCommand({ TrainingJobName: 'running' }));
  expect((await jobs.ended('running')).TrainingJobStatus).toBe('Stopped');
});

test('targets that are not fit are refused, and left as they are', async () => {
  const { files, data } = jobs.server;
  writeFileSync(join(files, 'file'), 'x');
  for (const [target, problem] of [
    ['file', 'a folder, not a file'],
    ['.', 'does not exist, or is empty'],
    [join(data, 'inside'), 'a folder outside of'],
    [data, 'a folder outside of'],
  ] as const) {
    const { code, stderr } = await backup(target);
    expect([target, code, stderr]).toEqual([target, 1, expect.stringContaining(problem)]);
  }
  const none = await runTrenio(jobs.server, ['server', 'backup', 'new', '--data', files]);
  expect(none.stderr).toContain('expected the folder of a server');
  expect(readdirSync(files)).not.toContain('new');
});
