// Training jobs of the job server on a cluster, submitted with the aws command: the states of SageMaker and Slurm, a stop, a
// preemption, a lost node, and a restarted server.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StopTrainingJobCommand } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestOf, spot, steps, TrainingJobs } from '../src/api/aws/sagemaker/training-jobs.testing.ts';
import { clusterDetail } from '../src/api/console/cluster-views.ts';
import { parseIdentity } from '../src/base/process-identity.ts';
import { ClusterFolder } from '../src/clusters/cluster-folder.ts';
import { createCluster, deleteCluster } from '../src/clusters/cluster-life.ts';
import { parseConfig } from '../src/clusters/config/parse-config.ts';
import { canMakeClusters, smallCluster } from '../src/clusters/example-config.testing.ts';
import { SlurmClient } from '../src/clusters/slurm/slurm-client.ts';
import { slurmEngine } from '../src/clusters/training/slurm-engine.ts';
import { transitionsOf } from '../src/jobs/training/training-job.ts';

const run = promisify(execFile);
const large = (count: number) => ({
  ResourceConfig: { InstanceType: 'ml.trn1.32xlarge', InstanceCount: count, VolumeSizeInGB: 1 } as const,
});
const whole = ['Starting', 'Downloading', 'Training', 'Uploading', 'Completed'];

describe.skipIf(!canMakeClusters() && process.env.CI === undefined)('the engine slurm', { timeout: 600_000 }, () => {
  const work = mkdtempSync(join(tmpdir(), 'trenio-engine-'));
  const root = join(work, 'clusters');
  const folder = new ClusterFolder(join(root, 'demo'));
  const slurm = new SlurmClient(folder.conf);
  let jobs: TrainingJobs;
  const slurmState = (name: string): Promise<string> =>
    slurm.run('squeue', '-h', '-t', 'all', `--name=${name}`, '-o', '%T');

  beforeAll(async () => {
    const text = smallCluster(2);
    const { file } = parseConfig(text, 'demo');
    const { signal } = new AbortController();
    await createCluster({ root, name: 'demo', text, file: file!, region: 'us-east-1', report: () => {}, signal });
    jobs = await TrainingJobs.start({ engine: await slurmEngine(root, 'demo', work), graceMs: 5000 });
  }, 600_000);
  afterAll(async () => {
    expect(await slurm.jobs()).toEqual([]);
    await jobs[Symbol.asyncDispose]();
    await deleteCluster(root, 'demo', () => {});
    rmSync(work, { recursive: true, force: true });
  }, 600_000);

  test('a job on two hosts waits for nodes, runs on both, and writes its output to CloudWatch Logs', async () => {
    const aws = async (...words: readonly string[]): Promise<string> =>
      (await run('aws', ['--endpoint-url', jobs.server.url, ...words], { env: jobs.server.variables() })).stdout;
    // Another job holds the nodes: the SageMaker job is Starting while the Slurm job is PENDING.
    const other = await slurm.submit(
      '#!/bin/sh\n#SBATCH -p train -N2 --exclusive --output=/dev/null\nsleep 600\n',
      work,
    );
    while ((await slurm.jobs())[0]?.state !== 'RUNNING') await sleep(100);
    const request = join(work, 'request.json');
    writeFileSync(request, JSON.stringify(requestOf('two', large(2))));
    await aws('sagemaker', 'create-training-job', '--cli-input-json', `file://${request}`);
    while ((await slurmState('sagemaker-two-1')) !== 'PENDING') await sleep(100);
    await expect
      .poll(() => clusterDetail(root, 'demo'), { timeout: 300_000 })
      .toMatchObject({
        problem: null,
        nodes: [
          { name: 'spare-st-trn1-1', state: 'idle' },
          { name: 'spare-st-trn1-2', state: 'idle' },
          { name: 'train-st-trn1-1', queue: 'train', instanceType: 'trn1.32xlarge', state: 'busy' },
          { name: 'train-st-trn1-2', state: 'busy' },
        ],
        jobs: expect.arrayContaining([
          expect.objectContaining({ name: 'sagemaker-two-1', reason: 'waits until enough nodes are free' }),
        ]),
        users: [{ nodes: 2 }],
      });
    const waiting = JSON.parse(await aws('sagemaker', 'describe-training-job', '--training-job-name', 'two'));
    expect([waiting.TrainingJobStatus, waiting.SecondaryStatus]).toEqual(['InProgress', 'Starting']);
    // The reason is that of the queue.
    await expect
      .poll(() => transitionsOf(jobs.stored('two')).at(-1)!.message, { timeout: 180_000 })
      .toBe("Starting the training job (waiting: in the cluster's queue: waits until enough nodes are free)");
    await slurm.run('scancel', String(other));
    const ended = await jobs.ended('two');
    expect(ended.FailureReason).toBeUndefined();
    expect(steps(ended)).toEqual(whole);
    expect(await slurmState('sagemaker-two-1')).toBe('COMPLETED');
    const said = await aws(
      'logs',
      'filter-log-events',
      '--log-group-name',
      '/aws/sagemaker/TrainingJobs',
      '--output',
      'text',
    );
    for (const host of ['algo-1', 'algo-2']) expect(said).toContain(`host ${host} of ["algo-1","algo-2"]`);
  });

  test('a failure and a stop end the Slurm job; a scancel stops the SageMaker job', async () => {
    await jobs.create('fails', { ...large(1), HyperParameters: { fail: 'no such column' } });
    const failed = await jobs.ended('fails');
    expect(failed.FailureReason).toBe('AlgorithmError: no such column, exit code: 3');
    await jobs.create('long', { ...large(2), HyperParameters: { seconds: '600' } });
    await jobs.line('long', 'from the start');
    await jobs.sagemaker.send(new StopTrainingJobCommand({ TrainingJobName: 'long' }));
    expect((await jobs.ended('long')).SecondaryStatus).toBe('Stopped');
    expect(jobs.lines('long')).toContain('SIGTERM');
    await jobs.create('canceled', { ...large(1), HyperParameters: { seconds: '600' } });
    await jobs.line('canceled', 'from the start');
    await slurm.run('scancel', '--name=sagemaker-canceled-1');
    expect(steps(await jobs.ended('canceled')).slice(2)).toEqual(['Training', 'Stopping', 'Uploading', 'Stopped']);
    const other = await slurm.submit(
      '#!/bin/sh\n#SBATCH -p train -N2 --exclusive --output=/dev/null\nsleep 600\n',
      work,
    );
    while (!(await slurm.jobs()).some(({ id, state }) => id === other && state === 'RUNNING')) await sleep(100);
    await jobs.create('waiting', large(1));
    while ((await slurmState('sagemaker-waiting-1')) !== 'PENDING') await sleep(100);
    await slurm.run('scancel', '--name=sagemaker-waiting-1');
    await slurm.run('scancel', String(other));
    expect(steps(await jobs.ended('waiting'))).toEqual(['Starting', 'Stopping', 'Stopped']);
  });

  test('a spot job that Slurm preempts becomes Interrupted, and continues from its checkpoint', async () => {
    await slurm.run(
      'scontrol',
      'create',
      'PartitionName=urgent',
      'Nodes=spare-st-trn1-[1-2]',
      'PriorityTier=100',
      'PreemptMode=OFF',
    );
    await jobs.create('spot', { ...spot('spot'), HyperParameters: { seconds: '600', saving: '1' } });
    await jobs.line('spot', 'from the start');
    await slurm.submit('#!/bin/sh\n#SBATCH -p urgent -N2 --exclusive --output=/dev/null\nsleep 1\n', work);
    await jobs.line('spot', 'resumed from what SIGTERM saved');
    await jobs.sagemaker.send(new StopTrainingJobCommand({ TrainingJobName: 'spot' }));
    expect(steps(await jobs.ended('spot'))).toEqual([
      ...['Starting', 'Downloading', 'Training', 'Interrupted', 'Starting', 'Downloading', 'Training'],
      ...['Stopping', 'Uploading', 'Stopped'],
    ]);
  });

  test('a lost node is an internal error, and RetryStrategy retries the job; a restarted server continues its jobs', async () => {
    const retried = {
      RetryStrategy: { MaximumRetryAttempts: 1 },
      CheckpointConfig: { S3Uri: 's3://data/checkpoints/lost' },
    };
    await jobs.create('lost', { ...large(1), ...retried, HyperParameters: { seconds: '600' } });
    await jobs.line('lost', 'from the start');
    await jobs.restart();
    const [running] = (await slurm.jobs()).filter(({ name }) => name === 'sagemaker-lost-1');
    // Checkpoints are copied every few seconds.
    const all = { prefix: 'checkpoints/lost', delimiter: '', maxKeys: 10, after: '' };
    while (!jobs.server.service.objects.list('data', all).objects.length) await sleep(100);
    const node = parseIdentity(folder.processes().nodes[running!.nodes]!.process)!;
    process.kill(node.pid, 'SIGKILL');
    await jobs.line('lost', 'resumed from lost');
    await jobs.sagemaker.send(new StopTrainingJobCommand({ TrainingJobName: 'lost' }));
    expect(steps(await jobs.ended('lost')).slice(0, 6)).toEqual([
      ...['Starting', 'Downloading', 'Training', 'Restarting', 'Downloading', 'Training'],
    ]);
  });
});
