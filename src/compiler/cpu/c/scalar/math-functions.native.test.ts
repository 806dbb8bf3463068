// The f32 functions compared with f64 ones, in units in the last place, over their whole range.
import { describe, expect, test } from 'vitest';
import type { UnaryName } from '../../../../hlo/attributes.ts';
import { Builder } from '../../../../hlo/builder.ts';
import { literal } from '../../../../hlo/literal.ts';
import { unaryFunctions } from '../../../../hlo/ops/scalar-functions.ts';
import { moduleOf, type Value } from '../../../../hlo/program.ts';
import { tensorType } from '../../../../hlo/types.ts';
import { compileForTest } from '../../../testing/compile.testing.ts';
import { hostTarget, targetOf } from '../../target/target.ts';

const count = 20_001;
const ranges: readonly (readonly [UnaryName, low: number, high: number, scale: 'even' | 'logarithmic'])[] = [
  ['exponential', -104, 89, 'even'],
  ['exponential_minus_one', -20, 88, 'even'],
  ['exponential_minus_one', 1e-30, 1, 'logarithmic'],
  ['log', 1e-44, 3e38, 'logarithmic'],
  ['log', 0.5, 2, 'even'],
  ['log_plus_one', -0.9999, 10, 'even'],
  ['log_plus_one', 1e-30, 1e30, 'logarithmic'],
  ['tanh', -10, 10, 'even'],
  ['tanh', 1e-30, 10, 'logarithmic'],
  ['chlo.erf', -5, 5, 'even'],
  ['chlo.erf', 1e-30, 10, 'logarithmic'],
  ['logistic', -88, 20, 'even'],
  ['sine', -100, 100, 'even'],
  ['sine', 1, 1e35, 'logarithmic'],
  ['cosine', -100, 100, 'even'],
  ['cosine', 1, 1e35, 'logarithmic'],
];

/** The distance between neighboring f32 numbers at a value. */
function ulp(value: number): number {
  const exponent = Math.floor(Math.log2(Math.max(Math.abs(value), 2 ** -126)));
  return 2 ** (exponent - 23);
}

describe('f32 functions', () => {
  const targets = [
    ['this machine', hostTarget()],
    ['a CPU without fused multiply-adds', targetOf('generic')],
  ] as const;
  test.each(targets)('are within 4 units in the last place on %s', (_, target) => {
    const b = new Builder();
    const args: Value[] = [];
    const inputs = ranges.map(([, low, high, scale]) =>
      literal(
        'f32',
        [count],
        Array.from({ length: count }, (_, i) => {
          const t = i / (count - 1);
          return scale === 'even' ? low + (high - low) * t : low * (high / low) ** t;
        }),
      ),
    );
    const results = ranges.map(([name], i) => {
      const x = b.argument(tensorType('f32', [count]), i);
      args.push(x);
      return b.unary(name, x);
    });
    const module = moduleOf({ name: 'main', body: { args, ops: b.ops, results }, aliases: args.map(() => undefined) });
    const got = compileForTest(module, target).run(inputs);
    ranges.forEach(([name, low, high], r) => {
      const f = unaryFunctions[name].number!;
      for (let i = 0; i < count; i++) {
        const x = inputs[r]!.data[i] as number;
        const exact = f(x);
        const y = got[r]!.data[i] as number;
        if (Math.fround(exact) === y) continue;
        const error = Math.abs(y - exact) / ulp(exact);
        if (!(error <= 4)) expect.fail(`${name}(${x}) on ${low} … ${high}: got ${y}, exact ${exact}, ${error} ulp`);
      }
    });
  });
});
