// Runs on two virtual hosts with injected faults: a short version of bench/kills.ts.
import { expect, test } from 'vitest';
import { hostKills } from '../bench/kills.ts';
import { budget, campaignSeed } from '../src/base/campaign.testing.ts';
import { canMakeHosts } from '../src/distributed/launch/namespaces.testing.ts';

test.skipIf(!canMakeHosts())(
  'killed ranks, launchers and hosts: the same weights as without faults',
  {
    timeout: 600_000,
  },
  async () => {
    const lines: string[] = [];
    const kinds = ['SIGKILL of a rank', 'SIGKILL of a launcher', 'power failure'] as const;
    const log = (line: string): void => void lines.push(line);
    const result = await hostKills({ count: budget(5), seed: campaignSeed, steps: 8, kinds, waitSeconds: 4, log });
    expect(result.faults, lines.join('\n')).toEqual([]);
    expect(result.kills).toBe(budget(5));
  },
);
