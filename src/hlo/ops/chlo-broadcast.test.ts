import { expect, test } from 'vitest';
import type { ChloBroadcastName, Dims } from '../attributes.ts';
import { literal, toNumbers } from '../literal.ts';
import { inferTypes } from '../op-table.ts';
import { tensorTypeOf } from '../program.ts';
import { dynamicDim, formatType, type TensorType, tensorType } from '../types.ts';
import { constraintOf, numbers, run } from './ops.testing.ts';

const typeOf = (name: ChloBroadcastName, types: readonly TensorType[], broadcastDimensions?: Dims): string =>
  inferTypes(name, types, broadcastDimensions === undefined ? {} : { broadcastDimensions }, [])
    .map(formatType)
    .join();
const f32 = (...shape: number[]): TensorType => tensorType('f32', shape);

test('shapes are aligned at their last dims, and dims of size 1 are repeated', () => {
  const column = literal('f32', [2, 1], [10, 20]);
  const row = literal('f32', [3], [1, 2, 3]);
  const sum = run([column, row], (b, args) => b.emit1('chlo.broadcast_add', args, {}));
  expect(sum.type.shape).toEqual([2, 3]);
  expect(toNumbers(sum)).toEqual([11, 12, 13, 21, 22, 23]);
  expect(numbers([literal('f32', [], [5]), row], (b, args) => b.emit1('chlo.broadcast_subtract', args, {}))).toEqual([
    4, 3, 2,
  ]);
});

test('the dims of the smaller operand can be specified', () => {
  const pair = literal('i32', [2], [10, 20]);
  const table = literal('i32', [2, 3], [1, 2, 3, 4, 5, 6]);
  const place = (broadcastDimensions: Dims) => (left: boolean) =>
    numbers(left ? [pair, table] : [table, pair], (b, args) =>
      b.emit1('chlo.broadcast_add', args, { broadcastDimensions }),
    );
  expect(place([0])(true)).toEqual([11, 12, 13, 24, 25, 26]);
  expect(place([0])(false)).toEqual([11, 12, 13, 24, 25, 26]);
});

test('sizes and bounds of the result', () => {
  const unknown = f32(dynamicDim);
  const bounded: TensorType = { ...unknown, bounds: [10] };
  expect(typeOf('chlo.broadcast_add', [unknown, f32(4, 1)])).toBe('tensor<4x?xf32>');
  expect(typeOf('chlo.broadcast_add', [unknown, f32(2, 3)])).toBe('tensor<2x3xf32>');
  expect(typeOf('chlo.broadcast_add', [f32(0), f32(dynamicDim, 1)])).toBe('tensor<?x0xf32>');
  expect(typeOf('chlo.broadcast_add', [bounded, f32()])).toBe('tensor<?xf32, #stablehlo.bounds<10>>');
  expect(typeOf('chlo.broadcast_complex', [f32(3), f32(2, 1)])).toBe('tensor<2x3xcomplex<f32>>');
});

test('compare and select', () => {
  const [column, row] = [literal('f32', [2, 1], [1, 3]), literal('f32', [2], [2, 4])];
  const less = run([column, row], (b, args) => b.emit1('chlo.broadcast_compare', args, { comparisonDirection: 'LT' }));
  expect(less.type).toEqual(tensorType('i1', [2, 2]));
  expect(toNumbers(less)).toEqual([1, 1, 0, 1]);
  const chosen = (predicate: boolean[], shape: number[]) =>
    numbers([literal('i1', shape, predicate), column, row], (b, args) => b.emit1('chlo.broadcast_select', args, {}));
  expect(chosen([true], [])).toEqual([1, 1, 3, 3]);
  expect(chosen([true, false], [2])).toEqual([1, 4, 3, 4]);
});

test('quantized numbers are added as dequantized values', () => {
  const quantized = (scale: number): TensorType => ({
    ...tensorType('i8', [2]),
    quantization: { expressedType: 'f32', scales: [scale], zeroPoints: [0] },
  });
  const sum = numbers([literal('f32', [2], [1, 2]), literal('f32', [1], [3])], (b, [x, y]) => {
    const p = b.emit1('uniform_quantize', [x!], { type: quantized(0.5) });
    const q = b.emit1('uniform_quantize', [y!], { type: { ...quantized(0.25), shape: [1] } });
    const total = b.emit1('chlo.broadcast_add', [p, q], {});
    expect(tensorTypeOf(total).quantization).toEqual(quantized(0.5).quantization);
    return b.emit1('uniform_dequantize', [total], {});
  });
  expect(sum).toEqual([4, 5]);
});

test('reject invalid operands', () => {
  const refused = (...args: Parameters<typeof typeOf>): string => constraintOf(() => typeOf(...args));
  expect(refused('chlo.broadcast_add', [f32(2), f32(3)])).toBe('trenio_chlo.broadcast_add_shapes');
  expect(refused('chlo.broadcast_add', [f32(2), tensorType('f64', [2])])).toBe(
    'trenio_chlo.broadcast_add_element_types',
  );
  expect(refused('chlo.broadcast_add', [f32(2), f32(2, 3)], [2])).toBe(
    'trenio_chlo.broadcast_add_broadcast_dimensions',
  );
  expect(refused('chlo.broadcast_add', [f32(2), f32(2, 3)], [0, 1])).toBe(
    'trenio_chlo.broadcast_add_broadcast_dimensions',
  );
  expect(refused('chlo.broadcast_and', [f32(2), f32(2)])).toBe('trenio_chlo.broadcast_and_elements');
  expect(refused('chlo.broadcast_complex', [tensorType('f16'), tensorType('f16')])).toBe(
    'trenio_chlo.broadcast_complex_parts',
  );
});
