// Convolutions with 3×3 weights: forwards and both gradients, and one with more weights than are stored transformed.
import { hlo } from 'trenio';
import type { ReplayProgram } from './replay-program.ts';

const threeRoles = `
func.func @main(%x: tensor<2x37x13x11xf32>, %w: tensor<70x37x3x3xf32>, %dy: tensor<2x70x13x11xf32>)
    -> (tensor<2x70x13x11xf32>, tensor<2x37x13x11xf32>, tensor<70x37x3x3xf32>) {
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1],
    window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x37x13x11xf32>, tensor<70x37x3x3xf32>) -> tensor<2x70x13x11xf32>
  %dx = stablehlo.convolution(%dy, %w) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1],
    window = {pad = [[1, 1], [1, 1]], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x70x13x11xf32>, tensor<70x37x3x3xf32>) -> tensor<2x37x13x11xf32>
  %dw = stablehlo.convolution(%x, %dy) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1],
    window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<2x37x13x11xf32>, tensor<2x70x13x11xf32>) -> tensor<70x37x3x3xf32>
  return %y, %dx, %dw : tensor<2x70x13x11xf32>, tensor<2x37x13x11xf32>, tensor<70x37x3x3xf32>
}`;

const manyWeights = `
func.func @main(%x: tensor<16x200x3x3xf32>, %w: tensor<150x200x3x3xf32>) -> tensor<16x150x3x3xf32> {
  %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1],
    window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<16x200x3x3xf32>, tensor<150x200x3x3xf32>) -> tensor<16x150x3x3xf32>
  return %y : tensor<16x150x3x3xf32>
}`;

export const convolutionPrograms: readonly ReplayProgram[] = Object.entries({
  'convolution-3x3': threeRoles,
  'convolution-3x3-many-weights': manyWeights,
}).map(([name, text]) => ({
  name,
  sets: ['all', 'fast'],
  modules: () => [hlo.parseModule(text, { file: `${name}.mlir` })],
}));
