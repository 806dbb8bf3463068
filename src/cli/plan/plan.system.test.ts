// The command on the real catalog and simulator. What they predict is tested there; here it is what is shown of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { folder, type Plan, plan, planJson, type Row, rowsOf } from './plan.testing.ts';

const bert = ['--model', 'bert-large', '--sequence', '128'];

describe('a comparison', () => {
  const words = [...bert, '--on', 'trn1.32xlarge,p4d.24xlarge,trn2.48xlarge', '--nodes', '1,4', '--steps', '7k'];

  test('as a table: a row for each machine and number of nodes, marks, assumptions', async () => {
    const { exitCode, stdout, stderr } = await plan(...words);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^bert-large, 7,000 steps\n\nmachine +nodes +layout +recipe +step +80 % +samples\/s \(tokens\/s\) +MFU +memory +time +cost +bound\n/,
    );
    expect(rowsOf(stdout).filter(line => line.includes(' dp'))).toHaveLength(6);
    expect(stdout.match(/ {2}(.*)fastest$/gm)).toHaveLength(1);
    expect(stdout.match(/cheapest/g)).toHaveLength(1);
    const onDemand = await plan(...words, '--purchase', 'on-demand');
    expect(onDemand.stdout).toContain('no public price');
    expect(onDemand.stdout).toMatch(/trn2\.48xlarge has no public on-demand price, but .*capacity-block \$/);
    expect(stdout).not.toMatch(/\$0\.00|NaN|undefined|Infinity/);
    expect(stdout).toContain('\nAssumptions:\n  --precision not given: bf16-mixed');
    expect(stdout).toContain('Start-up on trn1.32xlarge is assumed to take 300 s to get machines');
  });

  test('as JSON: time is steps and start-up, cost is the price of that time', async () => {
    const { rows, model } = await planJson(...words, '--purchase', 'on-demand');
    expect([model, rows.length]).toEqual(['bert-large', 6]);
    for (const row of rows) {
      const phases = Object.values(row.byPhase).reduce((sum, seconds) => sum + seconds, 0);
      expect(phases / row.stepSeconds).toBeCloseTo(1, 6);
      expect(row.training!.seconds - 7000 * row.stepSeconds).toBeCloseTo(row.machine.startsWith('p') ? 420 : 1200, 3);
      expect(row.training!.usd === null).toBe(row.machine === 'trn2.48xlarge');
    }
    const trn1 = rows.find(row => row.machine === 'trn1.32xlarge' && row.nodes === 4)!;
    expect(trn1.training!.usd).toBeCloseTo((21.5 * 4 * trn1.training!.seconds) / 3600, 2);
    const marked = (mark: 'cheapest' | 'fastest'): Row => rows.find(row => row[mark])!;
    expect(marked('fastest').training!.seconds).toBe(Math.min(...rows.map(row => row.training!.seconds)));
    expect(marked('cheapest').training!.usd).toBe(Math.min(...rows.flatMap(row => row.training!.usd ?? [])));
  });

  test('keeps the given sizes on every row; impossible rows have a reason', async () => {
    const given = ['--tp', '16', '--micro-batch', '2', '--global-batch', '512', '--zero1', '--recompute', 'full'];
    const { rows, assumptions } = await planJson(...bert, '--on', 'trn1.32xlarge,p4d.24xlarge', ...given);
    expect(rows[0]!.layout).toMatchObject({ tensor: 16, microBatch: 2, zero1: true, recompute: 'full' });
    expect([rows[0]!.samplesPerStep, rows[0]!.training]).toEqual([512, null]);
    expect(rows[1]).toMatchObject({ kind: 'impossible', reason: expect.stringContaining('invalid layout') });
    expect(assumptions.join()).not.toContain('--global-batch');
    const { stdout } = await plan(...bert, '--on', 'trn1.32xlarge,p4d.24xlarge', ...given);
    expect(stdout).toContain('\n1 × p4d.24xlarge: invalid layout: ');
  });

  test('prices of the launch documents, on demand', async () => {
    const words = [...bert, '--on', 'p4d.24xlarge', '--steps', '1M', '--profile'];
    const launch = (await planJson(...words, 'launch')).rows[0]!.training!;
    const today = (await planJson(...words, 'docs', '--purchase', 'on-demand')).rows[0]!.training!;
    expect(launch.purchase).toBe('on-demand');
    expect(launch.usd! / today.usd!).toBeGreaterThan(1.3);
  });

  test('logical cores of one physical core each, where the chip can', async () => {
    const onTrn2 = async (...lnc: string[]): Promise<Row> =>
      (await planJson(...bert, '--on', 'trn2.48xlarge', ...lnc)).rows[0]!;
    const devices = ({ layout: { data, tensor, pipeline } }: Row): number => data * tensor * pipeline;
    expect(devices(await onTrn2('--lnc', '1'))).toBe(2 * devices(await onTrn2()));
    const { exitCode, stderr } = await plan(...bert, '--on', 'trn1.32xlarge', '--lnc', '2');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('cannot have 2 physical cores')]);
  });

  test('a model that does not fit: by how much, and what would help; exit code 1', async () => {
    const { exitCode, stdout } = await plan('--model', 'llama3-70b', '--on', 'g5.48xlarge', '--tokens', '1B');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /GiB of 24\.0 GiB, [\d.]+ GiB over .*does not fit\n1 × g5\.48xlarge lacks [\d.]+ GiB per device: /,
    );
  });

  test('deadline and budget', async () => {
    const within = await plan(...words, '--deadline', '2d', '--budget', '5k');
    expect(within.stdout).toMatch(/\nWithin deadline and budget: .*×/);
    const late = await plan(...words, '--deadline', '1min');
    expect([late.exitCode, late.stdout.includes('No row meets the deadline and the budget.')]).toEqual([1, true]);
  });
});

test('a script of the user’s, followed and not run', async () => {
  const script = fileURLToPath(new URL('./fixtures/train.ts', import.meta.url));
  const { exitCode, stdout, stderr } = await plan(script, '--on', 'trn1.2xlarge,p5.4xlarge', '--json');
  const { model, rows, assumptions }: Plan = JSON.parse(stdout);
  // The losses that the script prints are not shown: nothing was trained. A slow machine prints progress lines.
  expect([exitCode, stderr.replaceAll(/^trenio plan: tracing .*, \d+ s so far\n/gm, '')]).toEqual([0, '']);
  expect(model).toBe(script);
  // Two devices, each with the script's 16 samples; the script's three steps are 48 samples.
  expect(rows[0]).toMatchObject({ machine: 'trn1.2xlarge', samplesPerStep: 32, training: { steps: 2 } });
  expect(rows[1]).toMatchObject({ machine: 'p5.4xlarge', samplesPerStep: 16, training: { steps: 3 } });
  expect(assumptions).toContain('The script runs 3 steps of 16 samples on one device: 48 samples in total.');
});

test('a program from a file, of another front end, with a batch of 3', async () => {
  const program = goldenPath('jax/transformer_step/program.mlir.bc');
  const { exitCode, stdout } = await plan(program, '--on', 'trn1.2xlarge,p4d.24xlarge', '--json');
  expect(exitCode).toBe(0);
  const { rows, assumptions } = JSON.parse(stdout);
  expect(rows.map((row: { samplesPerStep: number }) => row.samplesPerStep)).toEqual([6, 24]);
  expect(assumptions).toContain('One execution of the program is a step.');
});

describe('a search', () => {
  const words = [
    ...bert,
    '--on',
    'trn1.32xlarge',
    '--nodes',
    '1,2',
    '--steps',
    '1000',
    '--global-batch',
    '4096',
    '--search',
  ];

  test('the best, and why each runner-up lost', async () => {
    const { exitCode, stdout } = await plan(...words, '--pp', '1', '--top', '3');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/[\d,]+ layouts priced, [\d,]+ of them meet all constraints\./);
    expect(rowsOf(stdout)[0]).toMatch(/ fastest$/);
    expect(rowsOf(stdout)[1]).toMatch(/ slower: /);
    const { search, rows } = await planJson(...words, '--pp', '1');
    expect(search!.runnersUp).toHaveLength(4);
    // All layouts are at least as good as the plain ones that the table shows.
    expect(search!.best!.stepSeconds).toBeLessThanOrEqual(Math.min(...rows.map(row => row.stepSeconds)) * (1 + 1e-9));
  });

  test('by cost, under a memory limit that few keep', async () => {
    const { search } = await planJson(...words, '--by', 'cost', '--memory-limit', '3GiB', '--tp', '8');
    expect(search!.best!.nodes).toBe(1);
    const none = await plan(...words, '--memory-limit', '1MiB', '--tp', '8');
    expect([none.exitCode, none.stdout.includes('No layout meets all constraints. The nearest:')]).toEqual([1, true]);
  });
});

describe('ways to buy', () => {
  const words = [...bert, '--on', 'trn1.32xlarge', '--nodes', '2', '--steps', '100k', '--purchase'];

  test('priced, or without a public price', async () => {
    const { purchase } = await planJson(...words);
    const options = purchase[0]!.options;
    expect(options).toHaveLength(9);
    for (const option of options) expect(option.usd === null).toBe(option.kind !== 'priced');
    const { stdout } = await plan(...words);
    expect(stdout).toContain('\n2 × trn1.32xlarge\npurchase ');
    expect(stdout).toMatch(/EC2 savings-plan +no public price/);
    expect(stdout).not.toMatch(/\$0\.00/);
  });

  test('more interruptions make spot slower, and the start gives a block its dates', async () => {
    const start = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    const { stdout } = await plan(...words, '--interruptions', '0.5', '--checkpoint-every', '20min', '--start', start);
    expect(stdout).toContain('Assumes 0.5 interruptions an hour of each instance');
    expect(stdout).toContain(`${start} to `);
    expect((await plan(...words, '--start', '2020-01-01')).stderr).toContain('booked up to eight weeks ahead');
  });
});

test('failures: goodput, a checkpoint interval, time and cost with them', async () => {
  const words = [...bert, '--on', 'trn1.32xlarge', '--nodes', '16', '--tokens', '1T', '--failures', '--mtbf', '30d'];
  const { stdout } = await plan(...words);
  expect(stdout).toMatch(/with failures.*goodput/);
  expect(stdout).toMatch(/Failures of 16 × trn1.32xlarge: a restart takes/);
  const { rows, failures } = JSON.parse((await plan(...words, '--json')).stdout);
  expect(failures).toHaveLength(1);
  expect(failures[0].goodput.mean).toBeLessThan(1);
  expect(failures[0].seconds).toBeGreaterThan(rows[0].training.seconds);
  expect((await plan(...words, '--html', 'failing.html')).exitCode).toBe(0);
  expect(readFileSync(join(folder, 'failing.html'), 'utf8')).toContain('With failures');
});

test('a page that needs nothing else, and a trace', async () => {
  const { exitCode } = await plan(
    ...[
      '--model',
      'llama3-8b',
      '--on',
      'trn1.32xlarge,p4d.24xlarge,trn2u.48xlarge',
      '--nodes',
      '2..8',
      '--tokens',
      '10B',
    ],
    ...[
      '--pp',
      '2',
      '--deadline',
      '20d',
      '--budget',
      '50k',
      '--purchase',
      '--html',
      'out/plan.html',
      '--trace',
      'trace.json',
    ],
  );
  expect(exitCode).toBe(0);
  const page = readFileSync(join(folder, 'out/plan.html'), 'utf8');
  for (const title of [
    'Comparison',
    'Where a step spends its time',
    'Memory',
    'Timeline',
    'Scaling',
    'Cost against deadline',
    'Purchase options',
    'Assumptions',
  ])
    expect(page).toContain(`<h2>${title}</h2>`);
  expect(page).not.toMatch(/NaN|undefined|Infinity|https?:|<script|<link|@import|url\(/);
  // Well-formed: every tag is closed, and images have accessible names.
  for (const tag of ['section', 'svg', 'table', 'figure', 'ul', 'tr'])
    expect(page.match(new RegExp(`<${tag}[ >]`, 'g'))).toHaveLength(page.match(new RegExp(`</${tag}>`, 'g'))!.length);
  const pictures = page.match(/role="img" aria-labelledby="[\w-]+"/g)!;
  expect(new Set(pictures).size).toBe(pictures.length);
  const trace = JSON.parse(readFileSync(join(folder, 'trace.json'), 'utf8')) as { traceEvents: unknown[] };
  expect(trace.traceEvents.length).toBeGreaterThan(10);
});

describe('invalid command lines', () => {
  const on = ['--on', 'trn1.32xlarge'];
  test.each<[string, readonly string[], string]>([
    ['no machine', bert, 'trenio plan: missing argument: --on (machines: --on trn1.32xlarge,p4d.24xlarge)'],
    ['nothing to plan', on, 'trenio plan: missing argument: <script> (a script, or a model: --model llama3-8b)'],
    ['two things to plan', ['train.ts', ...bert.slice(0, 2), ...on], "--model is 'bert-large' and a script"],
    ['an unknown model', ['--model', 'llama8b', ...on], "unknown model 'llama8b'\n  fix: did you mean llama3-8b?"],
    ['an unknown machine', [...bert, '--on', 'trn1.32xlrge'], 'did you mean trn1.32xlarge'],
    ['a script that is not there', ['nothere.ts', ...on], 'cannot run the script'],
    ['a size that does not divide', [...bert, ...on, '--tp', '3'], 'invalid layout: '],
    [
      'a batch that does not divide',
      [...bert, ...on, '--dp', '32', '--global-batch', '100'],
      'a global batch of 100 cannot be divided among 32 copies of the model\n  fix: choose a multiple of 32: 128,',
    ],
    ['nothing to search', [...bert, ...on, '--tp', '3', '--search'], 'invalid layout: '],
    ['a size of 0', [...bert, ...on, '--global-batch', '0'], "--global-batch is '0', expected a number above 0"],
    ['a negative size', [...bert, ...on, '--sequence=-1'], "--sequence is '-1', expected a number above 0"],
    [
      'two amounts',
      [...bert, ...on, '--steps', '5', '--tokens', '5'],
      '--steps is given together with --tokens, expected a single amount',
    ],
    [
      'epochs of nothing',
      [...bert, ...on, '--epochs', '5'],
      'missing argument: --dataset (--epochs needs the number of samples per epoch',
    ],
    [
      'a dataset without epochs',
      [...bert, ...on, '--dataset', '5'],
      "--dataset is '5' without --epochs, expected --epochs as well",
    ],
    [
      'a deadline for nothing',
      [...bert, ...on, '--deadline', '8h'],
      '--deadline is given without an amount, expected one of --tokens',
    ],
    [
      'ways to buy nothing',
      [...bert, ...on, '--purchase'],
      '--purchase is given without an amount, expected one of --tokens',
    ],
    [
      'an option without its other',
      [...bert, ...on, '--by', 'cost'],
      '--by is given without --search, expected --search as well',
    ],
    ['an option of models', ['train.ts', ...on, '--sequence', '5'], "--sequence is '5' for a script"],
    [
      'too long a sequence',
      [...bert.slice(0, 2), ...on, '--sequence', '1k'],
      'at most 512, the positions of bert-large',
    ],
    ['a negative sample', [...bert, ...on, '--sample-bytes=-1'], "--sample-bytes is '-1', expected a size in bytes"],
    [
      'a bandwidth without a unit',
      [...bert, ...on, '--storage-bandwidth', '5'],
      "--storage-bandwidth is '5', expected a bandwidth above 0, such as 2GB/s",
    ],
    [
      'a storage from which nothing is read',
      [...bert, ...on, '--sample-bytes', '0', '--storage-bandwidth', '5GB/s'],
      '--storage-bandwidth is given, but nothing is read or written, expected --sample-bytes above 0, or --failures',
    ],
    ['an image of another size', ['--model', 'vit-base', ...on, '--sequence', '5'], '197: the patches of vit-base'],
    [
      'a machine that was not measured',
      [...bert, '--on', 'local'],
      "'local', which has not been measured, expected trenio hardware calibrate",
    ],
    [
      'not a number',
      [...bert, ...on, '--steps', '5', '--purchase', '--interruptions', 'often'],
      "--interruptions is 'often'",
    ],
  ])('%s', async (_, words, message) => {
    const { exitCode, stdout, stderr } = await plan(...words);
    expect([exitCode > 0, stdout]).toEqual([true, '']);
    expect(stderr).toContain(message);
  });
});

test('text, JSON, trace and page give the same answer', async () => {
  const words = ['--model', 'bert-large', '--sequence', '128', '--on', 'trn1.2xlarge,trn1.32xlarge,p4d.24xlarge'];
  const limited = [...words, '--nodes', '1..4', '--global-batch', '4096', '--steps', '7k', '--deadline', '3d'];
  const { stdout } = await plan(...limited, '--html', 'answer.html', '--trace', 'answer.json');
  const { answer, rows } = (await planJson(...limited)) as Plan & {
    answer: { machine: string; nodes: number; kept: boolean };
  };
  const name = `${answer.nodes} × ${answer.machine}`;
  expect(answer.kept).toBe(true);
  expect(stdout).toContain(`\nAnswer: ${name}, `);
  expect(readFileSync(join(folder, 'answer.html'), 'utf8')).toContain(`A step of ${name}, `);
  const chosen = rows.find(row => row.machine === answer.machine && row.nodes === answer.nodes)!;
  const { traceEvents } = JSON.parse(readFileSync(join(folder, 'answer.json'), 'utf8')) as {
    traceEvents: readonly { ts?: number; dur?: number }[];
  };
  const end = Math.max(...traceEvents.map(({ ts = 0, dur = 0 }) => ts + dur));
  expect(end / 1e6 / chosen.stepSeconds).toBeCloseTo(1, 1);
});
