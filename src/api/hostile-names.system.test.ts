// Names that are paths, in requests of all kinds, are rejected before anything is stored.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminKey, startTestServer, type TestServer } from './aws/aws-server.testing.ts';
import { errorOf } from './aws/sagemaker/endpoints.testing.ts';
import { callSigned } from './aws/trenio/trenio-call.testing.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({});
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (target: string, input: object): Promise<unknown> =>
  callSigned(server.url, adminKey, {
    service: target.startsWith('Logs_') ? 'logs' : 'sagemaker',
    method: 'POST',
    path: '/',
    headers: [['x-amz-target', target]],
    body: JSON.stringify(input),
  });

const BAD = ['../climbed', '..', 'a/../../climbed', '/etc/climbed', 'a\\..\\b', 'a\u0000b', '%2e%2e%2fclimbed'];
const role = 'arn:aws:iam::123456789012:role/server';
const requests: Readonly<Record<string, (name: string) => object>> = {
  CreateTrainingJob: name => ({
    TrainingJobName: name,
    RoleArn: role,
    AlgorithmSpecification: { TrainingImage: 'trenio', TrainingInputMode: 'File' },
    OutputDataConfig: { S3OutputPath: 's3://data/out' },
    ResourceConfig: { InstanceType: 'ml.c5.xlarge', InstanceCount: 1, VolumeSizeInGB: 1 },
    StoppingCondition: { MaxRuntimeInSeconds: 60 },
  }),
  DescribeTrainingJob: name => ({ TrainingJobName: name }),
  StopTrainingJob: name => ({ TrainingJobName: name }),
  CreateModel: name => ({ ModelName: name, ExecutionRoleArn: role, PrimaryContainer: { Image: 'trenio' } }),
  CreateEndpoint: name => ({ EndpointName: name, EndpointConfigName: 'any' }),
  DescribeProcessingJob: name => ({ ProcessingJobName: name }),
  DescribeTransformJob: name => ({ TransformJobName: name }),
  CreateExperiment: name => ({ ExperimentName: name }),
};

test.each(Object.keys(requests))('%s rejects a path as a name', async operation => {
  for (const name of BAD)
    expect(await errorOf(call(`SageMaker.${operation}`, requests[operation]!(name))), name).toMatch(
      /^Error: ValidationException: \d validation errors? detected: .*Value .* failed to satisfy constraint/,
    );
  const stored = readdirSync(join(server.data, '..'), { recursive: true, encoding: 'utf8' });
  expect(stored.filter(path => path.includes('climbed'))).toEqual([]);
});

test('groups and streams of logs are rows, not files', async () => {
  await call('Logs_20140328.CreateLogGroup', { logGroupName: '../../climbed' });
  expect(existsSync(join(server.data, '..', 'climbed'))).toBe(false);
  expect(existsSync(join(server.data, '..', '..', 'climbed'))).toBe(false);
  expect(
    await errorOf(call('Logs_20140328.CreateLogStream', { logGroupName: '../../climbed', logStreamName: 'a:b' })),
  ).toContain("Value 'a:b' at 'logStreamName' failed to satisfy constraint");
});
