// Random programs, compiled and interpreted, must agree; fast-check shrinks a disagreement to the few ops that cause it.
// bench/random-programs.ts runs more of them, and longer ones.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { budget, campaignSeed } from '../base/campaign.testing.ts';
import { moduleOf } from '../hlo/program.ts';
import { type ProgramChoices, randomChoices } from '../hlo/random-choices.testing.ts';
import { randomProgram } from '../hlo/random-program.testing.ts';
import { compileToC, targetOf } from './index.ts';
import { disagreements, dynamicDisagreements, withUnknownSizes } from './testing/random-batch.testing.ts';

const choice = fc.record({
  op: fc.nat(1000),
  picks: fc.tuple(fc.nat(4096), fc.nat(4096), fc.nat(4096), fc.nat(4096)),
});
const program: fc.Arbitrary<ProgramChoices> = fc.record({
  inputs: fc.array(choice, { minLength: 1, maxLength: 4 }),
  ops: fc.array(choice, { minLength: 1, maxLength: 24 }),
});

/** One for each program of the campaign. */
const seeds = (usual: number): readonly number[] =>
  Array.from({ length: budget(usual) }, (_, i) => campaignSeed * 10_000 + i);
/** Compiled together, because the C compiler is slow to start. */
function* batches(usual: number) {
  const all = seeds(usual).map(seed => randomProgram(randomChoices(seed, 24)));
  for (let first = 0; first < all.length; first += 40) yield all.slice(first, first + 40);
}

test('the results of random programs equal those of the interpreter', { timeout: 300_000 * budget(1) }, () => {
  fc.assert(
    fc.property(fc.array(program, { minLength: 40, maxLength: 40 }), choices => {
      expect(disagreements(choices.map(randomProgram))).toEqual([]);
    }),
    { numRuns: budget(15), seed: campaignSeed },
  );
});

test('the interpreted kernels of random programs give the results of their C and of the interpreter', () => {
  for (const programs of batches(120)) {
    expect(disagreements(programs, true)).toEqual([]);
  }
});

test('random programs of unknown sizes: C, kernels and programs interpreted agree', () => {
  for (const programs of batches(120)) {
    expect(dynamicDisagreements(programs)).toEqual([]);
  }
});

// Whether groups make a cycle depends on how many there are to merge: short programs rarely show it.
test('programs of up to 400 ops are compiled to C', () => {
  for (const seed of seeds(60)) {
    const { func } = randomProgram(randomChoices(seed, 400));
    expect(() => compileToC(moduleOf(func), targetOf('avx512')), `seed ${seed}`).not.toThrow();
  }
});
// Which values are computed where they are used, likewise.
test('programs of up to 120 ops and of unknown sizes are compiled to C', () => {
  for (const seed of seeds(300)) {
    const { func } = randomProgram(randomChoices(seed, 120));
    expect(() => withUnknownSizes(func), `seed ${seed}`).not.toThrow();
  }
});
