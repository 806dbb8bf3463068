// `trenio run --plan` with real processes and a prepared calibration.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { keepCalibration } from '../../simulator/calibration/index.ts';
import { cpuRates } from '../../simulator/calibration/rates.testing.ts';
import { CliProcess } from '../process.testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const environment = { TRENIO_CACHE_DIR: folder, TRENIO_NUM_THREADS: '1' };
const fixture = fileURLToPath(new URL('../../distributed/launch/fixtures/train.ts', import.meta.url));

test('the prediction comes first, then both times, and the pair is kept', async () => {
  const rates = {
    threads: 1,
    rates: cpuRates,
    peakFlops: { f32: 1e11, bf16: 1e11 },
    memoryBandwidth: 1e10,
    error: 0.1,
  };
  keepCalibration(rates, new Date('2026-01-02'), { ...process.env, ...environment });
  const { exitCode, stdout, stderr } = await new CliProcess(['run', '--plan', fixture], environment).finished;
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  expect(stdout.trim().split('\n')).toHaveLength(1); // the option of the script, once
  expect(stderr).toMatch(
    /^(?:tracing [^\n]*\n)*trenio run: predicted \S+ ms a step \(forward \S+ ms, backward \S+ ms, optimizer \S+ ms\), \S+ \S+ of memory\n/,
  );
  expect(stderr).toMatch(/predicted \S+ ms, measured \S+ ms a step \(fastest \S+ ms, \d+ steps\)\n/);
  expect(stderr).toMatch(/predicted \S+ MiB of memory, measured \S+ MiB\n$/);
  const [line, ...more] = readFileSync(join(folder, 'predictions.jsonl'), 'utf8').trim().split('\n');
  expect(more).toEqual([]);
  const kept = JSON.parse(line!) as Record<string, number>;
  expect(kept).toMatchObject({ script: fixture, args: [], threads: 1, calibrated: '2026-01-02T00:00:00.000Z' });
  for (const name of ['predictedMs', 'measuredMs', 'fastestMs', 'predictedBytes', 'measuredBytes'])
    expect(kept[name], name).toBeGreaterThan(0);
  expect(kept.steps).toBeGreaterThanOrEqual(48);
});

test('ranks that share the machine are predicted with their collectives', async () => {
  const words = ['run', '--plan', '--layout', 'dp_replicate=2', fixture];
  const { exitCode, stderr } = await new CliProcess(words, environment).finished;
  expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/predicted \S+ ms a step \(.*collectives \S+ ms/)]);
  expect(stderr).toMatch(/predicted \S+ MiB of memory of a rank, measured \S+ MiB\n$/);
});

test('ranks on several machines are not predicted', async () => {
  const words = ['run', '--plan', '--nproc_per_node=auto', fixture];
  const { exitCode, stderr } = await new CliProcess(words, environment).finished;
  expect(exitCode).toBe(1);
  expect(stderr).toContain('--plan with --nproc-per-node=auto');
});
