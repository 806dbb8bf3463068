// Low-precision floats (bf16, f16, 8-bit floats) in lowerings, as in PyTorch: a function computes in f32 and
// rounds its result once. Multiplies read low-precision floats and accumulate in f32. Under `autocast`, f32 is multiplied in
// its type, and ops that need the range of f32 return f32.
import type { DotDimensionNumbers } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, isFloat } from '../../hlo/types.ts';
import { autocastType } from '../autocast.ts';
import { type DTypeName, dtypeName, promote } from '../dtype.ts';

export const typeOf = (x: Value): ElementType => tensorTypeOf(x).elementType;
/** The data type under the name that users know, for messages. */
export const dtypeOf = (x: Value): DTypeName => dtypeName(typeOf(x));
const isNarrow = (type: ElementType): boolean =>
  isFloat(type) && type !== 'f32' && type !== 'f64' && !type.startsWith('complex');

/** x as f32 where it is a narrow float. */
export const widen = (b: Builder, x: Value): Value => (isNarrow(typeOf(x)) ? b.convert(x, 'f32') : x);

/** A function of x and others computed in f32 where x is a narrow float, and rounded to x's type. */
export function inWide(b: Builder, x: Value, body: (x: Value) => Value): Value {
  const type = typeOf(x);
  if (!isNarrow(type)) return body(x);
  const result = body(b.convert(x, 'f32'));
  return typeOf(result) === 'f32' ? b.convert(result, type) : result;
}
/** The same for functions that PyTorch's autocast computes in f32: sums, exponentials, losses. There the result stays f32. */
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
