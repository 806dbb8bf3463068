// Two runs that compete for one folder, killed at random: a short version of bench/two-runs.ts.
import { expect, test } from 'vitest';
import { twoRuns } from '../bench/two-runs.ts';

test('neither run loses its checkpoints, and each resumes its own', { timeout: 180_000 }, async () => {
  const lines: string[] = [];
  const result = await twoRuns({ kills: 3, seed: 5, log: line => lines.push(line) });
  expect(result.faults, lines.join('\n')).toEqual([]);
  expect(result).toMatchObject({ kills: 3, lastSteps: { A: expect.any(Number), B: expect.any(Number) } });
});
