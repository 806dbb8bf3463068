// Sums that loops carry are combined once, after the loop.
import { expect, test } from 'vitest';
import { interpret } from '../../hlo/interpreter.ts';
import { toNumbers } from '../../hlo/literal.ts';
import { sampleLiteral } from '../../hlo/op-samples.testing.ts';
import { type Module, mainOf, tensorTypeOf } from '../../hlo/program.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { forEachOp } from '../../hlo/walk.ts';
import { importShardings } from './import.ts';
import { interpretInParts } from './in-parts.testing.ts';
import { localize } from './localize.ts';
import { propagate } from './propagate.ts';

/**
 * Three trips, each with a product %p [4, 4] over rows that are divided along x = 2. `carried`: the type of the sum; `next`: how
 * a trip computes %n of %s and %p; `result`: the axis of its first dim.
 */
function loopOf(carried: string, start: string, next: string, result = ''): Module {
  const rows = '{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}';
  return parseModule(`module attributes {mhlo.num_partitions = 2 : i32} {
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%a: tensor<6x4xf32> ${rows}, %b: tensor<6x4xf32> ${rows}, %t: tensor<${carried}>)
      -> (tensor<${carried}> {sdy.sharding = #sdy.sharding<@mesh, [{${result}}${', {}'.repeat(carried.split('x').length - 2)}]>}) {
      %three = stablehlo.constant dense<3> : tensor<i32>
      %none = stablehlo.constant dense<0> : tensor<i32>
      %zero = stablehlo.constant dense<0.0> : tensor<${carried}>
      %0:2 = stablehlo.while(%i = %none, %s = ${start}) : tensor<i32>, tensor<${carried}>
        cond { %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1> stablehlo.return %c : tensor<i1> }
        do {
          %one = stablehlo.constant dense<1> : tensor<i32>
          %zeros = stablehlo.constant dense<0> : tensor<i32>
          %j = stablehlo.add %i, %one : tensor<i32>
          %f = stablehlo.convert %j : (tensor<i32>) -> tensor<f32>
          %g = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<6x4xf32>
          %h = stablehlo.multiply %a, %g : tensor<6x4xf32>
          %p = stablehlo.dot_general %h, %b, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
          ${next}
          stablehlo.return %j, %n : tensor<i32>, tensor<${carried}>
        }
      return %0#1 : tensor<${carried}>
    }
  }`);
}
const add = '%n = stablehlo.add %s, %p : tensor<4x4xf32>';
const stack = `%q = stablehlo.reshape %p : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
  %n = stablehlo.dynamic_update_slice %s, %q, %i, %zeros, %zeros : (tensor<3x4x4xf32>, tensor<1x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x4xf32>`;

/** The collectives of each trip, and those around the loop. */
function collectivesOf(module: Module) {
  const { body } = mainOf(localize(propagate(importShardings(module))));
  const inTrips: string[] = [];
  const around: string[] = [];
  for (const op of body.ops) {
    if (/^(all_|reduce_scatter)/.test(op.name))
      around.push(`${op.name} ${tensorTypeOf(op.operands[0]!).shape.join('x')}`);
    for (const region of op.name === 'while' ? op.regions : [])
      forEachOp(region, ({ name }) => {
        if (/^(all_|reduce_scatter)/.test(name)) inTrips.push(name);
      });
  }
  return { inTrips, around };
}

test.each([
  ['from zero', loopOf('4x4xf32', '%zero', add), ['all_reduce 4x4']],
  ['from a value that all devices have', loopOf('4x4xf32', '%t', add), ['all_reduce 4x4']],
  [
    'of several terms, with the carried one last',
    loopOf(
      '4x4xf32',
      '%zero',
      `%r = stablehlo.add %p, %s : tensor<4x4xf32>
       %o = stablehlo.dot_general %b, %h, contracting_dims = [0] x [0] : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
       %n = stablehlo.add %o, %r : tensor<4x4xf32>`,
    ),
    ['all_reduce 4x4'],
  ],
  ['of layers, one after the other', loopOf('3x4x4xf32', '%t', stack), ['all_reduce 3x4x4']],
])('a sum %s', (_, module, around) => {
  expect(collectivesOf(module)).toEqual({ inTrips: [], around });
  expectWhole(module);
});

test.each([
  [
    'that a trip reads',
    loopOf('4x4xf32', '%zero', `%r = stablehlo.add %s, %p : tensor<4x4xf32> %n = stablehlo.tanh %r : tensor<4x4xf32>`),
    'all_reduce',
  ],
  [
    'that is divided along the same axis: no device has all of it',
    loopOf('4x4xf32', '%zero', add, '"x"'),
    'reduce_scatter',
  ],
])('a sum %s is combined in each trip', (_, module, name) => {
  expect(collectivesOf(module)).toEqual({ inTrips: [name], around: [] });
  expectWhole(module);
});

function expectWhole(module: Module): void {
  const inputs = mainOf(module).body.args.map((arg, i) => sampleLiteral('f32', tensorTypeOf(arg).shape, i + 1));
  const [whole] = interpret(module, inputs).map(toNumbers);
  const [parts] = interpretInParts(module, inputs).map(toNumbers);
  for (const [k, value] of whole!.entries())
    expect(Math.abs(parts![k]! - value)).toBeLessThanOrEqual(1e-5 * (1 + Math.abs(value)));
}
