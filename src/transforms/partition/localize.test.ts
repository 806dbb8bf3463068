// The interpreter on the parts of a program gives the whole: for every op sample and random shardings of several meshes, bit for
// bit unless a sum is split.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildFunc } from '../../hlo/builder.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { type Literal, toNumbers } from '../../hlo/literal.ts';
import { opSamples, sampleLiteral } from '../../hlo/op-samples.testing.ts';
import { type Module, mainOf, moduleOf, tensorTypeOf } from '../../hlo/program.ts';
import type { Mesh } from '../../hlo/sharding/mesh.ts';
import { printMesh } from '../../hlo/sharding/shardy-printer.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { forEachOp } from '../../hlo/walk.ts';
import { interpretInParts } from './in-parts.testing.ts';
import { isDividable, withRandomShardings } from './random-shardings.testing.ts';

const threeRanks: Mesh = { axes: [{ name: 'x', size: 3 }] };
const twoByTwo: Mesh = {
  axes: [
    { name: 'x', size: 2 },
    { name: 'y', size: 2 },
  ],
};
const splitSums: ReadonlySet<string> = new Set(['dot', 'dot_general', 'reduce', 'convolution', 'einsum', 'scatter']);
function expectSame(actual: readonly Literal[], expected: readonly Literal[], maySplit: boolean, label: string): void {
  for (const [i, literal] of expected.entries()) {
    if (!maySplit) {
      expect(actual[i], label).toEqual(literal);
      continue;
    }
    const [got, wanted] = [toNumbers(actual[i]!), toNumbers(literal)];
    for (const [k, value] of wanted.entries())
      if (!Object.is(got[k], value))
        expect(Math.abs(got[k]! - value), label).toBeLessThanOrEqual(1e-5 * (1 + Math.abs(value)));
  }
}

describe('every op in parts', () => {
  test.each(
    opSamples()
      .filter(isDividable)
      .map(sample => [sample.label, sample] as const),
  )('%s', (_label, { func, inputs }) => {
    let maySplit = false;
    forEachOp(func.body, op => {
      maySplit ||= splitSums.has(op.name);
    });
    const expected = interpret(moduleOf(func), inputs);
    for (const mesh of [threeRanks, twoByTwo])
      for (let seed = 1; seed <= 3; seed++) {
        const module = withRandomShardings(moduleOf(func), seed, mesh);
        expectSame(interpretInParts(module, inputs), expected, maySplit, `seed ${seed}, ${printMesh(mesh)}`);
      }
  });
});

describe('programs that JAX lowers, in parts', () => {
  const golden = new URL('../../../test/golden/propagation.json', import.meta.url);
  const cases = JSON.parse(readFileSync(golden, 'utf8')) as readonly {
    readonly name: string;
    readonly program: string;
  }[];
  const programOf = (name: string): Module => parseModule(cases.find(each => each.name === name)!.program);
  const inputsOf = (module: Module): readonly Literal[] =>
    mainOf(module).body.args.map((arg, i) => {
      const { elementType, shape } = tensorTypeOf(arg);
      return sampleLiteral(elementType, shape, i + 1);
    });

  test.each(['JAX: a training step', 'JAX: a scan'])('%s', name => {
    const module = programOf(name);
    const inputs = inputsOf(module);
    expectSame(interpretInParts(module, inputs), interpret(module, inputs), true, name);
  });
  test('a product whose terms are summed by hand', () => {
    const module = programOf('JAX: a partly manual computation');
    const [w, x] = inputsOf(module) as [Literal, Literal];
    const product = buildFunc('main', [x.type, w.type], (b, [p, q]) => [b.emit1('dot', [p!, q!], { precision: [] })]);
    expectSame(interpretInParts(module, [w, x]), interpret(moduleOf(product), [x, w]), true, 'product');
  });
});
