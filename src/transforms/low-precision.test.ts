// Low-precision floats: which types can represent all values of which others, and ops that are computed in f32 with one rounding.
import { describe, expect, test } from 'vitest';
import { type Literal, literal, literalOfBytes, toNumbers } from '../hlo/literal.ts';
import { bitWidth } from '../hlo/ops/element-data.ts';
import { parseModule } from '../hlo/text/parser.ts';
import { type ElementType, isFloat, tensorType } from '../hlo/types.ts';
import { convertRule, holds, isLowPrecision, wideArithmeticRule } from './low-precision.ts';
import { expectSame, opsOf, rewritten } from './passes.testing.ts';

const floats: readonly ElementType[] = ['f64', 'f32', 'tf32', 'f16', 'bf16', 'f8E4M3FN', 'f8E5M2', 'f8E3M4', 'f8E4M3'];

/** All numbers of a type of one or two bytes. */
function allNumbers(type: ElementType): number[] {
  const bytes = bitWidth(type) / 8;
  const codes =
    bytes === 1 ? Uint8Array.from({ length: 256 }, (_, i) => i) : Uint16Array.from({ length: 65536 }, (_, i) => i);
  return toNumbers(literalOfBytes(tensorType(type, [codes.length]), new Uint8Array(codes.buffer)));
}
const roundTrip = (type: ElementType, numbers: readonly number[]): number[] =>
  toNumbers(literal(type, [numbers.length], numbers));

describe('holds', () => {
  const small = floats.filter(type => isFloat(type) && bitWidth(type) <= 16);
  test.each(small)('a type that can represent %s has all of its numbers', from => {
    const numbers = allNumbers(from);
    for (const to of floats.filter(type => holds(type, from))) expect(roundTrip(to, numbers), to).toEqual(numbers);
  });
  test('no type of two bytes holds another one', () => {
    expect([holds('bf16', 'f16'), holds('f16', 'bf16'), holds('bf16', 'f32'), holds('tf32', 'f32')]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
  test('low precision means less precise than f32', () => {
    expect(floats.filter(isLowPrecision)).toEqual(floats.slice(2));
  });
});

describe('conversions', () => {
  const through = (
    from: string,
    wide: string,
    to: string,
  ): string => `func.func @main(%x: tensor<4x${from}>) -> tensor<4x${to}> {
    %w = stablehlo.convert %x : (tensor<4x${from}>) -> tensor<4x${wide}>
    %y = stablehlo.convert %w : (tensor<4x${wide}>) -> tensor<4x${to}>
    return %y : tensor<4x${to}>
  }`;
  test('a conversion to a wider type and back is removed', () => {
    expect(opsOf(rewritten(through('bf16', 'f32', 'bf16'), [convertRule]))).toEqual([]);
  });
  test('a conversion through a wider type becomes one conversion', () => {
    expect(opsOf(rewritten(through('bf16', 'f32', 'f16'), [convertRule]))).toEqual(['convert']);
  });
  test('a conversion that rounds in between is kept', () => {
    for (const narrow of ['bf16', 'f16', 'i32'])
      expect(opsOf(rewritten(through('f32', narrow, 'f32'), [convertRule]))).toEqual(['convert', 'convert']);
  });
});

describe('arithmetic in f32', () => {
  const rules = [wideArithmeticRule];
  const binary = (
    op: string,
    type: string,
  ): string => `func.func @main(%x: tensor<6x${type}>, %y: tensor<6x${type}>) -> tensor<6x${type}> {
    %z = stablehlo.${op} %x, %y : tensor<6x${type}>
    return %z : tensor<6x${type}>
  }`;
  // f32 has more than twice the bits of these types, so that rounding twice is rounding once
  test.each(['add', 'subtract', 'multiply', 'divide'])('%s is bit-identical', op => {
    for (const type of ['bf16', 'f16'] as const) {
      const inputs = [
        literal(type, [6], [1, -0, 1.0078125, 2.71875, 65504, Infinity]),
        literal(type, [6], [1 / 3, 0, 1.00390625, -1e-3, 1e-4, -Infinity]),
      ];
      const text = binary(op, type);
      const after = rewritten(text, rules);
      expect(opsOf(after)).toEqual(['convert', 'convert', op, 'convert']);
      expectSame(parseModule(text), after, 0, inputs);
    }
  });
  test('ops that do not round, and types with the precision of f32, are unchanged', () => {
    expect(opsOf(rewritten(binary('maximum', 'bf16'), rules))).toEqual(['maximum']);
    expect(opsOf(rewritten(binary('add', 'f32'), rules))).toEqual(['add']);
  });

  const sum = (name: string): string => `func.func @main(%x: tensor<256xbf16>, %c: tensor<bf16>) -> tensor<bf16> {
    %y = stablehlo.reduce(%x init: %c) applies stablehlo.${name} across dimensions = [0] : (tensor<256xbf16>, tensor<bf16>) -> tensor<bf16>
    return %y : tensor<bf16>
  }`;
  test('a sum is rounded once: small terms are not lost', () => {
    const inputs: Literal[] = [
      literal('bf16', [256], [256, ...Array.from({ length: 255 }, () => 0.5)]),
      literal('bf16', [], [0]),
    ];
    const after = rewritten(sum('add'), rules, 0.05);
    expect(opsOf(after)).toEqual(['convert', 'convert', 'reduce', 'convert']);
    expectSame(parseModule(sumInF32), after, 0, inputs);
  });
  test('a maximum stays', () => {
    expect(opsOf(rewritten(sum('maximum'), rules))).toEqual(['reduce']);
  });
  const sumInF32 = `func.func @main(%x: tensor<256xbf16>, %c: tensor<bf16>) -> tensor<bf16> {
    %w = stablehlo.convert %x : (tensor<256xbf16>) -> tensor<256xf32>
    %i = stablehlo.convert %c : (tensor<bf16>) -> tensor<f32>
    %s = stablehlo.reduce(%w init: %i) applies stablehlo.add across dimensions = [0] : (tensor<256xf32>, tensor<f32>) -> tensor<f32>
    %y = stablehlo.convert %s : (tensor<f32>) -> tensor<bf16>
    return %y : tensor<bf16>
  }`;
  test('a product is summed in f32 without rounding its operands', () => {
    const text = `func.func @main(%x: tensor<3x40xbf16>, %y: tensor<40x2xbf16>) -> tensor<3x2xbf16> {
      %z = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<3x40xbf16>, tensor<40x2xbf16>) -> tensor<3x2xbf16>
      return %z : tensor<3x2xbf16>
    }`;
    expect(opsOf(rewritten(text, rules, 0.02))).toEqual(['dot_general', 'convert']);
  });
});
