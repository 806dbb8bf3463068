// Random programs with random shardings: each pass keeps the meaning of the program, and its shardings are valid.
import { expect, test } from 'vitest';
import { budget, campaignSeed } from '../../base/campaign.testing.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { moduleOf } from '../../hlo/program.ts';
import { randomChoices } from '../../hlo/random-choices.testing.ts';
import { randomProgram } from '../../hlo/random-program.testing.ts';
import { verify } from '../../hlo/verifier.ts';
import { partitionPasses } from './index.ts';
import { withRandomShardings } from './random-shardings.testing.ts';

test('the passes keep the meaning of random programs, and give valid shardings', {
  timeout: 60_000 * budget(1),
}, () => {
  for (let i = 0; i < budget(300); i++) {
    const seed = campaignSeed * 10_000 + i;
    const { func, inputs } = randomProgram(randomChoices(seed, 24));
    const module = withRandomShardings(moduleOf(func), seed);
    const expected = interpret(module, inputs);
    partitionPasses.reduce((before, { name, run }) => {
      const after = run(before);
      verify(after);
      expect(interpret(after, inputs), `seed ${seed}, after ${name}`).toEqual(expected);
      return after;
    }, module);
  }
});
