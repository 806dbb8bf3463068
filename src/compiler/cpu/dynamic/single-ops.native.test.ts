// Kernels of single ops over sizes known only at run time: one program for all sizes, compared with the interpreter for empty
// operands, one task, and several tasks.
import { expect, test } from 'vitest';
import { interpret } from '../../../hlo/interpreter.ts';
import { type Literal, literal } from '../../../hlo/literal.ts';
import { sampleLiteral } from '../../../hlo/sample-literal.testing.ts';
import { parseModule } from '../../../hlo/text/parser.ts';
import type { ElementType } from '../../../hlo/types.ts';
import { expectClose } from '../../testing/closeness.testing.ts';
import { compileDynamicForTest } from '../../testing/dynamic.testing.ts';

const full = 'tensor<?x?xf32>';
const results = `${Array.from({ length: 6 }, () => full).join(', ')}, tensor<?x3xi32>, tensor<?x?x?x4xf32>, tensor<?x?x2x4xf32>`;
const text = `
  func.func @main(%x: ${full}, %i: tensor<?x1xi32>, %a: tensor<?x?xi32>, %b: tensor<?x3xi32>, %p: tensor<?x?x?x2xf32>, %k: tensor<3x2x2x4xf32>, %w: tensor<f32>)
      -> (${results}) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %sorted:2 = "stablehlo.sort"(%x, %x) ({
      ^bb0(%p0: tensor<f32>, %q0: tensor<f32>, %p1: tensor<f32>, %q1: tensor<f32>):
        %l = stablehlo.multiply %p0, %w : tensor<f32>
        %r = stablehlo.multiply %q0, %w : tensor<f32>
        %c = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
    }) {dimension = 1 : i64, is_stable = true} : (${full}, ${full}) -> (${full}, ${full})
    %columns = "stablehlo.sort"(%x) ({
      ^bb0(%p0: tensor<f32>, %q0: tensor<f32>):
        %c = stablehlo.compare GT, %p0, %q0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (${full}) -> ${full}
    %taken = "stablehlo.gather"(%x, %i) {
      dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 80>, indices_are_sorted = false} : (${full}, tensor<?x1xi32>) -> tensor<?x80xf32>
    %twice = stablehlo.add %taken, %taken : tensor<?x80xf32>
    %rows = stablehlo.negate %twice : tensor<?x80xf32>
    %added = "stablehlo.scatter"(%x, %i, %rows) ({
      ^bb0(%p0: tensor<f32>, %q0: tensor<f32>):
        %s = stablehlo.add %p0, %q0 : tensor<f32>
        stablehlo.return %s : tensor<f32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
      indices_are_sorted = false, unique_indices = false} : (${full}, tensor<?x1xi32>, tensor<?x80xf32>) -> ${full}
    %most = "stablehlo.reduce_window"(%x, %low) ({
      ^bb0(%p0: tensor<f32>, %q0: tensor<f32>):
        %s = stablehlo.maximum %p0, %q0 : tensor<f32>
        stablehlo.return %s : tensor<f32>
    }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 1>, padding = dense<[[1, 0], [1, 1]]> : tensor<2x2xi64>} : (${full}, tensor<f32>) -> ${full}
    %spread = "stablehlo.select_and_scatter"(%x, %most, %zero) ({
      ^bb0(%p0: tensor<f32>, %q0: tensor<f32>):
        %c = stablehlo.compare GE, %p0, %q0 : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
    }, {
      ^bb0(%p0: tensor<f32>, %q0: tensor<f32>):
        %s = stablehlo.add %p0, %q0 : tensor<f32>
        stablehlo.return %s : tensor<f32>
    }) {window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 1>, padding = dense<[[1, 0], [1, 1]]> : tensor<2x2xi64>} : (${full}, ${full}, tensor<f32>) -> ${full}
    %product = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<?x?xi32>, tensor<?x3xi32>) -> tensor<?x3xi32>
    %images = stablehlo.convolution(%p, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [1, 2], pad = [[1, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x?x?x2xf32>, tensor<3x2x2x4xf32>) -> tensor<?x?x?x4xf32>
    %even = stablehlo.dot_general %p, %k, contracting_dims = [1, 3] x [0, 2] : (tensor<?x?x?x2xf32>, tensor<3x2x2x4xf32>) -> tensor<?x?x2x4xf32>
    return %sorted#0, %sorted#1, %columns, %added, %most, %spread, %product, %images, %even : ${results}
  }`;

test('one program matches the interpreter at many sizes', () => {
  const module = parseModule(text);
  const program = compileDynamicForTest(module);
  const sample = (type: ElementType, ...shape: readonly number[]): Literal =>
    sampleLiteral(type, shape, shape.length + 1);
  for (const [n, m, picks, batch] of [
    [4, 80, 3, 1],
    [7, 81, 0, 2],
    [1, 90, 250, 3],
    [60, 90, 250, 3],
  ] as const) {
    const indices = Array.from({ length: picks }, (_, i) => ((i * 7) % (n + 2)) - 1);
    const inputs = [
      sample('f32', n, m),
      literal('i32', [picks, 1], indices),
      sample('i32', n, m),
      sample('i32', n, 3),
      sample('f32', batch, 3, m, 2),
      sample('f32', 3, 2, 2, 4),
      literal('f32', [], [0.25]),
    ];
    const expected = interpret(module, inputs);
    for (const backwards of [false, true])
      program.run(inputs, { backwards }).forEach((result, i) => {
        if (i >= 7) expectClose(result, expected[i]!, `${n}×${m}, result ${i}`, 1e-5);
        else expect([i, result.type, result.data], `${n}×${m}`).toEqual([i, expected[i]!.type, expected[i]!.data]);
      });
  }
});
