// Random programs with random shardings: each pass keeps the meaning of the program and gives valid shardings, and the parts of
// the program give its results.
import { expect, test } from 'vitest';
import { budget, campaignSeed } from '../../base/campaign.testing.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { toNumbers } from '../../hlo/literal.ts';
import { type Module, moduleOf } from '../../hlo/program.ts';
import { randomChoices } from '../../hlo/random-choices.testing.ts';
import { randomProgram } from '../../hlo/random-program.testing.ts';
import { verify } from '../../hlo/verifier.ts';
import { importShardings } from './import.ts';
import { interpretInParts } from './in-parts.testing.ts';
import { propagate } from './propagate.ts';
import { withRandomShardings } from './random-shardings.testing.ts';

const programOf = (i: number) => {
  const seed = campaignSeed * 10_000 + i;
  const program = randomProgram(randomChoices(seed, 24));
  return { ...program, seed, module: withRandomShardings(moduleOf(program.func), seed) };
};

/** The terms of a split sum are rounded to its type. */
const sumsInLowPrecision = ({ functions: [main] }: Module): boolean =>
  main!.body.ops.some(
    ({ name, results: [result] }) =>
      (name === 'dot_general' || name === 'reduce') &&
      result?.type.kind === 'tensor' &&
      ['f16', 'bf16'].includes(result.type.elementType),
  );

test('the shardings of random programs are valid, and keep their meaning', { timeout: 60_000 * budget(1) }, () => {
  for (let i = 0; i < budget(200); i++) {
    const { module, inputs, seed } = programOf(i);
    const propagated = propagate(importShardings(module));
    verify(propagated);
    expect(interpret(propagated, inputs), `seed ${seed}`).toEqual(interpret(module, inputs));
  }
});

test('the parts of random programs give the whole', { timeout: 60_000 * budget(1) }, () => {
  for (let i = 0; i < budget(200); i++) {
    const { module, inputs, tolerances, seed } = programOf(i);
    const parts = interpretInParts(module, inputs);
    for (const [k, whole] of interpret(module, inputs).entries()) {
      const got = toNumbers(parts[k]!);
      const tolerance = Math.max(sumsInLowPrecision(module) ? 0.05 : 1e-5, tolerances[k]!);
      const isNear = toNumbers(whole).every(
        (value, at) => Object.is(value, got[at]) || Math.abs(value - got[at]!) <= tolerance * (1 + Math.abs(value)),
      );
      expect(isNear, `seed ${seed}, result ${k}`).toBe(true);
    }
  }
});
