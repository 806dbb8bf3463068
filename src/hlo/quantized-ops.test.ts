import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Builder, buildFunc } from './builder.ts';
import { interpret } from './interpreter.ts';
import { type Literal, literal, toNumbers } from './literal.ts';
import { run } from './ops/ops.testing.ts';
import { dequantizeLiteral, quantizeLiteral } from './ops/quantized-data.ts';
import { moduleOf, tensorTypeOf, type Value } from './program.ts';
import { type Quantization, type TensorType, tensorType } from './types.ts';

const perTensor = (scale: number, zeroPoint = 0): Quantization => ({
  expressedType: 'f32',
  scales: [scale],
  zeroPoints: [zeroPoint],
});
const quantized = (shape: readonly number[], quantization: Quantization): TensorType => ({
  ...tensorType('i8', shape),
  quantization,
});
const stored = (type: TensorType, values: readonly number[]): Literal => ({
  type,
  data: Int8Array.from(values),
});

describe('quantize and dequantize', () => {
  test('per tensor: scale, zero point, ties to even, clamped', () => {
    const type = quantized([5], perTensor(0.5, 3));
    const q = quantizeLiteral(literal('f32', [5], [0, 0.25, 0.75, 1e9, -1e9]), type);
    expect([...q.data]).toEqual([3, 4, 4, 127, -128]);
    expect(toNumbers(dequantizeLiteral(stored(type, [3, 4, -128, 127, 2])))).toEqual([0, 0.5, -65.5, 62, -0.5]);
  });
  test('per axis, with a narrow range', () => {
    const type = quantized([2, 2], {
      expressedType: 'f32',
      axis: 0,
      scales: [1, 0.5],
      zeroPoints: [0, 1],
      storageMin: -4,
      storageMax: 3,
    });
    const q = quantizeLiteral(literal('f32', [2, 2], [2, 9, 1, -9]), type);
    expect([...q.data]).toEqual([2, 3, 3, -4]);
    expect(toNumbers(dequantizeLiteral(q))).toEqual([2, 3, 1, -2.5]);
  });
  test('stored values are read back, and NaN is zero', () => {
    fc.assert(
      fc.property(fc.integer({ min: -128, max: 127 }), fc.integer({ min: -9, max: 9 }), (v, zeroPoint) => {
        const type = quantized([1], perTensor(0.25, zeroPoint));
        expect(quantizeLiteral(dequantizeLiteral(stored(type, [v])), type).data[0]).toBe(v);
      }),
    );
    expect(quantizeLiteral(literal('f32', [1], [Number.NaN]), quantized([1], perTensor(1, 5))).data[0]).toBe(0);
  });
});

/** The op with the result type that a program declares. */
function runStated(
  inputs: readonly Literal[],
  type: TensorType,
  body: (b: Builder, xs: readonly Value[]) => Value,
): Literal {
  const main = buildFunc(
    'main',
    inputs.map(x => x.type),
    (b, args) => [body(b, args)],
  );
  const op = main.body.ops.at(-1)!;
  (op.results as Value[])[0] = { ...op.results[0]!, type };
  return interpret(moduleOf({ ...main, body: { ...main.body, results: op.results } }), inputs)[0]!;
}

describe('ops on quantized tensors', () => {
  const halves = quantized([3], perTensor(0.5));
  test('compute on the real values of the integers', () => {
    const quarters = quantized([3], perTensor(0.25, 1));
    const [x, y] = [stored(halves, [2, 4, -6]), stored(quarters, [5, 1, 9])];
    const sum = runStated([x, y], halves, (b, [p, q]) => b.emit('add', [p!, q!], {})[0]!);
    expect(sum.type).toEqual(halves);
    expect([...sum.data]).toEqual([4, 4, -2]);
  });
  test('comparisons return booleans, dot products of mixed operands return floats', () => {
    const x = stored(halves, [2, 4, -6]);
    const less = run([x, stored(halves, [3, 4, -7])], (b, [p, q]) =>
      b.emit('compare', [p!, q!], { comparisonDirection: 'LT' }),
    );
    expect([...less.data]).toEqual([1, 0, 0]);
  });
  test('moves keep the integers, and the scale of each index', () => {
    const rows = quantized([2, 2], { expressedType: 'f32', axis: 0, scales: [1, 0.5], zeroPoints: [0, 0] });
    const columns: TensorType = { ...rows, quantization: { ...rows.quantization!, axis: 1 } };
    const turned = runStated([stored(rows, [1, 2, 3, 4])], columns, (b, [x]) => b.transpose(x!, [1, 0]));
    expect([...turned.data]).toEqual([1, 3, 2, 4]);
    expect(toNumbers(dequantizeLiteral(turned))).toEqual([1, 1.5, 2, 2]);
  });
  test('regions compute on real numbers', () => {
    const type = quantized([4], perTensor(0.5, 1));
    const scalarType = quantized([], perTensor(0.5, 1));
    const total = run([stored(type, [3, 5, 1, 1]), stored(scalarType, [1])], (b, [x, init]) => {
      const region = b.region([scalarType, scalarType], (inner, [p, q]) => inner.emit('add', [p!, q!], {}));
      return b.emit('reduce', [x!, init!], { dimensions: [0] }, [region]);
    });
    expect(tensorTypeOf({ type: total.type } as Value).quantization).toEqual(scalarType.quantization);
    expect([...total.data]).toEqual([7]);
  });
});
