import { describe, expect, test } from 'vitest';
import { opsOf, rewritten } from './passes.testing.ts';
import { viewRule } from './views.ts';

const program = (from: string, to: string, ...lines: readonly string[]): string =>
  `func.func @main(%x: tensor<${from}>) -> tensor<${to}> {\n${lines.join('\n')}\nreturn %y : tensor<${to}>\n}`;
const opsAfter = (from: string, to: string, ...lines: readonly string[]): string[] =>
  opsOf(rewritten(program(from, to, ...lines), [viewRule]));

describe('reshapes', () => {
  test('to the same shape, or back to it, are removed', () => {
    expect(opsAfter('2x3xf32', '2x3xf32', '%y = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<2x3xf32>')).toEqual(
      [],
    );
    const there = '%a = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>';
    const back = '%y = stablehlo.reshape %a : (tensor<6xf32>) -> tensor<2x3xf32>';
    expect(opsAfter('2x3xf32', '2x3xf32', there, back)).toEqual([]);
  });
  test('two become one', () => {
    const first = '%a = stablehlo.reshape %x : (tensor<2x3x4xf32>) -> tensor<6x4xf32>';
    const second = '%y = stablehlo.reshape %a : (tensor<6x4xf32>) -> tensor<3x8xf32>';
    expect(opsAfter('2x3x4xf32', '3x8xf32', first, second)).toEqual(['reshape']);
  });
});

describe('transposes', () => {
  test('that move nothing, or undo each other, are removed', () => {
    const swap = (y: string, x: string): string =>
      `%${y} = stablehlo.transpose %${x}, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>`;
    expect(opsAfter('3x3xf32', '3x3xf32', swap('a', 'x'), swap('y', 'a'))).toEqual([]);
    const none = '%y = stablehlo.transpose %x, dims = [0, 1] : (tensor<3x3xf32>) -> tensor<3x3xf32>';
    expect(opsAfter('3x3xf32', '3x3xf32', none)).toEqual([]);
  });
  test('three in a row become one transpose', () => {
    const turn = (y: string, x: string, from: string, to: string): string =>
      `%${y} = stablehlo.transpose %${x}, dims = [1, 2, 0] : (tensor<${from}xf32>) -> tensor<${to}xf32>`;
    const ops = opsAfter('2x3x4xf32', '4x2x3xf32', turn('a', 'x', '2x3x4', '3x4x2'), turn('y', 'a', '3x4x2', '4x2x3'));
    expect(ops).toEqual(['transpose']);
  });
});

describe('slices', () => {
  test('of the whole, of a slice, and of one part of a concatenation', () => {
    expect(opsAfter('4xf32', '4xf32', '%y = stablehlo.slice %x [0:4] : (tensor<4xf32>) -> tensor<4xf32>')).toEqual([]);
    const outer = '%a = stablehlo.slice %x [1:8:2] : (tensor<8xf32>) -> tensor<4xf32>';
    expect(
      opsAfter('8xf32', '2xf32', outer, '%y = stablehlo.slice %a [1:3] : (tensor<4xf32>) -> tensor<2xf32>'),
    ).toEqual(['slice']);
    const joined = '%a = stablehlo.concatenate %x, %x, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>';
    expect(
      opsAfter('4xf32', '2xf32', joined, '%y = stablehlo.slice %a [5:7] : (tensor<8xf32>) -> tensor<2xf32>'),
    ).toEqual(['slice']);
  });
  test('across the parts of a concatenation, and empty ones', () => {
    const joined = '%a = stablehlo.concatenate %x, %x, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>';
    const across = '%y = stablehlo.slice %a [3:5] : (tensor<8xf32>) -> tensor<2xf32>';
    expect(opsAfter('4xf32', '2xf32', joined, across)).toEqual(['concatenate', 'slice']);
    const nothing = '%y = stablehlo.slice %a [4:4] : (tensor<8xf32>) -> tensor<0xf32>';
    opsAfter('4xf32', '0xf32', joined, nothing);
  });
  test('a strided slice of a strided slice', () => {
    const outer = '%a = stablehlo.slice %x [1:20:3] : (tensor<20xf32>) -> tensor<7xf32>';
    const inner = '%y = stablehlo.slice %a [1:7:2] : (tensor<7xf32>) -> tensor<3xf32>';
    opsAfter('20xf32', '3xf32', outer, inner);
  });
});

test('broadcasts of broadcasts are merged; those that move nothing are removed', () => {
  const first = '%a = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>';
  const second = '%y = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x4x3xf32>';
  expect(opsAfter('3xf32', '2x4x3xf32', first, second)).toEqual(['broadcast_in_dim']);
  const none = '%y = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<3xf32>) -> tensor<3xf32>';
  expect(opsAfter('3xf32', '3xf32', none)).toEqual([]);
  // a broadcast can also transpose
  const turned = '%y = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>';
  opsAfter('3x3xf32', '3x3xf32', turned);
});

test('reverses of size-1 dims and concatenations of one operand are removed', () => {
  const reversed = '%y = stablehlo.reverse %x, dims = [0] : tensor<1x3xf32>';
  expect(opsAfter('1x3xf32', '1x3xf32', reversed)).toEqual([]);
  expect(opsAfter('1x3xf32', '1x3xf32', '%y = stablehlo.reverse %x, dims = [1] : tensor<1x3xf32>')).toEqual([
    'reverse',
  ]);
  const single = '%y = stablehlo.concatenate %x, dim = 0 : (tensor<3xf32>) -> tensor<3xf32>';
  expect(opsAfter('3xf32', '3xf32', single)).toEqual([]);
});
