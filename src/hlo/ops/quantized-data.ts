// Quantized elements and their real values, as in the specification's `dequantize` and `quantize`:
//
//   real = (stored − zero point) · scale
//   stored = round_nearest_even(clamp(min, real / scale + zero point, max))
//
// Each step is rounded to the expressed type. Scales and zero points are one pair, or one for each index of an axis.
import { rounderOf } from '../element-codec.ts';
import type { Literal } from '../literal.ts';
import { type ElementType, numberKind, type Quantization, stridesOf, type TensorType } from '../types.ts';
import { bitWidth, decodeNumbers, encode } from './element-data.ts';
import { roundHalfEven } from './scalar-functions.ts';

/** A tensor type without its quantization: the integers that are stored. */
export function storageType({ quantization: _, ...type }: TensorType): TensorType {
  return type;
}
/** The expressed type of a quantized tensor; any other type unchanged. */
export function expressedType(type: TensorType): TensorType {
  return type.quantization === undefined
    ? type
    : { ...storageType(type), elementType: type.quantization.expressedType };
}

/** The smallest and the largest value of an integer type. */
export function integerRange(type: ElementType): readonly [min: number, max: number] {
  const width = bitWidth(type);
  return numberKind(type) === 'unsigned' ? [0, 2 ** width - 1] : [-(2 ** (width - 1)), 2 ** (width - 1) - 1];
}
/** The smallest and the largest stored value. */
export function storageRange(q: Quantization, storage: ElementType): readonly [min: number, max: number] {
  const [min, max] = integerRange(storage);
  return [q.storageMin ?? min, q.storageMax ?? max];
}

/** The index of the scale and zero point of element i of a row-major tensor. */
function pairOf(q: Quantization, shape: readonly number[]): (i: number) => number {
  const { axis } = q;
  if (axis === undefined) return () => 0;
  const [stride, size] = [stridesOf(shape)[axis]!, shape[axis]!];
  return i => Math.floor(i / stride) % size;
}

/** The real numbers of a quantized literal; any other literal is returned unchanged. */
export function dequantizeLiteral(lit: Literal): Literal {
  const q = lit.type.quantization;
  if (q === undefined) return lit;
  const round = rounderOf(q.expressedType);
  const scales = q.scales.map(round);
  const pair = pairOf(q, lit.type.shape);
  const stored = decodeNumbers({ ...lit, type: storageType(lit.type) });
  const reals = Array.from(stored, (v, i) => round(round(v - q.zeroPoints[pair(i)]!) * scales[pair(i)]!));
  return encode(expressedType(lit.type), reals);
}

/** A literal of real numbers as one of the quantized `type` (of the literal's shape); a quantized one is requantized. */
export function quantizeLiteral(lit: Literal, type: TensorType): Literal {
  const q = type.quantization;
  if (q === undefined) return dequantizeLiteral(lit);
  const reals = dequantizeLiteral(lit);
  const round = rounderOf(q.expressedType);
  const scales = q.scales.map(round);
  const zeroPoints = q.zeroPoints.map(round);
  const range = storageRange(q, type.elementType);
  const [min, max] = range.map(round) as [number, number];
  const { shape } = reals.type;
  const pair = pairOf(q, shape);
  const stored = Array.from(decodeNumbers(reals), (v, i) => {
    const scaled = round(round(v / scales[pair(i)]!) + zeroPoints[pair(i)]!);
    const whole = roundHalfEven(Math.min(Math.max(scaled, min), max));
    // the largest i32 is not representable in f32, so a clamped value may exceed the range by one
    return Number.isNaN(whole) ? 0 : Math.min(Math.max(whole, range[0]), range[1]);
  });
  const { data } = encode({ ...storageType(type), shape }, stored);
  return { type: { ...type, shape }, data };
}
