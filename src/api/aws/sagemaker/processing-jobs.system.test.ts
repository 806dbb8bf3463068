// Processing jobs with the AWS SDK for JavaScript and the `aws` command.
import { execFile, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import {
  CreateProcessingJobCommand,
  type CreateProcessingJobCommandInput,
  DescribeProcessingJobCommand,
  type DescribeProcessingJobCommandOutput,
  ListProcessingJobsCommand,
  SageMakerClient,
  StopProcessingJobCommand,
} from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inheritedVariables } from '../../../base/environment.ts';
import { LOG_GROUP } from '../../../jobs/processing/processing-runner.ts';
import { detectIsolation } from '../../../jobs/training/sandbox.ts';
import { adminKey, startTestServer, type TestServer } from '../aws-server.testing.ts';
import { callTrenio } from '../trenio/trenio-call.testing.ts';
import { errorOf } from './training-jobs.testing.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('./fixtures/process.mjs', import.meta.url));
let server: TestServer;
let client: SageMakerClient;
beforeAll(async () => {
  server = await startTestServer({
    graceMs: 300,
    images: { 'local/process:1': { kind: 'command', process: [process.execPath, program] } },
  });
  client = clientOf();
  server.service.objects.createBucket('data');
  await put('in/a.txt', 'one');
  await put('in/sub/b.txt', 'two');
});
afterAll(() => server[Symbol.asyncDispose]());

const clientOf = (): SageMakerClient =>
  new SageMakerClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: adminKey.id, secretAccessKey: adminKey.secret },
  });

async function put(key: string, body: string | Uint8Array): Promise<void> {
  await server.service.objects.put('data', key, bodyOf(Buffer.from(body)));
}
async function* bodyOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
async function textOf(key: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await server.service.objects.read('data', key)).bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

type Changes = Partial<CreateProcessingJobCommandInput>;

const input = (changes: object = {}): NonNullable<Changes['ProcessingInputs']>[number] => ({
  InputName: 'in',
  S3Input: {
    S3Uri: 's3://data/in',
    LocalPath: '/opt/ml/processing/input',
    S3DataType: 'S3Prefix',
    S3InputMode: 'File',
    ...changes,
  },
});
const output = (name: string, mode: 'EndOfJob' | 'Continuous' = 'EndOfJob'): Changes['ProcessingOutputConfig'] => ({
  Outputs: [
    {
      OutputName: 'out',
      S3Output: { S3Uri: `s3://data/${name}`, LocalPath: '/opt/ml/processing/output', S3UploadMode: mode },
    },
  ],
});
const app = (...words: readonly string[]) => ({ ImageUri: 'local/process:1', ContainerArguments: [...words] });
const resources = (count: number) => ({
  ClusterConfig: { InstanceType: 'ml.m5.xlarge' as const, InstanceCount: count, VolumeSizeInGB: 1 },
});

const create = (name: string, changes: Changes = {}) =>
  client.send(
    new CreateProcessingJobCommand({
      ProcessingJobName: name,
      RoleArn: 'arn:aws:iam::123456789012:role/processor',
      AppSpecification: app('copy'),
      Environment: { COLOR: 'green' },
      ProcessingInputs: [input()],
      ProcessingOutputConfig: output(name),
      ProcessingResources: resources(1),
      ...changes,
    }),
  );
const show = (ProcessingJobName: string) => client.send(new DescribeProcessingJobCommand({ ProcessingJobName }));
async function ended(name: string): Promise<DescribeProcessingJobCommandOutput> {
  for (;;) {
    const job = await show(name);
    if (!['InProgress', 'Stopping'].includes(job.ProcessingJobStatus!)) return job;
    await sleep(50);
  }
}
const lines = (name: string): readonly string[] =>
  server.service.logs
    .events(LOG_GROUP, { streams: undefined, fromMs: undefined, toMs: undefined, contains: [], limit: 1000 })
    .filter(({ stream }) => stream.startsWith(`${name}/`))
    .map(({ message }) => message);
const untilLine = async (name: string, line: string): Promise<void> => {
  while (!lines(name).includes(line)) await sleep(50);
};

// The program uses the contract's paths, which exist only with its own mount namespace.
describe.skipIf(detectIsolation() === 'none')('processing jobs', () => {
  test('run a program on inputs from the object store, and upload its outputs', async () => {
    const { ProcessingJobArn } = await create('plain', {
      AppSpecification: app('copy', 'message', 'done'),
      Tags: [{ Key: 'team', Value: 'nlp' }],
    });
    expect(ProcessingJobArn).toBe('arn:aws:sagemaker:us-east-1:123456789012:processing-job/plain');
    const job = await ended('plain');
    expect(job).toMatchObject({
      ProcessingJobStatus: 'Completed',
      ExitMessage: 'done',
      RoleArn: 'arn:aws:iam::123456789012:role/processor',
      StoppingCondition: { MaxRuntimeInSeconds: 86_400 },
      AppSpecification: app('copy', 'message', 'done'),
    });
    expect(job.ProcessingEndTime!.getTime()).toBeGreaterThanOrEqual(job.ProcessingStartTime!.getTime());
    expect(await textOf('plain/a.txt')).toBe('ONE');
    expect(await textOf('plain/sub/b.txt')).toBe('TWO');
    expect(lines('plain')).toEqual([
      'host algo-1 algo-1 of algo-1; job plain; green',
      'input a.txt',
      'input sub/b.txt',
    ]);
  });

  test('run on several hosts, each with its name and a share of the inputs', async () => {
    await create('hosts', {
      ProcessingInputs: [input({ S3DataDistributionType: 'ShardedByS3Key' })],
      ProcessingResources: resources(2),
    });
    expect((await ended('hosts')).ProcessingJobStatus).toBe('Completed');
    expect(await textOf('hosts/a.txt')).toBe('ONE');
    expect(await textOf('hosts/sub/b.txt')).toBe('TWO');
    // The first line may describe the network of the hosts on this machine.
    const printed = lines('hosts').filter(line => /^(?:host|input) /.test(line));
    expect(printed.sort()).toEqual([
      'host algo-1 algo-1 of algo-1,algo-2; job hosts; green',
      'host algo-2 algo-2 of algo-1,algo-2; job hosts; green',
      'input a.txt',
      'input sub/b.txt',
    ]);
  });

  test('accept a manifest, and compressed inputs', async () => {
    await put('zip/words.gz', gzipSync('words'));
    await put('manifest', JSON.stringify([{ prefix: 's3://data/in/' }, 'sub/b.txt']));
    await create('manifest', {
      ProcessingInputs: [
        input({ S3Uri: 's3://data/manifest', S3DataType: 'ManifestFile' }),
        {
          InputName: 'zip',
          S3Input: {
            S3Uri: 's3://data/zip/',
            LocalPath: '/opt/ml/processing/input/zip',
            S3DataType: 'S3Prefix',
            S3CompressionType: 'Gzip',
          },
        },
      ],
    });
    expect((await ended('manifest')).FailureReason).toBeUndefined();
    expect(await textOf('manifest/sub/b.txt')).toBe('TWO');
    expect(await textOf('manifest/zip/words')).toBe('WORDS');
  });

  test('a failing program: the reason, its message, and only outputs that were uploaded before', async () => {
    await create('failed', { AppSpecification: app('copy', 'fail', 'message', 'record 3') });
    expect(await ended('failed')).toMatchObject({
      ProcessingJobStatus: 'Failed',
      FailureReason: 'AlgorithmError: RangeError: a bad record, exit code: 1',
      ExitMessage: 'record 3',
    });
    await expect(textOf('failed/a.txt')).rejects.toThrow('does not exist');
    await create('binary', { AppSpecification: app('binary') });
    expect(await ended('binary')).toMatchObject({
      ProcessingJobStatus: 'Failed',
      FailureReason: 'ClientError: the file /opt/ml/output/message is not encoded as UTF-8',
    });
  });

  test('secrets in environment variables are passed to the program, but hidden in logs, messages and descriptions', async () => {
    const secret = 'hunter2-and-more';
    await create('secret', {
      AppSpecification: app('secret', 'message', `leaked ${secret}`),
      Environment: { COLOR: 'green', API_TOKEN: secret },
    });
    const job = await ended('secret');
    expect(job).toMatchObject({
      ProcessingJobStatus: 'Completed',
      ExitMessage: 'leaked ******',
      Environment: { COLOR: 'green', API_TOKEN: '******' },
    });
    expect(lines('secret')).toContain('the token is ******.');
  });

  test('missing data is a client error', async () => {
    await create('nothing', { ProcessingInputs: [input({ S3Uri: 's3://data/none/' })] });
    expect((await ended('nothing')).FailureReason).toContain(
      'ClientError: No S3 objects found under S3 URL "s3://data/none/"',
    );
    const [out] = output('x')!.Outputs!;
    await create('no-bucket', {
      ProcessingOutputConfig: { Outputs: [{ ...out!, S3Output: { ...out!.S3Output!, S3Uri: 's3://none/x' } }] },
    });
    expect((await ended('no-bucket')).FailureReason).toBe('ClientError: The specified bucket does not exist');
    await put('bad-manifest', '{"prefix": 1}');
    await create('bad-manifest', {
      ProcessingInputs: [input({ S3Uri: 's3://data/bad-manifest', S3DataType: 'ManifestFile' })],
    });
    expect((await ended('bad-manifest')).FailureReason).toContain(
      'ClientError: The manifest s3://data/bad-manifest must be a list such as',
    );
  });

  test('continuous outputs are uploaded while it runs; a stop also ends a program that ignores SIGTERM', async () => {
    await create('stopped', {
      AppSpecification: app('copy', 'wait', 'ignore'),
      ProcessingOutputConfig: output('stopped', 'Continuous'),
    });
    await untilLine('stopped', 'waits');
    for (;;) {
      const text = await textOf('stopped/a.txt').catch(() => undefined);
      if (text === 'ONE') break;
      await sleep(100);
    }
    expect((await show('stopped')).ProcessingJobStatus).toBe('InProgress');
    await client.send(new StopProcessingJobCommand({ ProcessingJobName: 'stopped' }));
    expect((await ended('stopped')).ProcessingJobStatus).toBe('Stopped');
    expect(lines('stopped')).toContain('SIGTERM');
    expect(await errorOf(client.send(new StopProcessingJobCommand({ ProcessingJobName: 'stopped' })))).toBe(
      'ValidationException: The request was rejected because the processing job is in status Stopped.',
    );
    const page = await client.send(new ListProcessingJobsCommand({ StatusEquals: 'Stopped' }));
    expect(page.ProcessingJobSummaries!.map(one => one.ProcessingJobName)).toEqual(['stopped']);
  });

  test('end at their time limit; costs are billed by the second', async () => {
    await create('long', { AppSpecification: app('wait'), StoppingCondition: { MaxRuntimeInSeconds: 1 } });
    const job = await ended('long');
    expect(job.ProcessingJobStatus).toBe('Stopped');
    expect(job.FailureReason).toBe('The job ran longer than MaxRuntimeInSeconds (1).');
    const cost = await callTrenio(server.url, adminKey, 'DescribeProcessingJobCost', { ProcessingJobName: 'long' });
    const seconds = Math.ceil((job.ProcessingEndTime!.getTime() - job.ProcessingStartTime!.getTime()) / 1000);
    expect(cost).toMatchObject({ InstanceCount: 1, Claimed: { BillableTimeInSeconds: seconds } });
  });

  test('continue while the server restarts', async () => {
    await create('restarted', { AppSpecification: app('copy', 'wait') });
    await untilLine('restarted', 'waits');
    client.destroy();
    server = await server.restart();
    client = clientOf();
    expect((await show('restarted')).ProcessingJobStatus).toBe('InProgress');
    await client.send(new StopProcessingJobCommand({ ProcessingJobName: 'restarted' }));
    expect((await ended('restarted')).ProcessingJobStatus).toBe('Stopped');
    // The outputs of a stopped job are kept.
    expect(await textOf('restarted/a.txt')).toBe('ONE');
  });

  test('an entry point in the request, with the image trenio', async () => {
    await put(
      'code/size.mjs',
      `import * as trenio from 'trenio'; console.log('functions', Object.keys(trenio).length > 10);`,
    );
    await create('script', {
      AppSpecification: { ImageUri: 'trenio', ContainerEntrypoint: ['node', '/opt/ml/processing/code/size.mjs'] },
      ProcessingInputs: [input({ S3Uri: 's3://data/code/', LocalPath: '/opt/ml/processing/code' })],
    });
    expect((await ended('script')).FailureReason).toBeUndefined();
    expect(lines('script')).toEqual(['functions true']);
  });
});

test('rejects invalid requests', async () => {
  const refusal = (changes: Changes): Promise<string> => errorOf(create('x', changes));
  expect(await errorOf(show('none'))).toBe('ValidationException: Could not find requested job with name: none');
  expect(await refusal({ AppSpecification: { ImageUri: 'none' } })).toContain("image 'none' is not known");
  expect(await refusal({ AppSpecification: { ImageUri: 'trenio' } })).toContain('has no command for processing');
  expect(await refusal({ ProcessingResources: resources(17) })).toContain(
    "ResourceLimitExceeded: The account-level service limit 'ml.m5.xlarge for processing job usage' is 16 Instances",
  );
  for (const LocalPath of [
    '/etc',
    '/opt/ml/processing/',
    '/opt/ml/processing/../model',
    '/opt/ml/processing/a/../../x',
  ])
    expect(await refusal({ ProcessingInputs: [input({ LocalPath })] }), LocalPath).toContain(
      "The LocalPath of the input 'in' must be a path that begins with /opt/ml/processing/",
    );
  expect(await refusal({ ProcessingInputs: [input(), input()] })).toContain("'in' occurs twice");
  expect(await refusal({ ProcessingInputs: [input({ S3InputMode: 'Pipe' })] })).toContain("use 'File'");
  await create('Twice', { StoppingCondition: { MaxRuntimeInSeconds: 60 } });
  expect(await errorOf(create('twice'))).toContain('ResourceInUse: Job name must be unique');
  expect(server.log).toEqual([]);
});

const isMissing = spawnSync('aws', ['--version']).error !== undefined;

test.skipIf(isMissing && inheritedVariables().CI === undefined)('aws sagemaker wait', async () => {
  const aws = (...words: readonly string[]) =>
    run('aws', ['--endpoint-url', server.url, 'sagemaker', ...words], { env: server.variables() });
  await create('waited');
  await ended('waited');
  await aws('wait', 'processing-job-completed-or-stopped', '--processing-job-name', 'waited');
  const { stdout } = await aws('describe-processing-job', '--processing-job-name', 'waited');
  expect(JSON.parse(stdout)).toMatchObject({ ProcessingJobStatus: 'Completed' });
  await expect(aws('wait', 'processing-job-completed-or-stopped', '--processing-job-name', 'none')).rejects.toThrow(
    'ProcessingJobCompletedOrStopped failed',
  );
});
