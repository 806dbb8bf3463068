// Checkpoints of random layouts, loaded in others, by other numbers of ranks: models and optimizers have the same bits.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { budget, campaignSeed } from '../../base/campaign.testing.ts';
import { randomWords } from '../../hlo/random-choices.testing.ts';
import type { PairRun } from '../launch/fixtures/layout-pairs.ts';
import { launch } from '../launch/launch.ts';

const script = fileURLToPath(new URL('../launch/fixtures/layout-pairs.ts', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'trenio-pairs-'));
afterAll(() => rmSync(root, { recursive: true }));

async function run(nprocPerNode: number, runs: readonly PairRun[]): Promise<readonly object[]> {
  const stdout = new PassThrough();
  const out = stdout.toArray();
  const args = [JSON.stringify(runs)];
  const { exitCode } = await launch({ script, args, nprocPerNode, stdout, stderr: stdout, capture: true, pin: false });
  stdout.end();
  const text = Buffer.concat(await out).toString();
  expect(exitCode, text).toBe(0);
  return [...text.matchAll(/\{"rank".*\}/g)].map(([line]) => JSON.parse(line) as object);
}

const models = ['gpt2', 'tied', 'mixtral'] as const;
/** The numbers of ranks, one after the other. Each link of a chain is a pair of layouts. */
const chain = [4, 2, 4, 1];
test('random pairs of layouts', { timeout: 600_000 * budget(1) }, async () => {
  const next = randomWords(campaignSeed);
  const pick = <T>(list: readonly T[]): T => list[next() % list.length]!;
  const layoutOf = (model: string, ranks: number): PairRun['mesh'] => {
    const axes = ['dp_replicate', 'dp_shard', 'tp', 'cp', 'pp', ...(model === 'mixtral' ? ['ep'] : [])];
    const mesh: Record<string, number> = {};
    for (let left = ranks; left > 1; ) {
      const size = pick([2, 4].filter(factor => left % factor === 0));
      const axis = pick(axes.filter(one => !(one in mesh)));
      mesh[axis] = size;
      left /= size;
    }
    return Object.keys(mesh).length === 0 ? { tp: 1 } : mesh;
  };
  const first = models.map((model): PairRun => {
    const folder = join(root, model);
    return { model, mesh: { tp: 1 }, zero1: false, to: folder, whole: folder };
  });
  await run(1, first);
  const chains = Array.from({ length: budget(3) }, (_, i) => ({
    name: `chain-${i}`,
    model: models[i % models.length]!,
  }));
  for (const [link, ranks] of chain.entries()) {
    const runs = chains.map(({ name, model }): PairRun => {
      const mesh = layoutOf(model, ranks);
      const [whole, to] = [join(root, model), join(root, `${name}-${link}`)];
      const from = link === 0 ? whole : join(root, `${name}-${link - 1}`);
      return { model, mesh, zero1: 'dp_shard' in mesh && pick([true, false]), from, to, whole };
    });
    const outcomes = await run(ranks, runs);
    expect(outcomes).toHaveLength(ranks * runs.length);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ names: [] });
  }
});
