// Quantization and dequantization, compared with values computed by hand.
import { describe, expect, test } from 'vitest';
import type { Builder } from '../builder.ts';
import { literal } from '../literal.ts';
import type { Value } from '../program.ts';
import { type ElementType, type Quantization, type TensorType, tensorType } from '../types.ts';
import { numbers, refusalOf } from './ops.testing.ts';

const f32 = (...shape: number[]): TensorType => tensorType('f32', shape);

describe('quantized numbers', () => {
  const type = (quantization: Quantization, elementType: ElementType = 'i8'): TensorType => ({
    ...tensorType(elementType, [2, 2]),
    quantization,
  });
  const coarse = type({ expressedType: 'f32', scales: [0.5], zeroPoints: [10] });
  const fine = type({ expressedType: 'f32', axis: 1, scales: [0.25, 2], zeroPoints: [0, -1] });
  const there = (b: Builder, v: Value, to: TensorType): Value => b.emit1('uniform_quantize', [v], { type: to });
  test('are the nearest multiple of the scale, within the range', () => {
    const x = literal('f32', [2, 2], [1.3, 1000, -1.3, 0.25]);
    expect(numbers([x], (b, [v]) => b.emit1('uniform_dequantize', [there(b, v!, coarse)], {}))).toEqual([
      1.5, 58.5, -1.5, 0,
    ]);
    expect(numbers([x], (b, [v]) => b.emit1('uniform_dequantize', [there(b, v!, fine)], {}))).toEqual([
      1.25, 256, -1.25, 0,
    ]);
    expect(numbers([x], (b, [v]) => b.emit1('uniform_dequantize', [there(b, there(b, v!, coarse), fine)], {}))).toEqual(
      [1.5, 58, -1.5, 0],
    );
  });
  test('constraints', () => {
    expect(refusalOf([f32(2, 3)], (b, [v]) => there(b, v!, coarse))).toBe('uniform_quantize_c1');
    expect(refusalOf([tensorType('f64', [2, 2])], (b, [v]) => there(b, v!, coarse))).toBe('uniform_quantize_c2');
    expect(refusalOf([f32(2, 2)], (b, [v]) => there(b, v!, f32(2, 2)))).toBe('trenio_uniform_quantize_result');
    expect(refusalOf([f32(2, 2)], (b, v) => b.emit1('uniform_dequantize', v, {}))).toBe(
      'trenio_uniform_dequantize_operand',
    );
  });
});
