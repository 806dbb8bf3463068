// Ops that take sizes as operands, compared with those that take them as attributes; sizes known only at run time; and invalid
// programs.

import { describe, expect, test } from 'vitest';
import { Builder, buildFunc } from '../builder.ts';
import { type Literal, literal, toNumbers, zeros } from '../literal.ts';
import { moduleOf, type Value } from '../program.ts';
import { sequenceDimensionNumbers } from '../sample-convolution.testing.ts';
import { sampleLiteral } from '../sample-literal.testing.ts';
import { dynamicDim, type TensorType, tensorType } from '../types.ts';
import { verify } from '../verifier.ts';
import { constraintOf, run, runDecomposed } from './ops.testing.ts';

const list = (values: readonly number[]): Literal => literal('i64', [values.length], values);
const unknown = (rank: number): TensorType => tensorType('f32', new Array<number>(rank).fill(dynamicDim));
const x = sampleLiteral('f32', [3, 4]);

const convolution = {
  windowStrides: [1],
  lhsDilation: [1],
  rhsDilation: [1],
  windowReversal: [false],
  dimensionNumbers: sequenceDimensionNumbers,
  featureGroupCount: 1,
  batchGroupCount: 1,
  precision: [],
} as const;
const rows = {
  offsetDims: [1],
  collapsedSliceDims: [0],
  operandBatchingDims: [],
  startIndicesBatchingDims: [],
  startIndexMap: [0],
  indexVectorDim: 1,
};

describe('with sizes that are values of the program', () => {
  const cases: [
    string,
    readonly Literal[],
    (b: Builder, v: readonly Value[]) => Value,
    (b: Builder, v: readonly Value[]) => Value,
  ][] = [
    [
      'dynamic_broadcast_in_dim',
      [x, list([3, 2, 4])],
      (b, v) => b.emit1('dynamic_broadcast_in_dim', v, { broadcastDimensions: [0, 2], type: unknown(3) }),
      (b, [a]) => b.broadcastInDim(a!, [0, 2], [3, 2, 4]),
    ],
    [
      'dynamic_iota',
      [list([3, 4])],
      (b, v) => b.emit1('dynamic_iota', v, { iotaDimension: 1, type: unknown(2) }),
      b => b.iota(tensorType('f32', [3, 4]), 1),
    ],
    [
      'dynamic_reshape',
      [x, list([2, 6])],
      (b, v) => b.emit1('dynamic_reshape', v, { type: unknown(2) }),
      (b, [a]) => b.reshape(a!, [2, 6]),
    ],
    [
      'dynamic_pad',
      [x, literal('f32', [], [7]), list([1, -1]), list([0, 2]), list([1, 0])],
      (b, v) => b.emit1('dynamic_pad', v, { type: unknown(2) }),
      (b, [a, value]) => b.pad(a!, value!, [1, -1], [0, 2], [1, 0]),
    ],
    [
      'real_dynamic_slice',
      [x, list([1, 0]), list([3, 4]), list([1, 2])],
      (b, v) => b.emit1('real_dynamic_slice', v, { type: unknown(2) }),
      (b, [a]) => b.slice(a!, [1, 0], [3, 4], [1, 2]),
    ],
    [
      'dynamic_gather',
      [x, list([2, 0]), list([1, 3])],
      (b, v) => b.emit1('dynamic_gather', v, { dimensionNumbers: rows, indicesAreSorted: false, type: unknown(2) }),
      (b, [a, at]) => b.gather(a!, at!, rows, [1, 3]),
    ],
    [
      'dynamic_conv',
      [sampleLiteral('f32', [1, 5, 2]), sampleLiteral('f32', [2, 2, 3], 2), literal('i64', [1, 2], [1, 2])],
      (b, v) => b.emit1('dynamic_conv', v, { ...convolution, type: unknown(3) }),
      (b, [l, r]) => b.emit1('convolution', [l!, r!], { ...convolution, padding: [[1, 2]] }),
    ],
  ];
  test.each(cases)('%s matches the op with attributes', (_, inputs, dynamic, fixed) => {
    const [actual, expected] = [run(inputs, dynamic), run(inputs, fixed)];
    expect(actual.type.shape).toEqual(expected.type.shape);
    expect(toNumbers(actual)).toEqual(toNumbers(expected));
  });

  test('a slice of fixed size becomes a dynamic_slice', () => {
    const sliced = runDecomposed([x, literal('i32', [2], [1, 2])], (b, [a, start]) => {
      const extent = b.constant(literal('i32', [2], [2, 2]));
      const steps = b.constant(literal('i32', [2], [1, 1]));
      return b.emit1('real_dynamic_slice', [a!, start!, b.add(start!, extent), steps], {
        type: tensorType('f32', [2, 2]),
      });
    });
    expect(toNumbers(sliced[0]!)).toEqual(toNumbers(run([x], (b, [a]) => b.slice(a!, [1, 2], [3, 4]))));
  });
});

test('sizes of a value', () => {
  expect(toNumbers(run([x], (b, v) => b.emit1('get_dimension_size', v, { dimension: 1 })))).toEqual([4]);
  const cut = run([x, literal('i32', [], [2])], (b, v) => b.emit1('set_dimension_size', v, { dimension: 0 }));
  expect(cut.type.shape).toEqual([2, 4]);
  expect(toNumbers(cut)).toEqual(toNumbers(x).slice(0, 8));
  const b = new Builder();
  const args = [b.argument(x.type, 0), b.argument(tensorType('i32'), 1)];
  expect(b.emit1('set_dimension_size', args, { dimension: 0 }).type).toEqual({
    ...tensorType('f32', [dynamicDim, 4]),
    bounds: [3, undefined],
  });
});

describe('constraints', () => {
  const refused = (types: readonly TensorType[], body: (b: Builder, v: readonly Value[]) => Value): string =>
    constraintOf(() => verify(moduleOf(buildFunc('main', types, (b, v) => [body(b, v)]))));
  const f32 = (...shape: number[]): TensorType => tensorType('f32', shape);
  const i64 = (...shape: number[]): TensorType => tensorType('i64', shape);
  const constant = (b: Builder, values: readonly number[]): Value => b.constant(list(values));

  test('get_dimension_size, set_dimension_size, tensor.cast', () => {
    const get = (dimension: number) => refused([f32(3)], (b, v) => b.emit1('get_dimension_size', v, { dimension }));
    expect([get(0), get(1), get(-1)]).toEqual(['accepted', 'get_dimension_size_c1', 'get_dimension_size_c1']);
    const set = (size: TensorType, dimension: number) =>
      refused([f32(3), size], (b, v) => b.emit1('set_dimension_size', v, { dimension }));
    expect(set(tensorType('i32'), 0)).toBe('accepted');
    expect(set(tensorType('i32', [1]), 0)).toBe('trenio_set_dimension_size_size');
    expect(set(tensorType('i32'), 1)).toBe('trenio_set_dimension_size_dimension');
    expect(refused([f32(3)], (b, v) => b.emit1('tensor.cast', v, { type: f32(4) }))).toBe('trenio_tensor.cast_types');
  });

  test('dynamic_broadcast_in_dim', () => {
    const broadcast = (
      operand: TensorType,
      type: TensorType,
      dims: readonly number[],
      more: object = {},
      sizes: readonly number[] | number = type.shape.length,
    ) =>
      refused([operand, i64(typeof sizes === 'number' ? sizes : sizes.length)], (b, [a, s]) =>
        b.emit1('dynamic_broadcast_in_dim', [a!, typeof sizes === 'number' ? s! : constant(b, sizes)], {
          broadcastDimensions: dims,
          type,
          ...more,
        }),
      );
    const name = 'dynamic_broadcast_in_dim';
    expect(broadcast(f32(3), f32(2, 3), [1])).toBe('accepted');
    expect(broadcast(tensorType('i32', [3]), f32(2, 3), [1])).toBe(`${name}_c1`);
    expect(broadcast(f32(3), f32(2, 3), [0, 1])).toBe(`${name}_c2`);
    expect(broadcast(f32(3), f32(2, 3), [2])).toBe(`${name}_c3`);
    expect(broadcast(f32(3, 3), f32(3, 3), [1, 1])).toBe(`${name}_c4`);
    expect(broadcast(f32(3), f32(2, 4), [1])).toBe(`${name}_c5`);
    expect(broadcast(f32(3), f32(dynamicDim, dynamicDim), [1], {}, [2, 4])).toBe(`${name}_c5`);
    expect(broadcast(f32(3), f32(2, 3), [1], {}, 3)).toBe(`${name}_c7`);
    expect(broadcast(f32(3), f32(2, 3), [1], {}, [1, 3])).toBe(`${name}_c7`);
    const twice = { knownExpandingDimensions: [0], knownNonexpandingDimensions: [0] };
    expect(broadcast(f32(3), f32(2, 3), [1], twice)).toBe(`${name}_c8`);
    expect(broadcast(f32(3), f32(2, 3), [1], { knownExpandingDimensions: [1] })).toBe(`${name}_c9`);
    expect(broadcast(f32(3), f32(2, 3), [1], { knownNonexpandingDimensions: [1] })).toBe(`${name}_c10`);
  });

  test('dynamic_iota and dynamic_reshape', () => {
    const iota = (iotaDimension: number, type: TensorType, sizes: readonly number[]) =>
      refused([], b => b.emit1('dynamic_iota', [constant(b, sizes)], { iotaDimension, type }));
    expect(iota(0, f32(dynamicDim), [4])).toBe('accepted');
    expect(iota(1, f32(4), [4])).toBe('dynamic_iota_c1');
    expect(iota(0, f32(4), [5])).toBe('dynamic_iota_c2');
    expect(iota(0, f32(4), [-1])).toBe('dynamic_iota_c2');
    expect(iota(0, f32(4), [4, 1])).toBe('dynamic_iota_c2');
    const reshape = (operand: TensorType, type: TensorType, sizes: readonly number[]) =>
      refused([operand], (b, [a]) => b.emit1('dynamic_reshape', [a!, constant(b, sizes)], { type }));
    expect(reshape(f32(6), f32(2, dynamicDim), [2, 3])).toBe('accepted');
    expect(reshape(i64(6), f32(2, 3), [2, 3])).toBe('dynamic_reshape_c1');
    expect(reshape(f32(6), f32(2, 4), [2, 4])).toBe('dynamic_reshape_c2');
    expect(reshape(f32(6), f32(dynamicDim, dynamicDim), [2, 4])).toBe('dynamic_reshape_c2');
    expect(reshape(f32(6), f32(2, 3), [6])).toBe('dynamic_reshape_c4');
    expect(reshape(f32(6), f32(2, 3), [3, 2])).toBe('dynamic_reshape_c4');
  });

  test('dynamic_pad and real_dynamic_slice', () => {
    const pad = (value: TensorType, type: TensorType, ...lists: readonly (readonly number[])[]) =>
      refused([f32(3), value], (b, v) => b.emit1('dynamic_pad', [...v, ...lists.map(l => constant(b, l))], { type }));
    expect(pad(f32(), f32(dynamicDim), [1], [1], [1])).toBe('accepted');
    expect(pad(tensorType('i32'), f32(7), [1], [1], [1])).toBe('dynamic_pad_c1');
    expect(pad(f32(), f32(7), [1, 1], [1, 1], [1, 1])).toBe('dynamic_pad_c2');
    expect(pad(f32(), f32(7), [1], [1], [-1])).toBe('dynamic_pad_c3');
    expect(pad(f32(), f32(8), [1], [1], [1])).toBe('dynamic_pad_c4');
    const slice = (...lists: readonly (readonly number[])[]) =>
      refused([f32(3)], (b, v) =>
        b.emit1('real_dynamic_slice', [...v, ...lists.map(l => constant(b, l))], { type: f32(dynamicDim) }),
      );
    expect(slice([0], [1], [1])).toBe('accepted');
    expect(slice([0, 0], [1, 1], [1, 1])).toBe('trenio_real_dynamic_slice_indices');
  });

  test('dynamic_gather and dynamic_conv have the constraints of the ops with attributes', () => {
    const gather = (sizes: readonly number[], type = unknown(2), more: object = {}) =>
      refused([f32(3, 4), i64(2)], (b, v) =>
        b.emit1('dynamic_gather', [...v, constant(b, sizes)], {
          dimensionNumbers: { ...rows, ...more },
          indicesAreSorted: false,
          type,
        }),
      );
    expect(gather([1, 4])).toBe('accepted');
    expect(gather([1, 4], f32(2, 3))).toBe('dynamic_gather_c22');
    expect(gather([1, 4], f32(3, 4))).toBe('dynamic_gather_c22');
    expect(gather([2, 4])).toBe('dynamic_gather_c9');
    expect(gather([1, 5])).toBe('dynamic_gather_c21');
    expect(gather([1])).toBe('dynamic_gather_c20');
    expect(gather([1, 4], unknown(2), { startIndexMap: [2] })).toBe('dynamic_gather_c19');
    const convolve = (padding: TensorType, more: object = {}) =>
      refused([f32(1, 5, 2), f32(2, 2, 3)], (b, v) =>
        b.emit1('dynamic_conv', [...v, b.constant(zeros(padding))], { ...convolution, type: unknown(3), ...more }),
      );
    expect(convolve(i64(1, 2))).toBe('accepted');
    expect(convolve(i64(2, 2))).toBe('dynamic_conv_c4');
    expect(convolve(i64(1, 2), { windowStrides: [0] })).toBe('dynamic_conv_c3');
    expect(convolve(i64(1, 2), { type: unknown(2) })).toBe('dynamic_conv_c26');
  });
});
