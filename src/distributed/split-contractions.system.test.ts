// One rank that computes as those of a layout: its losses have the bits of the layout.
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { launch } from './launch/launch.ts';

const script = fileURLToPath(new URL('./launch/fixtures/layouts.ts', import.meta.url));

async function losses(nprocPerNode: number, layouts: readonly string[]): Promise<readonly (readonly number[])[]> {
  const stdout = new PassThrough();
  const out = stdout.toArray();
  const args = ['4', 'adamw', ...layouts];
  const { exitCode } = await launch({ script, args, nprocPerNode, stdout, stderr: stdout, capture: true, pin: false });
  stdout.end();
  const text = Buffer.concat(await out).toString();
  expect(exitCode, text).toBe(0);
  return [...text.matchAll(/\{"layout".*\}/g)].map(([line]) => JSON.parse(line).losses as number[]);
}

/** Each layout is compiled for all of its ranks, and for one. */
const timeout = 400_000;
test.each([
  [2, ['llama tp=2 sequence', 'gpt2 tp=2', 'gpt2 dp_shard=2', 'mixtral ep=2', 'llama cp=2']],
  [4, ['llama dp_shard=2,tp=2', 'mixtral dp_replicate=2,dp_shard=2 bf16']],
])('on %i ranks', { timeout }, async (ranks, layouts) => {
  const split = layouts.map(layout => `${layout}${layout.split(' ').length === 2 ? ' ' : '+'}split`);
  const [alone, together] = await Promise.all([losses(1, split), losses(ranks, layouts)]);
  expect(together).toHaveLength(layouts.length);
  for (const [i, layout] of layouts.entries()) expect(together[i], layout).toEqual(alone[i]);
});
