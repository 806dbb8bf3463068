// Waiting for data in what `trenio plan` shows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folder, plan, planJson, rowsOf } from './plan.testing.ts';

const images = ['--model', 'vit-base', '--on', 'p5.48xlarge', '--nodes', '1,8', '--samples', '100M'];
const large = [...images, '--sample-bytes', '600kB', '--storage-bandwidth', '5GB/s'];

test('rows that wait for data say so, in the text, the JSON and the page', async () => {
  const { stdout, exitCode } = await plan(...large, '--html', 'data.html');
  expect(exitCode).toBe(0);
  expect(rowsOf(stdout).map(line => /waits for data \d+ %/.exec(line) !== null)).toEqual([true, true]);
  expect(rowsOf(stdout)[1]).toMatch(/storage \d\d %/);
  expect(stdout).toMatch(
    /\n {2}8 × p5\.48xlarge waits for data for \d\d % of each step: an instance reads 307 MB, limited by the bandwidth of the storage\.\n/,
  );
  expect(stdout).not.toContain('no waiting for data');
  const { rows } = await planJson(...large);
  for (const { dataLoading, stepSeconds, samplesPerStep, byPhase, byBound } of rows) {
    expect(dataLoading).toMatchObject({ sampleBytes: 600_000, storageBandwidth: 5e9 });
    expect(stepSeconds).toBeCloseTo(dataLoading!.readSeconds, 12);
    expect(byPhase['data loading']).toBe(dataLoading!.waitSeconds);
    expect(byBound.storage).toBe(dataLoading!.waitSeconds);
    expect(samplesPerStep / stepSeconds).toBeLessThanOrEqual(5e9 / 600_000 + 1e-6);
  }
  const page = readFileSync(join(folder, 'data.html'), 'utf8');
  expect(page).toContain('data loading: ');
  expect(page).toContain('</svg>data loading</li>');
});

test('a model has a usual size of a sample, which hardly matters for tokens', async () => {
  const { stdout } = await plan('--model', 'llama3-8b', '--on', 'p5.48xlarge', '--nodes', '2', '--tokens', '1B');
  expect(stdout).toContain('--sample-bytes not given: 16.4 kB, 4,096 token ids of 4 bytes.');
  expect(stdout).toContain('reading takes less than 0.1 % of a step');
  expect(stdout).not.toContain('waits for data');
  const without = await planJson(...images, '--sample-bytes', '0');
  const read = await planJson(...images, '--sample-bytes', '10kB');
  expect(read.rows.map(row => row.stepSeconds)).toEqual(without.rows.map(row => row.stepSeconds));
  expect(without.assumptions).toContain('No data is read from storage.');
});

test('a search takes more instances, which read faster', async () => {
  const words = ['--model', 'vit-base', '--on', 'p5.48xlarge', '--nodes', '1,2', '--global-batch', '4096'];
  const { search } = await planJson(...words, '--search', '--sample-bytes', '3MB');
  expect(search!.best!.dataLoading!.waitSeconds).toBeGreaterThan(0);
  expect(search!.best!.nodes).toBe(2);
});

test('a script has no usual size: only --sample-bytes makes it wait', async () => {
  const script = fileURLToPath(new URL('./fixtures/train.ts', import.meta.url));
  const words = [script, '--on', 'trn1.2xlarge'];
  const unknown = await planJson(...words);
  expect(unknown.rows[0]!.dataLoading).toBeNull();
  expect(unknown.assumptions.filter(text => /not wait|no waiting/.test(text))).toEqual([
    '--sample-bytes not given: steps do not wait for data.',
    expect.stringContaining('no waiting for data'),
  ]);
  const known = await planJson(...words, '--sample-bytes', '100MB');
  // 16 samples on each of two devices, at the 3.125 Gbps that the network sustains
  expect(known.rows[0]!.dataLoading).toMatchObject({ nodeBytes: 3.2e9, readSeconds: 3.2e9 / (3.125e9 / 8) });
});

test('checkpoints are written to the same storage', async () => {
  const words = ['--model', 'gpt3-46b', '--on', 'trn1.32xlarge', '--nodes', '64', '--tokens', '10B', '--failures'];
  const seconds = async (...more: string[]): Promise<number> => {
    const { failures } = (await planJson(...words, ...more)) as unknown as {
      failures: readonly { checkpoint: { seconds: number } }[];
    };
    return failures[0]!.checkpoint.seconds;
  };
  const usual = await seconds();
  expect(await seconds('--storage-bandwidth', '10GB/s')).toBeCloseTo(10 * usual, 6);
  expect(await seconds('--node-storage-bandwidth', '100MB/s')).toBeCloseTo((100 / 6.4) * usual, 6);
});
