// Random scripts with loops, rolled and unrolled: equal bits.
import { expect, test } from 'vitest';
import { budget, campaignSeed } from '../../base/campaign.testing.ts';
import { rolledAndChecked } from '../../transforms/rolled.testing.ts';
import { recordedScript } from './random-loop.testing.ts';

test('random loops', { timeout: 300_000 * budget(1) }, () => {
  let loops = 0;
  for (let i = 0; i < budget(500); i++) {
    const seed = campaignSeed * 10_000 + i;
    if (rolledAndChecked(recordedScript(seed, 8 + (i % 20))) !== undefined) loops++;
  }
  expect(loops).toBeGreaterThan(budget(400));
});
