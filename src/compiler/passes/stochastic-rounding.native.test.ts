// Stochastic rounding in programs: the bits of the reference, in the interpreter and compiled, for every narrow float;
// unbiased; the same whatever the order of tasks; equal conversions are one.
import { describe, expect, test } from 'vitest';
import { type Builder, buildFunc } from '../../hlo/builder.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { type Literal, literal, toNumbers } from '../../hlo/literal.ts';
import { moduleOf, type Value } from '../../hlo/program.ts';
import { type ElementType, tensorType } from '../../hlo/types.ts';
import { verify } from '../../hlo/verifier.ts';
import { type FormatName, numberFormat } from '../../numerics/formats.ts';
import { executionKeys, round, roundingBits, roundingKeys } from '../../numerics/rounding.ts';
import { roundingArgument, roundingArgumentType, stochasticRounding } from '../../transforms/stochastic-rounding.ts';
import { compileForTest } from '../testing/compile.testing.ts';

const types: readonly FormatName[] = ['bf16', 'f16', 'tf32', 'f8E4M3FN', 'f8E5M2', 'f8E3M4', 'f8E4M3', 'f8E5M2FNUZ'];
const count = 4096;
const at = { seed: 3, step: 5, execution: 0, part: 0 };

function stochastic(argument: ElementType, shape: readonly number[], body: (b: Builder, x: Value) => Value[]) {
  const func = buildFunc('main', [tensorType(argument, shape)], (b, [x]) => body(b, x!));
  const made = stochasticRounding(moduleOf(func, { name: 'rounding' }));
  verify(made.module);
  return made;
}
const keysAt = (where: typeof at = at): Literal => ({
  type: roundingArgumentType,
  data: new Uint32Array(roundingArgument(where).buffer as ArrayBuffer),
});

describe('a conversion gives the bits of the reference', () => {
  const made = stochastic('f32', [2, count / 2], (b, x) => types.map(type => b.convert(x, type as ElementType)));
  const values = Float32Array.from({ length: count }, (_, i) =>
    i < 6 ? [0, -0, Infinity, -Infinity, NaN, 3.4e38][i]! : Math.sin(i * 12.9898) * 2 ** (((i * 7) % 64) - 40),
  );
  const input = literal('f32', [2, count / 2], values);
  const keys = keysAt();
  const expected = types.map((type, use) =>
    Array.from(values, (x, i) =>
      round(x, numberFormat(type), 'stochastic', roundingBits(i, roundingKeys(executionKeys(3, 5, 0), use))),
    ),
  );
  // formats without a negative zero have but one
  const plain = (list: readonly number[]): number[] => list.map(x => x + 0);
  test('in the interpreter', () => {
    interpret(made.module, [input, keys]).forEach((got, i) => {
      expect(plain(toNumbers(got)), types[i]!).toEqual(plain(expected[i]!));
    });
  });
  test('compiled, in any order of tasks', () => {
    const program = compileForTest(made.module);
    for (const backwards of [false, true]) {
      program.run([input, keys], { backwards }).forEach((got, i) => {
        expect(plain(toNumbers(got)), types[i]!).toEqual(plain(expected[i]!));
      });
    }
  });
});

test('the region of a map is rounded, too', () => {
  const made = stochastic('bf16', [4], (b, x) => {
    const region = b.region([tensorType('bf16')], (inner, [one]) => [inner.multiply(one!, one!)]);
    return [...b.emit('map', [x], { dimensions: [0] }, [region])];
  });
  expect(made.positions).toBe(1);
});

test('a compiled program is unbiased: the mean over many steps is the number', () => {
  const made = stochastic('f32', [count], (b, x) => [b.convert(x, 'bf16'), b.convert(x, 'f16')]);
  const values = Float32Array.from({ length: count }, (_, i) => Math.sin(i * 78.233) * 2 ** (((i * 5) % 24) - 20));
  const program = compileForTest(made.module);
  const steps = 256;
  const sums = [new Float64Array(count), new Float64Array(count)];
  for (let step = 0; step < steps; step++) {
    program.run([literal('f32', [count], values), keysAt({ ...at, step })]).forEach((got, k) => {
      toNumbers(got).forEach((y, i) => {
        sums[k]![i]! += y;
      });
    });
  }
  for (const [k, sum] of sums.entries()) {
    const [mantissa, least] = k === 0 ? [7, -126] : [10, -14];
    let [total, worst] = [0, 0];
    values.forEach((x, i) => {
      const step = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(x))), least) - mantissa);
      const error = (sum[i]! / steps - x) / step;
      total += error;
      worst = Math.max(worst, Math.abs(error));
    });
    // a rounding's deviation is at most half a step: five of the mean's over all elements, six of each element's
    expect(Math.abs(total / count)).toBeLessThan((5 * 0.5) / Math.sqrt(steps * count));
    expect(worst).toBeLessThan((6 * 0.5) / Math.sqrt(steps));
  }
});

describe('rounded conversions', () => {
  const positionsOf = (argument: ElementType, body: (b: Builder, x: Value) => Value[]): number =>
    stochastic(argument, [4, 4], body).positions;
  test('equal conversions are done once; widening conversions, constants and values that are already narrow are not rounded', () => {
    expect(
      positionsOf('f32', (b, x) => [
        b.add(b.convert(b.convert(x, 'bf16'), 'f32'), b.convert(b.convert(x, 'bf16'), 'f32')),
      ]),
    ).toBe(1);
    expect(positionsOf('bf16', (b, x) => [b.convert(b.convert(x, 'f32'), 'bf16')])).toBe(0);
    expect(
      positionsOf('f32', (b, x) => [b.convert(b.like(x, 0.1), 'bf16'), b.convert(x, 'i32'), b.convert(x, 'f64')]),
    ).toBe(0);
    expect(positionsOf('f64', (b, x) => [b.convert(x, 'f32')])).toBe(0);
    expect(positionsOf('bf16', (b, x) => [b.convert(x, 'f8E5M2')])).toBe(1);
  });
  test('arithmetic on low-precision floats, once an op; exact ops not', () => {
    expect(positionsOf('bf16', (b, x) => [b.add(x, x), b.unary('exponential', x), b.sum(x, [0])])).toBe(3);
    const dims = {
      lhsBatchingDimensions: [],
      rhsBatchingDimensions: [],
      lhsContractingDimensions: [1],
      rhsContractingDimensions: [0],
    };
    expect(positionsOf('bf16', (b, x) => [b.dotGeneral(x, x, dims)])).toBe(1);
    expect(positionsOf('bf16', (b, x) => [b.maximum(b.negate(x), b.transpose(x, [1, 0]))])).toBe(0);
  });
  test('a number that the type has stays, through sums too', () => {
    const made = stochastic('bf16', [256], (b, x) => [b.sum(x, [0]), b.add(x, x)]);
    const [sum, twice] = interpret(made.module, [literal('bf16', [256], new Array(256).fill(1)), keysAt()]);
    expect(toNumbers(sum!)).toEqual([256]);
    expect(new Set(toNumbers(twice!))).toEqual(new Set([2]));
  });
});

test('the samples of a section do not depend on other ops of its program', () => {
  const values = literal(
    'f32',
    [64],
    Array.from({ length: 64 }, (_, i) => Math.sin(i + 1)),
  );
  const type = tensorType('f32', [64]);
  /** Consecutive micro-batches, each with separate parameters and data; each has two roundings of both. */
  const build = (parts: number) => {
    const starts: number[] = [];
    const func = buildFunc('main', [type, ...Array.from({ length: parts }, () => type)], (b, [p, ...data]) =>
      data.flatMap(x => {
        starts.push(b.ops.length);
        return [x, b.multiply(x, x), p!, b.negate(b.multiply(p!, p!))].map(v => b.convert(v, 'bf16'));
      }),
    );
    const sections = starts.map((_, part) => ({ keys: 0, part }));
    return stochasticRounding(moduleOf(func, { name: 'sections' }), {
      isSplit: true,
      replicated: new Set([func.body.args[0]!]),
      sectionOf: op => sections[starts.findLastIndex(start => start <= func.body.ops.indexOf(op))]!,
    });
  };
  const run = (parts: number, first: number): number[][] => {
    const { module, sections } = build(parts);
    const given = sections.map(({ part }) => keysAt({ ...at, part: first + part! }));
    const inputs = [values, ...Array.from({ length: parts }, () => values), ...given];
    return interpret(module, inputs).map(toNumbers);
  };
  const together = run(3, 0);
  const apart = [0, 1, 2].flatMap(part => run(1, part));
  expect(together).toEqual(apart);
  // data is rounded differently in each part, what is computed from parameters alike
  expect([0, 1, 2, 3].map(i => new Set([0, 4, 8].map(j => together[i + j]!.join())).size)).toEqual([3, 3, 1, 1]);
  // and once
  expect(build(3).positions).toBe(3 * 2 + 2);
});

test('ranks sample what one rank samples for the whole batch; replicated values are rounded alike', () => {
  const value = (x: number): Literal =>
    literal(
      'f32',
      [x],
      Array.from({ length: x }, (_, i) => Math.sin(i + 1)),
    );
  const build = (count: number, numReplicas: number) => {
    const func = buildFunc('main', [tensorType('f32', [count]), tensorType('f32', [64])], (b, [x, p]) => [
      b.convert(x!, 'bf16'),
      b.convert(p!, 'bf16'),
    ]);
    return stochasticRounding(moduleOf(func, { name: 'ranks', numReplicas }), {
      replicated: new Set([func.body.args[1]!]),
    }).module;
  };
  const [whole, same] = interpret(build(128, 1), [value(128), value(64), keysAt()]).map(toNumbers);
  const parts = [0, 1].map(rank => {
    const part = literal('f32', [64], value(128).data.slice(64 * rank, 64 * rank + 64) as Float32Array);
    return interpret(build(64, 2), [part, value(64), keysAt({ ...at, part: rank })]).map(toNumbers);
  });
  expect(parts.flatMap(([x]) => x)).toEqual(whole);
  for (const [, p] of parts) expect(p).toEqual(same);
});
