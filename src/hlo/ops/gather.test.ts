import { describe, expect, test } from 'vitest';
import { Builder } from '../builder.ts';
import { literal } from '../literal.ts';
import { inferTypes } from '../op-table.ts';
import { elementCount, tensorType } from '../types.ts';
import { constraintOf, numbers } from './ops.testing.ts';

const counting = (shape: readonly number[]) =>
  literal(
    'i64',
    shape,
    Array.from({ length: elementCount(shape) }, (_, i) => i + 1),
  );

// The example of the specification's section "gather": [2, 3, 4, 2] with batching dims.
const specGather = {
  offsetDims: [3, 4],
  collapsedSliceDims: [1],
  operandBatchingDims: [0],
  startIndicesBatchingDims: [1],
  startIndexMap: [2, 1],
  indexVectorDim: 3,
};
const specIndices = [0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 0, 9, 0, 0, 2, 1, 2, 2, 1, 2, 0, 1, 1, 0];

describe('gather', () => {
  test('the example of the specification', () => {
    const out = numbers([counting([2, 3, 4, 2]), literal('i64', [2, 2, 3, 2], specIndices)], (b, [x, i]) =>
      b.gather(x!, i!, specGather, [1, 1, 2, 2]),
    );
    expect(out).toEqual([
      1, 2, 3, 4, 3, 4, 5, 6, 13, 14, 15, 16, 33, 34, 35, 36, 35, 36, 37, 38, 41, 42, 43, 44, 1, 2, 3, 4, 13, 14, 15,
      16, 21, 22, 23, 24, 43, 44, 45, 46, 33, 34, 35, 36, 27, 28, 29, 30,
    ]);
  });
  test('rows of a table, indices clamped', () => {
    const rows = {
      offsetDims: [1],
      collapsedSliceDims: [0],
      operandBatchingDims: [],
      startIndicesBatchingDims: [],
      startIndexMap: [0],
      indexVectorDim: 1,
    };
    const out = numbers([counting([3, 2]), literal('i32', [4], [2, 0, 9, -1])], (b, [x, i]) =>
      b.gather(x!, i!, rows, [1, 2]),
    );
    expect(out).toEqual([5, 6, 1, 2, 5, 6, 1, 2]);
  });
  test('errors', () => {
    const infer =
      (change: Partial<typeof specGather>, sliceSizes = [1, 1, 2, 2]) =>
      () =>
        inferTypes(
          'gather',
          [tensorType('f32', [2, 3, 4, 2]), tensorType('i64', [2, 2, 3, 2])],
          { dimensionNumbers: { ...specGather, ...change }, sliceSizes, indicesAreSorted: false },
          [],
        );
    expect(constraintOf(infer({}))).toBe('accepted');
    expect(constraintOf(infer({ collapsedSliceDims: [] }))).toBe('gather_c1');
    expect(constraintOf(infer({ indexVectorDim: 5 }))).toBe('gather_c2');
    expect(constraintOf(infer({ startIndexMap: [2] }))).toBe('gather_c3');
    expect(constraintOf(infer({ offsetDims: [4, 3] }))).toBe('gather_c4');
    expect(constraintOf(infer({ offsetDims: [3, 9] }))).toBe('gather_c5');
    expect(constraintOf(infer({}, [1, 2, 2, 2]))).toBe('gather_c9');
    expect(constraintOf(infer({}, [1, 1, 5, 2]))).toBe('gather_c21');
    expect(constraintOf(infer({ startIndicesBatchingDims: [2] }))).toBe('gather_c17');
  });
});

describe('scatter', () => {
  const rows = {
    updateWindowDims: [1],
    insertedWindowDims: [0],
    inputBatchingDims: [],
    scatterIndicesBatchingDims: [],
    scatterDimsToOperandDims: [0],
    indexVectorDim: 1,
  };
  test('the example of the specification', () => {
    const dimensionNumbers = {
      updateWindowDims: [3, 4],
      insertedWindowDims: [1],
      inputBatchingDims: [0],
      scatterIndicesBatchingDims: [1],
      scatterDimsToOperandDims: [2, 1],
      indexVectorDim: 3,
    };
    const updates = literal('i64', [2, 2, 3, 2, 2], new Array(48).fill(1));
    const out = numbers([counting([2, 3, 4, 2]), literal('i64', [2, 2, 3, 2], specIndices), updates], (b, [x, i, u]) =>
      b.scatter('add', x!, i!, u!, dimensionNumbers),
    );
    // Row 9 is out of bounds and skipped.
    expect(out).toEqual([
      3, 4, 6, 7, 6, 7, 7, 8, 9, 10, 11, 12, 15, 16, 17, 18, 17, 18, 19, 20, 22, 23, 24, 25, 25, 26, 28, 29, 30, 31, 31,
      32, 35, 36, 38, 39, 38, 39, 39, 40, 41, 42, 44, 45, 46, 47, 47, 48,
    ]);
  });
  test('adds rows, repeatedly for repeated indices, and skips rows out of bounds', () => {
    const out = numbers(
      [
        literal('f32', [3, 2], [0, 0, 0, 0, 0, 0]),
        literal('i32', [4], [2, 0, 2, 7]),
        literal('f32', [4, 2], [1, 2, 3, 4, 5, 6, 7, 8]),
      ],
      (b, [x, i, u]) => b.scatter('add', x!, i!, u!, rows),
    );
    expect(out).toEqual([3, 4, 0, 0, 6, 8]);
  });
  test('a window partly out of bounds is written where it is in bounds', () => {
    const window = { ...rows, updateWindowDims: [1], insertedWindowDims: [], scatterDimsToOperandDims: [0] };
    const out = numbers(
      [literal('f32', [4], [0, 0, 0, 0]), literal('i32', [2], [-1, 3]), literal('f32', [2, 2], [1, 2, 3, 4])],
      (b, [x, i, u]) => b.scatter('add', x!, i!, u!, window),
    );
    expect(out).toEqual([2, 0, 0, 3]);
  });
  test('two inputs at once, with a custom region', () => {
    const element = tensorType('f32');
    const x = [literal('f32', [2], [1, 2]), literal('f32', [2], [10, 20])];
    const u = [literal('f32', [1], [5]), literal('f32', [1], [7])];
    const attributes = {
      dimensionNumbers: { ...rows, updateWindowDims: [] },
      indicesAreSorted: false,
      uniqueIndices: false,
    };
    const run = (which: number): number[] =>
      numbers([...x, literal('i32', [1, 1], [1]), ...u], (b, args) => {
        const region = b.region([element, element, element, element], (inner, [p, q, r, s]) => [
          inner.multiply(p!, r!),
          inner.subtract(q!, s!),
        ]);
        return b.emit('scatter', args, attributes, [region])[which]!;
      });
    expect([run(0), run(1)]).toEqual([
      [1, 10],
      [10, 13],
    ]);
  });
  test('errors', () => {
    const infer =
      (change: Partial<typeof rows>, update = [4, 2]) =>
      () =>
        inferTypes(
          'scatter',
          [tensorType('f32', [3, 2]), tensorType('i32', [4]), tensorType('f32', update)],
          { dimensionNumbers: { ...rows, ...change }, indicesAreSorted: false, uniqueIndices: false },
          [new Builder().combiner('add', 'f32')],
        );
    expect(constraintOf(infer({}))).toBe('accepted');
    expect(constraintOf(infer({ updateWindowDims: [] }))).toBe('scatter_c2');
    expect(constraintOf(infer({}, [5, 2]))).toBe('scatter_c4');
    expect(constraintOf(infer({}, [4, 3]))).toBe('scatter_c4');
    expect(constraintOf(infer({ scatterDimsToOperandDims: [2] }))).toBe('scatter_c21');
    expect(constraintOf(infer({ indexVectorDim: 2 }))).toBe('scatter_c22');
  });
});
