import { describe, expect, test } from 'vitest';
import { inferTypes } from '../op-table.ts';
import { type Bounds, dynamicDim, formatType, type TensorType, tensorType } from '../types.ts';
import { concatenatedType, leastSpecificType, mapExtents, mostSpecificType } from './bounds.ts';
import { checkerOf } from './shape-checks.ts';

const require = checkerOf('add');
const _ = undefined;
const type = (shape: number[], bounds?: Bounds): TensorType =>
  bounds === undefined ? tensorType('f32', shape) : { ...tensorType('f32', shape), bounds };
const unknown = dynamicDim;
/** Vectors: of known size 4, of unknown size, and of unknown size with a bound. */
const [four, any, upTo5, upTo3] = [type([4]), type([unknown]), type([unknown], [5]), type([unknown], [3])];
const show = (t: TensorType): string => formatType(t);

describe('most specific', () => {
  test.each([
    [four, four, 'tensor<4xf32>'],
    [four, any, 'tensor<4xf32>'],
    [four, upTo5, 'tensor<4xf32>'],
    [any, any, 'tensor<?xf32>'],
    [any, upTo5, 'tensor<?xf32, #stablehlo.bounds<5>>'],
    [upTo3, upTo5, 'tensor<?xf32, #stablehlo.bounds<3>>'],
  ])('%#', (a, b, expected) => {
    expect(show(mostSpecificType(require, 1, [a, b]))).toBe(expected);
    expect(show(mostSpecificType(require, 1, [b, a]))).toBe(expected);
  });
  test('a known size beyond the bound is rejected', () => {
    expect(() => mostSpecificType(require, 1, [four, upTo3])).toThrow('size 4 exceeds the bound 3 (add_c1)');
  });
});

test.each([
  [four, four, 'tensor<4xf32>'],
  [four, any, 'tensor<?xf32>'],
  [four, upTo3, 'tensor<?xf32, #stablehlo.bounds<4>>'],
  [any, upTo5, 'tensor<?xf32>'],
  [upTo3, upTo5, 'tensor<?xf32, #stablehlo.bounds<5>>'],
])('least specific %#', (a, b, expected) => {
  expect(show(leastSpecificType(require, 1, [a, b]))).toBe(expected);
  expect(show(leastSpecificType(require, 1, [b, a]))).toBe(expected);
});

test.each([
  [[four, four], 'tensor<8xf32>'],
  [[four, any], 'tensor<?xf32>'],
  [[four, upTo3], 'tensor<?xf32, #stablehlo.bounds<7>>'],
  [[any, upTo3], 'tensor<?xf32>'],
  [[upTo3, upTo5, four], 'tensor<?xf32, #stablehlo.bounds<12>>'],
])('one after another %#', (types, expected) => {
  expect(show(concatenatedType(require, 1, types, 0))).toBe(expected);
});

test('sizes and bounds computed from those of an operand', () => {
  const doubled = mapExtents(type([2, unknown, unknown], [_, 3, _]), size => size * 2);
  expect(show(doubled)).toBe('tensor<4x?x?xf32, #stablehlo.bounds<?, 6, ?>>');
  const lost = mapExtents(type([unknown], [3]), () => dynamicDim);
  expect(show(lost)).toBe('tensor<?xf32>');
});

test('bounds are propagated through ops', () => {
  const x = type([unknown, 6], [8, _]);
  const one = (types: readonly unknown[]): string => formatType(types[0] as TensorType);
  expect(one(inferTypes('transpose', [x], { permutation: [1, 0] }, []))).toBe(
    'tensor<6x?xf32, #stablehlo.bounds<?, 8>>',
  );
  const padding = { edgePaddingLow: [1, 0], edgePaddingHigh: [2, 0], interiorPadding: [1, 0] };
  expect(one(inferTypes('pad', [x, type([])], padding, []))).toBe('tensor<?x6xf32, #stablehlo.bounds<18, ?>>');
  const rows = type([unknown, 3], [4, _]);
  const dims = {
    lhsBatchingDimensions: [],
    rhsBatchingDimensions: [],
    lhsContractingDimensions: [1],
    rhsContractingDimensions: [1],
    precision: [],
  };
  expect(one(inferTypes('dot_general', [rows, type([5, 3])], dims, []))).toBe(
    'tensor<?x5xf32, #stablehlo.bounds<4, ?>>',
  );
  expect(one(inferTypes('compare', [x, x], { comparisonDirection: 'LT' }, []))).toBe(
    'tensor<?x6xi1, #stablehlo.bounds<8, ?>>',
  );
});
