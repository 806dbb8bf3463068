// Converts between complex numbers and their real and imaginary parts.
import { TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { conjugated, realPart } from '../../hlo/ops/matrices.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { isFloat, numberKind } from '../../hlo/types.ts';
import { select, stack } from './move.ts';
import { dtypeOf, typeOf } from './narrow.ts';
import { broadcastShapes, broadcastTo, mismatch } from './shapes.ts';

export const isComplex = (x: Value): boolean => numberKind(typeOf(x)) === 'complex';

function bad(b: Builder, op: string, got: Value, expected: string): TrenioError {
  return new TrenioError('BAD_DTYPE', { op, got: dtypeOf(got), expected }, { location: b.location });
}
/** @throws {BAD_DTYPE} unless both are f32 or both f64 */
function checkParts(b: Builder, op: string, x: Value, y: Value): void {
  for (const part of [x, y])
    if (typeOf(part) !== 'f32' && typeOf(part) !== 'f64') throw bad(b, op, part, 'float32 or float64');
  if (typeOf(x) !== typeOf(y)) throw bad(b, op, y, `${dtypeOf(x)}, as the other part`);
}
/** real + i · imag. */
export function fromParts(b: Builder, op: string, real: Value, imag: Value): Value {
  checkParts(b, op, real, imag);
  const shape = broadcastShapes(b, op, shapeOf(real), shapeOf(imag));
  return b.emit1('complex', [broadcastTo(b, real, shape), broadcastTo(b, imag, shape)], {});
}
/** size · (cos angle + i · sin angle). */
export function polar(b: Builder, size: Value, angle: Value): Value {
  checkParts(b, 'polar', size, angle);
  const shape = broadcastShapes(b, 'polar', shapeOf(size), shapeOf(angle));
  const [length, turn] = [broadcastTo(b, size, shape), broadcastTo(b, angle, shape)];
  const part = (of: 'cosine' | 'sine'): Value => b.multiply(length, b.unary(of, turn));
  return b.emit1('complex', [part('cosine'), part('sine')], {});
}
export const real = (b: Builder, x: Value): Value => realPart(b, x);
export function imag(b: Builder, op: string, x: Value): Value {
  if (!isComplex(x)) throw bad(b, op, x, 'complex numbers');
  return b.emit1('imag', [x], {});
}
export const conj = (b: Builder, x: Value): Value => conjugated(b, x);
/** Converts real and integer tensors to complex. */
export function asComplex(b: Builder, x: Value): Value {
  if (isComplex(x)) return x;
  const part = typeOf(x) === 'f64' ? x : b.convert(x, 'f32');
  return b.emit1('complex', [part, b.like(part, 0)], {});
}
/** The angle from the positive real axis, in (−π, π]. */
export function angle(b: Builder, x: Value): Value {
  if (isComplex(x)) return b.binary('atan2', b.emit1('imag', [x], {}), b.emit1('real', [x], {}));
  const wide = isFloat(typeOf(x)) ? x : b.convert(x, 'f32');
  const turned = b.select(b.compare('LT', wide, b.like(wide, 0)), b.like(wide, Math.PI), b.like(wide, 0));
  return b.select(b.compare('NE', wide, wide), b.like(wide, Number.NaN), turned);
}
/** [..] → [.., 2]: real and imaginary parts. */
export const asReal = (b: Builder, op: string, x: Value): Value => stack(b, [real(b, x), imag(b, op, x)], -1);
/** [.., 2] → [..]. */
export function fromReal(b: Builder, op: string, x: Value): Value {
  const shape = shapeOf(x);
  if (shape.at(-1) !== 2) throw mismatch(b, op, shape, [-1, 2], 'the last dim holds the real and the imaginary part');
  return fromParts(b, op, select(b, x, -1, 0), select(b, x, -1, 1));
}
