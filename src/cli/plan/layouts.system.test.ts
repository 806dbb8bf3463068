// `trenio plan --layout`: a script traced in layouts, on the real simulator.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folder, plan, planJson } from './plan.testing.ts';

const script = fileURLToPath(new URL('./fixtures/layouts.ts', import.meta.url));

test('a given layout: the collectives of its program, the memory of a rank, and the command that runs it', async () => {
  const words = [script, '--on', 'trn1.32xlarge', '--layout'];
  const [whole, parts] = [await planJson(...words, 'dp_replicate=32'), await planJson(...words, 'dp_shard=-1,tp=2')];
  const [before, after] = [whole.rows[0]!, parts.rows[0]!];
  expect([before.layout.mesh, after.layout.mesh]).toEqual(['dp_replicate=32', 'dp_shard=16,tp=2']);
  expect([before.samplesPerStep, after.samplesPerStep]).toEqual([16, 16]);
  expect(after.byPhase['layer collectives']).toBeGreaterThan(0);
  expect(before.byPhase['gradient collectives']).toBeGreaterThan(0);
  const state = ({ memory }: (typeof whole.rows)[0]): number => memory.byKind['optimizer state']!;
  expect(state(before) / state(after)).toBeGreaterThan(16);
  const { stdout } = await plan(...words, 'dp_shard=16,tp=2');
  expect(stdout).toContain(`It is made by trenio run --layout dp_shard=16,tp=2 ${script}.`);
});

test('stages of a pipeline: sends, the bubble, the memory of the fullest rank, and the timeline of its actions', async () => {
  const trace = join(folder, 'trace.json');
  const { rows } = await planJson(script, '2', '--on', 'trn1.2xlarge', '--layout', 'pp=2', '--trace', trace);
  const { byPhase, stepSeconds, samplesPerStep, memory } = rows[0]!;
  expect(samplesPerStep).toBe(16);
  for (const phase of ['pipeline send/recv', 'pipeline bubble']) expect(byPhase[phase], phase).toBeGreaterThan(0);
  expect(Object.values(byPhase).reduce((sum, seconds) => sum + seconds, 0)).toBeCloseTo(stepSeconds, 9);
  const [embedding, layer] = [512 * 256, 4 * 256 ** 2 + 3 * 256 * 1024 + 2 * 256];
  expect(memory.byKind.weights).toBe(4 * (embedding + layer));
  expect(readFileSync(trace, 'utf8')).toMatch(/rank 1 of the pipeline[\s\S]*"F1 3"/);
});

test('auto: the usual layouts are tried, and the fastest that fits is shown with the others', async () => {
  const { exitCode, stdout } = await plan(script, '--on', 'trn1.2xlarge', '--layout', 'auto');
  expect(exitCode).toBe(0);
  const tried = stdout.split('Layouts tried on 1 × trn1.2xlarge:\n')[1]!.split('\n\n')[0]!.split('\n');
  expect(tried.map(line => line.trim().split(':')[0]).toSorted()).toEqual([
    ...['dp_replicate=2', 'dp_shard=2', 'tp=2'],
  ]);
  const [best] = tried[0]!.trim().split(':');
  expect(stdout).toContain(`It is made by trenio run --layout ${best} `);
  // Its model has one layer.
  expect(stdout).toContain('Pipelines of 2 or more stages are left out: the script does not run in pp=2.');
});

test.each([
  ['dp_shard=3', 2, 'sizes whose product is 8'],
  ['tp', 2, 'axes and their sizes'],
  ['warp=8', 1, "'warp'"],
])('--layout %s', async (layout, code, message) => {
  const { exitCode, stderr } = await plan(script, '--on', 'p4d.24xlarge', '--layout', layout);
  expect([exitCode, stderr]).toEqual([code, expect.stringContaining(message)]);
});

test('a layout and one of its sizes exclude each other', async () => {
  const { stderr } = await plan(script, '--on', 'p4d.24xlarge', '--layout', 'tp=2', '--tp', '2');
  expect(stderr).toContain('given together with --layout');
});

test('for a model: auto is a search; sizes have options of their own', async () => {
  const words = ['--model', 'bert-base', '--sequence', '128', '--on', 'trn1.2xlarge', '--layout'];
  expect((await plan(...words, 'auto')).stdout).toContain('feasible layouts searched');
  expect((await plan(...words, 'tp=2')).stderr).toContain('--dp, --tp, --pp and --ep');
});
