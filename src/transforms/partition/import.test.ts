import { expect, test } from 'vitest';
import { parseModule } from '../../hlo/text/parser.ts';
import { printModule } from '../../hlo/text/printer.ts';
import { importShardings } from './import.ts';
import { propagate } from './propagate.ts';

const X = 'tensor<8x8xf32>';
const program = (args: string, body: string, partitions = 8): string =>
  `module attributes {mhlo.num_partitions = ${partitions} : i32} {
     func.func @main(${args}) -> ${X} { ${body} }
   }`;

test('tiles become shardings along the axes of one mesh', () => {
  const text = program(
    `%x: ${X} {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}, %y: ${X} {mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}`,
    `%0 = stablehlo.add %x, %y : ${X}
     %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (${X}) -> ${X}
     return %1 : ${X}`,
  );
  expect(
    printModule(importShardings(parseModule(text))),
  ).toBe(`module @module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["axis_0"=2, "axis_1"=2, "axis_2"=2]>
  func.func public @main(%arg0: ${X} {sdy.sharding = #sdy.sharding<@mesh, [{"axis_0"}, {}]>}, %arg1: ${X} {sdy.sharding = #sdy.sharding<@mesh, [{}, {"axis_1", "axis_2"}]>}) -> (${X}) {
    %0 = stablehlo.add %arg0, %arg1 : ${X}
    %1 = sdy.sharding_constraint %0 <@mesh, [{"axis_0", "axis_1"}, {?}]> : ${X}
    return %1 : ${X}
  }
}
`);
});

test('tiles that cut the devices in two ways are refused', () => {
  const text = program(
    `%x: ${X} {mhlo.sharding = "{devices=[2,3]<=[6]}"}, %y: ${X} {mhlo.sharding = "{devices=[3,2]<=[6]}"}`,
    `%0 = stablehlo.add %x, %y : ${X} return %0 : ${X}`,
    6,
  );
  expect(() => importShardings(parseModule(text))).toThrow('tiles that cut the devices in different ways');
});

test('a constant has a copy for each use until shardings are propagated', () => {
  const text = program(
    `%x: ${X}`,
    `%c = stablehlo.constant dense<1.0> : ${X}
     %0 = stablehlo.add %x, %c : ${X}
     %1 = stablehlo.multiply %0, %c : ${X}
     return %1 : ${X}`,
  );
  const imported = importShardings(parseModule(text));
  const constants = (module: typeof imported): number =>
    module.functions[0]!.body.ops.filter(op => op.name === 'constant').length;
  expect([constants(imported), constants(propagate(imported))]).toEqual([2, 1]);
});
