// Training jobs with the AWS SDK for JavaScript and the `aws` command: created, run, monitored, stopped, listed.
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  CloudWatchLogsClient,
  DescribeLogStreamsCommand,
  FilterLogEventsCommand,
  GetLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  AddTagsCommand,
  CreateTrainingJobCommand,
  type CreateTrainingJobCommandInput,
  DeleteTagsCommand,
  DeleteTrainingJobCommand,
  DescribeTrainingJobCommand,
  type DescribeTrainingJobCommandOutput,
  ListTagsCommand,
  ListTrainingJobsCommand,
  SageMakerClient,
  type SageMakerServiceException,
  StopTrainingJobCommand,
  type TrainingJobStatus,
} from '@aws-sdk/client-sagemaker';
import { list } from 'tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inheritedVariables } from '../../../base/environment.ts';
import { adminKey, readerKey, startTestServer, type TestServer } from '../aws-server.testing.ts';

const program = fileURLToPath(new URL('./fixtures/train.mjs', import.meta.url));
const run = promisify(execFile);
let server: TestServer;
let sagemaker: SageMakerClient;
let logs: CloudWatchLogsClient;
let s3: S3Client;
const group = '/aws/sagemaker/TrainingJobs';

beforeAll(async () => {
  server = await startTestServer({
    images: { 'local/train:1': { kind: 'command', train: [process.execPath, program] } },
    pool: {
      instances: [
        { type: 'ml.trn1.2xlarge', count: 2 },
        { type: 'ml.p4d.24xlarge', count: 1 },
      ],
    },
  });
  const config = {
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: adminKey.id, secretAccessKey: adminKey.secret },
  };
  sagemaker = new SageMakerClient(config);
  logs = new CloudWatchLogsClient(config);
  s3 = new S3Client(config);
  const { objects } = server.service;
  objects.createBucket('data');
  for (const name of ['a', 'b']) await objects.put('data', `train/${name}`, bodyOf(name));
});
afterAll(async () => {
  for (const client of [sagemaker, logs, s3]) client.destroy();
  expect(server.log).toEqual([]);
  await server[Symbol.asyncDispose]();
});

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const request = (
  name: string,
  changes: Partial<CreateTrainingJobCommandInput> = {},
): CreateTrainingJobCommandInput => ({
  TrainingJobName: name,
  RoleArn: 'arn:aws:iam::123456789012:role/trainer',
  AlgorithmSpecification: {
    TrainingImage: 'local/train:1',
    TrainingInputMode: 'File',
    MetricDefinitions: [{ Name: 'loss', Regex: 'loss=([0-9.]+);' }],
  },
  InputDataConfig: [
    {
      ChannelName: 'train',
      DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://data/train/' } },
    },
  ],
  OutputDataConfig: { S3OutputPath: 's3://data/out' },
  ResourceConfig: { InstanceType: 'ml.trn1.2xlarge', InstanceCount: 1, VolumeSizeInGB: 1 },
  StoppingCondition: { MaxRuntimeInSeconds: 60 },
  ...changes,
});
const create = (name: string, changes?: Partial<CreateTrainingJobCommandInput>) =>
  sagemaker.send(new CreateTrainingJobCommand(request(name, changes)));
const show = (name: string) => sagemaker.send(new DescribeTrainingJobCommand({ TrainingJobName: name }));
async function ended(name: string): Promise<DescribeTrainingJobCommandOutput> {
  const final: readonly (TrainingJobStatus | undefined)[] = ['Completed', 'Failed', 'Stopped'];
  for (;;) {
    const job = await show(name);
    if (final.includes(job.TrainingJobStatus)) return job;
    await sleep(100);
  }
}
const linesOf = async (name: string): Promise<readonly string[]> =>
  (await logs.send(new FilterLogEventsCommand({ logGroupName: group, logStreamNamePrefix: `${name}/` }))).events!.map(
    event => event.message!,
  );
const errorOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: SageMakerServiceException) => `${error.name}: ${error.message}`,
  );
const steps = (job: DescribeTrainingJobCommandOutput) => job.SecondaryStatusTransitions!.map(({ Status }) => Status);

describe('training jobs', () => {
  test('a job runs, and stores its model, metrics, times and logs', async () => {
    const { TrainingJobArn } = await create('first', {
      HyperParameters: { lr: '0.1' },
      Tags: [{ Key: 'team', Value: 'nlp' }],
    });
    expect(TrainingJobArn).toBe('arn:aws:sagemaker:us-east-1:123456789012:training-job/first');
    const job = await ended('first');
    expect(job).toMatchObject({
      TrainingJobStatus: 'Completed',
      SecondaryStatus: 'Completed',
      HyperParameters: { lr: '0.1' },
      ModelArtifacts: { S3ModelArtifacts: 's3://data/out/first/output/model.tar.gz' },
    });
    expect(job.FailureReason).toBe(undefined);
    expect(steps(job)).toEqual(['Starting', 'Downloading', 'Training', 'Uploading', 'Completed']);
    expect(job.FinalMetricDataList).toMatchObject([{ MetricName: 'loss', Value: 0.25 }]);
    const { steps: indices, values } = server.service.metrics.points('first', 'loss');
    expect([[...indices], [...values]]).toEqual([
      [0, 1],
      [0.5, 0.25],
    ]);
    expect(job.BillableTimeInSeconds).toBeGreaterThanOrEqual(1);
    expect(job.TrainingEndTime!.getTime()).toBeGreaterThanOrEqual(job.TrainingStartTime!.getTime());
    const lines = await linesOf('first');
    expect(lines).toContain('channel train: a,b');
    expect(lines).toContain('loss=0.5; step 1');
    const model = await s3.send(new GetObjectCommand({ Bucket: 'data', Key: 'out/first/output/model.tar.gz' }));
    const names: string[] = [];
    const archive = join(server.files, 'model.tar.gz');
    writeFileSync(archive, (await model.Body?.transformToByteArray()) ?? '');
    await list({ file: archive, onReadEntry: entry => names.push(entry.path) });
    expect(names).toContain('./algo-1.txt');
  });

  test('two hosts with their own names share the data', async () => {
    await create('two-hosts', {
      ResourceConfig: { InstanceType: 'ml.trn1.2xlarge', InstanceCount: 2, VolumeSizeInGB: 1 },
      InputDataConfig: [
        {
          ChannelName: 'train',
          DataSource: {
            S3DataSource: {
              S3DataType: 'S3Prefix',
              S3Uri: 's3://data/train/',
              S3DataDistributionType: 'ShardedByS3Key',
            },
          },
        },
      ],
    });
    expect((await ended('two-hosts')).TrainingJobStatus).toBe('Completed');
    const { logStreams } = await logs.send(
      new DescribeLogStreamsCommand({ logGroupName: group, logStreamNamePrefix: 'two-hosts/' }),
    );
    expect(logStreams).toHaveLength(2);
    const texts = await Promise.all(
      logStreams!.map(async ({ logStreamName }) => {
        const { events } = await logs.send(
          new GetLogEventsCommand({ logGroupName: group, logStreamName, startFromHead: true }),
        );
        return events!.map(({ message }) => message).join('\n');
      }),
    );
    expect(texts[0]).toContain('channel train: a\n');
    expect(texts[1]).toContain('channel train: b\n');
    for (const text of texts) expect(text).toContain('of ["algo-1","algo-2"]');
  });

  test('a failing program fails its job with its reason', async () => {
    await create('fails', { HyperParameters: { fail: 'the data is bad' } });
    const job = await ended('fails');
    expect(job).toMatchObject({
      TrainingJobStatus: 'Failed',
      SecondaryStatus: 'Failed',
      FailureReason: 'AlgorithmError: the data is bad, exit code: 3',
    });
  });

  test('a stop lets the program exit and keeps its model; another job resumes from its checkpoints', async () => {
    const CheckpointConfig = { S3Uri: 's3://data/checkpoints/' };
    await create('stopped', { HyperParameters: { seconds: '50' }, CheckpointConfig });
    while (!(await linesOf('stopped').catch((): readonly string[] => [])).includes('from the start')) await sleep(100);
    await sagemaker.send(new StopTrainingJobCommand({ TrainingJobName: 'stopped' }));
    const job = await ended('stopped');
    expect(steps(job).slice(-3)).toEqual(['Stopping', 'Uploading', 'Stopped']);
    expect(await linesOf('stopped')).toContain('SIGTERM');
    expect(server.service.objects.head('data', 'out/stopped/output/model.tar.gz').size).toBeGreaterThan(0);
    expect(await errorOf(sagemaker.send(new StopTrainingJobCommand({ TrainingJobName: 'stopped' })))).toBe(
      'ValidationException: The request was rejected because the training job is in status Stopped.',
    );
    await create('continued', { CheckpointConfig });
    await ended('continued');
    expect(await linesOf('continued')).toContain('resumed from stopped');
  });

  test('a job ends at its time limit', async () => {
    await create('slow', { HyperParameters: { seconds: '50' }, StoppingCondition: { MaxRuntimeInSeconds: 1 } });
    expect(await ended('slow')).toMatchObject({ TrainingJobStatus: 'Stopped', SecondaryStatus: 'MaxRuntimeExceeded' });
  });

  test('jobs wait for instances in the order of their creation; a waiting job stops immediately', async () => {
    const ResourceConfig = { InstanceType: 'ml.p4d.24xlarge', InstanceCount: 1, VolumeSizeInGB: 1 } as const;
    for (const [name, seconds] of [
      ['q1', '1'],
      ['q2', '1'],
      ['q3', '0'],
      ['q4', '0'],
    ] as const)
      await create(name, { ResourceConfig, HyperParameters: { seconds } });
    await sagemaker.send(new StopTrainingJobCommand({ TrainingJobName: 'q3' }));
    expect((await show('q3')).SecondaryStatus).toBe('Stopped');
    const [first, second, last] = await Promise.all(['q1', 'q2', 'q4'].map(ended));
    const start = (job: DescribeTrainingJobCommandOutput | undefined) => job!.TrainingStartTime!.getTime();
    const end = (job: DescribeTrainingJobCommandOutput | undefined) => job!.TrainingEndTime!.getTime();
    expect(start(second)).toBeGreaterThanOrEqual(end(first));
    expect(start(last)).toBeGreaterThanOrEqual(end(second));
    expect((await show('q3')).BillableTimeInSeconds).toBe(undefined);
  });

  test('lists, page by page and filtered; tags; deletion', async () => {
    const names: string[] = [];
    let NextToken: string | undefined;
    do {
      const page = await sagemaker.send(
        new ListTrainingJobsCommand({ MaxResults: 3, SortBy: 'Name', SortOrder: 'Descending', NextToken }),
      );
      names.push(...page.TrainingJobSummaries!.map(job => job.TrainingJobName!));
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    expect(names).toEqual(names.toSorted().toReversed());
    expect(names).toContain('first');
    const failed = await sagemaker.send(new ListTrainingJobsCommand({ StatusEquals: 'Failed', NameContains: 'fail' }));
    expect(failed.TrainingJobSummaries!.map(job => job.TrainingJobName)).toEqual(['fails']);
    const ResourceArn = 'arn:aws:sagemaker:us-east-1:123456789012:training-job/first';
    await sagemaker.send(new AddTagsCommand({ ResourceArn, Tags: [{ Key: 'cost', Value: '1' }] }));
    await sagemaker.send(new DeleteTagsCommand({ ResourceArn, TagKeys: ['team'] }));
    expect((await sagemaker.send(new ListTagsCommand({ ResourceArn }))).Tags).toEqual([{ Key: 'cost', Value: '1' }]);
    await sagemaker.send(new DeleteTrainingJobCommand({ TrainingJobName: 'fails' }));
    expect(await errorOf(show('fails'))).toBe('ValidationException: Requested resource not found.');
  });
});

describe('invalid requests are rejected', () => {
  test.each<[string, Partial<CreateTrainingJobCommandInput>, string]>([
    ['a name that exists', { TrainingJobName: 'first' }, 'ResourceInUse: Training job names must be unique'],
    [
      'a name that is malformed',
      { TrainingJobName: '-x' },
      "ValidationException: 1 validation error detected: Value '-x' at 'trainingJobName' failed to satisfy constraint: Member must satisfy regular expression pattern",
    ],
    [
      'an unknown image',
      { AlgorithmSpecification: { TrainingImage: 'x', TrainingInputMode: 'File' } },
      "ValidationException: The training image 'x' is not known",
    ],
    [
      'an instance type that does not exist',
      { ResourceConfig: { InstanceType: 'ml.none.1' as never, InstanceCount: 1, VolumeSizeInGB: 1 } },
      "at 'resourceConfig.instanceType' failed to satisfy constraint: Member must satisfy enum value set: [",
    ],
    [
      'more instances than there are',
      { ResourceConfig: { InstanceType: 'ml.p4d.24xlarge', InstanceCount: 2, VolumeSizeInGB: 1 } },
      "ResourceLimitExceeded: The account-level service limit 'ml.p4d.24xlarge for training job usage' is 1 Instances",
    ],
    [
      'no data',
      {
        InputDataConfig: [
          { ChannelName: 'train', DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://data/none' } } },
        ],
      },
      'ValidationException: No S3 objects found under S3 URL "s3://data/none"',
    ],
    [
      'a wait without spot',
      { StoppingCondition: { MaxWaitTimeInSeconds: 100, MaxRuntimeInSeconds: 10 } },
      'ValidationException: Invalid MaxWaitTimeInSeconds. It is only supported when EnableManagedSpotTraining is set to true',
    ],
    [
      'a metric with an invalid regular expression',
      {
        AlgorithmSpecification: {
          TrainingImage: 'local/train:1',
          TrainingInputMode: 'File',
          MetricDefinitions: [{ Name: 'x', Regex: '(' }],
        },
      },
      "ValidationException: Invalid regular expression of the metric 'x'",
    ],
    [
      'a tag twice',
      {
        Tags: [
          { Key: 'a', Value: '1' },
          { Key: 'a', Value: '2' },
        ],
      },
      'ValidationException: Duplicate tag keys found',
    ],
    [
      'a reserved tag',
      { Tags: [{ Key: 'aws:x', Value: '1' }] },
      "ValidationException: Tag keys that begin with 'aws:'",
    ],
    [
      'an algorithm and an image',
      { AlgorithmSpecification: { TrainingImage: 'local/train:1', AlgorithmName: 'a', TrainingInputMode: 'File' } },
      'ValidationException: You must specify either an algorithm name or a training image',
    ],
    [
      'a channel twice',
      {
        InputDataConfig: [1, 2].map(() => ({
          ChannelName: 'train',
          DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://data/in' } },
        })),
      },
      'ValidationException: Channel names must be unique',
    ],
    [
      'an output bucket that does not exist',
      { OutputDataConfig: { S3OutputPath: 's3://absent/x' } },
      "ValidationException: The bucket 'absent'",
    ],
  ])('%s', async (_, changes, expected) => {
    expect(await errorOf(create('refused', changes))).toContain(expected);
  });

  test('changes with a read-only key', async () => {
    const reader = new SageMakerClient({
      endpoint: server.url,
      region: 'us-east-1',
      credentials: { accessKeyId: readerKey.id, secretAccessKey: readerKey.secret },
    });
    await reader.send(new ListTrainingJobsCommand({}));
    expect(await errorOf(reader.send(new CreateTrainingJobCommand(request('not-mine'))))).toContain(
      'is not authorized to perform: sagemaker:CreateTrainingJob',
    );
    reader.destroy();
  });
});

const isMissing = spawnSync('aws', ['--version']).error !== undefined;

// Not skipped if CI is set: .ci/run installs it.
describe.skipIf(isMissing && inheritedVariables().CI === undefined)('aws sagemaker', () => {
  const aws = async (...args: string[]) =>
    (await run('aws', ['--endpoint-url', server.url, '--output', 'json', ...args], { env: server.variables() })).stdout;

  test('create, wait, describe, logs, unknown operations', async () => {
    const file = join(server.files, 'job.json');
    writeFileSync(file, JSON.stringify(request('by-cli')));
    expect(JSON.parse(await aws('sagemaker', 'create-training-job', '--cli-input-json', `file://${file}`))).toEqual({
      TrainingJobArn: 'arn:aws:sagemaker:us-east-1:123456789012:training-job/by-cli',
    });
    await ended('by-cli');
    await aws('sagemaker', 'wait', 'training-job-completed-or-stopped', '--training-job-name', 'by-cli');
    const job = JSON.parse(await aws('sagemaker', 'describe-training-job', '--training-job-name', 'by-cli')) as object;
    expect(job).toMatchObject({ TrainingJobStatus: 'Completed' });
    const events = await aws(
      'logs',
      'filter-log-events',
      '--log-group-name',
      group,
      '--log-stream-name-prefix',
      'by-cli/',
      '--filter-pattern',
      '"step 2"',
    );
    expect(events).toContain('loss=0.25; step 2');
    const error: unknown = await aws('sagemaker', 'list-apps').catch((e: { stderr: string }) => e.stderr);
    expect(error).toContain('(UnknownOperationException)');
  });
});

test('secrets in environment variables are hidden in logs, reasons and descriptions', async () => {
  const secret = 'hunter2-and-more';
  await sagemaker.send(
    new CreateTrainingJobCommand(
      request('secret', {
        HyperParameters: { echo: 'DB_PASSWORD', fail: `no access with ${secret}` },
        Environment: { DB_PASSWORD: secret, COLOR: 'green' },
      }),
    ),
  );
  expect(await ended('secret')).toMatchObject({
    Environment: { DB_PASSWORD: '******', COLOR: 'green' },
    FailureReason: 'AlgorithmError: no access with ******, exit code: 3',
  });
  const { events = [] } = await logs.send(
    new FilterLogEventsCommand({ logGroupName: '/aws/sagemaker/TrainingJobs', logStreamNamePrefix: 'secret/' }),
  );
  expect(events.map(({ message }) => message)).toContain('TypeError: echo ******!');
});

test('running jobs continue when the server stops, and the next one adopts them', async () => {
  const own = await startTestServer({
    images: { 'local/train:1': { kind: 'command', train: [process.execPath, program] } },
  });
  const { objects } = own.service;
  objects.createBucket('data');
  await objects.put('data', 'train/a', bodyOf('a'));
  const client = new SageMakerClient({
    endpoint: own.url,
    region: 'us-east-1',
    credentials: { accessKeyId: adminKey.id, secretAccessKey: adminKey.secret },
  });
  await client.send(new CreateTrainingJobCommand(request('survivor', { HyperParameters: { seconds: '3' } })));
  while (own.service.jobs.training.get('survivor')?.secondary !== 'Training') await sleep(50);
  client.destroy();
  await using next = await own.restart();
  const states = new Set<string | undefined>();
  while (next.service.jobs.training.get('survivor')?.runner !== undefined) {
    states.add(next.service.jobs.training.get('survivor')?.secondary);
    await sleep(50);
  }
  expect(states.has('Training')).toBe(true);
  const job = next.service.jobs.training.get('survivor')!;
  expect([job.secondary, job.attempt]).toEqual(['Completed', 1]);
});
