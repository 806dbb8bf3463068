// Hostile programs as text and bytecode: no crashes, no untyped errors, and none of their strings becomes
// code. bench/hlo-fuzz.ts runs ten thousand of them.
import { expect, test } from 'vitest';
import { goldenPath } from '../../test/golden.testing.ts';
import { budget, campaignSeed } from '../base/campaign.testing.ts';
import { randomOf } from '../hlo/text/mutations.testing.ts';
import { compileWithC, corpusOf, hostileProgram, open } from './testing/fuzz.testing.ts';

test('malicious programs', () => {
  const corpus = corpusOf(goldenPath('jax'));
  const random = randomOf(campaignSeed);
  const stages = { refused: 0, valid: 0, compiled: 0 };
  for (let i = 0; i < budget(500); i++) {
    const { stage, program } = open(hostileProgram(random, corpus));
    stages[stage]++;
    if (program !== undefined && stages.compiled % 50 === 0) compileWithC(program);
  }
  expect(stages.refused).toBeGreaterThan(budget(50));
  expect(stages.compiled).toBeGreaterThan(budget(50));
});
