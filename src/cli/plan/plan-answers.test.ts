// Contents that an answer must have, and text that it must never show.
import { describe, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import { type Plan, plan, planJson, type Row, rowsOf } from './plan.testing.ts';
import { progressOf } from './plan.ts';

describe('default layouts are those that software has been run with', () => {
  const large = ['--model', 'llama3-405b', '--on', 'p5.48xlarge', '--nodes', '2048', '--global-batch', '2048'];

  test('interleaved where that is what was run, and as good as what a search finds', async () => {
    const [row] = (await planJson(...large)).rows;
    expect(['llama3', 'nemo']).toContain(row!.recipe);
    expect(row!.layout).toMatchObject({ tensor: 8, zero1: true });
    expect(row!.layout.interleave).toBeGreaterThan(1);
    const { search } = await planJson(...large, '--search');
    expect(row!.mfu).toBeGreaterThan(0.95 * search!.best!.mfu);
  });

  test('of the requested recipe', async () => {
    const { rows, assumptions } = await planJson(...large, '--recipe', 'megatron-lm');
    expect(rows[0]).toMatchObject({ recipe: 'megatron-lm', layout: { zero1: false } });
    expect(assumptions.join()).toMatch(/those used with Megatron-LM \(recipe megatron-lm: Narayanan et al\. 2021/);
    // The recipe's software is used, unless another one was given.
    expect(assumptions).toContain('GPU: kernels and host as with Megatron-LM of 2022');
    const eager = await planJson(...large, '--recipe', 'megatron-lm', '--software', 'eager');
    expect(eager.assumptions).toContain('GPU: kernels and host as with eager PyTorch, one kernel per operation');
    const { stderr } = await plan(...large, '--recipe', 'megatron');
    expect(stderr).toBe("trenio: unknown recipe 'megatron'\n  fix: did you mean megatron-lm?\n");
    expect((await plan(...large, '--recipe', 'nxd-training')).stderr).toContain('does not run on p5.48xlarge');
    expect((await plan('train.ts', '--on', 'p5.4xlarge', '--recipe', 'llm.c')).stderr).toMatch(
      /cannot run the script|for a script/,
    );
  });

  test('an unpublished size is not attributed to a published run', async () => {
    const { rows, assumptions } = await planJson(
      '--model',
      'llama3-8b',
      '--on',
      'trn1.32xlarge',
      '--tp',
      '2',
      '--pp',
      '8',
    );
    expect(rows[0]).toMatchObject({ recipe: null, layout: { tensor: 2, pipeline: 8 } });
    expect(assumptions.join()).toContain('No recipe has such a layout: 1 × trn1.32xlarge.');
  });
});

test('training on a machine made for inference has a warning, everywhere', async () => {
  const words = ['--model', 'llama3-8b', '--on', 'inf2.48xlarge,trn1.32xlarge'];
  const { warnings } = await planJson(...words);
  expect(warnings).toEqual([expect.stringMatching(/^inf2\.48xlarge is made for inference/)]);
  expect((await plan(...words)).stdout).toContain('\nWarning: inf2.48xlarge is made for inference');
  expect((await planJson('--model', 'llama3-8b', '--on', 'trn1.32xlarge')).warnings).toEqual([]);
});

test('“better, but” has no layout that lacks more than half of a device’s memory', async () => {
  const words = [
    '--model',
    'llama3-8b',
    '--tokens',
    '1T',
    '--global-batch',
    '1024',
    '--on',
    'trn1.32xlarge,p5.48xlarge',
  ];
  const { search } = await planJson(...words, '--by', 'cost', '--search', '--top', '50');
  for (const { memory } of search!.rejected) expect(memory.total).toBeLessThanOrEqual(1.5 * memory.capacity);
});

test('balanced routing is assumed of a mixture of experts, and said', async () => {
  const assumed = async (model: string): Promise<string> =>
    (await planJson('--model', model, '--on', 'p5.48xlarge', '--nodes', '4')).assumptions.join('\n');
  expect(await assumed('mixtral-8x7b')).toContain(
    'routing is assumed to be balanced, each of the 8 experts with 2 of 8',
  );
  expect(await assumed('mistral-7b')).not.toContain('routing');
});

describe('impossible interleaving has a reason', () => {
  test.each([
    [['--interleave', '3'], 'leaves each stage layers that can be cut into 3 chunks: 2 stages have 16'],
    [
      ['--pp', '4', '--interleave', '3'],
      '32 layers on 4 stages are 8 per stage, which cannot be divided into 3 chunks',
    ],
    [['--pp', '1', '--interleave', '2'], 'interleaving needs more than one pipeline stage'],
    [['--pp', '4', '--interleave', '64'], '32 layers cannot fill 4 stages × 64 chunks'],
    [
      ['--pp', '4', '--interleave', '2', '--global-batch', '6'],
      'processes micro-batches in groups of 4, one per stage, but a step has 3 per copy',
    ],
    [
      ['--tp', '1', '--pp', '8', '--zero1'],
      'ZeRO-1 splits the optimizer state among copies of the model, and there is one',
    ],
  ])('%j', async (words, why) => {
    const { exitCode, stderr } = await plan('--model', 'llama3-8b', '--on', 'p5.48xlarge', ...words);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(why)]);
  });
});

describe('a batch that the plan chose', () => {
  test.each([
    ['gpt3-175b', 'p4d.24xlarge', '1875'],
    ['llama3-8b', 'trn1.32xlarge', '3'],
    ['llama3-8b', 'inf2.48xlarge', '1'],
    ['llama3-405b', 'p5.48xlarge', '2048'],
    ['gpt3-175b', 'trn1.32xlarge,p4d.24xlarge', '7,12,125'],
  ])('divides evenly: %s on %s, %s nodes', async (model, on, nodes) => {
    const { rows } = await planJson('--model', model, '--on', on, '--nodes', nodes);
    for (const row of rows) expect(row.kind).toBe('predicted');
    expect(new Set(rows.map(row => row.samplesPerStep)).size).toBe(1);
  });
});

describe('amounts beyond all measure', () => {
  const words = ['--model', 'llama3-8b', '--on', 'p5.48xlarge,trn1.32xlarge', '--nodes', '1,1000'];

  test.each([
    [['--tokens', '1e30'], "--tokens is '1e30', expected a number of at most 1e16"],
    [['--samples', '1e300'], 'expected a number of at most 1e16'],
    [['--epochs', '1e10', '--dataset', '1e10'], 'expected at most 1e16 samples in total'],
    [['--tokens', '1B', '--global-batch', '9e9'], 'expected an integer of at most 1,073,741,824'],
    [['--tokens', '1B', '--sequence', '9e9'], 'expected an integer of at most 1,073,741,824'],
    [['--tokens', '1B', '--deadline', '99999999d'], 'expected a duration of at most a thousand years'],
  ])('%j is an error', async (more, message) => {
    const { exitCode, stdout, stderr } = await plan(...words, ...more);
    expect([exitCode > 0, stdout, stderr]).toEqual([true, '', expect.stringContaining(message)]);
  });

  test('the largest that is taken has an answer', async () => {
    const { stdout } = await plan(...words, '--tokens', '1e16', '--purchase', '--failures');
    expect(stdout).not.toMatch(/NaN|Infinity|\de\+|undefined|Invalid Date/);
    const text = await plan(...words, '--tokens', '1e16', '--json');
    expect(text.stdout).not.toMatch(/NaN|Infinity/);
  });
});

test('only rows of one batch are compared', async () => {
  // Each device processes the program's batch, so steps on 2 and 16 devices are different.
  const program = goldenPath('jax/transformer_step/program.mlir.bc');
  const { rows } = await planJson(program, '--on', 'trn1.2xlarge,p4d.24xlarge,p5.48xlarge', '--samples', '1M');
  expect(rows.map(row => row.samplesPerStep)).toEqual([6, 24, 24]);
  expect([rows[0]!.fastest, rows[0]!.cheapest]).toEqual([false, false]);
  expect(rows.filter(row => row.fastest)).toHaveLength(1);
  const { stdout } = await plan(program, '--on', 'trn1.2xlarge,p4d.24xlarge,p5.48xlarge');
  expect(stdout).toContain('Rows with different batch sizes are different training runs');
  expect(rowsOf(stdout)[0]).not.toMatch(/fastest|cheapest/);
});

describe('--purchase', () => {
  const words = ['--model', 'llama3-8b', '--tokens', '10B', '--on', 'trn2.48xlarge,p5.48xlarge', '--nodes', '2,128'];

  test('with ways, only those count; without, they are compared and the best counts', async () => {
    const { rows, purchase } = await planJson(...words, '--purchase', 'on-demand,capacity-block');
    const bought = rows.map(row => row.training!.purchase);
    expect(bought).toEqual(['capacity-block', 'on-demand', 'capacity-block', 'on-demand']);
    // 128 instances are too many for a block, and Trn2 has no on-demand price.
    expect(rows.map(row => row.training!.usd === null)).toEqual([false, true, false, false]);
    expect(new Set(purchase[0]!.options.map(option => option.purchase))).toEqual(
      new Set(['on-demand', 'capacity-block']),
    );
    const all = await planJson(...words, '--purchase');
    expect(all.purchase[0]!.options).toHaveLength(9);
    for (const [i, row] of all.rows.entries()) {
      const own = all.purchase[i]!.options.filter(option => option.service === 'ec2' && option.kind === 'priced');
      expect(row.training!.usd).toBe(Math.min(...own.map(option => option.usd!)));
    }
  });

  test('explains an invalid purchase option', async () => {
    expect((await plan(...words, '--purchase', 'spott')).stderr).toContain(
      "'spott', expected one of on-demand, spot, ",
    );
    expect((await plan(...words, '--purchase', 'spott')).stderr).toContain('(did you mean spot?)');
    expect((await plan('--purchase', 'spot', ...words.slice(0, 2), '--on', 'p5.48xlarge')).stderr).toContain(
      'given without an amount',
    );
    // A script after the bare option must not be parsed as its value.
    expect((await plan('--purchase', 'nothere.ts', '--on', 'p5.48xlarge', '--steps', '5')).stderr).toContain(
      'nothere.ts',
    );
  });
});

test('a long search shows its progress', () => {
  const said: string[] = [];
  let nowMs = 0;
  const stream = { write: (text: string) => said.push(text) };
  using progress = new TaskProgress({ stream, medium: 'log', nowMs: () => nowMs });
  const search = progressOf(progress);
  for (; nowMs <= 5000; nowMs += 500)
    search({ priced: nowMs * 10, done: nowMs / 1000, total: 10, machine: 'trn2.48xlarge', nodes: 4 });
  expect(said).toEqual(['searching layouts: 20 %  8.0 s left  20,000 priced, now 4 × trn2.48xlarge\n']);
});

describe('intervals', () => {
  test('of steps, times and costs, from published runs; ties and the nearest run', async () => {
    const on = ['--model', 'llama3-8b', '--on', 'p5.48xlarge,trn2.48xlarge', '--nodes', '4', '--tokens', '10B'];
    const { rows, answer } = (await planJson(...on)) as Omit<Plan, 'rows'> & WithIntervals;
    const [h100, trn2] = rows;
    const { interval } = h100!;
    expect(interval.level).toBe(0.8);
    expect(interval.stepSeconds.map(end => end / h100!.stepSeconds)).toEqual([
      expect.closeTo(1 / interval.factor, 9),
      expect.closeTo(interval.factor, 9),
    ]);
    const [least, most] = interval.usd!;
    expect(least).toBeLessThan(h100!.training!.usd!);
    expect(most).toBeGreaterThan(h100!.training!.usd!);
    expect(interval.nearest.what).toContain('Llama 3 8B');
    expect([trn2!.interval.publishedRuns, trn2!.interval.factor]).toEqual([0, 1.56]);
    expect(answer).toMatchObject({ machine: 'trn2.48xlarge', ties: [{ machine: 'p5.48xlarge', nodes: 4 }] });
  });
});

interface WithIntervals {
  readonly rows: readonly (Row & {
    readonly interval: {
      readonly level: number;
      readonly factor: number;
      readonly stepSeconds: readonly number[];
      readonly usd: readonly number[] | null;
      readonly publishedRuns: number;
      readonly nearest: { readonly what: string };
    };
  })[];
  readonly answer: object;
}
