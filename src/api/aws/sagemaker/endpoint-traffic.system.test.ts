// Endpoint traffic: capture, shadow variants, queues, counts, and scaling by load.
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateEndpointConfigCommand, UpdateEndpointWeightsAndCapacitiesCommand } from '@aws-sdk/client-sagemaker';
import { InvokeEndpointAsyncCommand } from '@aws-sdk/client-sagemaker-runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorOf, ServingTest } from './endpoints.testing.ts';

let serving: ServingTest;
beforeAll(async () => {
  serving = await ServingTest.start();
  serving.server.service.objects.createBucket('out');
  await serving.createModel('plain');
});
afterAll(() => serving.stop());

async function textOf(bucket: string, key: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await serving.server.service.objects.read(bucket, key)).bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
const keys = (prefix: string): readonly string[] =>
  serving.server.service.objects
    .list('out', { prefix, delimiter: '', maxKeys: 100, after: '' })
    .objects.map(({ key }) => key);

test('captures requests and responses in SageMaker’s format', async () => {
  await serving.createConfig('captured', [['AllTraffic', 'plain', 1]], {
    DataCaptureConfig: {
      EnableCapture: true,
      InitialSamplingPercentage: 100,
      DestinationS3Uri: 's3://out/captured',
      CaptureOptions: [{ CaptureMode: 'Input' }, { CaptureMode: 'Output' }],
    },
  });
  await serving.createEndpoint('captured', 'captured');
  const { DataCaptureConfig } = await serving.settled('captured', 'InService');
  expect(DataCaptureConfig).toMatchObject({ CaptureStatus: 'Started', CurrentSamplingPercentage: 100 });
  const echo = { CustomAttributes: '{"echo":true}', InferenceId: 'mine' };
  await serving.invoke('captured', '1,2', { ...echo, ContentType: 'text/csv', Accept: 'text/csv' });
  await serving.invoke('captured', 'binary', { ...echo, ContentType: 'image/png', Accept: 'image/png' });
  while (keys('captured/').length === 0) await sleep(100);
  const [key] = keys('captured/');
  expect(key).toMatch(
    /^captured\/captured\/AllTraffic\/\d{4}\/\d\d\/\d\d\/\d\d\/\d\d-\d\d-\d{3}-[0-9a-f-]{36}\.jsonl$/,
  );
  const lines = (await textOf('out', key!)).trim().split('\n');
  expect(JSON.parse(lines[0]!)).toEqual({
    captureData: {
      endpointInput: { observedContentType: 'text/csv', mode: 'INPUT', data: '1,2', encoding: 'CSV' },
      endpointOutput: { observedContentType: 'text/csv', mode: 'OUTPUT', data: '1,2', encoding: 'CSV' },
    },
    eventMetadata: {
      eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      customAttributes: ['{"echo":true}'],
      inferenceId: 'mine',
      inferenceTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    },
    eventVersion: '0',
  });
  expect(JSON.parse(lines[1]!)).toMatchObject({
    captureData: { endpointInput: { data: Buffer.from('binary').toString('base64'), encoding: 'BASE64' } },
  });
  await serving.delete('captured');
});

test('a shadow variant receives copies, and its errors are not sent to clients', async () => {
  const variant = { ModelName: 'plain', InitialInstanceCount: 1, InstanceType: 'ml.c5.xlarge' as const };
  await serving.sagemaker.send(
    new CreateEndpointConfigCommand({
      EndpointConfigName: 'shadowed',
      ProductionVariants: [{ ...variant, VariantName: 'seen' }],
      ShadowProductionVariants: [{ ...variant, VariantName: 'copied' }],
    }),
  );
  await serving.createEndpoint('shadowed', 'shadowed');
  expect(await serving.settled('shadowed', 'InService')).toMatchObject({
    ShadowProductionVariants: [{ VariantName: 'copied' }],
  });
  expect((await serving.invoke('shadowed')).InvokedProductionVariant).toBe('seen');
  expect(await errorOf(serving.invoke('shadowed', 'x', { TargetVariant: 'copied' }))).toContain(
    'Variant copied not found',
  );
  const counts = () => {
    const traffic = serving.server.service.serving.traffic('shadowed', 0)!;
    return traffic.variants.map(({ name, minutes }) => [name, minutes.reduce((sum, one) => sum + one.invocations, 0)]);
  };
  while (counts()[1]![1] === 0) await sleep(50);
  expect(counts()).toEqual([
    ['seen', 1],
    ['copied', 1],
  ]);
  await serving.delete('shadowed');
});

test('asynchronous invocations write their responses to objects', async () => {
  await serving.createConfig('later', [['AllTraffic', 'plain', 1]], {
    AsyncInferenceConfig: {
      OutputConfig: { S3OutputPath: 's3://out/answers', S3FailurePath: 's3://out/failures' },
      ClientConfig: { MaxConcurrentInvocationsPerInstance: 2 },
    },
  });
  await serving.createEndpoint('later', 'later');
  await serving.settled('later', 'InService');
  const { objects } = serving.server.service;
  await objects.put('out', 'inputs/a', bodyOf('a body'));
  const send = (InputLocation: string, CustomAttributes: string) =>
    serving.runtime.send(
      new InvokeEndpointAsyncCommand({
        EndpointName: 'later',
        InputLocation,
        CustomAttributes,
        ContentType: 'text/x-mine',
        InferenceId: 'my-id',
      }),
    );
  const answer = await send('s3://out/inputs/a', '');
  expect(answer).toMatchObject({
    InferenceId: 'my-id',
    OutputLocation: expect.stringMatching(/^s3:\/\/out\/answers\/[0-9a-f-]{36}\.out$/),
    FailureLocation: expect.stringMatching(/^s3:\/\/out\/failures\/[0-9a-f-]{36}-error\.out$/),
  });
  while (keys('answers/').length === 0) await sleep(50);
  expect(await textOf('out', answer.OutputLocation!.slice('s3://out/'.length))).toMatch(
    /^plain \d+: text\/x-mine a body$/,
  );
  const failed = await send('s3://out/inputs/a', '{"status":500}');
  await send('s3://out/inputs/none', '');
  while (keys('failures/').length < 2) await sleep(50);
  expect(await textOf('out', failed.FailureLocation!.slice('s3://out/'.length))).toContain(
    'Received server error (500) from primary with message "status 500".',
  );
  expect(serving.server.service.serving.traffic('later', 0)!.backlog).toBe(0);
  await serving.delete('later');
});

test('a request starts a variant that was scaled to zero', async () => {
  await serving.sagemaker.send(
    new CreateEndpointConfigCommand({
      EndpointConfigName: 'sleeper',
      ProductionVariants: [
        {
          VariantName: 'a',
          ModelName: 'plain',
          InitialInstanceCount: 1,
          InstanceType: 'ml.c5.xlarge',
          ManagedInstanceScaling: { Status: 'ENABLED', MinInstanceCount: 0, MaxInstanceCount: 2 },
        },
      ],
    }),
  );
  await serving.createEndpoint('sleeper', 'sleeper');
  await serving.settled('sleeper', 'InService');
  await serving.sagemaker.send(
    new UpdateEndpointWeightsAndCapacitiesCommand({
      EndpointName: 'sleeper',
      DesiredWeightsAndCapacities: [{ VariantName: 'a', DesiredInstanceCount: 0 }],
    }),
  );
  await serving.settled('sleeper', 'InService');
  while (serving.server.service.serving.store.replicas('sleeper').length > 0) await sleep(50);
  expect(await serving.text('sleeper')).toMatch(/^plain /);
  expect((await serving.show('sleeper')).ProductionVariants).toMatchObject([{ CurrentInstanceCount: 1 }]);
  await serving.delete('sleeper');
});

test('a serverless variant has no instances until the first request', async () => {
  await serving.sagemaker.send(
    new CreateEndpointConfigCommand({
      EndpointConfigName: 'serverless',
      ProductionVariants: [
        { VariantName: 'a', ModelName: 'plain', ServerlessConfig: { MemorySizeInMB: 2048, MaxConcurrency: 2 } },
      ],
    }),
  );
  await serving.createEndpoint('serverless', 'serverless');
  expect(await serving.settled('serverless', 'InService')).toMatchObject({
    ProductionVariants: [{ CurrentServerlessConfig: { MemorySizeInMB: 2048, MaxConcurrency: 2 } }],
  });
  expect(serving.server.service.serving.store.replicas('serverless')).toEqual([]);
  expect(await serving.text('serverless')).toMatch(/^plain /);
  await serving.delete('serverless');
});

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
