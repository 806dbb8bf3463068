import { expect, test } from 'vitest';
import { opsOf, rewritten } from './passes.testing.ts';
import { resolveRule } from './resolve.ts';

test('an element of a tuple is replaced by its value', () => {
  const text = `func.func @main(%x: tensor<2xf32>, %y: tensor<3xi32>) -> tensor<3xi32> {
    %t = stablehlo.tuple %x, %y : tuple<tensor<2xf32>, tensor<3xi32>>
    %e = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xf32>, tensor<3xi32>>) -> tensor<3xi32>
    return %e : tensor<3xi32>
  }`;
  expect(opsOf(rewritten(text, [resolveRule]))).toEqual([]);
});

test('barriers of tensors are kept; barriers of tuples become barriers of the tensors in them', () => {
  const plain = `func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %b = stablehlo.optimization_barrier %x : tensor<2xf32>
    return %b : tensor<2xf32>
  }`;
  expect(opsOf(rewritten(plain, [resolveRule]))).toEqual(['optimization_barrier']);
});

test('sizes of static dims become constants', () => {
  const text = `func.func @main(%x: tensor<2x7xf32>) -> tensor<i32> {
    %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x7xf32>) -> tensor<i32>
    return %n : tensor<i32>
  }`;
  expect(opsOf(rewritten(text, [resolveRule]))).toEqual(['constant']);
});
