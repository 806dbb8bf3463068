// The same training on one rank and on several: 1 × 16 and 2 × 8 sequences per step have the same loss curve, and accumulated
// micro-batches give the same bits on 1, 2 or 4 ranks.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { leftovers, scripts, startTrenio } from './system.ts';

interface Said {
  readonly rank: number;
  readonly losses: readonly number[];
}

/** The output of each rank. */
async function train<T extends Said>(ranks: number, script: string, args: readonly string[]): Promise<readonly T[]> {
  const running = startTrenio(['run', `--nproc_per_node=${ranks}`, join(scripts, script), ...args]);
  const { exitCode, stdout, stderr } = await running.ended;
  expect(exitCode, stderr).toBe(0);
  expect(leftovers(running.child.pid).memory).toEqual([]);
  const said = [...stdout.matchAll(/\{.*\}/g)].map(([line]) => JSON.parse(line) as T);
  return said.toSorted((a, b) => a.rank - b.rank);
}

test('two ranks with batch 8 follow one rank with batch 16 over 50 steps, dropout on', async () => {
  const follow = async (ranks: number): Promise<readonly (readonly number[])[]> =>
    (await train(ranks, 'follow-the-curve.ts', ['--dropout', '0.1'])).map(({ losses }) => losses);
  const [alone, together] = await Promise.all([follow(1), follow(2)]);
  const [one, first, second] = [alone[0]!, together[0]!, together[1]!];
  expect([alone.length, together.length, one.length, first.length, second.length]).toEqual([1, 2, 50, 50, 50]);
  const relative = one.map((loss, step) => Math.abs((first[step]! + second[step]!) / 2 / loss - 1));
  expect(Math.max(...relative)).toBeLessThan(1e-5);
  // The ranks get different sequences, and the loss decreases.
  expect(first).not.toEqual(second);
  expect(one.at(-1)).toBeLessThan(0.9 * one[0]!);
});

describe('a global batch of 4 micro-batches, dropout on', { timeout: 300_000 }, () => {
  interface Trained extends Said {
    readonly parameters: string;
    readonly moments: string;
  }
  /** The losses of all micro-batches in order, and the final state, which is equal on all ranks. */
  async function accumulate(ranks: number, args: readonly string[], steps: number) {
    const said = await train<Trained>(ranks, 'accumulate.ts', ['--steps', `${steps}`, ...args]);
    expect(said).toHaveLength(ranks);
    const each = 4 / ranks;
    const losses = Array.from({ length: steps }, (_, step) =>
      said.flatMap(rank => rank.losses.slice(step * each, (step + 1) * each)),
    );
    return { losses, ends: [...new Set(said.map(({ parameters, moments }) => `${parameters} ${moments}`))] };
  }

  // An epoch has 8 steps: the first case runs longer than an epoch.
  test.each([
    ['bert', [], 12, [4], [1, 2]],
    ['convolutions', ['--clip'], 5, [2], [2]],
  ])(
    '%s %j is bit-identical on one and several ranks, with and without marked steps',
    async (model, more, steps, unmarked, marked) => {
      const args = ['--model', model, ...more];
      const one = await accumulate(1, args, steps);
      expect(one.ends).toHaveLength(1);
      expect(new Set(one.losses.flat()).size).toBeGreaterThan(2 * steps);
      for (const ranks of unmarked) expect(await accumulate(ranks, args, steps), `${ranks} ranks`).toEqual(one);
      for (const ranks of marked)
        expect(await accumulate(ranks, [...args, '--marked'], steps), `marked, ${ranks}`).toEqual(one);
    },
  );

  test('bf16 with stochastic rounding is bit-identical, too, regardless of values read by rank 0 and of evaluated batches', async () => {
    const args = ['--layers', '1', '--format', 'bf16', '--stochastic', '--clip'];
    const one = await accumulate(1, args, 5);
    expect(new Set(one.losses.flat()).size).toBeGreaterThan(10);
    expect(await accumulate(4, args, 5)).toEqual(one);
    expect((await accumulate(2, [...args, '--marked', '--look'], 5)).ends).toEqual(one.ends);
  });
  test('f16 with a loss scale that overflows is bit-identical, too', async () => {
    const args = ['--layers', '1', '--format', 'scaled', '--clip'];
    const one = await accumulate(1, args, 5);
    expect(await accumulate(2, args, 5)).toEqual(one);
  });
});
