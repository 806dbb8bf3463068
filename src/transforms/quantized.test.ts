// Quantized tensors as integers, with only this rule applied: the stored integers must match those of the interpreter.
import { expect, test } from 'vitest';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, literal } from '../hlo/literal.ts';
import { type Module, mainOf } from '../hlo/program.ts';
import { actsOnQuantized } from '../hlo/quantized-ops.ts';
import { parseModule } from '../hlo/text/parser.ts';
import { verify } from '../hlo/verifier.ts';
import { withMain } from './passes.testing.ts';
import { quantizedRule } from './quantized.ts';
import { Rewriter } from './rewriter.ts';

function lowered(text: string): { readonly before: Module; readonly after: Module } {
  const before = parseModule(text);
  verify(before);
  const after = withMain(before, new Rewriter(before, mainOf(before), [quantizedRule]).run(mainOf(before)));
  verify(after);
  return { before, after };
}
/** Checks that no op has quantized operands any more, and that the results are the same. */
function check(text: string, inputs: readonly Literal[]): Module {
  const { before, after } = lowered(text);
  for (const op of mainOf(after).body.ops)
    expect(actsOnQuantized(op) || op.name.startsWith('uniform_'), op.name).toBe(false);
  const plain = (results: readonly Literal[]): unknown[] => results.map(r => Array.from(r.data, Number));
  expect(plain(interpret(after, inputs))).toEqual(plain(interpret(before, inputs)));
  return after;
}

const numbers = [0, 0.24, 0.25, 0.375, -0.125, 31.9, 1e9, -1e9, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
const there = (
  storage: string,
): string => `func.func @main(%x: tensor<10xf32>) -> (tensor<10xf32>, tensor<10x!quant.uniform<${storage}>>) {
  %q = stablehlo.uniform_quantize %x : (tensor<10xf32>) -> tensor<10x!quant.uniform<${storage}>>
  %y = stablehlo.uniform_dequantize %q : (tensor<10x!quant.uniform<${storage}>>) -> tensor<10xf32>
  return %y, %q : tensor<10xf32>, tensor<10x!quant.uniform<${storage}>>
}`;

test.each(['i8:f32, 0.25:3', 'u8:f32, 0.25:3', 'i8<-100:100>:f32, 0.25:-7', 'i16:f32, 0.001', 'i32:f32, 0.001:5'])(
  '%s: ties round to even, and out-of-range numbers saturate',
  storage => {
    check(there(storage), [literal('f32', [10], numbers)]);
  },
);

test('the difference of wide integers and their zero point is exact', () => {
  const after = check(there('i32:f32, 0.5:2000000001'), [
    literal(
      'f32',
      [10],
      numbers.map(x => x * 1e7),
    ),
  ]);
  const subtraction = mainOf(after).body.ops.find(op => op.name === 'subtract');
  expect(subtraction?.results[0].type).toMatchObject({ elementType: 'f64' });
});

test('one scale per position of a dim', () => {
  const type = 'tensor<2x3x!quant.uniform<i8:f32:1, {0.5:3, 0.25, 0.1:-2}>>';
  check(
    `func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, ${type}) {
      %q = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> ${type}
      %y = stablehlo.uniform_dequantize %q : (${type}) -> tensor<2x3xf32>
      return %y, %q : tensor<2x3xf32>, ${type}
    }`,
    [literal('f32', [2, 3], [1, 1, 1, -70, 0.3, 0.25])],
  );
});

test('a sum of operands with different scales: each op becomes dequantize, the op, quantize', () => {
  const [a, b, c] = ['i8:f32, 0.5:3', 'i8:f32, 0.25', 'i8:f32, 0.125:-1'].map(q => `tensor<4x!quant.uniform<${q}>>`);
  const after = check(
    `func.func @main(%x: tensor<4xf32>) -> ${c} {
      %a = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> ${a}
      %b = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> ${b}
      %s = stablehlo.add %a, %b : (${a}, ${b}) -> ${c}
      return %s : ${c}
    }`,
    [literal('f32', [4], [0.3, -2, 7.8, 100])],
  );
  expect(mainOf(after).body.ops.filter(op => op.name === 'round_nearest_even')).toHaveLength(3);
});

test('programs without quantized values are unchanged', () => {
  const { before, after } = lowered(`func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
    %y = stablehlo.add %x, %x : tensor<4xi8>
    return %y : tensor<4xi8>
  }`);
  expect(mainOf(after).body.ops).toEqual(mainOf(before).body.ops);
});
