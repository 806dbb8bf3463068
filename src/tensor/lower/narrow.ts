// How ops on low-precision floats (bf16, f16, 8-bit floats) are lowered, as in PyTorch: functions compute in f32 and round the
// result once; multiplies read low-precision floats and accumulate in f32. Under `autocast`, operands of f32 are multiplied in
// autocast's type, and ops that need the range of f32 return f32.
import type { DotDimensionNumbers } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, isFloat } from '../../hlo/types.ts';
import { autocastType } from '../autocast-type.ts';
import { type DTypeName, dtypeName, promote } from '../types/dtype.ts';

export const typeOf = (x: Value): ElementType => tensorTypeOf(x).elementType;
/** The name of a data type in messages: that of the public API. */
export const dtypeOf = (x: Value): DTypeName => dtypeName(typeOf(x));
const isNarrow = (type: ElementType): boolean =>
  isFloat(type) && type !== 'f32' && type !== 'f64' && !type.startsWith('complex');

/** x as f32 if it is a low-precision float, else x. */
export const widen = (b: Builder, x: Value): Value => (isNarrow(typeOf(x)) ? b.convert(x, 'f32') : x);

/** Applies a function. If x is a low-precision float, it is computed in f32 and rounded to x's type. */
export function inWide(b: Builder, x: Value, body: (x: Value) => Value): Value {
  const type = typeOf(x);
  if (!isNarrow(type)) return body(x);
  const result = body(b.convert(x, 'f32'));
  return typeOf(result) === 'f32' ? b.convert(result, type) : result;
}
/** Applies a function that autocast computes in f32, such as a sum, exponential or loss: under autocast, the result stays f32. */
export function inFull(b: Builder, x: Value, body: (x: Value) => Value): Value {
  return autocastType() === undefined ? inWide(b, x, body) : body(widen(b, x));
}

/** The type in which operands of these types are multiplied, and the type of the product. */
export function productType(...operands: readonly Value[]): ElementType {
  const type = operands.map(typeOf).reduce(promote);
  const cast = autocastType();
  return cast !== undefined && isFloat(type) && type !== 'f64' ? cast : type;
}
/** A contraction of operands cast to `type`. Low-precision floats are accumulated in f32, and the result is f32. */
export function contract(b: Builder, x: Value, y: Value, type: ElementType, dims: DotDimensionNumbers): Value {
  const operands = [b.convert(x, type), b.convert(y, type)] as const;
  if (!isNarrow(type)) return b.dotGeneral(...operands, dims);
  return b.emit1('dot_general', operands, { ...dims, precision: ['DEFAULT', 'DEFAULT'], elementType: 'f32' });
}
