// Auto-cast: the type of each multiply, one conversion per value, results close to f32, and the flags that enable it.
import { describe, expect, test } from 'vitest';
import { readVariable } from '../../base/environment.ts';
import { type AutoCast, autoCastModes, autoCastTypes } from '../../base/neuron-flags.ts';
import { buildFunc } from '../../hlo/builder.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { literal, toNumbers } from '../../hlo/literal.ts';
import { type Module, mainOf, moduleOf, type OpOf, tensorTypeOf } from '../../hlo/program.ts';
import { tensorType } from '../../hlo/types.ts';
import { verify } from '../../hlo/verifier.ts';
import { autoCast } from '../../transforms/auto-cast.ts';
import { compileForTest } from '../testing/compile.testing.ts';
import { runPasses } from './index.ts';

/** relu(x·w)ᵀ·x, and relu(x·w) itself twice over: as a sum and as a result. */
const func = buildFunc('main', [tensorType('f32', [8, 8]), tensorType('f32', [8, 8])], (b, [x, w]) => {
  const dims = {
    lhsBatchingDimensions: [],
    rhsBatchingDimensions: [],
    lhsContractingDimensions: [1],
    rhsContractingDimensions: [0],
  };
  const product = b.dotGeneral(x!, w!, dims);
  const y = b.maximum(product, b.like(product, 0));
  return [b.dotGeneral(b.transpose(y, [1, 0]), x!, dims), b.sum(y, [1]), y];
});
const module = moduleOf(func, { name: 'cast' });
const inputs = [1, 2].map(k =>
  literal(
    'f32',
    [8, 8],
    Array.from({ length: 64 }, (_, i) => Math.sin(i * k * 3.7)),
  ),
);
const dots = (m: Module): OpOf<'dot_general'>[] => mainOf(m).body.ops.filter(op => op.name === 'dot_general');
const conversions = (m: Module, to: string): number =>
  mainOf(m).body.ops.filter(op => op.name === 'convert' && op.attributes.elementType === to).length;
const policies = autoCastModes.flatMap(mode => autoCastTypes.map((type): AutoCast => ({ mode, type })));

test('none changes nothing', () => {
  expect(autoCast(module, { mode: 'none', type: 'bf16' })).toBe(module);
});
test('matmult: operands are bf16 and sums f32; each value is converted once, before a transpose', () => {
  const cast = runPasses(autoCast(module, { mode: 'matmult', type: 'bf16' }));
  verify(autoCast(module, { mode: 'matmult', type: 'bf16' }));
  for (const dot of dots(autoCast(module, { mode: 'matmult', type: 'bf16' }))) {
    expect([...dot.operands, dot.results[0]].map(v => tensorTypeOf(v).elementType)).toEqual(['bf16', 'bf16', 'f32']);
  }
  expect(conversions(cast, 'bf16')).toBe(3);
});
test('all: what a multiply reads is read as rounded by others too, but results are not cast', () => {
  const [, sum, y] = interpret(autoCast(module, { mode: 'all', type: 'bf16' }), inputs).map(toNumbers);
  const rows = Array.from({ length: 8 }, (_, i) => y!.slice(8 * i, 8 * i + 8));
  const bf16 = (x: number): number => toNumbers(literal('bf16', [], [x]))[0]!;
  rows.forEach((row, i) => {
    expect(sum![i]).toBeCloseTo(
      row.reduce((total, x) => total + bf16(x), 0),
      5,
    );
  });
});
describe('every policy is near f32, the same compiled as interpreted', () => {
  const exact = interpret(module, inputs).map(toNumbers);
  test.each(policies)('$mode $type', policy => {
    const cast = autoCast(module, policy);
    verify(cast);
    const oracle = interpret(cast, inputs).map(toNumbers);
    const compiled = compileForTest(cast).run(inputs).map(toNumbers);
    const error = { bf16: 0.05, fp16: 0.01, tf32: 0.01, fp8: 0.6, fp8_e4m3: 0.6 }[policy.type];
    oracle.forEach((list, k) => {
      list.forEach((v, i) => {
        expect(Math.abs(v - exact[k]![i]!)).toBeLessThan(error);
        // sums in another order may tip a rounding
        expect(Math.abs(compiled[k]![i]! - v)).toBeLessThan(policy.type.startsWith('fp8') ? 0.15 : 0.03);
      });
    });
  });
});

describe('NEURON_CC_FLAGS', () => {
  const read = (text: string) => readVariable('NEURON_CC_FLAGS', { NEURON_CC_FLAGS: text });
  test('names a policy among other flags', () => {
    expect(read('--model-type transformer --auto-cast=matmult -O1 --auto-cast-type fp16')).toEqual({
      mode: 'matmult',
      type: 'fp16',
    });
    expect(read('--auto-cast all')).toEqual({ mode: 'all', type: 'bf16' });
    expect(read('-O2')).toEqual({ mode: 'none', type: 'bf16' });
  });
  test.each(['--auto-cast most', '--auto-cast', '--auto-cast all --auto-cast-type int4', '--auto-cast-type'])(
    '%s is refused',
    text => {
      expect(() => read(text)).toThrow(
        /--auto-cast one of none, matmult, all and --auto-cast-type one of bf16, fp16, tf32, fp8/,
      );
    },
  );
  test.each(['abc', '-1', '1.5'])('a seed of %s is refused', seed => {
    expect(() =>
      readVariable('NEURON_RT_STOCHASTIC_ROUNDING_SEED', { NEURON_RT_STOCHASTIC_ROUNDING_SEED: seed }),
    ).toThrow('expected an integer, 0 or more');
  });
});
