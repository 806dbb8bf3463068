// Custom calls whose results are defined: interpreted, compiled and differentiated like the ops that they stand for.
import { describe, expect, test } from 'vitest';
import { grad } from '../autodiff/index.ts';
import { interpret } from '../hlo/interpreter.ts';
import { literal, toNumbers } from '../hlo/literal.ts';
import { mainOf } from '../hlo/program.ts';
import { parseModule } from '../hlo/text/parser.ts';
import { printModule } from '../hlo/text/printer.ts';
import { verify } from '../hlo/verifier.ts';
import { compileToC, hostTarget } from './index.ts';
import { compileForTest } from './testing/compile.testing.ts';
import { compileDynamicForTest } from './testing/dynamic.testing.ts';

const m = 'tensor<2x4xf32>';
const program = (results: string, types: string, ...lines: readonly string[]): string => `module {
  func.func private @gt(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>) -> tensor<i1> {
    %0 = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %0 : tensor<i1>
  }
  func.func public @main(%x: ${m}) -> (${types}) {
    ${lines.join('\n    ')}
    return ${results} : ${types}
  }
}`;
const x = literal('f32', [2, 4], [3, 1, 2, Number.NaN, -1, -1, 0.5, 0]);
const pair = (k: number): string => `tensor<2x${k}xf32>, tensor<2x${k}xi32>`;
const topk = (largest: boolean): string =>
  `%0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = ${largest}}, mhlo.version = 1 : i64} : (${m}) -> (${pair(2)})`;
const approximate = [
  '%i = stablehlo.iota dim = 1 : tensor<2x4xi32>',
  '%low = stablehlo.constant dense<0xFF800000> : tensor<f32>',
  '%none = stablehlo.constant dense<-1> : tensor<i32>',
  `%0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %low, %none) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (${m}, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (${pair(3)})`,
];
const unary = (y: string, of: string, target: string): string =>
  `%${y} = stablehlo.custom_call @${target}(%${of}) : (${m}) -> ${m}`;
const hints = [
  unary('0', 'x', 'Sharding'),
  `%1 = stablehlo.custom_call @annotate_device_placement(%0) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (${m}) -> ${m}`,
  unary('2', '1', 'SPMDFullToShardShape'),
  unary('3', '2', 'SPMDShardToFullShape'),
  unary('4', '3', 'mhlo.tanh'),
];

test.each([
  ['hints', program('%4', m, ...hints), [toNumbers(x).map(Math.tanh)]],
  [
    'the greatest',
    program('%0#0, %0#1', pair(2), topk(true)),
    [
      [Number.NaN, 3, 0.5, 0],
      [3, 0, 2, 3],
    ],
  ],
  [
    'the least',
    program('%0#0, %0#1', pair(2), topk(false)),
    [
      [1, 2, -1, -1],
      [1, 2, 0, 1],
    ],
  ],
  [
    'about the greatest',
    program('%0#0, %0#1', pair(3), ...approximate),
    [
      [Number.NaN, 3, 2, 0.5, 0, -1],
      [3, 0, 2, 2, 3, 0],
    ],
  ],
  ['a function', program('%0', m, unary('0', 'x', 'mhlo.asinh')), [toNumbers(x).map(Math.asinh)]],
] as const)('%s', (_, text, expected) => {
  const module = parseModule(text);
  verify(module);
  expect(printModule(parseModule(printModule(module)))).toBe(printModule(module));
  for (const results of [interpret(module, [x]), compileForTest(module).run([x])])
    results.map(toNumbers).forEach((numbers, i) => {
      numbers.forEach((number, k) => {
        const wanted = expected[i]![k]!;
        if (Number.isNaN(wanted)) expect(number).toBeNaN();
        else expect(number).toBeCloseTo(wanted, 5);
      });
    });
});

test('gradients flow through hints', () => {
  const text = program(
    '%sum',
    'tensor<f32>',
    ...hints,
    '%c = stablehlo.constant dense<0.0> : tensor<f32>',
    `%sum = stablehlo.reduce(%4 init: %c) applies stablehlo.add across dimensions = [0, 1] : (${m}, tensor<f32>) -> tensor<f32>`,
  );
  const module = parseModule(text);
  const func = grad(mainOf(module), [0]);
  const [, slope] = interpret({ ...module, functions: [{ ...func, name: 'main' }] }, [
    literal('f32', [2, 4], [0, 1, 0, 0, 0, 0, 0, 0]),
  ]);
  expect(toNumbers(slope!)[1]).toBeCloseTo(1 - Math.tanh(1) ** 2);
});

test('a hint on a tensor of unknown size', () => {
  const module = parseModule(`func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
    %0 = stablehlo.custom_call @Sharding(%x) : (tensor<?xf32>) -> tensor<?xf32>
    %1 = stablehlo.negate %0 : tensor<?xf32>
    return %1 : tensor<?xf32>
  }`);
  const [y] = compileDynamicForTest(module).run([literal('f32', [3], [1, 2, 3])]);
  expect(toNumbers(y!)).toEqual([-1, -2, -3]);
});

describe('refused', () => {
  test.each([
    [
      'parts of several devices',
      `%0 = stablehlo.custom_call @SPMDFullToShardShape(%x) : (${m}) -> tensor<1x4xf32>`,
      'tensor<1x4xf32>',
      'partition the program first',
    ],
    [
      'an unknown target',
      `%0 = stablehlo.custom_call @mhlo.copy_to_mars(%x) : (${m}) -> ${m}`,
      m,
      '@mhlo.copy_to_mars',
    ],
    [
      'another type',
      `%0 = stablehlo.custom_call @mhlo.erf(%x) : (${m}) -> tensor<2x4xf64>`,
      'tensor<2x4xf64>',
      'gives tensor<2x4xf32>, not tensor<2x4xf64>',
    ],
    [
      'more than there are',
      `%0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 5 : i64}} : (${m}) -> (${pair(5)})`,
      undefined,
      'cannot keep 5 of 4',
    ],
    [
      'two operands',
      `%0 = stablehlo.custom_call @mhlo.erf(%x, %x) : (${m}, ${m}) -> ${m}`,
      m,
      'takes 1 operand, got 2',
    ],
  ] as const)('%s', (_, line, type, message) => {
    const module = parseModule(type === undefined ? program('%0#0, %0#1', pair(5), line) : program('%0', type, line));
    verify(module);
    const inWords = (run: () => unknown): string => {
      try {
        run();
      } catch (error) {
        return String(error);
      }
      return 'no error';
    };
    expect(inWords(() => interpret(module, [x]))).toContain(message);
    expect(inWords(() => compileToC(module, hostTarget()))).toContain(message);
  });
  test('a comparison of other types', () => {
    const text = program('%0#0, %0#1', pair(3), ...approximate).replace('%c: tensor<i32>', '%c: tensor<i64>');
    expect(() => verify(parseModule(text))).toThrow('@gt takes');
  });
});
