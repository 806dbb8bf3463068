// Batch transform jobs with the AWS SDK for JavaScript and the `aws` command.
import { execFile, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import {
  CreateTransformJobCommand,
  type CreateTransformJobCommandInput,
  DescribeTransformJobCommand,
  type DescribeTransformJobCommandOutput,
  ListTransformJobsCommand,
  StopTransformJobCommand,
} from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inheritedVariables } from '../../../base/environment.ts';
import { errorOf, ServingTest } from './endpoints.testing.ts';

const run = promisify(execFile);
let serving: ServingTest;
beforeAll(async () => {
  serving = await ServingTest.start();
  await serving.createModel('upper');
  serving.server.service.objects.createBucket('data');
  await put('in/a.txt', 'one\ntwo\n\nthree');
  await put('in/sub/b.txt', 'four\n');
});
afterAll(() => serving.stop());

async function put(key: string, body: string | Uint8Array): Promise<void> {
  await serving.server.service.objects.put('data', key, bodyOf(Buffer.from(body)));
}
async function* bodyOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
async function textOf(key: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await serving.server.service.objects.read('data', key)).bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const create = (name: string, changes: Partial<CreateTransformJobCommandInput> = {}) =>
  serving.sagemaker.send(
    new CreateTransformJobCommand({
      TransformJobName: name,
      ModelName: 'upper',
      TransformInput: {
        DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://data/in/' } },
        ContentType: 'text/plain',
        SplitType: 'Line',
      },
      TransformOutput: { S3OutputPath: `s3://data/${name}`, AssembleWith: 'Line', Accept: 'text/plain' },
      TransformResources: { InstanceType: 'ml.c5.xlarge', InstanceCount: 1 },
      ...changes,
    }),
  );
const show = (TransformJobName: string) =>
  serving.sagemaker.send(new DescribeTransformJobCommand({ TransformJobName }));
async function ended(name: string): Promise<DescribeTransformJobCommandOutput> {
  for (;;) {
    const job = await show(name);
    if (!['InProgress', 'Stopping'].includes(job.TransformJobStatus!)) return job;
    await sleep(50);
  }
}
const lines = (name: string): readonly string[] =>
  serving.server.service.logs
    .events('/aws/sagemaker/TransformJobs', {
      streams: undefined,
      fromMs: undefined,
      toMs: undefined,
      contains: [],
      limit: 1000,
    })
    .filter(({ stream }) => stream.startsWith(`${name}/`))
    .map(({ message }) => message);

describe('transform jobs', () => {
  test('process each object below a prefix, with as many lines per request as fit', async () => {
    const { TransformJobArn } = await create('many');
    expect(TransformJobArn).toBe('arn:aws:sagemaker:us-east-1:123456789012:transform-job/many');
    expect(await ended('many')).toMatchObject({ TransformJobStatus: 'Completed', ModelName: 'upper' });
    expect(await textOf('many/a.txt.out')).toBe('ONE\nTWO\nTHREE\n');
    expect(await textOf('many/sub/b.txt.out')).toBe('FOUR\n');
    expect(lines('many')).toContain('request of 13, true MULTI_RECORD');
  });

  test('one line per request, concurrently, in order; compressed input', async () => {
    const words = Array.from({ length: 50 }, (_, i) => `word${i}`);
    await put('zip/words.gz', gzipSync(words.join('\n')));
    await create('single', {
      BatchStrategy: 'SingleRecord',
      MaxConcurrentTransforms: 8,
      TransformInput: {
        DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://data/zip/' } },
        SplitType: 'Line',
        CompressionType: 'Gzip',
      },
      TransformResources: { InstanceType: 'ml.c5.xlarge', InstanceCount: 2 },
    });
    expect((await ended('single')).TransformJobStatus).toBe('Completed');
    expect(await textOf('single/words.gz.out')).toBe(`${words.join('\n').toUpperCase()}\n`);
  });

  test('a rejected record makes the job fail, and no incomplete object is left', async () => {
    await put('bad/a.txt', 'good\nbad\n');
    const bad = {
      TransformInput: {
        DataSource: { S3DataSource: { S3DataType: 'S3Prefix' as const, S3Uri: 's3://data/bad/' } },
        SplitType: 'Line' as const,
      },
    };
    await create('bad', { ...bad, BatchStrategy: 'SingleRecord' });
    const job = await ended('bad');
    expect(job.TransformJobStatus).toBe('Failed');
    expect(job.FailureReason).toContain('ClientError: Bad HTTP status received from algorithm: 400: a bad record');
    await expect(textOf('bad/a.txt.out')).rejects.toThrow('does not exist');
    expect(lines('bad')).toContain('data/bad/a.txt: Bad HTTP status received from algorithm: 400: a bad record');
  });

  test('a prefix without objects makes the job fail', async () => {
    await create('empty', {
      TransformInput: { DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://data/nothing/' } } },
    });
    const job = await ended('empty');
    expect(job.TransformJobStatus).toBe('Failed');
    expect(job.FailureReason).toBe(
      'ClientError: No objects found under s3://data/nothing/. See job logs for more information',
    );
  });

  test('is stopped', async () => {
    await put('slow/a.txt', 'slow');
    await create('stopped', {
      TransformInput: { DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://data/slow/' } } },
    });
    while (!lines('stopped').includes('request of 4, true MULTI_RECORD')) await sleep(50);
    await serving.sagemaker.send(new StopTransformJobCommand({ TransformJobName: 'stopped' }));
    expect((await ended('stopped')).TransformJobStatus).toBe('Stopped');
    expect(await errorOf(serving.sagemaker.send(new StopTransformJobCommand({ TransformJobName: 'stopped' })))).toBe(
      'ValidationException: The request was rejected because the transform job is in status Stopped.',
    );
    const { TransformJobSummaries } = await serving.sagemaker.send(
      new ListTransformJobsCommand({ StatusEquals: 'Stopped' }),
    );
    expect(TransformJobSummaries!.map(one => one.TransformJobName)).toEqual(['stopped']);
  });

  test('secrets in environment variables are passed to the program, but hidden in lines, messages and descriptions', async () => {
    const secret = 'hunter2-and-more';
    await put('tell/a.txt', 'tell');
    await create('telling', {
      Environment: { API_TOKEN: secret, COLOR: 'green' },
      TransformInput: { DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://data/tell/' } } },
    });
    const job = await ended('telling');
    expect(job.Environment).toEqual({ API_TOKEN: '******', COLOR: 'green' });
    expect(job.FailureReason).toContain('400: bad token ******');
    expect(lines('telling')).toContain('the token is ******, the color green');
    expect(JSON.stringify([job, lines('telling'), serving.server.log])).not.toContain(secret);
  });

  test('invalid requests are rejected', async () => {
    expect(await errorOf(show('none'))).toBe('ValidationException: Requested resource not found.');
    expect(await errorOf(create('x', { ModelName: 'none' }))).toContain('Could not find model');
    expect(await errorOf(create('x', { MaxPayloadInMB: 60, MaxConcurrentTransforms: 2 }))).toContain(
      'must be at most 100, got 120',
    );
    expect(await errorOf(create('many'))).toContain('ResourceInUse: Job name must be unique');
  });
});

const isMissing = spawnSync('aws', ['--version']).error !== undefined;

test.skipIf(isMissing && inheritedVariables().CI === undefined)('aws sagemaker wait', async () => {
  await create('waited');
  await ended('waited');
  const wait = ['sagemaker', 'wait', 'transform-job-completed-or-stopped', '--transform-job-name', 'waited'];
  await run('aws', ['--endpoint-url', serving.server.url, ...wait], { env: serving.server.variables() });
});
