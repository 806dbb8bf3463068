import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../api/aws/aws-server.testing.ts';
import { type Ran, runTrenio } from '../job-server.testing.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  mkdirSync(join(server.files, 'data'));
  writeFileSync(join(server.files, 'data/a.csv'), '1,2\n');
  writeFileSync(
    join(server.files, 'train.mjs'),
    `import { readdirSync } from 'node:fs';
     console.log('got', process.argv.slice(2).join(' '), readdirSync(process.env.SM_CHANNEL_TRAIN).join(' '));
     console.log('loss=' + (process.argv[3] === '0.1' ? 0.5 : 0.25));
     if (process.argv.includes('--wait')) setTimeout(() => {}, 100_000);`,
  );
});
afterAll(async () => server[Symbol.asyncDispose]());

const trenio = (words: readonly string[], columns?: number): Promise<Ran> =>
  runTrenio(server, words, columns === undefined ? {} : { columns });

const create = (name: string, rate: string, ...more: string[]): Promise<Ran> =>
  trenio([
    ...['jobs', 'create', '-e', 'train.mjs', '-i', 'train=data', '-H', `rate=${rate}`, '--metric', 'loss=loss=(\\S+)'],
    ...['--name', name, ...more],
  ]);

describe('trenio jobs', () => {
  test('the cost of jobs without a price is unknown, not zero', async () => {
    expect(await create('unpriced', '0.1', '-f', '-t', 'ml.m5.large')).toMatchObject({ code: 0 });
    const { stdout } = await trenio(['jobs', 'cost', 'unpriced']);
    expect(stdout).toMatch(/^total +-$/m);
    expect(stdout).toMatch(/^Not in the total: 1 of 1 jobs, which have no public price or have not ended\.$/m);
    const { stdout: json } = await trenio(['jobs', 'cost', 'unpriced', '--json']);
    expect(JSON.parse(json)).toMatchObject({ totalUsd: null, jobsWithoutCost: 1 });
    expect((await trenio(['jobs', 'delete', 'unpriced'])).code).toBe(0);
  });

  test('create, follow, show, compare, cost, delete', async () => {
    const first = await create('first', '0.1', '-f');
    expect(first.code, first.stderr).toBe(0);
    expect(first.stdout).toContain('got --rate 0.1 a.csv\n');
    expect(first.stdout).toMatch(/first: Completed, \d+ s billed, \$0\.\d+ at \$1\.[\d]+\/h\n$/);
    const second = await create('second', '0.2', '-t', 'ml.p4d.24xlarge', '--json');
    expect(JSON.parse(second.stdout)).toMatchObject({ name: 'second' });
    const log = await trenio(['jobs', 'logs', '-f', 'second']);
    expect(log).toMatchObject({ code: 0, stdout: 'got --rate 0.2 a.csv\nloss=0.25\n' });

    const { stdout: shown } = await trenio(['jobs', 'show', 'first']);
    expect(shown).toMatch(/^not isolated +(?:Files outside \/opt\/ml|All files and processes)/m);
    expect(shown).toMatch(/^status +Completed$/m);
    expect(shown).toMatch(/^hyperparameters +rate=0.1$/m);
    expect(shown).toMatch(/^metrics +loss=0.5$/m);
    expect(shown).toMatch(/^model +s3:\/\/sagemaker-us-east-1-123456789012\/first\/output\/model.tar.gz$/m);
    expect(JSON.parse((await trenio(['jobs', 'show', 'first', '--json'])).stdout)).toMatchObject({
      status: 'Completed',
      metrics: { loss: 0.5 },
    });

    const { stdout: compared } = await trenio(['jobs', 'compare', 'first', 'second']);
    expect(
      compared.split('\n').map(line => line.replace(/ {2,}/g, ' | ').replace(/(?:\d+ min )?[\d.]+ m?s/g, 'T')),
    ).toEqual([
      expect.stringMatching(/first \| second$/),
      expect.stringMatching(/^─/),
      'instances | 1 × ml.trn1.2xlarge | 1 × ml.p4d.24xlarge',
      'rate | 0.1 | 0.2',
      'status | Completed | Completed',
      'loss | 0.5 | 0.25',
      expect.stringMatching(/^training time \| T \| T$/),
      expect.stringMatching(/^billed \| T \| T$/),
      expect.stringMatching(/^price per hour \| \$1\.\d+ \| \$\d+\.\d+$/),
      expect.stringMatching(/^cost, claimed \| \$\d\.\d+ \| \$\d\.\d+$/),
      '',
    ]);
    const cost = JSON.parse((await trenio(['jobs', 'cost', '--json'])).stdout) as {
      readonly jobs: readonly { readonly name: string; readonly claimedUsd: number }[];
      readonly totalUsd: number;
    };
    expect(cost.jobs.map(({ name }) => name)).toEqual(['second', 'first']);
    expect(cost.totalUsd).toBeCloseTo(cost.jobs[0]!.claimedUsd + cost.jobs[1]!.claimedUsd, 6);

    expect((await trenio(['jobs', 'delete', 'first'])).stdout).toBe('deleted first\n');
    expect((await trenio(['jobs', 'ls', '--contains', 'first'])).stdout).toBe('No jobs.\n');
    const { stdout: narrow } = await trenio(['jobs', 'ls'], 50);
    expect(narrow).toMatch(/^second +Completed/m);
    for (const line of narrow.split('\n')) expect(line.length).toBeLessThanOrEqual(50);
  });

  test('stop, and interrupt a spot job', async () => {
    expect((await create('long', '1', '-H', 'wait=1', '--spot', '--max-wait', '600', '--max-run', '600')).code).toBe(0);
    expect((await trenio(['jobs', 'ls', '--status', 'InProgress', '--json'])).stdout).toContain('"name":"long"');
    while (server.service.jobs.training.get('long')?.secondary !== 'Training')
      await new Promise(done => setTimeout(done, 50));
    expect((await trenio(['jobs', 'interrupt', 'long'])).stdout).toBe('interrupting long\n');
    while (server.service.jobs.training.get('long')?.secondary === 'Training')
      await new Promise(done => setTimeout(done, 50));
    expect((await trenio(['jobs', 'stop', 'long'])).stdout).toBe('stopping long\n');
    expect((await trenio(['jobs', 'logs', '-f', 'long'])).code).toBe(0);
  });

  test('refused', async () => {
    expect(await trenio(['jobs', 'show', 'none'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'DescribeTrainingJob: Requested resource not found. (ValidationException)',
      ) as string,
    });
    expect(await trenio(['jobs', 'create', '-e', 'none.mjs'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('none.mjs: no such file') as string,
    });
    expect(await trenio(['jobs', 'create', '-e', 'train.mjs', '-H', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--hyperparameter') as string,
    });
    expect(await trenio(['jobs', 'ls', '--status', 'Sleeping'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Member must satisfy enum value set: [InProgress') as string,
    });
    expect(await trenio(['jobs', 'stop'])).toMatchObject({ code: 2 });
    const alone = { ...server.variables(), AWS_ENDPOINT_URL: undefined, XDG_DATA_HOME: server.folder };
    expect(await runTrenio(server, ['jobs', 'ls'], { variables: alone })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no job server: AWS_ENDPOINT_URL is not set') as string,
    });
  });
});
