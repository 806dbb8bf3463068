// The same training on one rank and on two: 1 × 16 and 2 × 8 sequences a step follow one curve.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leftovers, scripts, startTrenio } from './system.ts';

/** Each rank's losses, by its number. */
async function train(ranks: number, dropout: number): Promise<readonly (readonly number[])[]> {
  const script = join(scripts, 'follow-the-curve.ts');
  const running = startTrenio(['run', `--nproc_per_node=${ranks}`, script, '--dropout', `${dropout}`]);
  const { exitCode, stdout, stderr } = await running.ended;
  expect(exitCode, stderr).toBe(0);
  expect(leftovers(running.child.pid).memory).toEqual([]);
  const said = [...stdout.matchAll(/\{.*\}/g)].map(([line]) => JSON.parse(line) as { rank: number; losses: number[] });
  return said.toSorted((a, b) => a.rank - b.rank).map(({ losses }) => losses);
}

test.each([0, 0.1])('two ranks with batch 8 follow one rank with batch 16 over 50 steps, dropout %d', async dropout => {
  const [alone, together] = await Promise.all([train(1, dropout), train(2, dropout)]);
  const [one, first, second] = [alone[0]!, together[0]!, together[1]!];
  expect([alone.length, together.length, one.length, first.length, second.length]).toEqual([1, 2, 50, 50, 50]);
  const relative = one.map((loss, step) => Math.abs((first[step]! + second[step]!) / 2 / loss - 1));
  expect(Math.max(...relative)).toBeLessThan(1e-5);
  // They see different sequences, and they learn.
  expect(first).not.toEqual(second);
  expect(one.at(-1)).toBeLessThan(0.9 * one[0]!);
});
