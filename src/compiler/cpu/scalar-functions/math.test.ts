// The accuracy of math functions, evaluated from their data: compared with integer arithmetic of 200 fraction bits, in units in
// the last place of the exact result. That the C has the same bits is tested in wasm/kernels.native.test.ts.
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { blockFunctions, mathFunctions } from '../../ir/math/index.ts';
import type { MathFunction } from '../../ir/math/math-function.ts';
import { references } from '../../testing/reference-functions.testing.ts';
import { targetOf } from '../target/target.ts';
import { mathEvaluator } from './math.ts';

const fused = targetOf('avx2');
const generic = targetOf('generic');
const named = new Map([...mathFunctions, ...blockFunctions.map(b => b.table)].map(f => [f.name, f]));

/** Error bounds with fused and with separate multiply-adds; magnitudes of arguments, and their signs. */
const bounds: readonly (readonly [
  name: string,
  fused: number,
  twice: number,
  low: number,
  high: number,
  signs: string,
])[] = [
  ['exp', 0.75, 1, 2 ** -30, 104, '+-'],
  ['exp_below', 0.75, 1, 2 ** -30, 104, '-'],
  ['expm1', 0.9, 0.9, 2 ** -126, 88.8, '+-'],
  ['log', 0.6, 0.6, 2 ** -149, 3.4e38, '+'],
  ['log1p', 1, 1, 2 ** -126, 3.4e38, '+'],
  ['log1p', 1, 1, 2 ** -126, 1 - 2 ** -24, '-'],
  ['tanh', 1.1, 1.1, 2 ** -126, 12, '+-'],
  ['tanh_one', 2, 2, 2 ** -126, 12, '+-'],
  ['erf', 0.9, 0.9, 2 ** -125, 5, '+-'],
  ['erf_one', 2, 2, 2 ** -125, 5, '+-'],
  ['logistic', 2, 2, 2 ** -30, 104, '+-'],
  ['sin', 1.3, 1.3, 2 ** -126, 2 ** 40, '+-'],
  ['cos', 1.3, 1.3, 2 ** -126, 2 ** 40, '+-'],
  ['rsqrt', 1.4, 1.4, 2 ** -149, 3.4e38, '+'],
];

/** The distance of neighboring f32 numbers at a value. */
const ulp = (value: number): number => 2 ** (Math.floor(Math.log2(Math.max(Math.abs(value), 2 ** -126))) - 23);

/** Half of them uniformly distributed, half log-uniformly. */
function argumentsOf(low: number, high: number, signs: string, count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const t = (i * 0.6180339887498949) % 1;
    const size = i % 2 === 0 ? low * (high / low) ** t : low + (Math.min(high, 2 ** 20) - low) * t;
    return Math.fround(signs === '-' || (signs === '+-' && i % 4 < 2) ? -size : size);
  });
}

/** The largest error and its argument. */
function largestError(f: MathFunction, evaluate: (x: number) => number, xs: readonly number[]): [number, number] {
  const reference = references[f.name.replace(/_(one|below)$/, '')]!;
  let worst: [number, number] = [0, 0];
  for (const x of xs) {
    const exact = reference(x);
    const got = evaluate(x);
    const error = Number.isFinite(Math.fround(exact))
      ? Math.abs(got - exact) / ulp(exact)
      : got === Math.fround(exact)
        ? 0
        : Infinity;
    if (!(error <= worst[0])) worst = [error, x];
  }
  return worst;
}

describe('f32 functions', () => {
  test.each(bounds)('%s is within %d and %d units in the last place', (name, once, twice, low, high, signs) => {
    const f = named.get(name)!;
    const xs = argumentsOf(low, high, signs, 2000);
    const errors = [fused, generic].map(target => largestError(f, mathEvaluator(f, target), xs));
    expect(errors[0]![0], `at ${errors[0]![1]}`).toBeLessThanOrEqual(once);
    expect(errors[1]![0], `at ${errors[1]![1]}`).toBeLessThanOrEqual(twice);
  });

  const tiny = 2 ** -149;
  test.each<[name: string, x: number, y: number]>([
    ...[
      'exp',
      'expm1',
      'log',
      'log1p',
      'tanh',
      'erf',
      'logistic',
      'sin',
      'cos',
      'round_away',
      'rsqrt',
      'tanh_one',
      'erf_one',
    ].map((name): [string, number, number] => [name, NaN, NaN]),
    ...['expm1', 'log1p', 'tanh', 'sin', 'erf', 'round_away', 'tanh_one', 'erf_one'].flatMap(
      (name): [string, number, number][] => [
        [name, 0, 0],
        [name, -0, -0],
      ],
    ),
    ['exp', 0, 1],
    ['exp', -0, 1],
    ['exp', tiny, 1],
    ['exp', Infinity, Infinity],
    ['exp', -Infinity, 0],
    ['exp', 88.72284, Infinity],
    ['exp', -103.9, tiny],
    ['exp', -103.97209167480469, 0],
    ['exp_below', 0, 1],
    ['exp_below', -0, 1],
    ['exp_below', -Infinity, 0],
    ['exp_below', NaN, NaN],
    ['expm1', tiny, tiny],
    ['expm1', -tiny, -tiny],
    ['expm1', Infinity, Infinity],
    ['expm1', -Infinity, -1],
    ['expm1', 88.72284, Infinity],
    ['log', 0, -Infinity],
    ['log', -0, -Infinity],
    ['log', -1, NaN],
    ['log', -tiny, NaN],
    ['log', 1, 0],
    ['log', Infinity, Infinity],
    ['log', tiny, Math.fround(-149 * Math.LN2)],
    ['log1p', tiny, tiny],
    ['log1p', -tiny, -tiny],
    ['log1p', -1, -Infinity],
    ['log1p', -1 - 2 ** -23, NaN],
    ['log1p', Infinity, Infinity],
    ['log1p', -Infinity, NaN],
    ['tanh', tiny, tiny],
    ['tanh', Infinity, 1],
    ['tanh', -Infinity, -1],
    ['tanh_one', tiny, tiny],
    ['tanh_one', Infinity, 1],
    ['tanh_one', -Infinity, -1],
    ['erf', Infinity, 1],
    ['erf', -Infinity, -1],
    ['erf_one', Infinity, 1],
    ['erf_one', -Infinity, -1],
    ['logistic', 0, 0.5],
    ['logistic', -0, 0.5],
    ['logistic', Infinity, 1],
    ['logistic', -Infinity, 0],
    ['sin', tiny, tiny],
    ['sin', Infinity, NaN],
    ['sin', -Infinity, NaN],
    ['cos', 0, 1],
    ['cos', -0, 1],
    ['cos', Infinity, NaN],
    ['round_away', 0.5, 1],
    ['round_away', -0.5, -1],
    ['round_away', 2.5, 3],
    ['round_away', 0.49999997, 0],
    ['round_away', 8388609, 8388609],
    ['round_away', Infinity, Infinity],
    ['rsqrt', 0, Infinity],
    ['rsqrt', -0, -Infinity],
    ['rsqrt', -1, NaN],
    ['rsqrt', Infinity, 0],
  ])('%s(%d) is %d', (name, x, y) => {
    for (const target of [fused, generic])
      expect(inspect(mathEvaluator(named.get(name)!, target)(Math.fround(x)))).toBe(inspect(y));
  });
});
