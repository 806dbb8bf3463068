import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTrenioError } from '../base/errors.ts';
import { Builder } from './builder.ts';
import { notAlmostEqual, notClose, notEqual, ulpDistance } from './checks.ts';
import { evaluateOp } from './interpreter.ts';
import { type Literal, literal } from './literal.ts';
import type { Op } from './program.ts';
import { type ElementType, tensorType } from './types.ts';

const nan = Number.NaN;
const inf = Number.POSITIVE_INFINITY;
const f32 = (...values: number[]): Literal => literal('f32', [values.length], values);

describe('equal', () => {
  test('NaN is not equal to anything, -0 equals 0', () => {
    expect(notEqual(f32(0, 1), f32(-0, 1))).toBeUndefined();
    expect(notEqual(f32(nan), f32(nan))).toMatchObject({ failing: 1, actual: 'NaN' });
  });
  test('returns the first element that fails and the number of failures', () => {
    const x = literal('i64', [2, 2], [1n, 2n, 3n, 4n]);
    const y = literal('i64', [2, 2], [1n, 2n, -3n, 5n]);
    expect(notEqual(x, y)).toEqual({
      index: [1, 0],
      actual: '3',
      expected: '-3',
      difference: 'must be equal',
      failing: 2,
      elements: 4,
    });
  });
  test('a difference in either or both parts of a complex number counts once', () => {
    const z = (im: number): Literal => literal('complex<f64>', [2], [1, 2, 3, im]);
    expect(notEqual(z(4), z(4))).toBeUndefined();
    expect(notEqual(z(4), z(-0))).toMatchObject({ index: [1], actual: '(3, 4)', expected: '(3, -0)', failing: 1 });
  });
  test('types must be the same', () => {
    expect(notEqual(f32(1), literal('f64', [1], [1]))?.difference).toBe('the types differ');
    expect(notEqual(f32(1), f32(1, 2))?.difference).toBe('the types differ');
  });
});

test('almost equal: an absolute tolerance; NaN matches NaN', () => {
  expect(notAlmostEqual(f32(1, nan, inf), f32(1.00001, nan, inf), 1e-4)).toBeUndefined();
  expect(notAlmostEqual(f32(1), f32(1.5), 0.25)?.difference).toBe('0.5 apart, at most 0.25 allowed');
  expect(notAlmostEqual(f32(inf), f32(-inf), 1)).toBeDefined();
  expect(notAlmostEqual(f32(nan), f32(1), 1)).toBeDefined();
});

describe('close: units in the last place', () => {
  const floats: readonly ElementType[] = ['f64', 'f32', 'f16', 'bf16', 'f8E5M2', 'f8E4M3FN', 'f6E3M2FN'];
  test.each(floats)('neighbors in %s are one apart, on both sides of zero', type => {
    const tiny = { f64: 5e-324, f32: 2 ** -149, f16: 2 ** -24, bf16: 2 ** -133, f8E5M2: 2 ** -16 }[type as string];
    const least = tiny ?? (type === 'f6E3M2FN' ? 2 ** -4 : 2 ** -9);
    const [x, y] = [literal(type, [2], [least, 1]), literal(type, [2], [-least, 1])];
    const distance = ulpDistance(x, y);
    expect([distance(0), distance(1)]).toEqual([2, 0]);
    expect(notClose(x, y, 0, 2)).toBeUndefined();
    expect(notClose(x, y, 0, 1)?.difference).toBe('2 ULP apart, 1 allowed');
  });
  test('across the words of f64', () => {
    const below = 1 - 2 ** -53;
    expect(ulpDistance(literal('f64', [1], [below]), literal('f64', [1], [1 + 2 ** -52]))(0)).toBe(2);
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1.9, noNaN: true }), fc.nat(1000), (x, n) => {
        expect(ulpDistance(literal('f64', [1], [x]), literal('f64', [1], [x + n * 2 ** -52]))(0)).toBe(n);
      }),
    );
  });
  test('infinities and NaN are only close to themselves', () => {
    expect(notClose(f32(nan, inf), f32(nan, inf), 0, 0)).toBeUndefined();
    for (const pair of [
      [inf, -inf],
      [inf, 3e38],
      [nan, 0],
    ] as const)
      expect(notClose(f32(pair[0]), f32(pair[1]), 0, 2 ** 64)).toBeUndefined();
    expect(notClose(f32(inf), f32(3e38), 0, 2 ** 63)).toBeDefined();
  });
  test('a minimum distance; for complex numbers, the part with the larger distance counts', () => {
    expect(notClose(f32(1), f32(1), 1, 3)?.difference).toBe('0 ULP apart, 1 … 3 allowed');
    const z = literal('complex<f32>', [1], [1, 1 + 2 ** -23]);
    expect(notClose(z, literal('complex<f32>', [1], [1, 1]), 1, 1)).toBeUndefined();
  });
});

describe('the ops', () => {
  const run = (build: (b: Builder, x: ReturnType<Builder['constant']>) => void): readonly Literal[] => {
    const b = new Builder();
    const x = b.constant(f32(1, 2));
    build(b, x);
    return evaluateOp(
      b.ops.at(-1) as Op,
      b.ops.at(-1)!.operands.map(() => f32(1, 2)),
    );
  };
  const failure = (build: Parameters<typeof run>[0]): string => {
    try {
      run(build);
    } catch (error) {
      if (isTrenioError(error)) return `${error.code} ${error.message.split('\n')[0]}`;
    }
    return 'none';
  };

  test('give nothing when they pass', () => {
    expect(run((b, x) => b.emit('check.expect_eq', [x, x], {}))).toEqual([]);
    expect(run((b, x) => b.emit('check.expect_almost_eq', [x, x], { tolerance: 0 }))).toEqual([]);
    expect(run((b, x) => b.emit('check.eq', [x, x], {}))[0]!.data[0]).toBe(1);
  });
  test('report the difference when they fail', () => {
    expect(failure((b, x) => b.emit('check.expect_eq_const', [x], { value: f32(1, 3) }))).toBe(
      'CHECK_FAILED check.expect_eq_const: element [1] is 2, expected 3 (must be equal); 1 of 2 elements fail',
    );
    expect(failure((b, x) => b.emit('check.expect_serialized_eq', [x], { probeId: 'p' }))).toContain(
      'probe p has stored 0 values',
    );
  });
  test('also exist as custom calls', () => {
    const call = (target: string) => (b: Builder, x: ReturnType<Builder['constant']>) => {
      const [value] = [b.constant(f32(1, 2))];
      b.emit('custom_call', [x, value], {
        callTargetName: target,
        hasSideEffect: true,
        backendConfig: '',
        calledComputations: [],
        resultTypes: target === 'check.eq' ? [tensorType('i1')] : [],
      } as never);
    };
    expect(run(call('check.expect_close'))).toEqual([]);
    expect(run(call('check.eq'))[0]!.data[0]).toBe(1);
    expect(failure(call('check.unknown'))).toContain('UNSUPPORTED');
  });
  test('take values of the same type', () => {
    expect(failure((b, x) => b.emit('check.expect_eq_const', [x], { value: f32(1) }))).toContain('INVALID_OP');
    expect(
      failure(b =>
        b.emit(
          'check.expect_close',
          [0, 1].map(() => b.constant(literal('i32', [], [1]))),
          {
            minUlpDifference: 0,
            maxUlpDifference: 1,
          },
        ),
      ),
    ).toContain('INVALID_OP');
  });
});
