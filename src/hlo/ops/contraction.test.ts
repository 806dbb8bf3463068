import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OpAttributes } from '../attributes.ts';
import { imageDimensionNumbers } from '../image-dimension-numbers.ts';
import { type Literal, literal, toNumbers } from '../literal.ts';
import { sampleLiteral } from '../op-samples.testing.ts';
import { inferTypes } from '../op-table.ts';
import { elementCount, stridesOf, tensorType } from '../types.ts';
import { constraintOf, numbers, run } from './ops.testing.ts';

/** Every index of a shape, in row-major order. */
function* indices(shape: readonly number[]): Generator<number[]> {
  for (let i = 0; i < elementCount(shape); i++) yield stridesOf(shape).map((s, d) => Math.floor(i / s) % shape[d]!);
}
const at = (x: Literal, index: readonly number[]): number =>
  toNumbers(x)[stridesOf(x.type.shape).reduce((sum, s, d) => sum + s * index[d]!, 0)]!;

describe('dot_general', () => {
  test('agrees with nested loops for any order of dims', () => {
    const sizes = fc.record({
      b: fc.integer({ min: 1, max: 3 }),
      m: fc.integer({ min: 1, max: 4 }),
      n: fc.integer({ min: 1, max: 4 }),
      k: fc.integer({ min: 0, max: 5 }),
      l: fc.integer({ min: 1, max: 2 }),
    });
    const orders = fc.shuffledSubarray(['b', 'm', 'k', 'l'] as const, { minLength: 4 });
    const others = fc.shuffledSubarray(['b', 'n', 'k', 'l'] as const, { minLength: 4 });
    fc.assert(
      fc.property(sizes, orders, others, (size, lhsOrder, rhsOrder) => {
        const lhs = sampleLiteral(
          'f64',
          lhsOrder.map(d => size[d]),
          1,
        );
        const rhs = sampleLiteral(
          'f64',
          rhsOrder.map(d => size[d]),
          2,
        );
        const out = run([lhs, rhs], (b, [x, y]) =>
          b.dotGeneral(x!, y!, {
            lhsBatchingDimensions: [lhsOrder.indexOf('b')],
            rhsBatchingDimensions: [rhsOrder.indexOf('b')],
            lhsContractingDimensions: [lhsOrder.indexOf('l'), lhsOrder.indexOf('k')],
            rhsContractingDimensions: [rhsOrder.indexOf('l'), rhsOrder.indexOf('k')],
          }),
        );
        expect(out.type.shape).toEqual([size.b, size.m, size.n]);
        for (const [b, m, n] of indices([size.b, size.m, size.n])) {
          let sum = 0;
          for (const [l, k] of indices([size.l, size.k])) {
            const index = { b: b!, m: m!, n: n!, k: k!, l: l! };
            sum +=
              at(
                lhs,
                lhsOrder.map(d => index[d]),
              ) *
              at(
                rhs,
                rhsOrder.map(d => index[d]),
              );
          }
          expect(at(out, [b!, m!, n!])).toBeCloseTo(sum, 12);
        }
      }),
      { numRuns: 40 },
    );
  });
  const matmul = {
    lhsBatchingDimensions: [],
    rhsBatchingDimensions: [],
    lhsContractingDimensions: [1],
    rhsContractingDimensions: [0],
  };
  test('sums of f32 are rounded at each step; lower-precision floats are summed in f32', () => {
    const lhs = literal('f32', [1, 3], [2 ** 24, 1, 1]);
    const ones = literal('f32', [3, 1], [1, 1, 1]);
    expect(numbers([lhs, ones], (b, [x, y]) => b.dotGeneral(x!, y!, matmul))).toEqual([2 ** 24]);
    const narrow = [literal('bf16', [1, 3], [256, 1, 1]), literal('bf16', [3, 1], [1, 1, 1])];
    expect(numbers(narrow, (b, [x, y]) => b.dotGeneral(x!, y!, matmul))).toEqual([258]);
  });
  test('integers wrap', () => {
    const [x, y] = [literal('i8', [1, 2], [100, 100]), literal('i8', [2, 1], [3, 3])];
    expect(numbers([x, y], (b, [p, q]) => b.dotGeneral(p!, q!, matmul))).toEqual([600 - 512]);
    expect(
      numbers([x, y], (b, args) => b.emit1('dot_general', args, { ...matmul, precision: [], elementType: 'i32' })),
    ).toEqual([600]);
    const big = [literal('i64', [1, 1], [2n ** 62n]), literal('i64', [1, 1], [4n])];
    expect(numbers(big, (b, [p, q]) => b.dotGeneral(p!, q!, matmul))).toEqual([0]);
  });
  test('refusals', () => {
    const infer =
      (lhs: number[], rhs: number[], change: Partial<OpAttributes['dot_general']> = {}) =>
      () =>
        inferTypes(
          'dot_general',
          [tensorType('f32', lhs), tensorType('f32', rhs)],
          { ...matmul, precision: ['DEFAULT', 'DEFAULT'], ...change },
          [],
        );
    expect(constraintOf(infer([2, 3], [4, 5]))).toBe('dot_general_c10');
    expect(constraintOf(infer([2, 3], [3, 5], { lhsContractingDimensions: [2] }))).toBe('dot_general_c6');
    expect(constraintOf(infer([2, 3], [3, 5], { lhsContractingDimensions: [1, 0] }))).toBe('dot_general_c2');
    expect(constraintOf(infer([2, 3], [3, 5], { lhsBatchingDimensions: [1], rhsBatchingDimensions: [0] }))).toBe(
      'dot_general_c3',
    );
    expect(constraintOf(infer([2, 3, 4], [3, 5, 5], { lhsBatchingDimensions: [2], rhsBatchingDimensions: [2] }))).toBe(
      'dot_general_c9',
    );
    expect(constraintOf(infer([2, 3], [3, 5], { precision: ['DEFAULT', 'DEFAULT', 'DEFAULT'] }))).toBe(
      'dot_general_c11',
    );
    expect(constraintOf(infer([2, 3], [3, 5]))).toBe('accepted');
  });
});

describe('convolution', () => {
  const nchw = imageDimensionNumbers;
  const plain: OpAttributes['convolution'] = {
    windowStrides: [1, 1],
    padding: [
      [0, 0],
      [0, 0],
    ],
    lhsDilation: [1, 1],
    rhsDilation: [1, 1],
    windowReversal: [false, false],
    dimensionNumbers: nchw,
    featureGroupCount: 1,
    batchGroupCount: 1,
    precision: ['DEFAULT', 'DEFAULT'],
  };
  test('agrees with nested loops over strides, padding, dilations, reversal and groups', () => {
    const pair = (min: number, max: number) => fc.tuple(fc.integer({ min, max }), fc.integer({ min, max }));
    const settings = fc.record({
      strides: pair(1, 2),
      low: pair(-1, 2),
      high: pair(0, 2),
      lhsDilation: pair(1, 2),
      rhsDilation: pair(1, 2),
      reversal: fc.tuple(fc.boolean(), fc.boolean()),
      kernel: pair(1, 3),
      groups: fc.constantFrom([1, 1], [2, 1], [1, 2]),
    });
    fc.assert(
      fc.property(settings, s => {
        const [featureGroupCount, batchGroupCount] = s.groups as [number, number];
        const lhs = sampleLiteral('f64', [2, 4, 5, 4], 1);
        const rhs = sampleLiteral('f64', [6, 4 / featureGroupCount, ...s.kernel], 2);
        const attributes: OpAttributes['convolution'] = {
          ...plain,
          windowStrides: s.strides,
          padding: [
            [s.low[0], s.high[0]],
            [s.low[1], s.high[1]],
          ],
          lhsDilation: s.lhsDilation,
          rhsDilation: s.rhsDilation,
          windowReversal: s.reversal,
          featureGroupCount,
          batchGroupCount,
        };
        const out = run([lhs, rhs], (b, args) => b.emit1('convolution', args, attributes));
        for (const [b, o, y, x] of indices(out.type.shape)) {
          let sum = 0;
          for (const [i, ky, kx] of indices(rhs.type.shape.slice(1))) {
            const source = [
              [y, ky],
              [x, kx],
            ].map(([at, k], d) => (at! * s.strides[d]! + k! * s.rhsDilation[d]! - s.low[d]!) / s.lhsDilation[d]!);
            if (source.some((v, d) => !Number.isInteger(v) || v < 0 || v >= lhs.type.shape[2 + d]!)) continue;
            const batch = Math.floor(o! / (6 / batchGroupCount)) * (2 / batchGroupCount) + b!;
            const feature = Math.floor(o! / (6 / featureGroupCount)) * (4 / featureGroupCount) + i!;
            const kernel = [ky!, kx!].map((k, d) => (s.reversal[d] ? s.kernel[d]! - 1 - k : k));
            sum += at(lhs, [batch, feature, ...source]) * at(rhs, [o!, i!, ...kernel]);
          }
          expect(at(out, [b!, o!, y!, x!])).toBeCloseTo(sum, 11);
        }
      }),
      { numRuns: 25 },
    );
  });
  test('refusals', () => {
    const infer =
      (change: Partial<OpAttributes['convolution']>, rhs = [6, 4, 3, 3]) =>
      () =>
        inferTypes(
          'convolution',
          [tensorType('f32', [2, 4, 5, 5]), tensorType('f32', rhs)],
          { ...plain, ...change },
          [],
        );
    expect(constraintOf(infer({}))).toBe('accepted');
    expect(constraintOf(infer({ windowStrides: [1] }))).toBe('convolution_c2');
    expect(constraintOf(infer({ windowStrides: [1, 0] }))).toBe('convolution_c3');
    expect(constraintOf(infer({}, [6, 3, 3, 3]))).toBe('convolution_c14');
    expect(constraintOf(infer({ featureGroupCount: 3 }))).toBe('convolution_c11');
    expect(constraintOf(infer({ featureGroupCount: 2, batchGroupCount: 2 }))).toBe('convolution_c23');
    expect(constraintOf(infer({ dimensionNumbers: { ...nchw, inputFeatureDimension: 0 } }))).toBe('convolution_c13');
  });
});
