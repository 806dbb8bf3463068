// Random programs with random shardings: each pass keeps the meaning of the program and gives valid shardings, and the parts of
// the program give its results.
import { expect, test } from 'vitest';
import { budget, campaignSeed } from '../../base/campaign.testing.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { type Literal, literal, toNumbers } from '../../hlo/literal.ts';
import type { OpSample } from '../../hlo/op-sample.testing.ts';
import { opSamples } from '../../hlo/op-samples.testing.ts';
import { type Module, mainOf, moduleOf, tensorTypeOf } from '../../hlo/program.ts';
import { randomChoices } from '../../hlo/random-choices.testing.ts';
import { randomProgram } from '../../hlo/random-program.testing.ts';
import type { Mesh } from '../../hlo/sharding/mesh.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { printModule } from '../../hlo/text/printer.ts';
import { verify } from '../../hlo/verifier.ts';
import { importShardings } from './import.ts';
import { interpretInParts } from './in-parts.testing.ts';
import { propagate } from './propagate.ts';
import { allLayouts, isDividable, withLayout, withRandomShardings } from './random-shardings.testing.ts';

const programOf = (i: number) => {
  const seed = campaignSeed * 10_000 + i;
  const program = randomProgram(randomChoices(seed, 24));
  return { ...program, seed, module: withRandomShardings(moduleOf(program.func), seed) };
};

const sumsInLowPrecision = ({ functions: [main] }: Module): boolean =>
  main!.body.ops.some(
    ({ name, results: [result] }) =>
      (name === 'dot_general' || name === 'reduce') &&
      result?.type.kind === 'tensor' &&
      ['f16', 'bf16'].includes(result.type.elementType),
  );

/**
 * A program whose split sums are rounded, with its floats of 16 bits as f32, so that sums are exact enough to be compared.
 * Undefined if it has their bits.
 */
function inF32(module: Module): Module | undefined {
  const text = printModule(module);
  return /0x|bitcast_convert/.test(text) ? undefined : parseModule(text.replaceAll(/(?<=[x<])b?f16(?=>)/g, 'f32'));
}
/** The program and the inputs to compare with what tolerance. */
function comparable(module: Module, inputs: readonly Literal[]) {
  const wide = sumsInLowPrecision(module) ? inF32(module) : module;
  if (wide === undefined) return { module, inputs, least: 0.15 };
  const types = mainOf(wide).body.args.map(tensorTypeOf);
  const same = inputs.map((input, i) => {
    const { elementType, shape } = types[i]!;
    return elementType === input.type.elementType ? input : literal(elementType, shape, toNumbers(input));
  });
  return { module: wide, inputs: same, least: 1e-5 };
}

test('the shardings of random programs are valid, and keep their meaning', { timeout: 60_000 * budget(1) }, () => {
  for (let i = 0; i < budget(200); i++) {
    const { module, inputs, seed } = programOf(i);
    const propagated = propagate(importShardings(module));
    verify(propagated);
    expect(interpret(propagated, inputs), `seed ${seed}`).toEqual(interpret(module, inputs));
  }
});

/** The first result that differs between the parts and the whole. */
function differingResult(
  module: Module,
  inputs: readonly Literal[],
  expected: readonly Literal[],
  toleranceOf: (k: number) => number,
): number | undefined {
  const parts = interpretInParts(module, inputs, 'padded');
  const k = expected.findIndex((whole, i) => {
    const got = toNumbers(parts[i]!);
    return !toNumbers(whole).every(
      (value, at) => Object.is(value, got[at]) || Math.abs(value - got[at]!) <= toleranceOf(i) * (1 + Math.abs(value)),
    );
  });
  return k < 0 ? undefined : k;
}

test('the parts of random programs give the whole', { timeout: 60_000 * budget(1) }, () => {
  for (let i = 0; i < budget(200); i++) {
    const { tolerances, seed, ...program } = programOf(i);
    const { module, inputs, least } = comparable(program.module, program.inputs);
    const differing = differingResult(module, inputs, interpret(module, inputs), k => Math.max(least, tolerances[k]!));
    expect(differing, `seed ${seed}`).toBe(undefined);
  }
});

const twoByTwo: Mesh = { axes: ['x', 'y'].map(name => ({ name, size: 2 })) };
const threeRanks: Mesh = { axes: [{ name: 'x', size: 3 }] };
/** Each argument and result of an op in each way, the others at random. */
function casesOf({ func }: OpSample): readonly Module[] {
  const whole = moduleOf(func);
  return [twoByTwo, threeRanks].flatMap(mesh =>
    (['argument', 'result'] as const).flatMap(kind =>
      (kind === 'argument' ? func.body.args : func.body.results).flatMap((value, index) =>
        allLayouts(tensorTypeOf(value).shape.length, mesh).map((layout, i) =>
          withLayout(withRandomShardings(whole, campaignSeed + i, mesh), { kind, index }, layout),
        ),
      ),
    ),
  );
}
test('every op gives the whole in all ways to divide its arguments and results', {
  timeout: 600_000 * budget(1),
}, () => {
  const samples = opSamples().filter(isDividable);
  const cases = samples.flatMap(sample => casesOf(sample).map(module => [sample, module] as const));
  const count = Math.min(cases.length, budget(400));
  for (let i = 0; i < count; i++) {
    const at = Math.floor((i * cases.length) / count);
    const [sample, divided] = cases[at]!;
    const { label } = sample;
    const { module, inputs, least } = comparable(divided, sample.inputs);
    const differing = differingResult(module, inputs, interpret(module, inputs), () => least);
    expect(differing, `${label}, case ${at}`).toBe(undefined);
  }
});
