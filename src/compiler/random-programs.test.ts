// Random programs, compiled and interpreted, must agree; fast-check shrinks a disagreement to the few ops that cause it.
// bench/random-programs.ts runs more of them, and longer ones.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moduleOf } from '../hlo/program.ts';
import { type ProgramChoices, randomChoices } from '../hlo/random-choices.ts';
import { randomProgram } from '../hlo/random-program.ts';
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

test('the results of 600 random programs equal those of the interpreter', { timeout: 300_000 }, () => {
  fc.assert(
    fc.property(fc.array(program, { minLength: 40, maxLength: 40 }), choices => {
      expect(disagreements(choices.map(randomProgram))).toEqual([]);
    }),
    { numRuns: 15, seed: 20260813 },
  );
});

test('the interpreted kernels of 120 random programs give the results of their C and of the interpreter', () => {
  for (let first = 0; first < 120; first += 40) {
    const programs = Array.from({ length: 40 }, (_, i) => randomProgram(randomChoices(first + i, 24)));
    expect(disagreements(programs, true)).toEqual([]);
  }
});

test('120 random programs of unknown sizes: C, kernels and programs interpreted agree', () => {
  for (let first = 0; first < 120; first += 40) {
    const programs = Array.from({ length: 40 }, (_, i) => randomProgram(randomChoices(first + i, 24)));
    expect(dynamicDisagreements(programs)).toEqual([]);
  }
});

// Whether groups make a cycle depends on how many there are to merge: short programs rarely show it.
test('60 programs of up to 400 ops are compiled to C', () => {
  for (let seed = 0; seed < 60; seed++) {
    const { func } = randomProgram(randomChoices(seed, 400));
    expect(() => compileToC(moduleOf(func), targetOf('avx512')), `seed ${seed}`).not.toThrow();
  }
});
// Which values are computed where they are used, likewise.
test('300 programs of up to 120 ops and of unknown sizes are compiled to C', () => {
  for (let seed = 0; seed < 300; seed++) {
    const { func } = randomProgram(randomChoices(seed, 120));
    expect(() => withUnknownSizes(func), `seed ${seed}`).not.toThrow();
  }
});
