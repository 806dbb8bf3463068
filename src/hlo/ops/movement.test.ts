import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { literal, scalar, toNumbers } from '../literal.ts';
import { sampleLiteral } from '../op-samples.testing.ts';
import { inferTypes } from '../op-table.ts';
import { dynamicDim, elementCount, tensorType } from '../types.ts';
import { constraintOf, numbers, run } from './ops.testing.ts';

const shapes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 0, maxLength: 4 });
const permutationOf = (rank: number, seed: number): number[] => {
  const order = Array.from({ length: rank }, (_, i) => i);
  return order.toSorted((a, b) => ((a * 7 + seed) % 5) - ((b * 7 + seed) % 5) || a - b);
};
/** 0, 1, 2 … in this shape. */
const counting = (shape: readonly number[]) =>
  literal(
    'f32',
    shape,
    Array.from({ length: elementCount(shape) }, (_, i) => i),
  );

describe('properties', () => {
  test('transposing back is the identity', () => {
    fc.assert(
      fc.property(shapes, fc.nat(20), (shape, seed) => {
        const x = sampleLiteral('f32', shape);
        const permutation = permutationOf(shape.length, seed);
        const inverse = permutation.map((_, i) => permutation.indexOf(i));
        expect(run([x], (b, [v]) => b.transpose(b.transpose(v!, permutation), inverse))).toEqual(x);
      }),
    );
  });
  test('reversing twice is the identity', () => {
    fc.assert(
      fc.property(shapes, shape => {
        const x = sampleLiteral('bf16', shape);
        const dimensions = shape.map((_, i) => i).filter(d => d % 2 === 0);
        const reverse = (v: Parameters<typeof run>[0][number]) =>
          run([v], (b, args) => b.emit1('reverse', args, { dimensions }));
        expect(reverse(reverse(x))).toEqual(x);
      }),
    );
  });
  test('concatenating slices restores the tensor', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }), fc.nat(), (shape, seed) => {
        const dim = seed % shape.length;
        const at = seed % (shape[dim]! + 1);
        const x = sampleLiteral('i64', shape);
        const zero = shape.map(() => 0);
        const whole = run([x], (b, [v]) => {
          const left = b.slice(
            v!,
            zero,
            shape.map((d, i) => (i === dim ? at : d)),
          );
          const right = b.slice(
            v!,
            zero.map((z, i) => (i === dim ? at : z)),
            shape,
          );
          return b.concatenate([left, right], dim);
        });
        expect(whole).toEqual(x);
      }),
    );
  });
  test('a slice undoes a pad', () => {
    fc.assert(
      fc.property(shapes, fc.array(fc.nat(2), { minLength: 12, maxLength: 12 }), (shape, amounts) => {
        const x = sampleLiteral('f32', shape);
        const [low, high, interior] = [0, 1, 2].map(k => shape.map((_, i) => amounts[3 * i + k]!)) as [
          number[],
          number[],
          number[],
        ];
        const back = run([x, scalar('f32', 9)], (b, [v, p]) => {
          const strides = interior.map(i => i + 1);
          const limits = shape.map((d, i) => low[i]! + (d - 1) * strides[i]! + 1);
          return b.slice(b.pad(v!, p!, low, high, interior), low, limits, strides);
        });
        expect(back).toEqual(x);
      }),
    );
  });
});

describe('by hand', () => {
  test('transpose', () => {
    expect(numbers([counting([2, 3])], (b, [x]) => b.transpose(x!, [1, 0]))).toEqual([0, 3, 1, 4, 2, 5]);
  });
  test('broadcast_in_dim expands dims of size 1', () => {
    expect(numbers([counting([2, 1])], (b, [x]) => b.broadcastInDim(x!, [1, 0], [3, 2]))).toEqual([0, 1, 0, 1, 0, 1]);
  });
  test('pad with negative edges drops elements', () => {
    expect(
      numbers([counting([2, 3]), scalar('f32', -1)], (b, [x, v]) => b.pad(x!, v!, [0, -1], [1, 1], [1, 0])),
    ).toEqual([1, 2, -1, -1, -1, -1, 4, 5, -1, -1, -1, -1]);
  });
  test('slice with strides', () => {
    expect(numbers([counting([3, 4])], (b, [x]) => b.slice(x!, [0, 1], [3, 4], [2, 2]))).toEqual([1, 3, 9, 11]);
  });
  test('dynamic_slice and dynamic_update_slice clamp their starts', () => {
    const starts = [scalar('i32', 9), scalar('i32', -3)];
    expect(
      numbers([counting([3, 4]), ...starts], (b, args) => b.emit1('dynamic_slice', args, { sliceSizes: [2, 2] })),
    ).toEqual([4, 5, 8, 9]);
    const update = literal('f32', [1, 2], [-1, -2]);
    expect(
      numbers([counting([2, 3]), update, ...starts], (b, args) => b.emit1('dynamic_update_slice', args, {})),
    ).toEqual([0, 1, 2, -1, -2, 5]);
  });
  test('iota', () => {
    expect(numbers([], b => b.iota(tensorType('i32', [2, 3]), 0))).toEqual([0, 0, 0, 1, 1, 1]);
    expect(numbers([], b => b.iota(tensorType('f16', [2, 3]), 1))).toEqual([0, 1, 2, 0, 1, 2]);
    expect(numbers([], b => b.iota(tensorType('i8', [300]), 0))[200]).toBe(-56);
  });
  test('reshape with one unknown dim', () => {
    expect(run([counting([2, 3])], (b, [x]) => b.reshape(x!, [dynamicDim, 2])).type.shape).toEqual([3, 2]);
  });
  test('complex numbers', () => {
    const x = { type: tensorType('complex<f32>', [2, 2]), data: Float32Array.of(1, -1, 2, -2, 3, -3, 4, -4) };
    expect(toNumbers(run([x], (b, [v]) => b.transpose(v!, [1, 0])))).toEqual([1, -1, 3, -3, 2, -2, 4, -4]);
  });
});

test('errors name the constraint', () => {
  const f32 = (...shape: number[]) => tensorType('f32', shape);
  const i32 = tensorType('i32');
  const slice = (startIndices: number[], limitIndices: number[], strides: number[]) => () =>
    inferTypes('slice', [f32(4)], { startIndices, limitIndices, strides }, []);
  expect(constraintOf(slice([0], [5], [1]))).toBe('slice_c3');
  expect(constraintOf(slice([0], [4], [0]))).toBe('slice_c4');
  expect(constraintOf(slice([0, 0], [4], [1]))).toBe('slice_c2');
  expect(constraintOf(() => inferTypes('reshape', [f32(4)], { shape: [3] }, []))).toBe('reshape_c2');
  expect(constraintOf(() => inferTypes('transpose', [f32(4, 2)], { permutation: [0, 0] }, []))).toBe('transpose_c2');
  expect(
    constraintOf(() => inferTypes('broadcast_in_dim', [f32(3)], { broadcastDimensions: [0], shape: [4] }, [])),
  ).toBe('broadcast_in_dim_c5');
  expect(constraintOf(() => inferTypes('reverse', [f32(3)], { dimensions: [1] }, []))).toBe('reverse_c3');
  expect(constraintOf(() => inferTypes('concatenate', [f32(3, 1), f32(2, 1)], { dimension: 1 }, []))).toBe(
    'concatenate_c2',
  );
  expect(
    constraintOf(() =>
      inferTypes('pad', [f32(3), i32], { edgePaddingLow: [0], edgePaddingHigh: [0], interiorPadding: [0] }, []),
    ),
  ).toBe('pad_c1');
  expect(
    constraintOf(() =>
      inferTypes('pad', [f32(3), f32()], { edgePaddingLow: [-4], edgePaddingHigh: [0], interiorPadding: [0] }, []),
    ),
  ).toBe('pad_c4');
  expect(constraintOf(() => inferTypes('dynamic_slice', [f32(3), i32], { sliceSizes: [4] }, []))).toBe(
    'dynamic_slice_c4',
  );
  expect(constraintOf(() => inferTypes('dynamic_update_slice', [f32(3), f32(4), i32], {}, []))).toBe(
    'dynamic_update_slice_c6',
  );
  expect(constraintOf(() => inferTypes('iota', [], { iotaDimension: 1, type: f32(3) }, []))).toBe('iota_c1');
});
