// Random numbers: their range, and roughly their distribution.
import { describe, expect, test } from 'vitest';
import { literal, scalar } from '../literal.ts';
import { type ElementType, type TensorType, tensorType } from '../types.ts';
import { numbers, refusalOf } from './ops.testing.ts';

const f32 = (...shape: number[]): TensorType => tensorType('f32', shape);

describe('rng', () => {
  const sample = (
    elementType: ElementType,
    a: number,
    b: number,
    rngDistribution: 'UNIFORM' | 'NORMAL',
    count = 4000,
  ): number[] =>
    numbers([scalar(elementType, a), scalar(elementType, b)], (builder, v) =>
      builder.emit1('rng', [...v, builder.constant(literal('i64', [1], [count]))], {
        rngDistribution,
        type: tensorType(elementType, [count]),
      }),
    );
  const mean = (values: readonly number[]): number => values.reduce((p, q) => p + q, 0) / values.length;

  test.each(['f16', 'bf16', 'f32', 'f64'] as const)('uniform %s lies within its range', type => {
    const values = sample(type, -1, 3, 'UNIFORM');
    expect(values.every(v => v >= -1 && v < 3)).toBe(true);
    expect(mean(values)).toBeCloseTo(1, 0);
    expect(new Set(values).size).toBeGreaterThan(100);
  });
  test.each(['i4', 'i8', 'i32', 'i64', 'ui16'] as const)('uniform %s takes every value of its range', type => {
    const low = type === 'ui16' ? 0 : -3;
    const counts = new Map<number, number>();
    for (const v of sample(type, low, 5, 'UNIFORM')) counts.set(v, (counts.get(v) ?? 0) + 1);
    expect([...counts.keys()].sort((p, q) => p - q)).toEqual(Array.from({ length: 5 - low }, (_, i) => low + i));
    expect(Math.min(...counts.values())).toBeGreaterThan(4000 / (5 - low) / 2);
  });
  test.each(['bf16', 'f32', 'f64'] as const)('normal %s has its mean and deviation', type => {
    const values = sample(type, 2, 0.5, 'NORMAL');
    expect(mean(values)).toBeCloseTo(2, 1);
    expect(Math.sqrt(mean(values.map(v => (v - 2) ** 2)))).toBeCloseTo(0.5, 1);
  });
  test('constraints', () => {
    const rng = (
      types: readonly [TensorType, TensorType, TensorType],
      type: TensorType,
      rngDistribution: 'UNIFORM' | 'NORMAL' = 'UNIFORM',
    ) => refusalOf(types, (b, v) => b.emit1('rng', v, { rngDistribution, type }));
    const sizes = tensorType('i64', [2]);
    expect(rng([f32(), f32(), sizes], f32(2, 3))).toBe('accepted');
    expect(rng([f32(), tensorType('f64'), sizes], f32(2, 3))).toBe('rng_c1');
    expect(rng([f32(), f32(), sizes], tensorType('f64', [2, 3]))).toBe('rng_c1');
    expect(rng([tensorType('i32'), tensorType('i32'), sizes], tensorType('i32', [2, 3]), 'NORMAL')).toBe('rng_c2');
    expect(rng([f32(), f32(), sizes], f32(2))).toBe('rng_c3');
    expect(rng([f32(1), f32(), sizes], f32(2, 3))).toBe('trenio_rng_scalars');
  });
});
