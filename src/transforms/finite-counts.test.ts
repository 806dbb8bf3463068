// Counts of NaNs and infinities: which values are counted, and that the numbers match the values themselves.
import { expect, test } from 'vitest';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, literal, toNumbers } from '../hlo/literal.ts';
import { type Module, type Op, tensorTypeOf } from '../hlo/program.ts';
import { parseModule } from '../hlo/text/parser.ts';
import { verify } from '../hlo/verifier.ts';
import { finiteCounts } from './finite-counts.ts';

/** Name of the op (or `argument`), NaNs, infinities: of all values that are counted. */
function counted(module: Module, inputs: readonly Literal[]): readonly (readonly [string, number, number])[] {
  verify(module);
  const { module: counting, counted: values } = finiteCounts(module);
  verify(counting);
  const results = interpret(counting, inputs).map(toNumbers);
  expect(results).toHaveLength(values.length);
  return values.map(({ op }, i) => [op?.name ?? 'argument', results[i]![0]!, results[i]![1]!]);
}

const text = `
  func.func @main(%x: tensor<2x2xf32>, %i: tensor<4xi32>) -> tensor<4xbf16> {
    %c = stablehlo.constant dense<0.0> : tensor<2x2xf32>
    %d = stablehlo.divide %x, %c : tensor<2x2xf32>
    %r = stablehlo.reshape %d : (tensor<2x2xf32>) -> tensor<4xf32>
    %f = func.call @scaled(%r) : (tensor<4xf32>) -> tensor<4xf32>
    %n = stablehlo.add %i, %i : tensor<4xi32>
    %t = stablehlo.tanh %f : tensor<4xf32>
    %y = stablehlo.convert %t : (tensor<4xf32>) -> tensor<4xbf16>
    return %y : tensor<4xbf16>
  }
  func.func private @scaled(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = stablehlo.subtract %x, %x : tensor<4xf32>
    return %y : tensor<4xf32>
  }`;

test('floats of all ops are counted, also of called functions; integers, constants and views are not', () => {
  const inputs = [literal('f32', [2, 2], [1, -2, 0, Number.NaN]), literal('i32', [4], [1, 2, 3, 4])];
  expect(counted(parseModule(text), inputs)).toEqual([
    ['argument', 1, 0],
    ['divide', 2, 2],
    ['subtract', 4, 0],
    ['tanh', 4, 0],
    ['convert', 4, 0],
  ]);
});

test('the counts match the values that the program computes', () => {
  const module = parseModule(text.replace('subtract %x, %x', 'multiply %x, %x'));
  const inputs = [literal('f32', [2, 2], [Infinity, 1e30, -0, 5]), literal('i32', [4], [1, 2, 3, 4])];
  const expected = new Map<Op['name'], readonly [number, number]>();
  interpret(module, inputs, {
    onOp(op, [result]) {
      if (result === undefined || tensorTypeOf(op.results[0]!).elementType === 'i32') return;
      const numbers = toNumbers(result);
      const infinite = numbers.filter(x => Math.abs(x) === Infinity).length;
      expected.set(op.name, [numbers.filter(Number.isNaN).length, infinite]);
    },
  });
  const got = counted(module, inputs);
  expect(got.map(([name]) => name)).toEqual(['argument', 'divide', 'multiply', 'tanh', 'convert']);
  for (const [name, nans, infinities] of got.slice(1))
    expect([name, nans, infinities]).toEqual([name, ...expected.get(name as Op['name'])!]);
});

test('values of a loop are counted as its results', () => {
  const module = parseModule(`func.func @main(%x: tensor<f32>) -> tensor<f32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<f32>
      cond {
        %n = stablehlo.constant dense<9> : tensor<i32>
        %go = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %go : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.add %i, %one : tensor<i32>
        %square = stablehlo.multiply %y, %y : tensor<f32>
        stablehlo.return %next, %square : tensor<i32>, tensor<f32>
      }
    return %r#1 : tensor<f32>
  }`);
  expect(counted(module, [literal('f32', [], [2])])).toEqual([
    ['argument', 0, 0],
    ['while', 0, 1],
  ]);
});
