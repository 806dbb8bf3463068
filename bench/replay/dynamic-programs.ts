// Programs with dynamic shapes: sizes from operands, a loop with a growing value, branches, and a
// training step with an unknown batch size.
import { hlo } from 'trenio';
import { mlpStep } from '../workloads.ts';
import { recordPrograms } from './recording-device.ts';
import type { ReplayProgram } from './replay-program.ts';
import { loosened } from './trenio.ts';

const softmaxOfProducts = `
func.func @main(%x: tensor<?x64xf32>, %w: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x64xf32>, tensor<64x32xf32>) -> tensor<?x32xf32>
  %n = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?x32xf32>) -> tensor<i32>
  %rows = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %columns = stablehlo.constant dense<32> : tensor<1xi32>
  %shape = stablehlo.concatenate %rows, %columns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %most = stablehlo.reduce(%y init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<?x32xf32>, tensor<f32>) -> tensor<?xf32>
  %mosts = stablehlo.dynamic_broadcast_in_dim %most, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x32xf32>
  %shifted = stablehlo.subtract %y, %mosts : tensor<?x32xf32>
  %e = stablehlo.exponential %shifted : tensor<?x32xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x32xf32>, tensor<f32>) -> tensor<?xf32>
  %sums = stablehlo.dynamic_broadcast_in_dim %sum, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x32xf32>
  %p = stablehlo.divide %e, %sums : tensor<?x32xf32>
  return %p : tensor<?x32xf32>
}`;

const growingLoop = `
func.func @main(%x: tensor<?xf32>, %steps: tensor<i32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %grown = %x, %kept = %x) : tensor<i32>, tensor<?xf32>, tensor<?xf32>
    cond {
      %go = stablehlo.compare LT, %i, %steps : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %float = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
      %last = stablehlo.reshape %float : (tensor<f32>) -> tensor<1xf32>
      %longer = stablehlo.concatenate %grown, %last, dim = 0 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
      %updated = stablehlo.dynamic_update_slice %kept, %last, %i : (tensor<?xf32>, tensor<1xf32>, tensor<i32>) -> tensor<?xf32>
      stablehlo.return %next, %longer, %updated : tensor<i32>, tensor<?xf32>, tensor<?xf32>
    }
  return %r#1, %r#2 : tensor<?xf32>, tensor<?xf32>
}`;

const branches = `
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %which: tensor<i32>) -> tensor<?xf32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %first = stablehlo.compare LT, %which, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = "stablehlo.if"(%first) ({
    %s = stablehlo.add %x, %x : tensor<?xf32>
    stablehlo.return %s : tensor<?xf32>
  }, {
    stablehlo.return %y : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}`;

const fromText = (name: string, text: string): ReplayProgram => ({
  name,
  sets: ['all', 'fast'],
  modules: () => [hlo.parseModule(text, { file: `${name}.mlir` })],
});

/** All other sizes of the network are static. */
const batch = 37;

export const dynamicPrograms: readonly ReplayProgram[] = [
  fromText('dynamic-softmax', softmaxOfProducts),
  fromText('dynamic-loop', growingLoop),
  fromText('dynamic-branches', branches),
  {
    name: 'dynamic-mlp',
    sets: ['all', 'fast'],
    modules: () =>
      recordPrograms(() => void mlpStep([64, 48, 10], batch)()).map(module => ({
        ...module,
        functions: module.functions.map(func => loosened(func, batch)),
      })),
  },
];
