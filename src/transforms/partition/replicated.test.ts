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

test('a reversed dim that is divided', () => {
  expect(reported('%0 = stablehlo.reverse %x, dims = [1] : tensor<4x6xf32>')).toEqual([
    { name: 'reverse', bytes: 96, divided: [[], ['tp']], instead: [['tp'], []] },
  ]);
});
test('an operand that is gathered as the program says', () => {
  const gathered = '%1 = sdy.sharding_constraint %x <@mesh, [{}, {}]> : tensor<4x6xf32>';
  expect(reported(`${gathered} %0 = stablehlo.reverse %1, dims = [1] : tensor<4x6xf32>`)).toEqual([]);
  expect(reported('%0 = stablehlo.tanh %x : tensor<4x6xf32>')).toEqual([]);
});
