// Runs docs/tour.ts: one training step from the user's code to C.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { node, root } from './system.ts';

test('the tour runs, and shows each of its stages', async () => {
  const { exitCode, stdout, stderr } = await node([join(root, 'docs', 'tour.ts')]);
  expect([exitCode, stderr]).toEqual([0, '']);
  const stages = [...stdout.matchAll(/^── (\d+) /gm)].map(match => Number(match[1]));
  expect(stages).toEqual(Array.from({ length: 6 }, (_, i) => i + 1));
  expect(stdout).toContain('stablehlo.dot_general');
  expect(stdout).toMatch(/^ *for \(/m);
});
