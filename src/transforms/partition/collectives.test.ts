// Which collectives the parts of small programs have, with what each device gives to them; and that the parts give the whole.
import { describe, expect, test } from 'vitest';
import { interpret } from '../../hlo/interpreter.ts';
import { type Literal, literal, toNumbers } from '../../hlo/literal.ts';
import { sampleLiteral } from '../../hlo/op-samples.testing.ts';
import { type Module, mainOf, tensorTypeOf } from '../../hlo/program.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { elementCount } from '../../hlo/types.ts';
import { forEachOp } from '../../hlo/walk.ts';
import { importShardings } from './import.ts';
import { interpretInParts } from './in-parts.testing.ts';
import { localize } from './localize.ts';
import { propagate } from './propagate.ts';

const collectives: ReadonlySet<string> = new Set([
  'all_reduce',
  'reduce_scatter',
  'all_gather',
  'all_to_all',
  'collective_permute',
]);

/** A program over the mesh data = 2, model = 2. A value is `%x: 4x8xf32 [data, ]`: the axis of each dim, if it has one. */
function programOf(args: readonly string[], result: string, body: string): Module {
  const declared = (text: string): string => {
    const [, name = '', type, axes] = /^(%\w+: )?(\S+)(?: \[(.*)\])?$/.exec(text)!;
    const dims = axes?.split(',').map(axis => (axis.trim() === '' ? '{}' : `{"${axis.trim()}"}`));
    const sharding = dims === undefined ? '' : ` {sdy.sharding = #sdy.sharding<@mesh, [${dims.join(', ')}]>}`;
    return `${name}tensor<${type}>${sharding}`;
  };
  return parseModule(`module attributes {mhlo.num_partitions = 4 : i32} {
    sdy.mesh @mesh = <["data"=2, "model"=2]>
    func.func @main(${args.map(declared).join(', ')}) -> (${declared(result)}) { ${body} }
  }`);
}

function collectivesOf(module: Module): readonly string[] {
  const found: string[] = [];
  forEachOp(mainOf(localize(propagate(importShardings(module)))).body, ({ name, operands }) => {
    if (collectives.has(name)) found.push(`${name} ${tensorTypeOf(operands[0]!).shape.join('x')}`);
  });
  return found;
}
const opsOf = (module: Module): readonly string[] =>
  mainOf(localize(propagate(importShardings(module)))).body.ops.map(({ name }) => name);

function inputsOf(module: Module): readonly Literal[] {
  return mainOf(module).body.args.map((arg, i) => {
    const { elementType, shape } = tensorTypeOf(arg);
    if (elementType === 'f32') return sampleLiteral(elementType, shape, i + 1);
    return literal(
      elementType,
      shape,
      Array.from({ length: elementCount(shape) }, (_, k) => ((k * 7) % 12) - 1),
    );
  });
}
function expectWhole(module: Module, tolerance: number): void {
  const inputs = inputsOf(module);
  const parts = interpretInParts(module, inputs);
  for (const [i, whole] of interpret(module, inputs).entries()) {
    const got = toNumbers(parts[i]!);
    for (const [k, value] of toNumbers(whole).entries())
      if (!Object.is(got[k], value))
        expect(Math.abs(got[k]! - value)).toBeLessThanOrEqual(tolerance * (1 + Math.abs(value)));
  }
}

interface Case {
  readonly name: string;
  readonly module: Module;
  readonly collectives: readonly string[];
  /** The relative difference between parts and whole: sums that are split are rounded differently. */
  readonly tolerance?: number;
}
const dot = (x: string, w: string, types: string): string =>
  `stablehlo.dot_general ${x}, ${w}, contracting_dims = [1] x [0] : ${types}`;
const adding =
  '{ ^bb0(%a: tensor<f32>, %b: tensor<f32>): %s = stablehlo.add %a, %b : tensor<f32> stablehlo.return %s : tensor<f32> }';

const maximum =
  '{ ^bb0(%a: tensor<f32>, %b: tensor<f32>): %s = stablehlo.maximum %a, %b : tensor<f32> stablehlo.return %s : tensor<f32> }';
/** A softmax over classes that do not divide evenly, and the two products next to it. */
const unevenClasses = `%0 = ${dot('%x', '%w', '(tensor<4x8xf32>, tensor<8x7xf32>) -> tensor<4x7xf32>')}
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"model"}]> : tensor<4x7xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %2 = "stablehlo.reduce"(%1, %low) <{dimensions = array<i64: 1>}> (${maximum}) : (tensor<4x7xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xf32>) -> tensor<4x7xf32>
  %4 = stablehlo.subtract %1, %3 : tensor<4x7xf32>
  %5 = stablehlo.exponential %4 : tensor<4x7xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %6 = "stablehlo.reduce"(%5, %zero) <{dimensions = array<i64: 1>}> (${adding}) : (tensor<4x7xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<4xf32>) -> tensor<4x7xf32>
  %8 = stablehlo.divide %5, %7 : tensor<4x7xf32>
  %9 = stablehlo.dot_general %8, %w, contracting_dims = [1] x [1] : (tensor<4x7xf32>, tensor<8x7xf32>) -> tensor<4x8xf32>`;

const sums: readonly Case[] = [
  {
    name: 'sums over a dim that does not divide evenly',
    module: programOf(['%x: 4x8xf32', '%w: 8x7xf32'], '4x8xf32', `${unevenClasses} return %9 : tensor<4x8xf32>`),
    collectives: ['all_reduce 4', 'all_reduce 4', 'all_reduce 4x8'],
    tolerance: 1e-5,
  },
  {
    name: 'a sum whose result is divided along its axis',
    module: programOf(
      ['%x: 4x8xf32 [data, model]', '%w: 8x6xf32 [model, ]'],
      '4x6xf32 [data, model]',
      `%0 = ${dot('%x', '%w', '(tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>')} return %0 : tensor<4x6xf32>`,
    ),
    collectives: ['reduce_scatter 2x6'],
    tolerance: 1e-5,
  },
  {
    name: 'a sum along two axes of which the result has one',
    module: programOf(
      ['%x: 8x4xf32 [data, ]', '%y: 8x4xf32 [data, ]'],
      '4x4xf32 [data, ]',
      `%0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
       return %0 : tensor<4x4xf32>`,
    ),
    collectives: ['reduce_scatter 4x4'],
    tolerance: 1e-5,
  },
  {
    name: 'sums that are added, moved and multiplied by a scalar are combined once',
    module: programOf(
      ['%x: 4x8xf32 [ , model]', '%w: 8x6xf32 [model, ]', '%y: 4x8xf32 [ , model]', '%v: 8x6xf32 [model, ]'],
      '6x4xf32 [ , ]',
      `%0 = ${dot('%x', '%w', '(tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>')}
       %1 = ${dot('%y', '%v', '(tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>')}
       %2 = stablehlo.add %0, %1 : tensor<4x6xf32>
       %c = stablehlo.constant dense<0.5> : tensor<f32>
       %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
       %4 = stablehlo.multiply %2, %3 : tensor<4x6xf32>
       %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
       return %5 : tensor<6x4xf32>`,
    ),
    collectives: ['all_reduce 6x4'],
    tolerance: 1e-5,
  },
  {
    name: 'a sum with two users is combined once',
    module: programOf(
      ['%x: 4x8xf32 [ , model]', '%w: 8x6xf32 [model, ]'],
      '4x6xf32 [ , ]',
      `%0 = ${dot('%x', '%w', '(tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>')}
       %1 = stablehlo.negate %0 : tensor<4x6xf32>
       %2 = stablehlo.multiply %0, %1 : tensor<4x6xf32>
       return %2 : tensor<4x6xf32>`,
    ),
    collectives: ['all_reduce 4x6'],
    tolerance: 1e-5,
  },
  {
    name: 'a loss is combined along both axes at once',
    module: programOf(
      ['%x: 4x8xf32 [data, model]'],
      'f32',
      `%z = stablehlo.constant dense<0.0> : tensor<f32>
       %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
       %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
       return %1 : tensor<f32>`,
    ),
    collectives: ['all_reduce '],
    tolerance: 1e-5,
  },
  {
    name: 'a norm of values that are divided in several ways is one sum',
    module: programOf(
      ['%x: 4x8xf32 [data, model]', '%y: 4xf32 [model]', '%v: 6xf32 [data]', '%w: 5xf32 [ ]'],
      'f32',
      `%z = stablehlo.constant dense<0.0> : tensor<f32>
       %0 = stablehlo.reduce(%w init: %z) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
       %1 = stablehlo.reduce(%y init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
       %2 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
       %3 = stablehlo.reduce(%v init: %z) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
       %4 = stablehlo.add %0, %1 : tensor<f32>
       %5 = stablehlo.add %4, %2 : tensor<f32>
       %6 = stablehlo.add %5, %3 : tensor<f32>
       %7 = stablehlo.sqrt %6 : tensor<f32>
       return %7 : tensor<f32>`,
    ),
    collectives: ['all_reduce '],
    tolerance: 1e-5,
  },
  {
    name: 'the initial value of a sum is added once',
    module: programOf(
      ['%x: 4x8xf32 [data, model]', '%i: f32'],
      '4xf32 [data]',
      `%0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
       return %0 : tensor<4xf32>`,
    ),
    collectives: ['all_reduce 2'],
    tolerance: 1e-5,
  },
  {
    name: 'a constraint to the whole, then to parts, does not make a sum whole',
    module: programOf(
      ['%x: 4x8xf32 [ , model]', '%w: 8x6xf32 [model, ]'],
      '4x6xf32 [model, ]',
      `%0 = ${dot('%x', '%w', '(tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>')}
       %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}]> : tensor<4x6xf32>
       %2 = sdy.sharding_constraint %1 <@mesh, [{"model"}, {}]> : tensor<4x6xf32>
       return %2 : tensor<4x6xf32>`,
    ),
    collectives: ['reduce_scatter 4x6'],
    tolerance: 1e-5,
  },
  {
    name: 'a sum within a loop',
    module: programOf(
      ['%x: 4x4xf32 [ , model]', '%w: 4x4xf32 [model, ]'],
      '4x4xf32 [ , model]',
      `%n = stablehlo.constant dense<3> : tensor<i32>
       %zero = stablehlo.constant dense<0> : tensor<i32>
       %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4x4xf32>
         cond { %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %c : tensor<i1> }
         do {
           %one = stablehlo.constant dense<1> : tensor<i32>
           %j = stablehlo.add %i, %one : tensor<i32>
           %p = ${dot('%y', '%w', '(tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>')}
           stablehlo.return %j, %p : tensor<i32>, tensor<4x4xf32>
         }
       return %0#1 : tensor<4x4xf32>`,
    ),
    collectives: ['reduce_scatter 4x4'],
    tolerance: 1e-5,
  },
];

const moves: Case[] = [
  {
    name: 'axes in another order, and other axes: a permutation',
    module: programOf(
      ['%x: 4x8xf32 [data, model]'],
      '4x8xf32 [model, data]',
      '%0 = sdy.sharding_constraint %x <@mesh, [{"data"}, {"model"}]> : tensor<4x8xf32> return %0 : tensor<4x8xf32>',
    ),
    collectives: ['collective_permute 2x4'],
  },
  {
    name: 'a weight that several ops use is gathered once',
    module: programOf(
      ['%x: 4x8xf32 [data, ]', '%w: 8x6xf32 [data, ]'],
      '4x6xf32 [data, ]',
      `%0 = ${dot('%x', '%w', '(tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>')}
       %n = stablehlo.negate %x : tensor<4x8xf32>
       %1 = ${dot('%n', '%w', '(tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>')}
       %2 = stablehlo.multiply %0, %1 : tensor<4x6xf32>
       return %2 : tensor<4x6xf32>`,
    ),
    collectives: ['all_gather 4x6'],
  },
  {
    name: 'a large weight stays, and the rows move',
    module: programOf(
      ['%x: 4x8xf32 [data, ]', '%w: 8x96xf32 [data, ]'],
      '4x96xf32 [data, ]',
      `%0 = ${dot('%x', '%w', '(tensor<4x8xf32>, tensor<8x96xf32>) -> tensor<4x96xf32>')} return %0 : tensor<4x96xf32>`,
    ),
    collectives: ['all_to_all 2x8', 'reduce_scatter 4x96'],
    tolerance: 1e-5,
  },
];

moves.push({
  name: 'dims that are merged: the axes of the second one move to the first',
  module: programOf(
    ['%x: 4x6x5xf32 [data, model, ]'],
    '4x6x5xf32 [data, model, ]',
    `%0 = stablehlo.reshape %x : (tensor<4x6x5xf32>) -> tensor<24x5xf32>
     %1 = stablehlo.exponential %0 : tensor<24x5xf32>
     %2 = stablehlo.reshape %1 : (tensor<24x5xf32>) -> tensor<4x6x5xf32>
     return %2 : tensor<4x6x5xf32>`,
  ),
  collectives: ['all_to_all 2x3x5', 'all_to_all 1x6x5'],
});
moves.push({
  name: 'dims that are merged, of a value that is there in parts of either',
  module: programOf(
    ['%x: 4x6x5xf32 [data, , ]', '%y: 4x6x5xf32 [, data, ]'],
    '24x5xf32',
    `%0 = stablehlo.exponential %x : tensor<4x6x5xf32>
     %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"data"}, {}]> : tensor<4x6x5xf32>
     %2 = stablehlo.add %1, %y : tensor<4x6x5xf32>
     %3 = stablehlo.reshape %0 : (tensor<4x6x5xf32>) -> tensor<24x5xf32>
     %4 = stablehlo.reshape %2 : (tensor<4x6x5xf32>) -> tensor<24x5xf32>
     %5 = stablehlo.add %3, %4 : tensor<24x5xf32>
     return %5 : tensor<24x5xf32>`,
  ),
  collectives: ['all_to_all 2x6x5', 'all_to_all 4x3x5', 'all_gather 12x5'],
});

const lookup = (indexType: string): string =>
  `"stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<10x6xf32>, tensor<4x${indexType}>) -> tensor<4x6xf32>`;
const scatter = `"stablehlo.scatter"(%t, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> (${adding}) : (tensor<10x6xf32>, tensor<4xi32>, tensor<4x6xf32>) -> tensor<10x6xf32>`;

const indexed: Case[] = [
  ...['i32', 'i8', 'ui32', 'ui64'].map(type => ({
    name: `rows of a divided table, at ${type}`,
    module: programOf(
      ['%t: 10x6xf32 [model, ]', `%i: 4x${type} [data]`],
      '4x6xf32 [data, ]',
      `%0 = ${lookup(type)} return %0 : tensor<4x6xf32>`,
    ),
    collectives: ['all_reduce 2x6'],
  })),
  {
    name: 'rows of a divided table, of which each device keeps some',
    module: programOf(
      ['%t: 10x6xf32 [model, ]', '%i: 4xi32 [ ]'],
      '4x6xf32 [model, ]',
      `%0 = ${lookup('i32')} return %0 : tensor<4x6xf32>`,
    ),
    collectives: ['reduce_scatter 4x6'],
  },
  {
    name: 'elements of a table that is divided in two dims',
    module: programOf(
      ['%t: 10x6xf32 [model, data]', '%i: 4x2xi32 [ , ]'],
      '4xf32 [ ]',
      `%0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<10x6xf32>, tensor<4x2xi32>) -> tensor<4xf32>
       return %0 : tensor<4xf32>`,
    ),
    collectives: ['all_reduce 4'],
  },
  {
    name: 'updates of a divided table',
    module: programOf(
      ['%t: 10x6xf32 [model, ]', '%i: 4xi32 [ ]', '%u: 4x6xf32 [ , ]'],
      '10x6xf32 [model, ]',
      `%0 = ${scatter} return %0 : tensor<10x6xf32>`,
    ),
    collectives: [],
  },
  {
    name: 'divided updates of a divided table',
    module: programOf(
      ['%t: 10x6xf32 [model, ]', '%i: 4xi32 [data]', '%u: 4x6xf32 [data, ]'],
      '10x6xf32 [model, ]',
      `%0 = ${scatter} return %0 : tensor<10x6xf32>`,
    ),
    collectives: ['all_gather 2', 'all_gather 2x6'],
    tolerance: 1e-5,
  },
];

const manyUpdates = scatter.replaceAll('tensor<4x', 'tensor<64x').replaceAll('tensor<4x6', 'tensor<64x6');
indexed.push({
  name: 'many divided updates of a divided table: sums of the rows',
  module: programOf(
    ['%t: 10x6xf32 [model, ]', '%i: 64xi32 [data]', '%u: 64x6xf32 [data, ]'],
    '10x6xf32 [model, ]',
    `%0 = ${manyUpdates} return %0 : tensor<10x6xf32>`,
  ),
  collectives: ['all_reduce 5x6'],
  tolerance: 1e-5,
});

const comparing = (direction: string): string =>
  `{ ^bb0(%a: tensor<f32>, %b: tensor<f32>): %s = stablehlo.compare ${direction}, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %s : tensor<i1> }`;
const windows = 'window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>';
/** Ops that touch the second dim only; the first one is divided. */
const untouched: readonly Case[] = (
  [
    ['slice', '4x3', '%0 = stablehlo.slice %x [0:4, 1:4] : (tensor<4x8xf32>) -> tensor<4x3xf32>'],
    [
      'pad',
      '4x10',
      '%0 = stablehlo.pad %x, %z, low = [0, 1], high = [0, 1], interior = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x10xf32>',
    ],
    [
      'concatenate',
      '4x16',
      '%0 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>',
    ],
    ['reverse', '4x8', '%0 = stablehlo.reverse %x, dims = [1] : tensor<4x8xf32>'],
    [
      'dynamic_slice',
      '4x3',
      '%0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [4, 3] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>',
    ],
    [
      'dynamic_update_slice',
      '4x8',
      `%u = stablehlo.slice %x [0:4, 1:4] : (tensor<4x8xf32>) -> tensor<4x3xf32>
       %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x8xf32>, tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>`,
    ],
    [
      'sort',
      '4x8',
      `%0 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> (${comparing('LT')}) : (tensor<4x8xf32>) -> tensor<4x8xf32>`,
    ],
    [
      'reduce_window',
      '4x4',
      `%0 = "stablehlo.reduce_window"(%x, %z) <{${windows}}> (${adding}) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x4xf32>`,
    ],
    [
      'select_and_scatter',
      '4x8',
      `%u = stablehlo.slice %x [0:4, 0:4] : (tensor<4x8xf32>) -> tensor<4x4xf32>
       %0 = "stablehlo.select_and_scatter"(%x, %u, %z) <{${windows}}> (${comparing('GE')}, ${adding}) : (tensor<4x8xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x8xf32>`,
    ],
    [
      'convolution',
      '4x7',
      `%k = stablehlo.constant dense<0.5> : tensor<2x1x1xf32>
       %y = stablehlo.reshape %x : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
       %c = stablehlo.convolution(%y, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x1xf32>, tensor<2x1x1xf32>) -> tensor<4x7x1xf32>
       %0 = stablehlo.reshape %c : (tensor<4x7x1xf32>) -> tensor<4x7xf32>`,
    ],
  ] as const
).map(([name, shape, op]) => ({
  name,
  module: programOf(
    ['%x: 4x8xf32 [data, ]', '%z: f32', '%i: i32'],
    `${shape}xf32 [data, ]`,
    `${op} return %0 : tensor<${shape}xf32>`,
  ),
  collectives: [],
}));

const local: readonly Case[] = [
  {
    name: 'positions, constants and repeated scalars',
    module: programOf(
      ['%x: 8x6xf32 [data, model]', '%s: f32'],
      '8x6xf32 [data, model]',
      `%i = stablehlo.iota dim = 0 : tensor<8x6xf32>
       %j = stablehlo.iota dim = 1 : tensor<8x6xf32>
       %c = stablehlo.constant dense<2.0> : tensor<8x6xf32>
       %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<8x6xf32>
       %0 = stablehlo.add %x, %i : tensor<8x6xf32>
       %1 = stablehlo.multiply %0, %j : tensor<8x6xf32>
       %2 = stablehlo.multiply %1, %c : tensor<8x6xf32>
       %3 = stablehlo.multiply %2, %b : tensor<8x6xf32>
       return %3 : tensor<8x6xf32>`,
    ),
    collectives: [],
  },
];

const random = (shape: string, words: number, type = 'ui32'): string =>
  `%s, %0 = stablehlo.rng_bit_generator %k, algorithm = PHILOX : (tensor<${words}xui64>) -> (tensor<${words}xui64>, tensor<${shape}x${type}>)`;
/** Bits of the same counters as in the whole; the last shapes have parts that start within the words of a counter. */
const randomBits: readonly Case[] = (
  [
    ['8x6', ['data', ''], 'ui32', 2],
    ['8x8', ['data', 'model'], 'ui32', 2],
    ['2x2x4x8', ['data', 'model', '', ''], 'ui64', 3],
    ['4x8', ['', 'model'], 'ui8', 3],
    ['6', ['data'], 'ui32', 2],
    ['40x8', ['', 'model'], 'ui32', 2],
  ] as const
).map(([shape, axes, type, words]) => ({
  name: `${shape}x${type} [${axes.join()}]`,
  module: programOf(
    [`%k: ${words}xui64`],
    `${shape}x${type} [${axes.join(', ')}]`,
    `${random(shape, words, type)} return %0 : tensor<${shape}x${type}>`,
  ),
  collectives: [],
}));
test('parts of random bits are generated as such', () => {
  const made = mainOf(localize(propagate(importShardings(randomBits[1]!.module)))).body.ops.flatMap(
    ({ name, results }) => (name === 'rng_bit_generator' ? [tensorTypeOf(results[1]!).shape] : []),
  );
  expect(made).toEqual([[4], [4], [4], [4]]);
});
test('the state after random bits is that of the whole', () => {
  const module = programOf(['%k: 3xui64'], '3xui64', `${random('8x8', 3)} return %s : tensor<3xui64>`);
  const key = literal('ui64', [3], [5n, (1n << 64n) - 3n, 7n]);
  expect(interpretInParts(module, [key])).toEqual(interpret(module, [key]));
});

describe.each([
  ['sums', sums],
  ['random bits', randomBits],
  ['moves', moves],
  ['indexed', indexed],
  ['dims that an op does not touch', untouched],
  ['local', local],
] as const)('%s', (_kind, cases) => {
  test.each(cases)('$name', ({ module, collectives: expected, tolerance = 0 }) => {
    expect(collectivesOf(module)).toEqual(expected);
    expectWhole(module, tolerance);
  });
});

test('an argument is not reused for a result that is divided in another way', () => {
  const module = programOf(
    ['%x: 4x8xf32 [data, ]', '%y: 4x8xf32 [data, ]'],
    '4x8xf32 [model, ]',
    '%0 = stablehlo.add %x, %y : tensor<4x8xf32> return %0 : tensor<4x8xf32>',
  );
  const aliased = (layout: string) =>
    localize(
      propagate(
        importShardings(
          parseModule(`module attributes {mhlo.num_partitions = 4 : i32} {
            sdy.mesh @mesh = <["data"=2, "model"=2]>
            func.func @main(%x: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>, tf.aliasing_output = 0 : i32})
              -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, ${layout}>}) { return %x : tensor<4x8xf32> }
          }`),
        ),
      ),
    );
  expectWhole(module, 0);
  expect(mainOf(aliased('[{"data"}, {}]')).aliases).toEqual([0]);
  expect(mainOf(aliased('[{}, {"model"}]')).aliases).toEqual([undefined]);
});

test('the device number and each offset are computed once, before loops', () => {
  const { module } = local[0]!;
  const names = opsOf(module);
  expect(names.filter(name => name === 'partition_id')).toHaveLength(1);
  expect(names.filter(name => name === 'dynamic_slice')).toHaveLength(2);
});
