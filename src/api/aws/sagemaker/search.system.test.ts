// Search over training jobs, with the AWS SDK for JavaScript and the `aws` command.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Filter, SearchCommand, type SearchCommandInput, type SearchExpression } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf, TrainingJobs } from './training-jobs.testing.ts';

const run = promisify(execFile);
let jobs: TrainingJobs;

beforeAll(async () => {
  jobs = await TrainingJobs.start();
  const { objects } = jobs.server.service;
  for (const key of ['train/a', 'test/a']) await objects.put('data', key, bodyOf('a'));
  const channel = (ChannelName: string, prefix: string) => ({
    ChannelName,
    DataSource: { S3DataSource: { S3DataType: 'S3Prefix' as const, S3Uri: `s3://data/${prefix}/` } },
  });
  const create = async (name: string, lr: string, step: number | undefined, failure?: string) => {
    await jobs.create(name, {
      HyperParameters: { lr, 'with.dots': name, ...(failure === undefined ? { kind: 'deep' } : { fail: failure }) },
      Tags: [{ Key: 'team', Value: name === 'second' ? 'blue' : 'red' }],
      InputDataConfig: [channel('train', 'train'), channel('test', name === 'first' ? 'test' : 'train')],
      AlgorithmSpecification: {
        TrainingImage: 'local/train:1',
        TrainingInputMode: 'File',
        MetricDefinitions: step === undefined ? [] : [{ Name: 'loss', Regex: `loss=([0-9.]+); step ${step}` }],
      },
    });
  };
  await create('first', '0.1', 1);
  await create('second', '0.25', 2);
  await create('third', '2.75', undefined, 'too wide');
  for (const name of ['first', 'second', 'third']) await jobs.ended(name);
});
afterAll(async () => {
  expect(jobs.server.log).toEqual([]);
  await jobs[Symbol.asyncDispose]();
});

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const search = (input: Partial<SearchCommandInput>) =>
  jobs.sagemaker.send(
    new SearchCommand({ Resource: 'TrainingJob', SortBy: 'CreationTime', SortOrder: 'Ascending', ...input }),
  );

const found = async (input: Partial<SearchCommandInput>): Promise<string> =>
  (await search(input)).Results!.map(({ TrainingJob }) => TrainingJob!.TrainingJobName).join(' ');
const meeting = (expression: SearchExpression) => found({ SearchExpression: expression });
const where = (Name: string, Operator?: Filter['Operator'], Value?: string) =>
  meeting({ Filters: [{ Name, Operator, Value }] });

describe('filters', () => {
  test('compare text, numbers, times and truth values', async () => {
    expect(await where('TrainingJobName', undefined, 'second')).toBe('second');
    expect(await where('TrainingJobName', 'Contains', 'ir')).toBe('first third');
    expect(await where('TrainingJobName', 'In', 'first, third')).toBe('first third');
    expect(await where('TrainingJobStatus', 'NotEquals', 'Completed')).toBe('third');
    expect(await where('FailureReason', 'Contains', 'too wide')).toBe('third');
    expect(await where('EnableManagedSpotTraining', 'Equals', 'false')).toBe('first second third');
    expect(await where('ResourceConfig.InstanceCount', 'GreaterThan', '1')).toBe('');
    const { CreationTime } = await jobs.show('second');
    const second = CreationTime!.toISOString();
    expect(await where('CreationTime', 'GreaterThan', second)).toBe('third');
    expect(await where('CreationTime', 'LessThanOrEqualTo', second)).toBe('first second');
    expect(await where('CreationTime', 'Equals', second.slice(0, 19))).toContain('second');
  });

  test('support metrics, hyperparameters, tags and absent properties', async () => {
    expect(await where('Metrics.loss', 'LessThan', '0.3')).toBe('second');
    expect(await where('Metrics.loss', 'GreaterThanOrEqualTo', '0.25')).toBe('first second');
    expect(await where('Metrics.loss', 'NotExists')).toBe('third');
    expect(await where('HyperParameters.lr', 'LessThan', '0.25')).toBe('first');
    // An integer value compares hyperparameters as integers.
    expect(await where('HyperParameters.lr', 'Equals', '2')).toBe('third');
    expect(await where('HyperParameters.kind', 'Exists')).toBe('first second');
    expect(await where('HyperParameters.with.dots', 'Equals', 'first')).toBe('first');
    expect(await where('Tags.team', 'Equals', 'red')).toBe('first third');
    expect(await where('Tags.team', 'NotEquals', 'red')).toBe('second');
    expect(await where('Tags.absent', 'NotEquals', 'red')).toBe('first second third');
  });

  test('can be combined', async () => {
    const red: Filter = { Name: 'Tags.team', Value: 'red' };
    const failed: Filter = { Name: 'TrainingJobStatus', Value: 'Failed' };
    const blue: Filter = { Name: 'Tags.team', Value: 'blue' };
    expect(await meeting({ Filters: [red, failed] })).toBe('third');
    expect(await meeting({ Filters: [blue, failed], Operator: 'Or' })).toBe('second third');
    expect(
      await meeting({
        SubExpressions: [{ Filters: [red] }, { Filters: [failed, blue], Operator: 'Or' }],
      }),
    ).toBe('third');
    const channel = (name: string, uri: string) =>
      meeting({
        NestedFilters: [
          {
            NestedPropertyName: 'InputDataConfig',
            Filters: [
              { Name: 'InputDataConfig.ChannelName', Value: name },
              { Name: 'InputDataConfig.DataSource.S3DataSource.S3Uri', Operator: 'Contains', Value: uri },
            ],
          },
        ],
      });
    expect(await channel('test', 'data/test')).toBe('first');
    // Each is true for some channel, but not for the same one.
    expect(await channel('train', 'data/test')).toBe('');
  });

  test('invalid ones are rejected', async () => {
    const refused = async (filter: Filter) => errorOf(meeting({ Filters: [filter] }));
    expect(await refused({ Name: 'Color', Value: 'red' })).toBe('ValidationException: Unknown property name: Color');
    expect(await refused({ Name: 'constructor', Value: 'red' })).toContain('Unknown property name');
    expect(await refused({ Name: 'CreationTime', Operator: 'LessThan', Value: 'noon' })).toContain('is a time such as');
    expect(await refused({ Name: 'Metrics.loss', Value: 'low' })).toContain("'Metrics.loss' is a number");
    expect(await refused({ Name: 'TrainingJobName', Operator: 'LessThan', Value: 'a' })).toContain('not supported');
    expect(await refused({ Name: 'TrainingJobName', Operator: 'Exists', Value: 'a' })).toContain('no Value');
    expect(await refused({ Name: 'TrainingJobName' })).toContain('needs a Value');
    expect(await errorOf(meeting({}))).toContain('at least one of');
    expect(await errorOf(search({ Resource: 'Endpoint' }))).toContain('experiments, trials and trial components, not');
    expect(await errorOf(search({ NextToken: 'x' }))).toContain('Invalid NextToken');
    let deep: SearchExpression = {};
    for (let i = 0; i < 100; i++) deep = { SubExpressions: [deep] };
    expect(await errorOf(meeting(deep))).toContain('nested deeper');
  });
});

test('results are sorted and come in pages', async () => {
  expect(await found({ SortBy: 'TrainingJobName', SortOrder: 'Descending' })).toBe('third second first');
  expect(await found({ SortBy: 'HyperParameters.lr', SortOrder: 'Descending' })).toBe('third second first');
  // Jobs without the property come last.
  expect(await found({ SortBy: 'Metrics.loss' })).toBe('second first third');
  expect(await found({ SortBy: 'Metrics.loss', SortOrder: 'Descending' })).toBe('first second third');
  const first = await search({ MaxResults: 2 });
  expect(first.TotalHits).toEqual({ Value: 3, Relation: 'EqualTo' });
  expect(await found({ MaxResults: 2, NextToken: first.NextToken! })).toBe('third');
  expect((await search({ MaxResults: 3 })).NextToken).toBe(undefined);
});

test('the aws command returns jobs as DescribeTrainingJob does, with their tags', async () => {
  const filters = { Filters: [{ Name: 'Tags.team', Operator: 'Equals', Value: 'blue' }] };
  const words = ['--resource', 'TrainingJob', '--search-expression', JSON.stringify(filters), '--output', 'json'];
  const { stdout } = await run('aws', ['--endpoint-url', jobs.server.url, 'sagemaker', 'search', ...words], {
    env: jobs.server.variables(),
  });
  expect(JSON.parse(stdout)).toMatchObject({
    Results: [
      {
        TrainingJob: {
          TrainingJobName: 'second',
          TrainingJobStatus: 'Completed',
          FinalMetricDataList: [{ MetricName: 'loss', Value: 0.25 }],
          Tags: [{ Key: 'team', Value: 'blue' }],
        },
      },
    ],
  });
});
