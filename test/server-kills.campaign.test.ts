// A job server that is killed under load: a short version of bench/server-kills.ts.
import { expect, test } from 'vitest';
import { serverKills } from '../bench/server-kills.ts';
import { budget, campaignSeed } from '../src/base/campaign.testing.ts';

test('a killed server loses nothing that it acknowledged', { timeout: 300_000 }, async () => {
  const lines: string[] = [];
  const result = await serverKills({ count: budget(4), seed: campaignSeed, log: line => void lines.push(line) });
  expect(result.faults, lines.join('\n')).toEqual([]);
  expect(result.kills).toBe(budget(4));
  expect(result.jobs).toBeGreaterThan(0);
});
