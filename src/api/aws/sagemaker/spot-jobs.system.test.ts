// Managed spot training: interruptions, resuming from checkpoints, billing, maximum waits.
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StopTrainingJobCommand } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readerKey } from '../aws-server.testing.ts';
import { errorOf, spot, steps, TrainingJobs } from './training-jobs.testing.ts';

const script = fileURLToPath(new URL('./fixtures/train-trenio.ts', import.meta.url));
let jobs: TrainingJobs;

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

const onP4 = { ResourceConfig: { InstanceType: 'ml.p4d.24xlarge', InstanceCount: 1, VolumeSizeInGB: 1 } } as const;
const sleeps = (seconds: number) => ({ HyperParameters: { seconds: `${seconds}` } });

describe('spot jobs', () => {
  test('an interrupted job resumes bit-identically from its checkpoint', async () => {
    await using own = await TrainingJobs.start({ graceMs: 60_000 });
    await own.putCode('code/sourcedir.tar.gz', script);
    const training = (pause: string) => ({
      AlgorithmSpecification: { TrainingImage: 'trenio', TrainingInputMode: 'File' } as const,
      HyperParameters: {
        sagemaker_program: basename(script),
        sagemaker_submit_directory: 's3://data/code/sourcedir.tar.gz',
        steps: '30',
        pause,
      },
    });
    await own.create('whole', { ...spot('whole', 600, 300), ...training('0') });
    await own.create('interrupted', { ...spot('interrupted', 600, 300), ...training('100') });
    await own.line('interrupted', 'step 7:');
    await own.interrupt('interrupted');
    const [whole, interrupted] = [await own.ended('whole'), await own.ended('interrupted')];
    expect([whole.FailureReason, interrupted.FailureReason]).toEqual([undefined, undefined]);
    expect(steps(interrupted)).toEqual([
      'Starting',
      'Downloading',
      'Training',
      'Interrupted',
      'Starting',
      'Downloading',
      'Training',
      'Uploading',
      'Completed',
    ]);
    const computed = (name: string, prefix: string) => own.lines(name).filter(text => text.startsWith(prefix));
    const [, second] = computed('interrupted', 'starts at step ');
    expect(Number(second!.split(' ').at(-1))).toBeGreaterThanOrEqual(8);
    // It saved at the signal: no step was computed twice.
    expect(computed('whole', 'step ')).toHaveLength(30);
    expect(computed('interrupted', 'step ')).toEqual(computed('whole', 'step '));
    expect(computed('whole', 'weights ').join('').length).toBeGreaterThan(100);
    expect(computed('interrupted', 'weights ')).toEqual(computed('whole', 'weights '));
    // Spot instances of this type cost less than a fifth of the on-demand price.
    expect(interrupted.TrainingTimeInSeconds! / interrupted.BillableTimeInSeconds!).toBeGreaterThan(2);
    // Claimed, predicted and measured.
    while (own.stored('interrupted').predicted === undefined) await new Promise(done => setTimeout(done, 50));
    const cost = await own.cost('interrupted');
    expect(cost).toMatchObject({
      InstanceType: 'ml.trn1.2xlarge',
      Claimed: { BillableTimeInSeconds: interrupted.BillableTimeInSeconds },
      PredictedReason: null,
      Predicted: { FitsInMemory: true },
      Measured: { Steps: 30, TrainingTimeInSeconds: interrupted.TrainingTimeInSeconds },
    });
    const { Claimed, Predicted } = cost as { Claimed: Record<string, number>; Predicted: Record<string, number> };
    expect(Claimed.Usd).toBeCloseTo((Claimed.UsdPerInstanceHour! / 3600) * Claimed.BillableTimeInSeconds!, 5);
    expect(Claimed.SavingsPercent).toBeGreaterThan(50);
    // 30 steps of 16 samples on one process are 15 on the two NeuronCores.
    expect(Predicted.Seconds! / Predicted.StepSeconds!).toBeCloseTo(15);
  });

  test('a program that ignores SIGTERM is killed; a repeatedly interrupted job can be stopped', async () => {
    await jobs.create('stubborn', { ...spot('stubborn'), HyperParameters: { seconds: '50', ignore: '1' } });
    for (let i = 1; i <= 2; i++) {
      await jobs.until('stubborn', 'Training');
      while (jobs.lines('stubborn').filter(text => text.startsWith('host ')).length < i)
        await new Promise(done => setTimeout(done, 20));
      expect(await jobs.interrupt('stubborn')).toEqual({});
      expect(await errorOf(jobs.interrupt('stubborn'))).toBe('no error');
      await jobs.until('stubborn', 'Interrupted', 'Starting', 'Downloading');
    }
    await jobs.sagemaker.send(new StopTrainingJobCommand({ TrainingJobName: 'stubborn' }));
    const job = await jobs.ended('stubborn');
    expect(job.TrainingJobStatus).toBe('Stopped');
    expect(steps(job).filter(state => state === 'Interrupted')).toHaveLength(2);
  });

  test('a job waits no longer than MaxWaitTimeInSeconds in total', async () => {
    await jobs.create('first', { ...onP4, ...sleeps(4) });
    await jobs.until('first', 'Training');
    await jobs.create('waits', { ...onP4, ...spot('waits', 1, 1) });
    expect(await jobs.ended('waits')).toMatchObject({
      TrainingJobStatus: 'Stopped',
      SecondaryStatus: 'MaxWaitTimeExceeded',
      StoppingCondition: { MaxRuntimeInSeconds: 1, MaxWaitTimeInSeconds: 1 },
    });
    expect(jobs.stored('waits').billedMs).toBe(0);
    // It gets its instances late, and runs out of time while it trains.
    await jobs.create('late', { ...onP4, ...spot('late', 6, 6), ...sleeps(50) });
    const late = await jobs.ended('late');
    expect(late.SecondaryStatus).toBe('MaxWaitTimeExceeded');
    expect(steps(late)).toEqual([
      'Starting',
      'Downloading',
      'Training',
      'Stopping',
      'Uploading',
      'MaxWaitTimeExceeded',
    ]);
  });

  test('jobs that cannot be interrupted', async () => {
    await jobs.create('on-demand', sleeps(1));
    expect(await errorOf(jobs.interrupt('on-demand'))).toContain(
      'ValidationException: The training job on-demand does not use managed spot training',
    );
    expect(await errorOf(jobs.interrupt('nothing'))).toContain('ValidationException: Requested resource not found.');
    await jobs.create('done', spot('done'));
    await jobs.ended('done');
    expect(await errorOf(jobs.interrupt('done'))).toContain('is in status Completed (Completed); only a job that');
    expect(await errorOf(jobs.interrupt('done', readerKey))).toContain('AccessDeniedException');
  });
});

test('interruptions from the pool file occur at the same time of an attempt in every run', {
  timeout: 180_000,
}, async () => {
  await using own = await TrainingJobs.start({ pool: { spot: { afterSeconds: [0, 0], awaySeconds: 1 } } });
  await own.create('often', { ...spot('often'), ...sleeps(1) });
  const job = await own.ended('often');
  expect(job.SecondaryStatus).toBe('Completed');
  const states = job.SecondaryStatusTransitions!;
  const away = states.filter(({ Status }) => Status === 'Interrupted');
  expect(away).toHaveLength(2);
  for (const { StartTime, EndTime } of away)
    expect(EndTime!.getTime() - StartTime!.getTime()).toBeGreaterThanOrEqual(1000);
  expect(own.stored('often').attempt).toBe(3);
});
