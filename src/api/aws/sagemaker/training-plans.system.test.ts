// Training plans with the AWS SDK for JavaScript: search, purchase, extension; jobs that run in them, wait, and end with them.
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  AddTagsCommand,
  CreateTrainingJobCommand,
  CreateTrainingPlanCommand,
  DescribeReservedCapacityCommand,
  DescribeTrainingJobCommand,
  DescribeTrainingPlanCommand,
  DescribeTrainingPlanExtensionHistoryCommand,
  ExtendTrainingPlanCommand,
  ListTagsCommand,
  ListTrainingJobsCommand,
  ListTrainingPlansCommand,
  paginateListTrainingPlans,
  SageMakerClient,
  type SageMakerServiceException,
  SearchTrainingPlanOfferingsCommand,
  type SearchTrainingPlanOfferingsCommandInput,
} from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFinal } from '../../../jobs/training/state-machine.ts';
import { adminKey, startTestServer, type TestServer } from '../aws-server.testing.ts';
import { reservationOf } from './training-plans.ts';

const program = fileURLToPath(new URL('./fixtures/train.mjs', import.meta.url));
const DAY_MS = 24 * 3_600_000;
let server: TestServer;
let client: SageMakerClient;
let shiftMs = 0;

beforeAll(async () => {
  server = await startTestServer({
    images: { 'local/train:1': { kind: 'command', train: [process.execPath, program] } },
    pool: { instances: [{ type: 'ml.trn1.32xlarge', count: 4 }] },
    now: () => Date.now() + shiftMs,
    // Time that passes: the clock is not set.
    steadyNow: () => performance.now() + shiftMs,
  });
  client = new SageMakerClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: adminKey.id, secretAccessKey: adminKey.secret },
  });
  server.service.objects.createBucket('data');
});
afterAll(async () => {
  client.destroy();
  expect(server.log).toEqual([]);
  await server[Symbol.asyncDispose]();
});

const search = (changes: Partial<SearchTrainingPlanOfferingsCommandInput> = {}) =>
  client.send(
    new SearchTrainingPlanOfferingsCommand({
      InstanceType: 'ml.trn1.32xlarge',
      InstanceCount: 2,
      DurationHours: 24,
      TargetResources: ['training-job'],
      ...changes,
    }),
  );
async function buy(TrainingPlanName: string, at = 0): Promise<string> {
  const { TrainingPlanOfferings: offerings } = await search();
  const { TrainingPlanOfferingId } = offerings![at]!;
  const { TrainingPlanArn } = await client.send(
    new CreateTrainingPlanCommand({ TrainingPlanName, TrainingPlanOfferingId, Tags: [{ Key: 'team', Value: 'nlp' }] }),
  );
  return TrainingPlanArn!;
}
const createJob = (TrainingJobName: string, TrainingPlanArn: string | undefined, InstanceCount = 1, seconds = '0') =>
  client.send(
    new CreateTrainingJobCommand({
      TrainingJobName,
      RoleArn: 'arn:aws:iam::123456789012:role/trainer',
      AlgorithmSpecification: { TrainingImage: 'local/train:1', TrainingInputMode: 'File' },
      HyperParameters: { seconds },
      OutputDataConfig: { S3OutputPath: 's3://data/out' },
      ResourceConfig: { InstanceType: 'ml.trn1.32xlarge', InstanceCount, VolumeSizeInGB: 1, TrainingPlanArn },
      StoppingCondition: { MaxRuntimeInSeconds: 5 * 86_400 },
    }),
  );
const show = (TrainingJobName: string) => client.send(new DescribeTrainingJobCommand({ TrainingJobName }));
async function reach(name: string, ...states: readonly string[]) {
  for (;;) {
    const job = await show(name);
    if (states.includes(job.SecondaryStatus!)) return job;
    await sleep(50);
  }
}
const plan = (TrainingPlanName: string) => client.send(new DescribeTrainingPlanCommand({ TrainingPlanName }));
const errorOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: SageMakerServiceException) => `${error.name}: ${error.message}`,
  );

describe('training plans', () => {
  test('are searched, bought, described and listed', async () => {
    const { TrainingPlanOfferings: offerings } = await search();
    expect(offerings![0]).toMatchObject({
      DurationHours: 24,
      UpfrontFee: '457.54',
      CurrencyCode: 'USD',
      ReservedCapacityOfferings: [
        { InstanceType: 'ml.trn1.32xlarge', InstanceCount: 2, AvailabilityZone: 'us-east-1a' },
      ],
    });
    expect(await buy('Now')).toBe('arn:aws:sagemaker:us-east-1:123456789012:training-plan/now');
    expect(await plan('Now')).toMatchObject({
      TrainingPlanName: 'Now',
      Status: 'Active',
      DurationHours: 24,
      TotalInstanceCount: 2,
      AvailableInstanceCount: 2,
      InUseInstanceCount: 0,
      ReservedCapacitySummaries: [{ InstanceType: 'ml.trn1.32xlarge', Status: 'Active' }],
    });
    await buy('later', 2);
    expect(await plan('later')).toMatchObject({ Status: 'Scheduled', AvailableInstanceCount: 0 });
    const names: (string | undefined)[] = [];
    for await (const page of paginateListTrainingPlans({ client, pageSize: 1 }, { SortBy: 'TrainingPlanName' }))
      names.push(...page.TrainingPlanSummaries!.map(one => one.TrainingPlanName));
    expect(names).toEqual(['later', 'Now']);
    const active = await client.send(new ListTrainingPlansCommand({ Filters: [{ Name: 'Status', Value: 'Active' }] }));
    expect(active.TrainingPlanSummaries!.map(one => one.TrainingPlanName)).toEqual(['Now']);
    const { ReservedCapacityArn } = (await plan('Now')).ReservedCapacitySummaries![0]!;
    expect(await client.send(new DescribeReservedCapacityCommand({ ReservedCapacityArn }))).toMatchObject({
      Status: 'Active',
      TotalInstanceCount: 2,
    });
    const ResourceArn = 'arn:aws:sagemaker:us-east-1:123456789012:training-plan/now';
    await client.send(new AddTagsCommand({ ResourceArn, Tags: [{ Key: 'cost', Value: '1' }] }));
    expect((await client.send(new ListTagsCommand({ ResourceArn }))).Tags).toHaveLength(2);
  });

  test('invalid requests are rejected', async () => {
    const { TrainingPlanOfferings: offerings } = await search();
    const { TrainingPlanOfferingId } = offerings![0]!;
    expect(
      await errorOf(client.send(new CreateTrainingPlanCommand({ TrainingPlanName: 'now', TrainingPlanOfferingId }))),
    ).toBe("ResourceInUse: A training plan with the name 'now' already exists.");
    expect(await errorOf(plan('absent'))).toBe('ValidationException: Requested resource not found.');
    expect(
      await errorOf(
        client.send(new CreateTrainingPlanCommand({ TrainingPlanName: 'x', TrainingPlanOfferingId: 'cbo-00' })),
      ),
    ).toBe('ValidationException: Requested resource not found.');
    expect(await errorOf(search({ InstanceCount: 3 }))).toContain(
      'InstanceCount must be one of 1, 2, 4, 8, 16, 32, 64',
    );
    expect((await search({ DurationHours: 183 * 24 })).TrainingPlanOfferings).toEqual([]);
  });

  test('jobs run in a plan, wait for it, and cannot use the instances of other plans', async () => {
    const now = await buy('Plan-A');
    await createJob('in-plan', now, 2, '50');
    await reach('in-plan', 'Training');
    expect(await plan('Plan-A')).toMatchObject({ InUseInstanceCount: 2, AvailableInstanceCount: 0 });
    // All four instances are reserved now: jobs without a plan wait.
    await createJob('on-demand', undefined);
    await createJob('next-in-plan', now);
    await createJob('in-other-plan', 'arn:aws:sagemaker:us-east-1:123456789012:training-plan/now');
    await reach('in-other-plan', 'Completed');
    expect((await show('on-demand')).SecondaryStatus).toBe('Starting');
    expect((await show('next-in-plan')).SecondaryStatus).toBe('Starting');
    const listed = await client.send(new ListTrainingJobsCommand({ TrainingPlanArnEquals: now }));
    expect(listed.TrainingJobSummaries!.map(one => one.TrainingJobName)).toEqual(['in-plan', 'next-in-plan']);
    expect(await errorOf(createJob('too-many', now, 3))).toContain("The training plan 'Plan-A' has 2 instances");
    expect(await errorOf(createJob('absent', now.replace('plan-a', 'none')))).toContain('Requested resource not found');
  });

  test('are extended; jobs end with their plan, and an expired plan does not block others', async () => {
    const arn = 'arn:aws:sagemaker:us-east-1:123456789012:training-plan/now';
    // The capacity after it is partly sold, but two instances are free.
    const { TrainingPlanExtensionOfferings: found } = await search({ TrainingPlanArn: arn, DurationHours: 48 });
    const before = await plan('Now');
    const { TrainingPlanExtensionOfferingId, EndDate } = found![0]!;
    const extended = await client.send(new ExtendTrainingPlanCommand({ TrainingPlanExtensionOfferingId }));
    expect(extended.TrainingPlanExtensions).toMatchObject([{ DurationHours: 48, Status: 'Succeeded' }]);
    const after = await plan('Now');
    expect(after).toMatchObject({ EndTime: EndDate, DurationHours: 72 });
    expect(Number(after.UpfrontFee)).toBeCloseTo(3 * Number(before.UpfrontFee), 1);
    const history = await client.send(new DescribeTrainingPlanExtensionHistoryCommand({ TrainingPlanArn: arn }));
    expect(history.TrainingPlanExtensions).toHaveLength(1);
    // The SDK signs with the real time, so from here on the test uses the stores directly.
    const { jobs, capacity } = server.service;
    const ended = async (name: string) => {
      for (;;) {
        const job = jobs.training.get(name)!;
        if (isFinal(job.secondary)) return job;
        await sleep(50);
      }
    };
    shiftMs = DAY_MS;
    const stopped = await ended('in-plan');
    expect(stopped.secondary).toBe('Stopped');
    expect(stopped.transitions.map(({ message }) => message)).toContain(
      'Stopping the training job: its training plan ends',
    );
    expect((await ended('next-in-plan')).failureReason).toBe(
      "CapacityError: The training plan 'Plan-A' ended before the job could run.",
    );
    const nowMs = Date.now() + shiftMs;
    expect(() =>
      reservationOf(
        capacity,
        { InstanceType: 'ml.trn1.32xlarge', InstanceCount: 1, TrainingPlanArn: arn.replace('now', 'plan-a') },
        nowMs,
      ),
    ).toThrow('is in status Expired');
    shiftMs = 5 * DAY_MS;
    expect((await ended('on-demand')).secondary).toBe('Completed');
  });
});
