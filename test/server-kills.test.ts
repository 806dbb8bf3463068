// A job server that is killed under load: a short version of bench/server-kills.ts.
import { expect, test } from 'vitest';
import { serverKills } from '../bench/server-kills.ts';

test('a killed server loses nothing that it acknowledged', { timeout: 300_000 }, async () => {
  const lines: string[] = [];
  const result = await serverKills({ count: 4, seed: 3, log: line => void lines.push(line) });
  expect(result.faults, lines.join('\n')).toEqual([]);
  expect(result.kills).toBe(4);
  expect(result.jobs).toBeGreaterThan(0);
});
