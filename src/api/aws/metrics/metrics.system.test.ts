// Metrics of training jobs: written and read with the `aws` command, and with signed requests where Debian's `aws` is too old.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminKey, readerKey } from '../aws-server.testing.ts';
import { errorOf, TrainingJobs } from '../sagemaker/training-jobs.testing.ts';
import { callSigned } from '../trenio/trenio-call.testing.ts';

const run = promisify(execFile);
let jobs: TrainingJobs;
const component = 'measured-aws-training-job';
const arn = 'arn:aws:sagemaker:us-east-1:123456789012:training-job/measured';

beforeAll(async () => {
  jobs = await TrainingJobs.start();
  await jobs.create('Measured', {
    AlgorithmSpecification: {
      TrainingImage: 'local/train:1',
      TrainingInputMode: 'File',
      MetricDefinitions: [{ Name: 'loss', Regex: 'loss=([0-9.]+)' }],
    },
  });
  await jobs.ended('Measured');
});
afterAll(async () => {
  expect(jobs.server.log).toEqual([]);
  await jobs[Symbol.asyncDispose]();
});

const call = (path: string, input: object, key = adminKey) =>
  callSigned(jobs.server.url, key, {
    service: 'sagemaker',
    method: path === '/BatchPutMetrics' ? 'PUT' : 'POST',
    path,
    headers: [],
    body: JSON.stringify(input),
  });
const values = (...points: readonly (readonly [step: number, second: number, value: number])[]) =>
  points.map(([Step, Timestamp, Value]) => ({ MetricName: 'accuracy', Step, Timestamp, Value }));
const query = (changes: object = {}) => ({
  MetricName: 'accuracy',
  ResourceArn: arn,
  MetricStat: 'Last',
  Period: 'IterationNumber',
  XAxisType: 'IterationNumber',
  ...changes,
});
const get = async (...queries: readonly object[]): Promise<readonly unknown[]> => {
  const answer = await call('/BatchGetMetrics', { MetricQueries: queries }, readerKey);
  return (answer as { readonly MetricQueryResults: readonly unknown[] }).MetricQueryResults;
};
const complete = (x: readonly number[], y: readonly number[]) => ({
  Status: 'Complete',
  XAxisValues: x,
  MetricValues: y,
});

test('values written with the aws command are read by step and by time', async () => {
  const data = JSON.stringify(values([0, 600, 0.5], [1, 630, 0.7], [1, 640, 0.8], [2, 665, 1]));
  const words = ['--trial-component-name', component, '--metric-data', data];
  await run('aws', ['--endpoint-url', jobs.server.url, 'sagemaker-metrics', 'batch-put-metrics', ...words], {
    env: jobs.server.variables(),
  });
  const byMinute = { Period: 'OneMinute', XAxisType: 'Timestamp' };
  expect(
    await get(
      query(),
      query({ MetricStat: 'Count', Start: 1, End: 1 }),
      query({ MetricStat: 'Max', ...byMinute }),
      query({ MetricStat: 'Min', Period: 'OneHour', XAxisType: 'Timestamp' }),
      query({ MetricStat: 'Avg', Start: 1, End: 1 }),
      query({ MetricStat: 'StdDev', Start: 2 }),
      query({ MetricName: 'unknown' }),
    ),
  ).toEqual([
    complete([0, 1, 2], [0.5, 0.8, 1]),
    complete([1], [2]),
    complete([600, 660], [0.8, 1]),
    complete([0], [0.5]),
    complete([1], [0.75]),
    complete([2], [0]),
    complete([], []),
  ]);
});

test('metrics from printed lines are included', async () => {
  expect(await get(query({ MetricName: 'loss' }))).toEqual([complete([0, 1], [0.5, 0.25])]);
});

test('invalid queries do not make others fail', async () => {
  expect(
    await get(query({ ResourceArn: `${arn}x` }), query({ Period: 'OneHour' }), query({ MetricName: 'loss' })),
  ).toMatchObject([{ Status: 'ValidationError' }, { Status: 'ValidationError' }, { Status: 'Complete' }]);
});

test('rejects invalid input', async () => {
  const put = (name: string, data: unknown, key = adminKey) =>
    errorOf(call('/BatchPutMetrics', { TrialComponentName: name, MetricData: data }, key));
  expect(await put('absent-aws-training-job', values([0, 1, 1]))).toContain('Requested resource not found.');
  expect(await put(component, [])).toContain('greater than or equal to 1');
  expect(await put(component, values([0, 1, 'high' as unknown as number]))).toContain('SerializationException');
  expect(await put(component, values([0, 1, 1]), readerKey)).toContain('sagemaker:BatchPutMetrics');
  expect(await errorOf(get(query({ MetricStat: 'Median' })))).toContain('enum value set');
});

test('a job has a limited number of metrics', async () => {
  const { metrics } = jobs.server.service;
  await jobs.create('crowded');
  metrics.appendAll('crowded', new Map(Array.from({ length: 299 }, (_, i) => [`m${i}`, [{ timeMs: 0, value: i }]])));
  const data = ['a', 'b', 'm0'].map(MetricName => ({ MetricName, Timestamp: 1, Value: 1 }));
  expect(await call('/BatchPutMetrics', { TrialComponentName: 'crowded-aws-training-job', MetricData: data })).toEqual({
    Errors: [{ Code: 'METRIC_LIMIT_EXCEEDED', MetricIndex: 1 }],
  });
  await jobs.ended('crowded');
});
