import { describe, expect, test } from 'vitest';
import { interpret } from '../hlo/interpreter.ts';
import { literal } from '../hlo/literal.ts';
import { parseModule } from '../hlo/text/parser.ts';
import { algebraRule, foldRule } from './algebra.ts';
import { expectSame, opsOf, rewritten } from './passes.testing.ts';

const rules = [algebraRule, foldRule];
const unary = (type: string, body: string, results = '%y'): string =>
  `func.func @main(%x: tensor<${type}>) -> tensor<${type}> {\n${body}\nreturn ${results} : tensor<${type}>\n}`;
const withConstant = (op: string, value: string, swapped = false, type = '3xf32'): string =>
  unary(
    type,
    `%c = stablehlo.constant dense<${value}> : tensor<${type}>
     %y = stablehlo.${op} ${swapped ? '%c, %x' : '%x, %c'} : tensor<${type}>`,
  );

describe('neutral elements', () => {
  test.each([
    ['add', '0', false, '3xi32'],
    ['add', '0', true, '3xi32'],
    ['add', '-0.0', false, '3xf32'],
    ['add', '-0.0', true, '3xbf16'],
    ['add', 'false', false, '3xi1'],
    ['subtract', '0.0', false, '3xf32'],
    ['subtract', '0', false, '3xi32'],
    ['multiply', '1.0', false, '3xf32'],
    ['multiply', '1.0', true, '3xf32'],
    ['divide', '1.0', false, '3xf32'],
    ['power', '1.0', false, '3xf32'],
  ] as const)('%s with %s is dropped', (op, value, swapped, type) => {
    expect(opsOf(rewritten(withConstant(op, value, swapped, type), rules))).toEqual([]);
  });
  test.each([
    ['subtract', '0.0', true],
    ['divide', '1.0', true],
    ['multiply', '0.0', false],
    ['add', '1.0', false],
    // -0 + 0 and -0 - -0 are 0
    ['add', '0.0', false],
    ['add', '0.0', true],
    ['subtract', '-0.0', false],
  ] as const)('%s is kept if the %s is on the other side', (op, value, swapped) => {
    expect(opsOf(rewritten(withConstant(op, value, swapped), rules))).toContain(op);
  });
  test.each([
    ['add', '0.0'],
    ['add', '-0.0'],
    ['subtract', '0.0'],
    ['subtract', '-0.0'],
  ])('%s with %s keeps the sign of zeros', (op, value) => {
    for (const type of ['f32', 'bf16', 'f64'] as const) {
      const text = withConstant(op, value, false, `3x${type}`);
      const inputs = [literal(type, [3], [-0, 0, 1.5])];
      expectSame(parseModule(text), rewritten(text, rules), 0, inputs);
    }
  });
  test('0 times infinity is not folded', () => {
    const module = rewritten(withConstant('multiply', '0.0'), rules);
    expect(interpret(module, [literal('f32', [3], [Infinity, NaN, 1])])[0]!.data).toEqual(
      Float32Array.from([NaN, NaN, 0]),
    );
  });
});

test('small powers become products', () => {
  expect(opsOf(rewritten(withConstant('power', '2.0'), rules, 1e-6))).toEqual(['multiply']);
  expect(opsOf(rewritten(withConstant('power', '3.0'), rules, 1e-6))).toEqual(['multiply', 'multiply']);
  expect(opsOf(rewritten(withConstant('power', '4.0'), rules))).toContain('power');
});

test('a double negation cancels', () => {
  const text = unary('3xf32', '%n = stablehlo.negate %x : tensor<3xf32>\n%y = stablehlo.negate %n : tensor<3xf32>');
  expect(opsOf(rewritten(text, rules))).toEqual([]);
});

test('a select with a constant predicate or equal branches is removed', () => {
  const select = (predicate: string, other: string): string =>
    unary(
      '2xf32',
      `%p = stablehlo.constant dense<${predicate}> : tensor<2xi1>
       %n = stablehlo.negate %x : tensor<2xf32>
       %y = stablehlo.select %p, %x, ${other} : tensor<2xi1>, tensor<2xf32>`,
    );
  expect(opsOf(rewritten(select('true', '%n'), rules))).toEqual([]);
  expect(opsOf(rewritten(select('false', '%n'), rules))).toEqual(['negate']);
  expect(opsOf(rewritten(select('[true, false]', '%x'), rules))).toEqual([]);
  expect(opsOf(rewritten(select('[true, false]', '%n'), rules))).toContain('select');
});

test('a reduction of single elements combines each with the initial value', () => {
  const text = `func.func @main(%x: tensor<4x1xf32>) -> tensor<4xf32> {
    %c = stablehlo.constant dense<2.5> : tensor<f32>
    %y = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }`;
  expect(opsOf(rewritten(text, rules))).not.toContain('reduce');
});

test('ops on constants are evaluated, up to a size', () => {
  const sum = (n: number): string => `func.func @main() -> tensor<${n}xf32> {
    %i = stablehlo.iota dim = 0 : tensor<${n}xf32>
    %c = stablehlo.constant dense<3.0> : tensor<${n}xf32>
    %d = stablehlo.constant dense<4.0> : tensor<${n}xf32>
    %s = stablehlo.multiply %c, %d : tensor<${n}xf32>
    %y = stablehlo.add %i, %s : tensor<${n}xf32>
    return %y : tensor<${n}xf32>
  }`;
  expect(opsOf(rewritten(sum(8), rules))).not.toContain('multiply');
  // splat constants are folded at any size
  expect(opsOf(rewritten(sum(5000), rules))).not.toContain('multiply');
});

test('a program with nothing to simplify is unchanged', () => {
  const text = unary('3xf32', '%y = stablehlo.add %x, %x : tensor<3xf32>');
  expect(opsOf(rewritten(text, rules))).toEqual(opsOf(parseModule(text)));
});
