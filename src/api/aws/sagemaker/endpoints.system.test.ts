// Models, configurations and endpoints with the AWS SDK for JavaScript and the `aws` command: created, invoked, updated,
// deleted.
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  AddTagsCommand,
  CreateModelCommand,
  DeleteEndpointCommand,
  DeleteEndpointConfigCommand,
  DeleteModelCommand,
  DescribeEndpointConfigCommand,
  DescribeModelCommand,
  ListEndpointConfigsCommand,
  ListEndpointsCommand,
  ListModelsCommand,
  ListTagsCommand,
  UpdateEndpointCommand,
  UpdateEndpointWeightsAndCapacitiesCommand,
} from '@aws-sdk/client-sagemaker';
import { InvokeEndpointWithResponseStreamCommand, type ModelError } from '@aws-sdk/client-sagemaker-runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inheritedVariables } from '../../../base/environment.ts';
import { errorOf, ROLE, ServingTest } from './endpoints.testing.ts';

const run = promisify(execFile);
let serving: ServingTest;
beforeAll(async () => {
  serving = await ServingTest.start();
});
afterAll(async () => {
  await serving.stop();
  expect(serving.server.log.filter(line => !line.includes('failed:'))).toEqual([]);
});

const ARN = 'arn:aws:sagemaker:us-east-1:123456789012';

describe('an endpoint', () => {
  test('is created, answers, and is deleted', async () => {
    await serving.createModel('First', { Tags: [{ Key: 'team', Value: 'nlp' }] });
    await serving.createConfig('First', [['AllTraffic', 'First', 1]]);
    await serving.createEndpoint('First', 'First');
    expect(await serving.show('First')).toMatchObject({ EndpointStatus: 'Creating', EndpointConfigName: 'First' });
    expect(await errorOf(serving.invoke('First'))).toBe(
      'ValidationError: Endpoint First of account 123456789012 not found.',
    );
    expect(await serving.settled('First', 'InService')).toMatchObject({
      EndpointArn: `${ARN}:endpoint/first`,
      ProductionVariants: [
        { VariantName: 'AllTraffic', CurrentInstanceCount: 1, DesiredInstanceCount: 1, CurrentWeight: 1 },
      ],
    });
    const answer = await serving.invoke('First', 'hello', { CustomAttributes: 'mine', Accept: 'text/csv' });
    expect(Buffer.from(answer.Body!).toString()).toMatch(/^First \d+: text\/plain hello$/);
    expect(answer).toMatchObject({
      ContentType: 'text/csv',
      InvokedProductionVariant: 'AllTraffic',
      CustomAttributes: 'by First',
    });
    const ResourceArn = `${ARN}:model/first`;
    await serving.sagemaker.send(new AddTagsCommand({ ResourceArn, Tags: [{ Key: 'cost', Value: '1' }] }));
    expect((await serving.sagemaker.send(new ListTagsCommand({ ResourceArn }))).Tags).toHaveLength(2);
    await serving.delete('First');
    expect(await errorOf(serving.show('First'))).toBe(
      `ValidationException: Could not find endpoint "${ARN}:endpoint/first".`,
    );
    expect(serving.server.service.serving.store.replicas()).toEqual([]);
  });

  test('hides secrets of its environment in descriptions, lines and messages', async () => {
    const secret = 'hunter2-and-more';
    await serving.createModel('Secret', {
      PrimaryContainer: {
        Image: 'local/serve:1',
        ModelDataUrl: await serving.putModel('Secret', { 'name.txt': 'Secret' }),
        Environment: { API_TOKEN: secret, COLOR: 'green' },
      },
    });
    const model = await serving.sagemaker.send(new DescribeModelCommand({ ModelName: 'Secret' }));
    expect(model.PrimaryContainer!.Environment).toEqual({ API_TOKEN: '******', COLOR: 'green' });
    await serving.createConfig('Secret', [['AllTraffic', 'Secret', 1]]);
    await serving.createEndpoint('Secret', 'Secret');
    await serving.settled('Secret', 'InService');
    await serving.text('Secret', 'x', { CustomAttributes: JSON.stringify({ print: `token ${secret}!` }) });
    while (!serving.lines('Secret').includes('token ******!')) await sleep(20);
    expect(serving.lines('Secret').join()).not.toContain(secret);
    await serving.delete('Secret');
  });

  test('stores the output of its programs', async () => {
    await serving.deploy('lines');
    await serving.invoke('lines', '', { CustomAttributes: '{"print":"a line"}' });
    const { logs } = serving.server.service;
    const group = '/aws/sagemaker/Endpoints/lines';
    while (!serving.lines('lines').includes('a line')) await sleep(50);
    expect(serving.lines('lines')[0]).toBe('model lines in a room: name.txt');
    expect(logs.streams(group)[0]!.name).toMatch(/^AllTraffic\/i-[0-9a-f]{17}$/);
    await serving.delete('lines');
  });

  test('streams its response, and reports a broken stream', async () => {
    await serving.deploy('streams');
    const stream = async (wish: object) => {
      const { Body, ContentType } = await serving.runtime.send(
        new InvokeEndpointWithResponseStreamCommand({
          EndpointName: 'streams',
          Body: Buffer.from(''),
          Accept: 'text/x-parts',
          CustomAttributes: JSON.stringify(wish),
        }),
      );
      const parts: string[] = [];
      for await (const event of Body!) parts.push(Buffer.from(event.PayloadPart!.Bytes!).toString());
      return { parts, ContentType };
    };
    const { parts, ContentType } = await stream({ parts: 3 });
    expect(ContentType).toBe('text/x-parts');
    // On a busy machine, parts may be read together.
    expect(parts.join('')).toBe('part 0;part 1;part 2;');
    expect(await errorOf(stream({ parts: 2, breaks: true }))).toMatch(/^ModelStreamError: /);
    await serving.delete('streams');
  });

  test('reports model errors, timeouts and crashes', async () => {
    await serving.deploy('errors');
    const failed = (wish: object) =>
      serving.invoke('errors', '', { CustomAttributes: JSON.stringify(wish) }).then(
        () => undefined,
        (error: ModelError) => error,
      );
    const error = await failed({ status: 503 });
    expect(error).toMatchObject({
      name: 'ModelError',
      OriginalStatusCode: 503,
      OriginalMessage: 'status 503',
      message: expect.stringContaining('Received server error (503) from primary with message "status 503".'),
      LogStreamArn: expect.stringContaining('log-group:/aws/sagemaker/Endpoints/errors:log-stream:AllTraffic/i-'),
      $metadata: { httpStatusCode: 424 },
    });
    expect((await failed({ status: 400 }))?.message).toContain('Received client error (400)');
    // Its process ends during a request: that request fails, and a new process serves the next one.
    expect((await failed({ exit: 1 }))?.name).toBe('ModelError');
    expect(await serving.text('errors')).toContain('errors ');
    expect(await errorOf(serving.invoke('errors', 'x', { TargetVariant: 'none' }))).toContain('Variant none not found');
    expect(await errorOf(serving.invoke('errors', 'x'.repeat(6_291_457)))).toBe(
      'ValidationError: HTTP content length exceeded 6291456 bytes.',
    );
    const large = await serving.invoke('errors', 'x'.repeat(6_291_456), { CustomAttributes: '{"echo":true}' });
    expect(large.Body!.length).toBe(6_291_456);
    await serving.delete('errors');
  });

  test('variants share requests by weight or are selected by the client; weights and sizes change', async () => {
    await serving.createModel('red');
    await serving.createModel('blue');
    await serving.createConfig('two', [
      ['red', 'red', 1, 1],
      ['blue', 'blue', 1, 0],
    ]);
    await serving.createEndpoint('two', 'two');
    await serving.settled('two', 'InService');
    const answers = async () => new Set(await Promise.all(Array.from({ length: 10 }, () => serving.text('two'))));
    expect([...(await answers())].every(text => text.startsWith('red '))).toBe(true);
    expect(await serving.text('two', 'x', { TargetVariant: 'blue' })).toMatch(/^blue /);
    await serving.sagemaker.send(
      new UpdateEndpointWeightsAndCapacitiesCommand({
        EndpointName: 'two',
        DesiredWeightsAndCapacities: [
          { VariantName: 'red', DesiredWeight: 0 },
          { VariantName: 'blue', DesiredWeight: 1, DesiredInstanceCount: 2 },
        ],
      }),
    );
    expect(await errorOf(serving.sagemaker.send(new DeleteEndpointCommand({ EndpointName: 'two' })))).toBe(
      `ValidationException: Cannot update in-progress endpoint "${ARN}:endpoint/two".`,
    );
    await serving.settled('two', 'InService');
    const blues = await answers();
    expect([...blues].every(text => text.startsWith('blue '))).toBe(true);
    // The replica with the fewest requests: both are used.
    expect(blues.size).toBe(2);
    await serving.delete('two');
  });

  test('an update shifts traffic to the new fleet when it is ready, and no request fails', async () => {
    await serving.deploy('before');
    await serving.createModel('after');
    await serving.createConfig('after', [['AllTraffic', 'after', 2]]);
    const seen: string[] = [];
    let isOver = false;
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) seen.push((await serving.text('before', 'x', { CustomAttributes: '{"ms":5}' })).split(' ')[0]!);
    });
    await serving.sagemaker.send(new UpdateEndpointCommand({ EndpointName: 'before', EndpointConfigName: 'after' }));
    expect(await serving.show('before')).toMatchObject({
      EndpointStatus: 'Updating',
      PendingDeploymentSummary: { EndpointConfigName: 'after' },
    });
    expect(await serving.settled('before', 'InService')).toMatchObject({ EndpointConfigName: 'after' });
    await sleep(200);
    isOver = true;
    await Promise.all(load);
    expect(new Set(seen)).toEqual(new Set(['before', 'after']));
    expect(seen.lastIndexOf('before')).toBeLessThan(seen.length - 1);
    await serving.delete('before');
  });

  test('an update whose program fails is rolled back to the old fleet', async () => {
    await serving.deploy('stays');
    const before = await serving.text('stays');
    await serving.createModel('broken');
    await serving.createConfig('broken', [['AllTraffic', 'broken', 1]]);
    await serving.sagemaker.send(new UpdateEndpointCommand({ EndpointName: 'stays', EndpointConfigName: 'broken' }));
    const after = await serving.settled('stays', 'InService');
    expect(after.EndpointConfigName).toBe('stays');
    expect(after.FailureReason).toBe(
      'The primary container for production variant AllTraffic did not pass the ping health check. Please check CloudWatch logs for this endpoint. (it ended with exit code 3)',
    );
    expect(await serving.text('stays')).toBe(before);
    await serving.delete('stays');
    await serving.createEndpoint('never', 'broken');
    expect((await serving.settled('never', 'Failed')).FailureReason).toContain('did not pass the ping health check');
    await serving.delete('never');
  });

  test('a model without a network can still be invoked', async () => {
    await serving.createModel('isolated', { EnableNetworkIsolation: true });
    await serving.createConfig('isolated', [['AllTraffic', 'isolated', 1]]);
    await serving.createEndpoint('isolated', 'isolated');
    await serving.settled('isolated', 'InService');
    expect(await serving.text('isolated')).toMatch(/^isolated /);
    await serving.delete('isolated');
  });
});

describe('invalid requests are rejected', () => {
  const createModel = (changes: object) =>
    errorOf(
      serving.sagemaker.send(
        new CreateModelCommand({
          ModelName: 'refused',
          ExecutionRoleArn: ROLE,
          PrimaryContainer: { Image: 'local/serve:1' },
          ...changes,
        }),
      ),
    );

  test('models', async () => {
    expect(await createModel({ PrimaryContainer: { Image: 'none' } })).toContain("The image 'none' is not known");
    expect(
      await createModel({ PrimaryContainer: { Image: 'local/serve:1', ModelDataUrl: 's3://models/none.tar.gz' } }),
    ).toContain('ValidationException: Could not access model data at s3://models/none.tar.gz.');
    await serving.createModel('twice');
    expect(await errorOf(serving.createModel('twice'))).toBe(
      `ValidationException: Cannot create already existing model "${ARN}:model/twice".`,
    );
    await serving.sagemaker.send(new DeleteModelCommand({ ModelName: 'twice' }));
    expect(await errorOf(serving.sagemaker.send(new DescribeModelCommand({ ModelName: 'twice' })))).toBe(
      `ValidationException: Could not find model "${ARN}:model/twice".`,
    );
  });

  test('configurations and endpoints', async () => {
    expect(await errorOf(serving.createConfig('bad', [['a', 'none', 1]]))).toBe(
      `ValidationException: Could not find model "${ARN}:model/none".`,
    );
    await serving.createModel('listed');
    await serving.createConfig('listed', [['a', 'listed', 1]]);
    expect(await errorOf(serving.createConfig('listed', [['a', 'listed', 1]]))).toBe(
      `ValidationException: Cannot create already existing endpoint configuration "${ARN}:endpoint-config/listed".`,
    );
    expect(await errorOf(serving.createEndpoint('bad', 'none'))).toBe(
      `ValidationException: Could not find endpoint configuration "${ARN}:endpoint-config/none".`,
    );
    await serving.createConfig('many', [['a', 'listed', 17]]);
    expect(await errorOf(serving.createEndpoint('many', 'many'))).toBe(
      "ResourceLimitExceeded: The account-level service limit 'ml.c5.xlarge for endpoint usage' is 16 Instances, with current utilization of 0 Instances and a request delta of 17 Instances. Please contact AWS support to request an increase for this limit.",
    );
    const configs = await serving.sagemaker.send(
      new ListEndpointConfigsCommand({ NameContains: 'listed', SortBy: 'Name', MaxResults: 1 }),
    );
    expect(configs.EndpointConfigs!.map(one => one.EndpointConfigName)).toEqual(['listed']);
    const models = await serving.sagemaker.send(new ListModelsCommand({ NameContains: 'LISTED' }));
    expect(models.Models!.map(one => one.ModelName)).toEqual(['listed']);
    expect(
      await serving.sagemaker.send(new DescribeEndpointConfigCommand({ EndpointConfigName: 'listed' })),
    ).toMatchObject({ ProductionVariants: [{ VariantName: 'a', InstanceType: 'ml.c5.xlarge' }] });
    await serving.sagemaker.send(new DeleteEndpointConfigCommand({ EndpointConfigName: 'listed' }));
    const { Endpoints } = await serving.sagemaker.send(new ListEndpointsCommand({ StatusEquals: 'InService' }));
    expect(Endpoints).toEqual([]);
  });
});

const isMissing = spawnSync('aws', ['--version']).error !== undefined;

// Not skipped if CI is set: .ci/run installs it.
describe.skipIf(isMissing && inheritedVariables().CI === undefined)('aws sagemaker', () => {
  const aws = async (...args: string[]) =>
    (
      await run('aws', ['--endpoint-url', serving.server.url, '--output', 'json', ...args], {
        env: serving.server.variables(),
      })
    ).stdout;

  test('create, wait, invoke, delete, wait', async () => {
    const { files } = serving.server;
    const url = await serving.putModel('by-cli', { 'name.txt': 'by-cli' });
    const container = `Image=local/serve:1,ModelDataUrl=${url}`;
    const model = ['--model-name', 'by-cli', '--execution-role-arn', ROLE, '--primary-container', container];
    await aws('sagemaker', 'create-model', ...model);
    const variant = 'VariantName=AllTraffic,ModelName=by-cli,InitialInstanceCount=1,InstanceType=ml.m5.large';
    const config = ['--endpoint-config-name', 'by-cli', '--production-variants', variant];
    await aws('sagemaker', 'create-endpoint-config', ...config);
    const name = ['--endpoint-name', 'by-cli'];
    await aws('sagemaker', 'create-endpoint', ...name, '--endpoint-config-name', 'by-cli');
    await serving.settled('by-cli', 'InService');
    await aws('sagemaker', 'wait', 'endpoint-in-service', ...name);
    const body = join(files, 'body.txt');
    writeFileSync(body, 'from a file');
    const out = join(files, 'out.txt');
    const answer: unknown = JSON.parse(
      await aws('sagemaker-runtime', 'invoke-endpoint', ...name, '--body', `fileb://${body}`, out),
    );
    expect(answer).toMatchObject({ InvokedProductionVariant: 'AllTraffic' });
    expect(readFileSync(out, 'utf8')).toMatch(/^by-cli \d+: no type from a file$/);
    const failed: unknown = await aws(
      'sagemaker-runtime',
      'invoke-endpoint',
      ...name,
      '--body',
      `fileb://${body}`,
      '--custom-attributes',
      '{"status":500}',
      out,
    ).catch((error: { stderr: string }) => error.stderr);
    expect(failed).toContain(
      'An error occurred (ModelError) when calling the InvokeEndpoint operation: Received server error (500)',
    );
    await aws('sagemaker', 'delete-endpoint', ...name);
    while (serving.server.service.serving.store.endpoints.get('by-cli') !== undefined) await sleep(50);
    await aws('sagemaker', 'wait', 'endpoint-deleted', ...name);
  });
});
