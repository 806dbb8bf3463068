// Hyperparameter tuning jobs with the AWS SDK for JavaScript, with real training jobs.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  CreateHyperParameterTuningJobCommand,
  type CreateHyperParameterTuningJobCommandInput,
  DeleteHyperParameterTuningJobCommand,
  DescribeHyperParameterTuningJobCommand,
  DescribeTrainingJobCommand,
  type HyperParameterTuningJobConfig,
  ListHyperParameterTuningJobsCommand,
  ListTagsCommand,
  ListTrainingJobsCommand,
  ListTrainingJobsForHyperParameterTuningJobCommand,
  paginateListTrainingJobsForHyperParameterTuningJob,
  SageMakerClient,
  type SageMakerServiceException,
  StopHyperParameterTuningJobCommand,
} from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminKey, startTestServer, type TestServer } from '../aws-server.testing.ts';

const program = fileURLToPath(new URL('./fixtures/tuned.mjs', import.meta.url));
let server: TestServer;
let client: SageMakerClient;
const start = async () => {
  const started = await startTestServer({
    images: { 'local/tuned:1': { kind: 'command', train: [process.execPath, program] } },
    pool: { instances: [{ type: 'ml.trn1.2xlarge', count: 4 }] },
  });
  started.service.objects.createBucket('data');
  return started;
};
const connect = (url: string) =>
  new SageMakerClient({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: adminKey.id, secretAccessKey: adminKey.secret },
  });
beforeAll(async () => {
  server = await start();
  client = connect(server.url);
});
afterAll(async () => {
  client.destroy();
  expect(server.log).toEqual([]);
  await server[Symbol.asyncDispose]();
});

const request = (
  HyperParameterTuningJobName: string,
  config: Partial<HyperParameterTuningJobConfig>,
  StaticHyperParameters: Record<string, string> = {},
): CreateHyperParameterTuningJobCommandInput => ({
  HyperParameterTuningJobName,
  HyperParameterTuningJobConfig: {
    Strategy: 'Random',
    HyperParameterTuningJobObjective: { Type: 'Minimize', MetricName: 'objective' },
    ResourceLimits: { MaxNumberOfTrainingJobs: 3, MaxParallelTrainingJobs: 2 },
    ParameterRanges: { ContinuousParameterRanges: [{ Name: 'x', MinValue: '0', MaxValue: '10' }] },
    RandomSeed: 1,
    ...config,
  },
  TrainingJobDefinition: {
    StaticHyperParameters,
    AlgorithmSpecification: {
      TrainingImage: 'local/tuned:1',
      TrainingInputMode: 'File',
      MetricDefinitions: [{ Name: 'objective', Regex: 'objective=([0-9.]+);' }],
    },
    RoleArn: 'arn:aws:iam::123456789012:role/trainer',
    OutputDataConfig: { S3OutputPath: 's3://data/out' },
    ResourceConfig: { InstanceType: 'ml.trn1.2xlarge', InstanceCount: 1, VolumeSizeInGB: 1 },
    StoppingCondition: { MaxRuntimeInSeconds: 60 },
  },
  Tags: [{ Key: 'team', Value: 'nlp' }],
});
const create = (...args: Parameters<typeof request>) =>
  client.send(new CreateHyperParameterTuningJobCommand(request(...args)));
const show = (HyperParameterTuningJobName: string, from = client) =>
  from.send(new DescribeHyperParameterTuningJobCommand({ HyperParameterTuningJobName }));
async function ended(name: string, from = client) {
  for (;;) {
    const job = await show(name, from);
    if (!['InProgress', 'Stopping'].includes(job.HyperParameterTuningJobStatus!)) return job;
    await sleep(100);
  }
}
const trialsOf = async (HyperParameterTuningJobName: string, from = client) =>
  (
    await from.send(
      new ListTrainingJobsForHyperParameterTuningJobCommand({ HyperParameterTuningJobName, MaxResults: 100 }),
    )
  ).TrainingJobSummaries!;
const errorOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: SageMakerServiceException) => `${error.name}: ${error.message}`,
  );

describe('tuning jobs', () => {
  test('a random search runs its jobs and reports the best one', async () => {
    const { HyperParameterTuningJobArn } = await create('Random', {});
    expect(HyperParameterTuningJobArn).toBe(
      'arn:aws:sagemaker:us-east-1:123456789012:hyper-parameter-tuning-job/random',
    );
    const job = await ended('Random');
    expect(job).toMatchObject({
      HyperParameterTuningJobStatus: 'Completed',
      TrainingJobStatusCounters: { Completed: 3, InProgress: 0, Stopped: 0 },
      ObjectiveStatusCounters: { Succeeded: 3, Pending: 0, Failed: 0 },
    });
    const trials = await trialsOf('Random');
    expect(trials.map(one => one.TrainingJobName)).toEqual([
      expect.stringMatching(/^Random-001-[0-9a-f]{8}$/),
      expect.stringMatching(/^Random-002-/),
      expect.stringMatching(/^Random-003-/),
    ]);
    for (const { TunedHyperParameters, FinalHyperParameterTuningJobObjectiveMetric: metric } of trials)
      expect(metric!.Value).toBeCloseTo((Number(TunedHyperParameters!.x) - 3) ** 2 + 11, 3);
    const values = trials.map(one => one.FinalHyperParameterTuningJobObjectiveMetric!.Value!);
    const best = job.BestTrainingJob!.FinalHyperParameterTuningJobObjectiveMetric!.Value!;
    expect(best).toBe(Math.min(...values));
    const sorted: number[] = [];
    for await (const page of paginateListTrainingJobsForHyperParameterTuningJob(
      { client, pageSize: 1 },
      { HyperParameterTuningJobName: 'Random', SortBy: 'FinalObjectiveMetricValue', SortOrder: 'Descending' },
    ))
      sorted.push(...page.TrainingJobSummaries!.map(one => one.FinalHyperParameterTuningJobObjectiveMetric!.Value!));
    expect(sorted).toEqual(values.toSorted((a, b) => b - a));
    const training = await client.send(new DescribeTrainingJobCommand({ TrainingJobName: trials[0]!.TrainingJobName }));
    expect(training).toMatchObject({
      TuningJobArn: HyperParameterTuningJobArn,
      HyperParameters: { x: trials[0]!.TunedHyperParameters!.x, _tuning_objective_metric: 'objective' },
    });
    expect((await client.send(new ListTagsCommand({ ResourceArn: HyperParameterTuningJobArn }))).Tags).toHaveLength(1);
  });

  test('a grid search tries each combination; failed jobs are counted', async () => {
    await create('grid', {
      Strategy: 'Grid',
      ResourceLimits: { MaxParallelTrainingJobs: 4 },
      ParameterRanges: { CategoricalParameterRanges: [{ Name: 'kind', Values: ['a', 'b', 'broken'] }] },
    });
    const job = await ended('grid');
    expect(job).toMatchObject({
      HyperParameterTuningJobStatus: 'Completed',
      TrainingJobStatusCounters: { Completed: 2, NonRetryableError: 1 },
      ObjectiveStatusCounters: { Succeeded: 2, Failed: 1 },
      BestTrainingJob: { TunedHyperParameters: { kind: 'b' } },
    });
  });

  test('Hyperband stops jobs early, and none exceeds the maximum resource', async () => {
    await create(
      'hyperband',
      {
        Strategy: 'Hyperband',
        StrategyConfig: { HyperbandStrategyConfig: { MinResource: 1, MaxResource: 4 } },
        ResourceLimits: { MaxNumberOfTrainingJobs: 4, MaxParallelTrainingJobs: 4 },
      },
      { epochs: '1000', pause: '300' },
    );
    const job = await ended('hyperband');
    expect(job).toMatchObject({
      HyperParameterTuningJobStatus: 'Completed',
      TrainingJobStatusCounters: { Stopped: 4 },
    });
    expect(job.BestTrainingJob!.FinalHyperParameterTuningJobObjectiveMetric!.Value).toBeGreaterThan(0);
  });

  test('reaching the target completes the job before its limit; Bayesian search', async () => {
    await create('target', {
      Strategy: 'Bayesian',
      ResourceLimits: { MaxNumberOfTrainingJobs: 50, MaxParallelTrainingJobs: 2 },
      TuningJobCompletionCriteria: { TargetObjectiveMetricValue: 30 },
    });
    const job = await ended('target');
    expect(job.HyperParameterTuningJobStatus).toBe('Completed');
    expect((await trialsOf('target')).length).toBeLessThan(50);
  });

  test('a stop ends its jobs; lists; deletion', async () => {
    await create('stopped', {}, { epochs: '1000', pause: '100' });
    while ((await show('stopped')).TrainingJobStatusCounters!.InProgress !== 2) await sleep(50);
    expect(
      await errorOf(client.send(new DeleteHyperParameterTuningJobCommand({ HyperParameterTuningJobName: 'stopped' }))),
    ).toContain('ResourceInUse');
    await client.send(new StopHyperParameterTuningJobCommand({ HyperParameterTuningJobName: 'stopped' }));
    const job = await ended('stopped');
    expect(job).toMatchObject({ HyperParameterTuningJobStatus: 'Stopped', TrainingJobStatusCounters: { Stopped: 2 } });
    const listed = await client.send(
      new ListHyperParameterTuningJobsCommand({ StatusEquals: 'Completed', SortBy: 'CreationTime', MaxResults: 2 }),
    );
    expect(listed.HyperParameterTuningJobSummaries!.map(one => one.HyperParameterTuningJobName)).toEqual([
      'Random',
      'grid',
    ]);
    expect(listed.NextToken).toBeDefined();
    await client.send(new DeleteHyperParameterTuningJobCommand({ HyperParameterTuningJobName: 'stopped' }));
    expect(await errorOf(show('stopped'))).toBe('ValidationException: Requested resource not found.');
  });
});

describe('refused', () => {
  test.each<[string, CreateHyperParameterTuningJobCommandInput, string]>([
    ['a name that exists', request('random', {}), 'ResourceInUse: Tuning job names must be unique'],
    [
      'a grid over numbers',
      request('x', { Strategy: 'Grid' }),
      'ValidationException: Grid search supports categorical parameters only.',
    ],
    [
      'an objective that is not a metric',
      request('x', { HyperParameterTuningJobObjective: { Type: 'Minimize', MetricName: 'loss' } }),
      "The objective metric 'loss' is not in the MetricDefinitions",
    ],
    [
      'a range with MinValue above MaxValue',
      request('x', {
        ParameterRanges: { ContinuousParameterRanges: [{ Name: 'x', MinValue: '2', MaxValue: '1' }] },
      }),
      "Invalid range of the hyperparameter 'x': MinValue 2 is greater than MaxValue 1.",
    ],
    ['no limit', request('x', { ResourceLimits: { MaxParallelTrainingJobs: 1 } }), 'ResourceLimits needs'],
    [
      'Hyperband without a resource',
      request('x', { Strategy: 'Hyperband' }),
      'HyperbandStrategyConfig.MaxResource is required',
    ],
    [
      'an unknown image',
      {
        ...request('x', {}),
        TrainingJobDefinition: {
          ...request('x', {}).TrainingJobDefinition!,
          AlgorithmSpecification: {
            TrainingImage: 'none',
            TrainingInputMode: 'File',
            MetricDefinitions: [{ Name: 'objective', Regex: '(x)' }],
          },
        },
      },
      "The training image 'none' is not known",
    ],
  ])('%s', async (_, input, expected) => {
    expect(await errorOf(client.send(new CreateHyperParameterTuningJobCommand(input)))).toContain(expected);
  });
});

test('a tuning job continues with a new server, and no configuration runs twice', async () => {
  const own = await start();
  const first = connect(own.url);
  await first.send(
    new CreateHyperParameterTuningJobCommand(
      request('survivor', { ResourceLimits: { MaxNumberOfTrainingJobs: 4, MaxParallelTrainingJobs: 2 } }),
    ),
  );
  while ((await trialsOf('survivor', first)).length === 0) await sleep(20);
  first.destroy();
  await using next = await own.restart();
  // If a server was killed after it stored a trial, the job is created now.
  next.service.jobs.tuning.update('survivor', tuning => ({
    ...tuning,
    trials: tuning.trials.map(one => ({ ...one, status: 'planned' })),
  }));
  const second = connect(next.url);
  const job = await ended('survivor', second);
  expect(job.TrainingJobStatusCounters).toMatchObject({ Completed: 4 });
  const all = await second.send(new ListTrainingJobsCommand({ NameContains: 'survivor-', MaxResults: 100 }));
  expect(all.TrainingJobSummaries).toHaveLength(4);
  second.destroy();
});
