// Ops that are computed whole are reported, with the division that avoids it; those that the program asks for are not.
import { expect, test } from 'vitest';
import { parseModule } from '../../hlo/text/parser.ts';
import { inParts } from './index.ts';

const reported = (ops: string) =>
  inParts(
    parseModule(`module attributes {mhlo.num_partitions = 2 : i32} {
      sdy.mesh @mesh = <["tp"=2]>
      func.func @main(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>}) -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
        ${ops} return %0 : tensor<4x6xf32>
      }
    }`),
  ).replicated.map(({ name, bytes, divided, instead }) => ({ name, bytes, divided, instead }));

const runningSum = (x: string): string =>
  `%z = stablehlo.constant dense<0.0> : tensor<f32>
   %0 = "stablehlo.reduce_window"(${x}, %z) <{window_dimensions = array<i64: 1, 6>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>}> ({
     ^bb0(%a: tensor<f32>, %b: tensor<f32>): %s = stablehlo.add %a, %b : tensor<f32> stablehlo.return %s : tensor<f32>
   }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>`;
test('running sums along a dim that is divided', () => {
  expect(reported(runningSum('%x'))).toEqual([
    { name: 'reduce_window', bytes: 96, divided: [[], ['tp']], instead: [['tp'], []] },
  ]);
});
test('a custom operator, by its name', () => {
  const call = `%0 = "stablehlo.custom_call"(%x) <{call_target_name = "swish", backend_config = "1.5", has_side_effect = false}> : (tensor<4x6xf32>) -> tensor<4x6xf32>`;
  expect(reported(call)).toMatchObject([{ name: 'swish', bytes: 96, divided: [[], ['tp']] }]);
});
test('an operand that is gathered as the program says', () => {
  const gathered = '%1 = sdy.sharding_constraint %x <@mesh, [{}, {}]> : tensor<4x6xf32>';
  expect(reported(`${gathered} ${runningSum('%1')}`)).toEqual([]);
  expect(reported('%0 = stablehlo.tanh %x : tensor<4x6xf32>')).toEqual([]);
});
