// A job server whose disk is full and freed at random keeps what it has acknowledged: a short version of bench/full-disk.ts.
import { expect, test } from 'vitest';
import { fullDisk } from '../bench/full-disk.ts';
import { budget, campaignSeed } from '../src/base/campaign.testing.ts';

test('the disk of a server is full', { timeout: 300_000 }, async context => {
  const result = await fullDisk({ seconds: budget(15), seed: campaignSeed, mebibytes: 64, log: () => {} });
  if (result === undefined) context.skip('mounting a small disk needs root');
  expect(result?.faults).toEqual([]);
  expect(result).toMatchObject({ refused: expect.any(Number), acknowledged: expect.any(Number) });
});
