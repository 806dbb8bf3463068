import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Builder } from '../builder.ts';
import { literal, scalar, toNumbers } from '../literal.ts';
import { sampleLiteral } from '../op-samples.testing.ts';
import { inferTypes } from '../op-table.ts';
import { elementCount, stridesOf, tensorType } from '../types.ts';
import { constraintOf, numbers, runAll } from './ops.testing.ts';

describe('reduce', () => {
  test('sums over any dims agree with sums element by element', () => {
    const shapes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(shapes, fc.nat(15), (shape, mask) => {
        const dimensions = shape.map((_, d) => d).filter(d => (mask >> d) & 1);
        const x = sampleLiteral('f64', shape);
        const kept = shape.filter((_, d) => !dimensions.includes(d));
        const expected = new Array<number>(elementCount(kept)).fill(0);
        const keptStrides = stridesOf(kept);
        toNumbers(x).forEach((v, i) => {
          const index = stridesOf(shape)
            .map((s, d) => Math.floor(i / s) % shape[d]!)
            .filter((_, d) => !dimensions.includes(d));
          expected[index.reduce((sum, at, d) => sum + at * keptStrides[d]!, 0)]! += v;
        });
        const out = numbers([x], (b, [v]) => b.sum(v!, dimensions));
        out.forEach((v, i) => {
          expect(v).toBeCloseTo(expected[i]!, 12);
        });
      }),
    );
  });
  test('sums of many floats are pairwise: they do not drift', () => {
    for (const [rows, type] of [
      [1, 'f32'],
      [3, 'f32'],
      [1, 'bf16'],
    ] as const) {
      const each = 100_003;
      const x = literal(type, [each, rows], new Array(each * rows).fill(0.1));
      const [exact] = toNumbers(literal(type, [], [0.1])) as [number];
      for (const sum of numbers([x], (b, [v]) => b.sum(b.convert(v!, 'f32'), [0])))
        expect(Math.abs(sum / (exact * each) - 1)).toBeLessThan(2e-6);
    }
  });
  test('sums of floats are rounded to f32 at each step, integer sums wrap, the initial value is included', () => {
    expect(numbers([literal('f32', [3], [2 ** 24, 1, 1])], (b, [x]) => b.sum(x!))).toEqual([2 ** 24]);
    expect(numbers([literal('bf16', [3], [256, 1, 1])], (b, [x]) => b.sum(x!))).toEqual([258]);
    expect(numbers([literal('i8', [3], [100, 100, 100])], (b, [x]) => b.sum(x!))).toEqual([44]);
    expect(numbers([literal('i64', [2], [2n ** 63n - 1n, 1n])], (b, [x]) => b.sum(x!))).toEqual([-(2 ** 63)]);
    expect(
      numbers([literal('f32', [2], [1, 2]), scalar('f32', 10)], (b, [x, init]) => b.reduce('add', x!, init!, [0])),
    ).toEqual([13]);
    expect(
      numbers([literal('f32', [0], [])], (b, [x]) => b.reduce('maximum', x!, b.fill('f32', [], -Infinity), [0])),
    ).toEqual([-Infinity]);
  });
  test('NaN propagates through a maximum; booleans reduce with and, or', () => {
    expect(
      numbers([literal('f32', [3], [1, Number.NaN, 2])], (b, [x]) =>
        b.reduce('maximum', x!, b.fill('f32', [], -Infinity), [0]),
      ),
    ).toEqual([Number.NaN]);
    expect(
      numbers([literal('i1', [3], [1, 0, 1])], (b, [x]) => b.reduce('and', x!, b.fill('i1', [], true), [0])),
    ).toEqual([0]);
    expect(
      numbers([literal('i1', [3], [1, 0, 1])], (b, [x]) => b.reduce('or', x!, b.fill('i1', [], false), [0])),
    ).toEqual([1]);
  });
  test('several operands with a custom region: the index of the maximum', () => {
    const [f, i] = [tensorType('f32'), tensorType('i32')];
    const out = runAll([literal('f32', [2, 3], [1, 5, 2, 7, 0, 7])], (b, [x]) => {
      const region = b.region([f, i, f, i], (inner, [v, at, w, bt]) => {
        const keep = inner.compare('GE', v!, w!);
        return [inner.select(keep, v!, w!), inner.select(keep, at!, bt!)];
      });
      return b.emit(
        'reduce',
        [x!, b.iota(tensorType('i32', [2, 3]), 1), b.fill('f32', [], -Infinity), b.fill('i32', [], 0)],
        { dimensions: [1] },
        [region],
      );
    });
    expect(out.map(toNumbers)).toEqual([
      [5, 7],
      [1, 0],
    ]);
  });
  test('refusals', () => {
    const f32x2 = tensorType('f32', [2]);
    const combiner = new Builder().combiner('add', 'f32');
    const infer =
      (operands = [f32x2, tensorType('f32')], dimensions = [0], region = combiner) =>
      () =>
        inferTypes('reduce', operands, { dimensions }, [region]);
    expect(constraintOf(infer())).toBe('accepted');
    expect(constraintOf(infer([f32x2]))).toBe('reduce_c3');
    expect(constraintOf(infer([f32x2, tensorType('f64')]))).toBe('reduce_c2');
    expect(constraintOf(infer(undefined, [1]))).toBe('reduce_c4');
    expect(constraintOf(infer(undefined, [0, 0]))).toBe('reduce_c5');
    expect(constraintOf(infer(undefined, [0], new Builder().combiner('add', 'i32')))).toBe('reduce_c6');
    // A wider accumulator is allowed, and determines the type of the result.
    expect(
      inferTypes('reduce', [f32x2, tensorType('f32')], { dimensions: [0] }, [new Builder().combiner('add', 'f64')]),
    ).toEqual([tensorType('f64')]);
  });
});

describe('windows', () => {
  const x = literal('f32', [3, 2], [1, 2, 3, 4, 5, 6]);
  test('reduce_window: the example of the specification', () => {
    const out = numbers([literal('i64', [3, 2], [1, 2, 3, 4, 5, 6]), scalar('i64', 0)], (b, args) =>
      b.emit1(
        'reduce_window',
        args,
        {
          windowDimensions: [2, 1],
          windowStrides: [4, 1],
          baseDilations: [2, 1],
          windowDilations: [3, 1],
          padding: [
            [2, 1],
            [0, 0],
          ],
        },
        [b.combiner('add', 'i64')],
      ),
    );
    expect(out).toEqual([0, 0, 3, 4]);
  });
  test('reduce_window: maximum over overlapping windows', () => {
    const out = numbers([x], (b, [v]) =>
      b.emit1(
        'reduce_window',
        [v!, b.fill('f32', [], -Infinity)],
        {
          windowDimensions: [2, 2],
          windowStrides: [1, 1],
          baseDilations: [1, 1],
          windowDilations: [1, 1],
          padding: [
            [0, 0],
            [1, 0],
          ],
        },
        [b.combiner('maximum', 'f32')],
      ),
    );
    expect(out).toEqual([3, 4, 5, 6]);
  });
  test('select_and_scatter: the example of the specification', () => {
    const operand = literal('i64', [4, 2], [1, 5, 2, 5, 3, 6, 4, 4]);
    const source = literal('i64', [2, 2], [5, 6, 7, 8]);
    const element = tensorType('i64');
    const out = numbers([operand, source, scalar('i64', 0)], (b, args) => {
      const select = b.region([element, element], (inner, [p, q]) => [inner.compare('GE', p!, q!)]);
      return b.emit1(
        'select_and_scatter',
        args,
        {
          windowDimensions: [3, 1],
          windowStrides: [2, 1],
          padding: [
            [0, 1],
            [0, 0],
          ],
        },
        [select, b.combiner('add', 'i64')],
      );
    });
    expect(out).toEqual([0, 0, 0, 0, 5, 14, 7, 0]);
  });
  test('refusals', () => {
    const region = new Builder().combiner('add', 'f32');
    const plain = {
      windowDimensions: [1, 1],
      windowStrides: [1, 1],
      baseDilations: [1, 1],
      windowDilations: [1, 1],
      padding: [
        [0, 0],
        [0, 0],
      ] as const,
    };
    const infer = (change: Partial<typeof plain>) => () =>
      inferTypes('reduce_window', [x.type, tensorType('f32')], { ...plain, ...change }, [region]);
    expect(constraintOf(infer({}))).toBe('accepted');
    expect(constraintOf(infer({ windowDimensions: [1] }))).toBe('reduce_window_c4');
    expect(constraintOf(infer({ windowStrides: [0, 1] }))).toBe('reduce_window_c7');
    expect(constraintOf(infer({ baseDilations: [1, 0] }))).toBe('reduce_window_c9');
    expect(constraintOf(infer({ padding: [[0, 0]] as never }))).toBe('reduce_window_c12');
  });
});
