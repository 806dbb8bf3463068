import { describe, expect, test } from 'vitest';
import { TrenioError } from '../base/errors.ts';
import { dynamicDim, type Quantization, type TensorType, type Type, tensorType, tokenType } from './types.ts';
import { verifyType } from './verify-types.ts';

function constraintOf(type: Type): string | undefined {
  try {
    verifyType(type);
  } catch (error) {
    if (error instanceof TrenioError) return (error.data as { constraint: string }).constraint;
    throw error;
  }
  return undefined;
}
const perTensor: Quantization = { expressedType: 'f32', scales: [0.5], zeroPoints: [-3] };
const perAxis: Quantization = { expressedType: 'f32', axis: 1, scales: [0.5, 2, 1], zeroPoints: [0, 1, 2] };
const quantized = (q: Quantization, elementType: TensorType['elementType'] = 'i8'): TensorType => ({
  ...tensorType(elementType, [2, 3]),
  quantization: q,
});
const bounded = (shape: number[], bounds: (number | undefined)[]): TensorType => ({
  ...tensorType('f32', shape),
  bounds,
});

test('valid types are accepted', () => {
  const types: Type[] = [
    tensorType('f32', []),
    tensorType('i1', [0, dynamicDim]),
    bounded([dynamicDim, 4], [7, undefined]),
    quantized(perTensor),
    quantized(perAxis),
    { ...quantized(perAxis), shape: [2, dynamicDim] },
    quantized({ ...perTensor, storageMin: -4, storageMax: 4 }),
    { kind: 'tuple', elements: [tokenType, { kind: 'tuple', elements: [] }] },
    { kind: 'future', elements: [tensorType('f32', [2]), tensorType('i32', [])] },
  ];
  for (const type of types) expect(constraintOf(type)).toBeUndefined();
});

describe('refuses', () => {
  test.each<[string, string, Type]>([
    ['a size below zero', 'trenio_size', tensorType('f32', [-2])],
    ['a size that is not an integer', 'trenio_size', tensorType('f32', [1.5])],
    ['bounds of another rank', 'trenio_bounds', bounded([dynamicDim, dynamicDim], [3])],
    ['a bound of a known size', 'trenio_bounds', bounded([3], [3])],
    ['stored floats', 'quantized_type_c1', quantized(perTensor, 'f32')],
    ['stored integers of 64 bits', 'quantized_type_c1', quantized(perTensor, 'i64')],
    ['an empty range', 'quantized_type_c3', quantized({ ...perTensor, storageMin: 5, storageMax: 5 })],
    ['a range beyond the type', 'quantized_type_c3', quantized({ ...perTensor, storageMin: -200, storageMax: 5 })],
    ['integers expressed', 'quantized_type_c4', quantized({ ...perTensor, expressedType: 'i32' })],
    ['a scale of zero', 'quantized_type_c5', quantized({ ...perTensor, scales: [0] })],
    ['an infinite scale', 'quantized_type_c6', quantized({ ...perTensor, scales: [Infinity] })],
    ['a zero point out of range', 'quantized_type_c7', quantized({ ...perTensor, zeroPoints: [128] })],
    ['fewer zero points', 'quantized_type_c9', quantized({ ...perAxis, zeroPoints: [0] })],
    ['scales without a dim', 'quantized_type_c10', quantized({ ...perTensor, scales: [1, 2], zeroPoints: [0, 0] })],
    ['a dim below zero', 'quantized_type_c11', quantized({ ...perAxis, axis: -1 })],
    ['a dim beyond the rank', 'quantized_type_c12', quantized({ ...perAxis, axis: 2 })],
    ['a dim of another size', 'quantized_type_c13', quantized({ ...perAxis, axis: 0 })],
    ['a token in a future', 'trenio_future', { kind: 'future', elements: [tokenType] }],
    ['an element of a tuple', 'trenio_size', { kind: 'tuple', elements: [tensorType('f32', [-3])] }],
  ])('%s', (_, constraint, type) => {
    expect(constraintOf(type)).toBe(constraint);
  });
});
