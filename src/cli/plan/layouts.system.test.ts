// `trenio plan --layout`: a script traced in layouts, on the real simulator.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { plan, planJson } from './plan.testing.ts';

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

test('auto: the usual layouts are tried, and the fastest that fits is shown with the others', async () => {
  const { exitCode, stdout } = await plan(script, '--on', 'g5.12xlarge', '--layout', 'auto');
  expect(exitCode).toBe(0);
  const tried = stdout.split('Layouts tried on 1 × g5.12xlarge:\n')[1]!.split('\n\n')[0]!.split('\n');
  expect(tried.map(line => line.trim().split(':')[0]).toSorted()).toEqual([
    ...['dp_replicate=2,tp=2', 'dp_replicate=4', 'dp_shard=2,tp=2', 'dp_shard=4', 'tp=4'],
  ]);
  const [best] = tried[0]!.trim().split(':');
  expect(stdout).toContain(`It is made by trenio run --layout ${best} `);
});

test.each([
  ['dp_shard=3', 2, 'sizes whose product is 8'],
  ['tp', 2, 'axes and their sizes'],
  ['pp=8', 1, 'the layout pp=8, a pipeline'],
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
