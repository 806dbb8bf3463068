// Warm pools: which jobs reuse the instances, and their cost. Restarts after internal errors. Retried requests.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AddTagsCommand,
  CreateTrainingJobCommand,
  type CreateTrainingJobCommandInput,
  DeleteTrainingJobCommand,
  ListTagsCommand,
  ListTrainingJobsCommand,
  StopTrainingJobCommand,
  UpdateTrainingJobCommand,
} from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf, requestOf, spot, steps, TrainingJobs } from './training-jobs.testing.ts';

let jobs: TrainingJobs;
let skippedMs = 0;

beforeAll(async () => {
  jobs = await TrainingJobs.start({
    pool: {
      instances: [
        { type: 'ml.trn1.2xlarge', count: 4 },
        { type: 'ml.p4d.24xlarge', count: 1 },
      ],
    },
    graceMs: 500,
  });
});
afterAll(() => jobs[Symbol.asyncDispose]());

const warm = (keepAlive: number | undefined): Partial<CreateTrainingJobCommandInput> => ({
  ResourceConfig: {
    InstanceType: 'ml.p4d.24xlarge',
    InstanceCount: 1,
    VolumeSizeInGB: 1,
    ...(keepAlive === undefined ? {} : { KeepAlivePeriodInSeconds: keepAlive }),
  },
});
const sleeps = (seconds: number) => ({ HyperParameters: { seconds: `${seconds}` } });
const update = (name: string, KeepAlivePeriodInSeconds: number) =>
  jobs.sagemaker.send(
    new UpdateTrainingJobCommand({ TrainingJobName: name, ResourceConfig: { KeepAlivePeriodInSeconds } }),
  );
const remove = (name: string) => jobs.sagemaker.send(new DeleteTrainingJobCommand({ TrainingJobName: name }));
const namesWith = async (status: 'Available' | 'Reused' | 'Terminated' | 'InUse') =>
  (
    await jobs.sagemaker.send(new ListTrainingJobsCommand({ WarmPoolStatusEquals: status, MaxResults: 100 }))
  ).TrainingJobSummaries!.map(job => job.TrainingJobName);

describe('warm pools', () => {
  test('a matching job reuses the instances, others wait, an update ends the pool', async () => {
    await jobs.create('w1', { ...warm(3600), ...sleeps(1) });
    await jobs.until('w1', 'Training');
    expect((await jobs.show('w1')).WarmPoolStatus).toEqual({ Status: 'InUse' });
    expect((await jobs.ended('w1')).WarmPoolStatus).toMatchObject({ Status: 'Available' });
    // The only instance is in the pool: a job with another role waits for it, a matching job does not.
    await jobs.create('other', { ...warm(undefined), RoleArn: 'arn:aws:iam::123456789012:role/other' });
    await jobs.create('w2', { ...warm(3600), ...sleeps(1) });
    await jobs.until('w2', 'Training');
    expect((await jobs.show('w1')).WarmPoolStatus).toMatchObject({ Status: 'Reused', ReusedByJob: 'w2' });
    expect((await jobs.show('w2')).WarmPoolStatus).toEqual({ Status: 'InUse' });
    await jobs.ended('w2');
    expect(jobs.stored('other').secondary).toBe('Starting');
    expect(await namesWith('Available')).toEqual(['w2']);
    expect(await errorOf(remove('w2'))).toContain('ResourceInUse: The training job has a warm pool that is Available');
    expect((await update('w2', 0)).TrainingJobArn).toBe('arn:aws:sagemaker:us-east-1:123456789012:training-job/w2');
    const after = await jobs.show('w2');
    expect(after.WarmPoolStatus).toMatchObject({ Status: 'Terminated' });
    expect(after.ResourceConfig?.KeepAlivePeriodInSeconds).toBe(0);
    expect(after.WarmPoolStatus?.ResourceRetainedBillableTimeInSeconds).toBeGreaterThanOrEqual(0);
    expect((await jobs.ended('other')).WarmPoolStatus).toBe(undefined);
    await remove('w2');
    expect(await errorOf(update('other', 10))).toContain('has no warm pool that is Available or InUse');
    expect(await errorOf(update('none', 10))).toContain('Requested resource not found.');
  });

  test('a pool ends after its period, also while no server runs, and is billed for it', async () => {
    await jobs.create('short', warm(1));
    await jobs.ended('short');
    await sleep(1600);
    await jobs.restart();
    while (jobs.stored('short').warmPool?.status === 'Available') await sleep(50);
    expect((await jobs.show('short')).WarmPoolStatus).toEqual({
      Status: 'Terminated',
      ResourceRetainedBillableTimeInSeconds: 1,
    });
  });

  test('a failed program keeps its pool; spot jobs have none', async () => {
    await jobs.create('failed', { ...warm(3600), HyperParameters: { fail: 'no data' } });
    expect((await jobs.ended('failed')).WarmPoolStatus).toMatchObject({ Status: 'Available' });
    await update('failed', 0);
    expect(await errorOf(jobs.create('cold', { ...spot('cold'), ...warm(60) }))).toContain(
      'KeepAlivePeriodInSeconds is not supported when EnableManagedSpotTraining is set to true',
    );
  });
});

describe('internal errors', () => {
  const killRunner = async (name: string): Promise<void> => {
    const { runner } = await jobs.until(name, 'Training');
    await jobs.line(name, 'host ');
    process.kill(runner!.process!.pid, 'SIGKILL');
  };

  test('a job whose runner is killed fails, and leaves nothing behind', async () => {
    await jobs.create('lost', { ...warm(60), HyperParameters: { seconds: '31.4159' } });
    await killRunner('lost');
    const job = await jobs.ended('lost');
    expect(job.FailureReason).toBe('InternalServerError: We encountered an internal error. Please try again.');
    expect(job.WarmPoolStatus).toBe(undefined);
    expect(job.BillableTimeInSeconds).toBeLessThanOrEqual(job.TrainingTimeInSeconds!);
    expect(spawnSync('pgrep', ['-f', `${jobs.server.folder}/data/runs/lost-`]).stdout.toString()).toBe('');
  });

  test('with a RetryStrategy it restarts from its checkpoint', async () => {
    await jobs.create('retried', {
      ...sleeps(2),
      RetryStrategy: { MaximumRetryAttempts: 2 },
      CheckpointConfig: { S3Uri: 's3://data/checkpoints/retried' },
    });
    await killRunner('retried');
    await jobs.until('retried', 'Restarting');
    const job = await jobs.ended('retried');
    expect(job).toMatchObject({ TrainingJobStatus: 'Completed', RetryStrategy: { MaximumRetryAttempts: 2 } });
    expect(steps(job)).toEqual([
      'Starting',
      'Downloading',
      'Training',
      'Restarting',
      'Downloading',
      'Training',
      'Uploading',
      'Completed',
    ]);
  });

  test('program failures are not retried; time is counted over all attempts', async () => {
    await jobs.create('bad', { RetryStrategy: { MaximumRetryAttempts: 2 }, HyperParameters: { fail: 'bad' } });
    expect(await jobs.ended('bad')).toMatchObject({ FailureReason: 'AlgorithmError: bad, exit code: 3' });
    expect(jobs.stored('bad').attempt).toBe(1);
    await jobs.create('limited', {
      ...sleeps(300),
      RetryStrategy: { MaximumRetryAttempts: 1 },
      StoppingCondition: { MaxRuntimeInSeconds: 12 },
    });
    await jobs.line('limited', 'host ');
    await sleep(2000);
    await killRunner('limited');
    const job = await jobs.ended('limited');
    expect([job.SecondaryStatus, jobs.stored('limited').attempt]).toEqual(['MaxRuntimeExceeded', 2]);
    expect(jobs.stored('limited').billedMs).toBeLessThan(12_000 + 12_000);
  });
});

test('a job waits no longer than MaxPendingTimeInSeconds', async () => {
  await using own = await TrainingJobs.start({
    pool: { instances: [{ type: 'ml.trn1.2xlarge', count: 1 }] },
    now: () => Date.now() + skippedMs,
    steadyNow: () => performance.now() + skippedMs,
  });
  await own.create('runs', sleeps(3));
  await own.until('runs', 'Training');
  await own.create('waits', { StoppingCondition: { MaxRuntimeInSeconds: 60, MaxPendingTimeInSeconds: 7200 } });
  skippedMs = 7_201_000;
  await own.until('waits', 'Stopped');
  skippedMs = 0;
  expect(await own.ended('waits')).toMatchObject({
    TrainingJobStatus: 'Stopped',
    StoppingCondition: { MaxRuntimeInSeconds: 60, MaxPendingTimeInSeconds: 7200 },
  });
  expect(own.stored('waits').transitions.at(-1)!.message).toContain('MaxPendingTimeInSeconds');
});

test('retried requests get the same response; another request for the same name is rejected', async () => {
  const command = () => new CreateTrainingJobCommand(requestOf('Twice', sleeps(20)));
  // Between the SDK's own retry logic, which sets the invocation id, and its signature.
  const repeated = <T extends object>(made: T, id: string): T => {
    const { middlewareStack } = made as { readonly middlewareStack: { addRelativeTo(...args: unknown[]): void } };
    middlewareStack.addRelativeTo(
      (next: (args: unknown) => unknown) => (args: { request: { headers: Record<string, string> } }) => {
        args.request.headers['amz-sdk-invocation-id'] = id;
        return next(args);
      },
      { relation: 'after', toMiddleware: 'retryMiddleware' },
    );
    return made;
  };
  const first = await jobs.sagemaker.send(repeated(command(), 'a'));
  expect((await jobs.sagemaker.send(repeated(command(), 'a'))).TrainingJobArn).toBe(first.TrainingJobArn);
  await jobs.restart();
  expect((await jobs.sagemaker.send(repeated(command(), 'a'))).TrainingJobArn).toBe(first.TrainingJobArn);
  expect(await errorOf(jobs.sagemaker.send(repeated(command(), 'b')))).toContain('ResourceInUse');
  expect(await errorOf(jobs.create('twice'))).toContain('ResourceInUse');
  const stop = () => new StopTrainingJobCommand({ TrainingJobName: 'Twice' });
  await jobs.sagemaker.send(repeated(stop(), 'c'));
  await jobs.ended('Twice');
  await jobs.sagemaker.send(repeated(stop(), 'c'));
  expect(await errorOf(jobs.sagemaker.send(repeated(stop(), 'd')))).toContain('is in status Stopped');
  const deletion = () => new DeleteTrainingJobCommand({ TrainingJobName: 'Twice' });
  await jobs.sagemaker.send(repeated(deletion(), 'e'));
  await jobs.sagemaker.send(repeated(deletion(), 'e'));
  expect(await errorOf(jobs.sagemaker.send(repeated(deletion(), 'f')))).toContain('Requested resource not found.');
});

test('a job that is stopped while its runner starts', async () => {
  await jobs.create('early', sleeps(20));
  while (jobs.stored('early').runner === undefined) await sleep(1);
  expect(jobs.stored('early').secondary).toBe('Starting');
  await jobs.sagemaker.send(new StopTrainingJobCommand({ TrainingJobName: 'early' }));
  expect(steps(await jobs.ended('early'))).toEqual(['Starting', 'Stopping', 'Stopped']);
  expect(jobs.server.log.filter(line => line.includes('early'))).toEqual([]);
  // The runner's output is kept; it removes an empty file at its end.
  const output = `${jobs.server.folder}/data/runs/early-1.log`;
  while (statSync(output, { throwIfNoEntry: false })?.size === 0) await sleep(20);
  expect(existsSync(output)).toBe(false);
});

test('tags of a job with capitals in its name', async () => {
  const { TrainingJobArn } = await jobs.create('CamelCase', { Tags: [{ Key: 'a', Value: '1' }] });
  expect(TrainingJobArn).toMatch(/camelcase$/);
  await jobs.sagemaker.send(new AddTagsCommand({ ResourceArn: TrainingJobArn, Tags: [{ Key: 'b', Value: '2' }] }));
  const { Tags } = await jobs.sagemaker.send(new ListTagsCommand({ ResourceArn: TrainingJobArn }));
  expect(Tags).toEqual([
    { Key: 'a', Value: '1' },
    { Key: 'b', Value: '2' },
  ]);
  await jobs.ended('CamelCase');
});
