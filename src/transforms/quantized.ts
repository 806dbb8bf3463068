// Quantized tensors as the integers that are stored. Their semantics (dequantize, op, quantize) are defined once, in
// hlo/quantized-ops.ts, which the interpreter also uses. Here dequantize and quantize become arithmetic, with the parameters of
// hlo/ops/quantized-data.ts.
import { literal } from '../hlo/literal.ts';
import { bitWidth } from '../hlo/ops/element-data.ts';
import { storageRange, storageType } from '../hlo/ops/quantized-data.ts';
import { tensorTypeOf, type Value } from '../hlo/program.ts';
import { actsOnQuantized, quantizedAsFloat } from '../hlo/quantized-ops.ts';
import type { ElementType, Quantization, TensorType } from '../hlo/types.ts';
import type { Rewriter, Rule } from './rewriter.ts';

export const quantizedRule: Rule = (op, r) => {
  if (op.name === 'uniform_quantize') return [quantized(real(op.operands[0], r), op.attributes.type, r)];
  if (op.name === 'uniform_dequantize') return [real(op.operands[0], r)];
  return actsOnQuantized(op) ? r.decomposed(op, builder => quantizedAsFloat(builder, op, op.operands)) : undefined;
};

/** The real numbers of a value: scale · (stored − zero point), each step rounded to the expressed type. */
function real(value: Value, r: Rewriter): Value {
  const type = tensorTypeOf(value);
  const q = type.quantization;
  if (q === undefined) return value;
  const stored = r.emit1('bitcast_convert', [value], { type: storageType(type) });
  // wide enough to hold the difference exactly
  const wide = bitWidth(type.elementType) > 16 ? 'f64' : 'f32';
  const offset = r.emit1('subtract', [convert(stored, wide, r), spread(q, q.zeroPoints, wide, type, r)], {});
  return r.emit1('multiply', [convert(offset, q.expressedType, r), spread(q, q.scales, q.expressedType, type, r)], {});
}

/** Real numbers as a value of a quantized type: round(clamp(real / scale + zero point)). */
function quantized(value: Value, to: TensorType, r: Rewriter): Value {
  const q = to.quantization;
  if (q === undefined) return value;
  const type: TensorType = { ...to, shape: tensorTypeOf(value).shape };
  const e = q.expressedType;
  const [min, max] = storageRange(q, type.elementType).map(bound => constant(e, bound, r)) as [Value, Value];
  const scaled = r.emit1('divide', [value, spread(q, q.scales, e, type, r)], {});
  const moved = r.emit1('add', [scaled, spread(q, q.zeroPoints, e, type, r)], {});
  const whole = r.emit1('round_nearest_even', [r.emit1('clamp', [min, moved, max], {})], {});
  return r.emit1('bitcast_convert', [convert(whole, type.elementType, r)], { type });
}

const convert = (value: Value, elementType: ElementType, r: Rewriter): Value =>
  tensorTypeOf(value).elementType === elementType ? value : r.emit1('convert', [value], { elementType });
const constant = (elementType: ElementType, value: number, r: Rewriter): Value =>
  r.emit1('constant', [], { value: literal(elementType, [], [value]) });

/** The parameters of a quantization, broadcast to the elements of a tensor. */
function spread(
  q: Quantization,
  numbers: readonly number[],
  elementType: ElementType,
  { shape }: TensorType,
  r: Rewriter,
): Value {
  const { axis } = q;
  if (axis === undefined) {
    const one = constant(elementType, numbers[0]!, r);
    return shape.length === 0 ? one : r.emit1('broadcast_in_dim', [one], { broadcastDimensions: [], shape });
  }
  const value = literal(elementType, [numbers.length], numbers);
  return r.emit1('broadcast_in_dim', [r.emit1('constant', [], { value })], { broadcastDimensions: [axis], shape });
}
