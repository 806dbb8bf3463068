import { expect, test } from 'vitest';
import { opsOf, rewritten } from './passes.testing.ts';
import { emptyReduceRule, inlineRule, promoteRule, wideDotRule } from './prepare.ts';

test('calls are inlined, even if a function is called twice', () => {
  const text = `
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %a = func.call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>
      %b = func.call @twice(%a) : (tensor<2xf32>) -> tensor<2xf32>
      return %b : tensor<2xf32>
    }
    func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = stablehlo.add %x, %x : tensor<2xf32>
      return %y : tensor<2xf32>
    }`;
  expect(opsOf(rewritten(text, [inlineRule]))).toEqual(['add', 'add']);
});

test('operands of a reduction are converted to the type in which its region computes', () => {
  const text = `func.func @main(%x: tensor<3x4xbf16>, %c: tensor<bf16>) -> tensor<3xf32> {
    %y = "stablehlo.reduce"(%x, %c) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
    }) {dimensions = array<i64: 1>} : (tensor<3x4xbf16>, tensor<bf16>) -> tensor<3xf32>
    return %y : tensor<3xf32>
  }`;
  expect(opsOf(rewritten(text, [promoteRule]))).toEqual(['convert', 'convert', 'reduce']);
});

test('reductions that compute in the type of their operands are unchanged', () => {
  const text = `func.func @main(%x: tensor<3x4xf32>, %c: tensor<f32>) -> tensor<3xf32> {
    %y = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
    return %y : tensor<3xf32>
  }`;
  expect(opsOf(rewritten(text, [promoteRule]))).toEqual(['reduce']);
});

test('a reduction of zero elements is its initial value', () => {
  const text = `func.func @main(%x: tensor<3x0xf32>, %c: tensor<f32>) -> tensor<3xf32> {
    %y = stablehlo.reduce(%x init: %c) applies stablehlo.maximum across dimensions = [1] : (tensor<3x0xf32>, tensor<f32>) -> tensor<3xf32>
    return %y : tensor<3xf32>
  }`;
  expect(opsOf(rewritten(text, [emptyReduceRule]))).toEqual(['broadcast_in_dim']);
});

test('products of two-byte floats are summed in f32, and rounded once', () => {
  const text = `func.func @main(%x: tensor<3x4xbf16>, %y: tensor<4x2xbf16>) -> tensor<3x2xbf16> {
    %z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<3x4xbf16>, tensor<4x2xbf16>) -> tensor<3x2xbf16>
    return %z : tensor<3x2xbf16>
  }`;
  expect(opsOf(rewritten(text, [wideDotRule], 0.02))).toEqual(['convert', 'convert', 'dot_general', 'convert']);
});
