import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminKey, startTestServer, type TestServer } from '../../api/aws/aws-server.testing.ts';
import { TrenioError } from '../../base/errors.ts';
import type { ConnectionOptions } from '../wire/connection.ts';
import { Estimator } from './estimator.ts';
import type { EstimatorOptions } from './estimator-options.ts';

let server: TestServer;
let connection: ConnectionOptions;
beforeAll(async () => {
  server = await startTestServer();
  connection = { endpoint: server.url, accessKeyId: adminKey.id, secretAccessKey: adminKey.secret };
  mkdirSync(join(server.files, 'data/deep'), { recursive: true });
  writeFileSync(join(server.files, 'data/a.csv'), '1,2\n');
  writeFileSync(join(server.files, 'data/deep/b.csv'), '3,4\n');
});
afterAll(async () => server[Symbol.asyncDispose]());

class Screen {
  readonly isTTY = false;
  text = '';
  write(text: string): boolean {
    this.text += text;
    return true;
  }
}

const fixtures = join(import.meta.dirname, 'fixtures');
const estimator = (more: Partial<EstimatorOptions> = {}): Estimator =>
  new Estimator({
    entryPoint: 'train.ts',
    sourceDir: fixtures,
    instanceType: 'ml.trn1.2xlarge',
    connection,
    environment: { GREETED: 'world' },
    ...more,
  });

const errorOf = async (work: () => unknown): Promise<TrenioError> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof TrenioError) return error;
    throw error;
  }
  throw new Error('no error');
};

describe('fit', () => {
  test('uploads code and data, prints the output of the job, and returns its metrics, times and cost', async () => {
    const stream = new Screen();
    const first = estimator({ hyperparameters: { epochs: 2, name: 'a b' }, tags: { team: 'ml' } });
    const job = await first.fit({ train: join(server.files, 'data') }, { stream });
    expect(job).toMatchObject({
      status: 'Completed',
      secondaryStatus: 'Completed',
      instanceType: 'ml.trn1.2xlarge',
      instanceCount: 1,
      image: 'trenio',
      hyperparameters: { epochs: 2, name: 'a b' },
      failureReason: undefined,
    });
    expect(job.metrics['train:loss']).toBeCloseTo(0.25);
    expect(job.metrics['validation:accuracy']).toBeCloseTo(0.91);
    expect(job.name).toMatch(/^trenio-\d{4}(?:-\d\d){5}-\d{3}$/);
    expect(first.latestJobName).toBe(job.name);
    const { claimedUsd, pricePerHourUsd } = job.cost;
    expect(claimedUsd).toBeCloseTo((pricePerHourUsd! * job.billableSeconds!) / 3600, 5);
    expect(stream.text).toContain('hello from trenio ');
    expect(stream.text).toContain(', world, rank 0\n');
    expect(stream.text).toContain('files: a.csv deep; options {"epochs":"2","name":"a b"}\n');
    expect(stream.text).toMatch(/: Completed, \d+ s billed, \$0\.\d+ at \$1\.[\d]+\/h\n$/);
    // The model is where the job says.
    const { bucket, key } = /^s3:\/\/(?<bucket>[^/]+)\/(?<key>.+)$/.exec(job.modelData)!.groups as Record<
      string,
      string
    >;
    const { bytes } = await server.service.objects.read(bucket!, key!);
    const folder = join(server.files, 'model');
    mkdirSync(folder);
    const unpack = extract({ cwd: folder });
    for await (const part of bytes) unpack.write(part as Buffer);
    unpack.end();
    await new Promise(done => unpack.on('close', done));
    expect(existsSync(join(folder, 'model-0.txt'))).toBe(true);

    // An attached job can be trained again, with the code in the store.
    const again = await Estimator.attach(job.name, { connection });
    expect(await again.result()).toMatchObject({ name: job.name, status: 'Completed' });
    const second = await again.fit(undefined, { stream, jobName: 'second' });
    expect(second).toMatchObject({ name: 'second', status: 'Completed', hyperparameters: { epochs: 2, name: 'a b' } });
    expect(stream.text).toContain('files: none;');
  });

  test('a job on several instances prints the host before each line', async () => {
    const stream = new Screen();
    const two = estimator({ instanceCount: 2, distribution: { torchDistributed: { enabled: true } } });
    const job = await two.fit({ train: { s3Data: join(server.files, 'data/a.csv') } }, { stream });
    expect(job.status).toBe('Completed');
    expect(stream.text).toMatch(/^algo-1 \| .*rank 0$/m);
    expect(stream.text).toMatch(/^algo-2 \| .*rank \d+$/m);
    expect(stream.text).toContain('/h × 2');
  });

  test('a job that fails is an error with its reason', async () => {
    const error = await errorOf(() =>
      estimator({ hyperparameters: { fail: 'out of luck' } }).fit(undefined, {
        stream: new Screen(),
        jobName: 'fails',
      }),
    );
    expect(error.message).toContain('the training job fails failed: AlgorithmError: Error: out of luck, exit code: 1');
    expect(error.fix).toBe('read its log (trenio jobs logs fails), and start it again under another name');
  });

  test('stop ends the job', async () => {
    const long = estimator({ hyperparameters: { seconds: 100 } });
    expect(await long.fit(undefined, { wait: false })).toMatchObject({ status: 'InProgress', endedAt: undefined });
    await long.stop();
    expect(await long.wait({ stream: new Screen() })).toMatchObject({ status: 'Stopped' });
    await long.stop();
  });

  test('waiting can be canceled; the job continues', async () => {
    const stream = new Screen();
    const long = estimator({ hyperparameters: { seconds: 100 } });
    const stopping = new AbortController();
    const fitting = long.fit(undefined, { stream, signal: stopping.signal, jobName: 'goes-on' });
    while (!stream.text.includes('hello')) await new Promise(done => setTimeout(done, 50));
    stopping.abort(new Error('enough'));
    await expect(fitting).rejects.toThrow('enough');
    expect(stream.text).toContain('goes-on continues. To follow it: trenio jobs logs -f goes-on.');
    expect((await long.result()).status).toBe('InProgress');
    await long.stop();
  });

  test('Ctrl-C ends the program and prints how to reconnect', async () => {
    const script = join(server.files, 'fit.ts');
    writeFileSync(
      script,
      `import { Estimator } from '${join(import.meta.dirname, 'estimator.ts')}';
       await new Estimator({
         entryPoint: '${join(fixtures, 'greeting.ts')}', instanceType: 'ml.trn1.2xlarge', imageUri: 'trenio',
       }).fit({ train: '${join(server.files, 'data')}' }, { jobName: 'left-alone' });`,
    );
    // A pool of one instance would do; here it is enough that the server has not started the job yet.
    const child = spawn(process.execPath, [script], { env: server.variables(), stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (part: Buffer) => {
      text += part.toString();
      if (text.includes('left-alone: ')) child.kill('SIGINT');
    });
    const signal = await new Promise(done => child.on('close', (_, name) => done(name)));
    expect(signal).toBe('SIGINT');
    expect(text).toContain('left-alone continues. To follow it: trenio jobs logs -f left-alone.');
    expect(server.service.jobs.training.get('left-alone')).toBeDefined();
  });
});

describe('refused', () => {
  test.each<[string, Partial<EstimatorOptions>, string]>([
    ['no entry point', { entryPoint: undefined }, 'entryPoint is missing, expected the path of a script'],
    [
      'no type',
      { instanceType: undefined as never },
      'instanceType is missing, expected a type such as ml.trn1.32xlarge',
    ],
    ['half an instance', { instanceCount: 0.5 }, 'instanceCount is 0.5, expected an integer from 1'],
    ['spot without a limit', { useSpotInstances: true }, 'maxWait is missing, expected a number of seconds'],
    ['an unknown option', { hyperParameters: {} } as never, 'did you mean hyperparameters?'],
    ['an unknown kind of distribution', { distribution: { mpi: {} } as never }, 'distribution has no option mpi'],
  ])('%s', async (_, options, message) => {
    expect((await errorOf(() => estimator(options))).message).toContain(message);
  });

  test('missing code or data is an error, before anything is uploaded', async () => {
    expect((await errorOf(() => estimator({ entryPoint: 'none.ts' }).fit())).message).toContain(
      'none.ts: no such file (the entry point none.ts)',
    );
    expect((await errorOf(() => estimator().fit({ train: '/nonexistent' }))).message).toContain(
      'cannot read /nonexistent: no such file or directory',
    );
  });

  test('a data URL outside S3 is an error', async () => {
    const { message } = await errorOf(() => estimator().fit({ train: 'https://example.com/data' }));
    expect(message).toContain(
      "fit: train is 'https://example.com/data', expected s3://bucket/key, or a local file or folder",
    );
  });

  test('errors of the server are reported', async () => {
    const wrong = estimator({ instanceType: 'ml.trn9.32xlarge' as never });
    const { message } = await errorOf(() => wrong.fit(undefined, { stream: new Screen() }));
    expect(message).toContain(
      "CreateTrainingJob: 1 validation error detected: Value 'ml.trn9.32xlarge' at 'resourceConfig.instanceType'",
    );
    // The nearest of more than a hundred types.
    expect(message).toMatch(/enum value set: \[ml\.trn1\.32xlarge, ml\.\S+, ml\.\S+, and \d+ others\]/);
    expect((await errorOf(() => wrong.stop())).message).toContain('stop needs a training job');
    expect((await errorOf(() => Estimator.attach('none', { connection }))).message).toContain(
      'DescribeTrainingJob: Requested resource not found.',
    );
  });
});
