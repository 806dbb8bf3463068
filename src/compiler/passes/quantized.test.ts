// Quantized programs before and after their decomposition to integers, run by the interpreter.
import { expect, test } from 'vitest';
import { type Builder, buildFunc } from '../../hlo/builder.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { literal } from '../../hlo/literal.ts';
import { mainOf, moduleOf, type Value } from '../../hlo/program.ts';
import { actsOnQuantized } from '../../hlo/quantized-ops.ts';
import { parseModule } from '../../hlo/text/parser.ts';
import { type TensorType, tensorType } from '../../hlo/types.ts';
import { forEachOp } from '../../hlo/walk.ts';
import { compileToC, hostTarget } from '../index.ts';
import { runPasses } from './index.ts';

const real = tensorType('f32', [4, 3]);
const whole: TensorType = {
  ...tensorType('i8', [4, 3]),
  quantization: { expressedType: 'f32', scales: [0.5], zeroPoints: [3] },
};
const perAxis: TensorType = {
  ...tensorType('i8', [4, 3]),
  quantization: { expressedType: 'f32', axis: 1, scales: [0.5, 0.25, 0.1], zeroPoints: [3, 0, -2] },
};
const x = literal('f32', [4, 3], [0, 1, -1, 2.3, -2.25, 3.75, 100, -100, 0.25, 0.75, 1.25, Number.NaN]);

function check(body: (b: Builder, x: Value) => readonly Value[]): void {
  const module = moduleOf(buildFunc('main', [real], (b, [arg]) => body(b, arg!)));
  const lowered = runPasses(module);
  forEachOp(mainOf(lowered).body, op => {
    expect(actsOnQuantized(op) || op.name.startsWith('uniform'), op.name).toBe(false);
  });
  const [got, expected] = [interpret(lowered, [x]), interpret(module, [x])];
  expect(got.map(v => Array.from(v.data, Number))).toEqual(expected.map(v => Array.from(v.data, Number)));
}
const quantize = (b: Builder, v: Value, type: TensorType): Value => b.emit1('uniform_quantize', [v], { type });
const dequantize = (b: Builder, v: Value): Value => b.emit1('uniform_dequantize', [v], {});

test('to integers and back, for a tensor and along an axis', () => {
  check((b, v) => [dequantize(b, quantize(b, v, whole)), dequantize(b, quantize(b, v, perAxis))]);
});
test('arithmetic', () => {
  check((b, v) => {
    const q = quantize(b, v, whole);
    return [dequantize(b, b.add(q, q)), dequantize(b, b.transpose(b.maximum(q, b.negate(q)), [1, 0]))];
  });
});
test('the region of a reduction', () => {
  check((b, v) => {
    const scalar: TensorType = { ...whole, shape: [] };
    const init = quantize(b, b.fill('f32', [], 0), scalar);
    const region = b.region([scalar, scalar], (c, [p, q]) => [c.add(p!, q!)]);
    const sum = b.emit1('reduce', [quantize(b, v, whole), init], { dimensions: [0] }, [region]);
    return [dequantize(b, sum)];
  });
});
test('constants of equal bytes are not one', () => {
  check((b, v) => {
    const plain = b.fill('i8', [4, 3], 127);
    const q = quantize(b, b.fill('f32', [4, 3], 100), whole);
    return [b.convert(plain, 'f32'), dequantize(b, b.divide(q, q)), v];
  });
});

test('an op that is not known may give quantized values', () => {
  const module = parseModule(`func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
    %0 = "other.quantize"(%x) : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.25:3>>
    %1 = stablehlo.uniform_dequantize %0 : (tensor<3x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }`);
  expect(() => compileToC(module, hostTarget())).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }));
  expect(() => interpret(module, [literal('f32', [3], [1, 2, 3])])).toThrow(
    expect.objectContaining({ code: 'UNSUPPORTED' }),
  );
});
