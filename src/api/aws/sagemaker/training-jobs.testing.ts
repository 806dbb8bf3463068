// A job service with a bucket, and helpers for testing its training jobs.
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  CreateTrainingJobCommand,
  type CreateTrainingJobCommandInput,
  DescribeTrainingJobCommand,
  type DescribeTrainingJobCommandOutput,
  SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import { create as createArchive } from 'tar';
import { LOG_GROUP } from '../../../jobs/training/attempt-record.ts';
import { isFinal } from '../../../jobs/training/state-machine.ts';
import type { TrainingJob } from '../../../jobs/training/training-job.ts';
import { adminKey, startTestServer, type TestServer, type TestServerOptions } from '../aws-server.testing.ts';
import type { AccessKey } from '../signature/access-keys.ts';
import { callTrenio } from '../trenio/trenio-call.testing.ts';

/** The command of the image `local/train:1`, controlled by its hyperparameters. */
export const program = fileURLToPath(new URL('./fixtures/train.mjs', import.meta.url));

type Changes = Partial<CreateTrainingJobCommandInput>;

export class TrainingJobs implements AsyncDisposable {
  server: TestServer;
  sagemaker: SageMakerClient;

  private constructor(server: TestServer) {
    this.server = server;
    this.sagemaker = clientOf(server);
  }

  /** With a bucket `data`. */
  static async start({ images, ...options }: TestServerOptions = {}): Promise<TrainingJobs> {
    const jobs = new TrainingJobs(
      await startTestServer({
        ...options,
        images: { 'local/train:1': { kind: 'command', train: [process.execPath, program] }, ...images },
      }),
    );
    jobs.server.service.objects.createBucket('data');
    return jobs;
  }

  create(name: string, changes: Changes = {}) {
    return this.sagemaker.send(new CreateTrainingJobCommand(requestOf(name, changes)));
  }

  show(name: string): Promise<DescribeTrainingJobCommandOutput> {
    return this.sagemaker.send(new DescribeTrainingJobCommand({ TrainingJobName: name }));
  }

  interrupt(name: string, key: AccessKey = adminKey): Promise<unknown> {
    return callTrenio(this.server.url, key, 'InterruptTrainingJob', { TrainingJobName: name });
  }

  cost(name: string): Promise<unknown> {
    return callTrenio(this.server.url, adminKey, 'DescribeTrainingJobCost', { TrainingJobName: name });
  }

  /** The stored job. */
  stored(name: string): TrainingJob {
    return this.server.service.jobs.training.get(name)!;
  }

  /** Resolves when the job is in a state. */
  async until(name: string, ...states: readonly TrainingJob['secondary'][]): Promise<TrainingJob> {
    for (;;) {
      const job = this.stored(name);
      if (states.includes(job.secondary)) return job;
      if (isFinal(job.secondary)) throw new Error(`${name} is ${job.secondary} (${job.failureReason}), not ${states}`);
      await sleep(20);
    }
  }

  async ended(name: string): Promise<DescribeTrainingJobCommandOutput> {
    await this.until(name, 'Completed', 'Failed', 'Stopped', 'MaxRuntimeExceeded', 'MaxWaitTimeExceeded');
    return this.show(name);
  }

  /** Everything that the hosts printed, in order. */
  lines(name: string): readonly string[] {
    const { logs } = this.server.service;
    const streams = logs.streams(LOG_GROUP, `${name}/`).map(stream => stream.name);
    return logs
      .events(LOG_GROUP, { streams, fromMs: undefined, toMs: undefined, contains: [], limit: 100_000 })
      .map(({ message }) => message);
  }

  /** Resolves when the job has printed a line with this text. */
  async line(name: string, text: string): Promise<void> {
    while (!this.lines(name).some(one => one.includes(text))) {
      const { secondary, failureReason } = this.stored(name);
      if (isFinal(secondary)) throw new Error(`${name} is ${secondary} (${failureReason}) without a line '${text}'`);
      await sleep(20);
    }
  }

  /** Stores an archive with one file, as job code. */
  async putCode(key: string, file: string): Promise<void> {
    const archive = createArchive({ cwd: dirname(file), gzip: true, portable: true }, [basename(file)]);
    await this.server.service.objects.put('data', key, Readable.from(archive));
  }

  async restart(): Promise<void> {
    this.sagemaker.destroy();
    this.server = await this.server.restart();
    this.sagemaker = clientOf(this.server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.sagemaker.destroy();
    await this.server[Symbol.asyncDispose]();
  }
}

const clientOf = ({ url }: TestServer): SageMakerClient =>
  new SageMakerClient({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: adminKey.id, secretAccessKey: adminKey.secret },
  });

export const requestOf = (name: string, changes: Changes = {}): CreateTrainingJobCommandInput => ({
  TrainingJobName: name,
  RoleArn: 'arn:aws:iam::123456789012:role/trainer',
  AlgorithmSpecification: { TrainingImage: 'local/train:1', TrainingInputMode: 'File' },
  OutputDataConfig: { S3OutputPath: 's3://data/out' },
  ResourceConfig: { InstanceType: 'ml.trn1.2xlarge', InstanceCount: 1, VolumeSizeInGB: 1 },
  StoppingCondition: { MaxRuntimeInSeconds: 60 },
  ...changes,
});

/** The settings of a spot job with checkpoints. */
export const spot = (name: string, maxWaitSeconds = 120, maxRuntimeSeconds = 60): Changes => ({
  EnableManagedSpotTraining: true,
  StoppingCondition: { MaxRuntimeInSeconds: maxRuntimeSeconds, MaxWaitTimeInSeconds: maxWaitSeconds },
  CheckpointConfig: { S3Uri: `s3://data/checkpoints/${name}` },
});

/** The states that a job has been in. */
export const steps = (job: DescribeTrainingJobCommandOutput) =>
  job.SecondaryStatusTransitions!.map(({ Status }) => Status);

export const errorOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: Error) => `${error.name}: ${error.message}`,
  );
