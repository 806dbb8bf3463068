// Arguments and results that are terms, or divided over another mesh, and ops of a single device.
import { expect, test } from 'vitest';
import { interpretReplicas } from '../../hlo/interpreter.ts';
import { literal, toNumbers } from '../../hlo/literal.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { verify } from '../../hlo/verifier.ts';
import { importShardings } from './import.ts';
import { localize } from './localize.ts';
import { propagate } from './propagate.ts';

/** The result of each device, given its argument. */
function run(text: string, args: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const meshes = `sdy.mesh @mesh = <["x"=2]> sdy.mesh @swapped = <["x"=2], device_ids=[1, 0]> sdy.mesh @second = <[], device_ids=[1]>`;
  const module = parseModule(`module attributes {mhlo.num_partitions = 2 : i32} { ${meshes} ${text} }`);
  const local = localize(propagate(importShardings(module)));
  verify(local);
  const inputs = args.map(values => [literal('f32', [values.length], values)]);
  return interpretReplicas(local, inputs).map(([result]) => toNumbers(result!));
}
const sharding = (text: string): string => `{sdy.sharding = #sdy.sharding<${text}>}`;
const identity = (from: string, to: string): string =>
  `func.func @main(%a: tensor<2xf32> ${sharding(from)}) -> (tensor<2xf32> ${sharding(to)}) { return %a : tensor<2xf32> }`;

test.each<readonly [name: string, from: string, to: string, args: number[][], results: number[][]]>([
  [
    'terms that are summed',
    '@mesh, [{}], unreduced={"x"}',
    '@mesh, [{}]',
    [
      [1, 2],
      [10, 20],
    ],
    [
      [11, 22],
      [11, 22],
    ],
  ],
  [
    'terms that are summed in parts',
    '@mesh, [{}], unreduced={"x"}',
    '@mesh, [{"x"}]',
    [
      [1, 2],
      [10, 20],
    ],
    [[11], [22]],
  ],
  [
    'terms that stay',
    '@mesh, [{}], unreduced={"x"}',
    '@mesh, [{}], unreduced={"x"}',
    [
      [1, 2],
      [3, 4],
    ],
    [
      [1, 2],
      [3, 4],
    ],
  ],
  [
    'a value as terms',
    '@mesh, [{}]',
    '@mesh, [{}], unreduced={"x"}',
    [
      [1, 2],
      [1, 2],
    ],
    [
      [1, 2],
      [0, 0],
    ],
  ],
  ['a result over another mesh', '@mesh, [{"x"}]', '@swapped, [{"x"}]', [[1], [2]], [[2], [1]]],
  [
    'an argument over another mesh',
    '@swapped, [{"x"}]',
    '@mesh, [{}]',
    [[2], [1]],
    [
      [1, 2],
      [1, 2],
    ],
  ],
])('%s', (_name, from, to, args, results) => {
  expect(run(identity(from, to), args)).toEqual(results);
});

test('what one device computes from its number, all get', () => {
  const text = `func.func @main(%a: tensor<2xf32> ${sharding('@mesh, [{"x"}]')}) -> (tensor<2xf32> ${sharding('@mesh, [{}]')}) {
    %id = stablehlo.partition_id : tensor<ui32>
    %f = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@second, []>]>} : tensor<2xf32>
    return %0 : tensor<2xf32>
  }`;
  expect(run(text, [[5], [6]])).toEqual([
    [6, 7],
    [6, 7],
  ]);
});
