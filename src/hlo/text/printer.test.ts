import { expect, test } from 'vitest';
import { buildFunc } from '../builder.ts';
import { literal, scalar, splat } from '../literal.ts';
import { opSamples, sampleLiteral } from '../op-samples.testing.ts';
import { moduleOf } from '../program.ts';
import { dynamicDim, tensorType } from '../types.ts';
import { parseModule } from './parser.ts';
import { formatLiteral } from './print-literal.ts';
import { printModule, printOp } from './printer.ts';

// StableHLO's own parser has accepted all text in these snapshots, except for the dialects check, interpreter and quant.
test('a program for every op', () => {
  const text = opSamples().map(({ label, func }) => `// ${label}\n${printModule(moduleOf(func))}`);
  expect(text.join('\n')).toMatchSnapshot();
});

test('a module with calls and aliases', () => {
  const f32x2 = tensorType('f32', [2]);
  const callee = buildFunc('f', [f32x2], (b, [x]) => [b.add(x!, x!), b.negate(x!)]);
  const main = buildFunc(
    'main',
    [f32x2, tensorType('i1', [dynamicDim, 3])],
    (b, [x, y]) => {
      const [p, q] = b.emit('func.call', [x!], { callee: 'f', resultTypes: [f32x2, f32x2] });
      const attributes = {
        callTargetName: 'my.target',
        backendConfig: '{"a": "b\\n"}',
        resultTypes: [f32x2],
        hasSideEffect: true,
      };
      return [...b.emit('custom_call', [p!], attributes), q!, y!];
    },
    [0, 2],
  );
  expect(printModule(moduleOf(main, { functions: [callee], name: 'two words' }))).toMatchSnapshot();
});

test('the text does not depend on ids', () => {
  const build = (skip: number): string =>
    printModule(
      moduleOf(
        buildFunc('main', [tensorType('f32')], (b, [x]) => {
          for (let i = 0; i < skip; i++) b.region([tensorType('f32')], (_, args) => args);
          return [b.negate(x!)];
        }),
      ),
    );
  expect(build(3)).toBe(build(0));
});

test('one op alone', () => {
  const func = buildFunc('main', [tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
  expect(printOp(func.body.ops[0]!)).toBe('%0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>');
});

test.each([
  ['f32', 0.1, 'dense<0.1>'],
  ['f32', 1e-7, 'dense<1.0e-7>'],
  ['f32', 3, 'dense<3.0>'],
  ['f32', -0, 'dense<-0.0>'],
  ['f32', 16777217, 'dense<16777216.0>'],
  ['f32', 3.4028234663852886e38, 'dense<3.4028235e+38>'],
  ['f64', 0.1, 'dense<0.1>'],
  ['f32', Number.NaN, 'dense<0x7FC00000>'],
  ['f32', -Infinity, 'dense<0xFF800000>'],
  ['f64', Infinity, 'dense<0x7FF0000000000000>'],
  ['f16', Infinity, 'dense<0x7C00>'],
  ['bf16', -Infinity, 'dense<0xFF80>'],
  ['i1', 1, 'dense<true>'],
  ['i8', -128, 'dense<-128>'],
] as const)('a constant of %s %d is %s', (type, value, text) => {
  expect(formatLiteral(scalar(type, value))).toBe(text);
});
test('constants of many elements', () => {
  expect(formatLiteral(literal('i32', [2, 3], [1, 2, 3, 4, 5, 6]))).toBe('dense<[[1, 2, 3], [4, 5, 6]]>');
  expect(formatLiteral(splat(tensorType('f32', [1000]), 2))).toBe('dense<2.0>');
  expect(formatLiteral(literal('f32', [0, 3], []))).toBe('dense<>');
  expect(formatLiteral(literal('ui64', [2], [2n ** 64n - 1n, 0n]))).toBe('dense<[18446744073709551615, 0]>');
  expect(formatLiteral(sampleLiteral('i32', [100])).slice(0, 24)).toMatch(/^dense<"0x[0-9A-F]{14}/);
});

test('shardings not in the form of Shardy are rejected instead of being printed unchanged', () => {
  const text = (shardings: string): string => `func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
    %1 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{}]>]>, manual_axes = #sdy<manual_axes{}>, out_shardings = ${shardings}}> ({
    ^bb0(%y: tensor<3xf32>):
      "sdy.return"(%y) : (tensor<3xf32>) -> ()
    }) : (tensor<3xf32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }`;
  const printed = printModule(parseModule(text('#sdy.sharding_per_value<[<@mesh, [{}]>]>')));
  expect(printModule(parseModule(printed))).toBe(printed);
  expect(() => parseModule(text('#other.per_value<[<@mesh, [{}]>]>'))).toThrow(
    expect.objectContaining({ code: 'HLO_SYNTAX' }),
  );
});
