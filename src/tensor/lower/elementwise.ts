// Element-wise calls: both operands are converted to one type and one shape, then one op is applied.
import { TrenioError } from '../../base/errors.ts';
import type { BinaryName, ComparisonDirection } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, isContinuous, isFloat, isInteger, numberKind, type TensorType } from '../../hlo/types.ts';
import { wrongArgument } from '../check-arguments.ts';
import { elementIn } from '../element-in.ts';
import { changing } from '../step/changing-numbers.ts';
import { dtypeName, promote, scalarType } from '../types/dtype.ts';
import { iinfo } from '../types/type-info.ts';
import { inWide } from './narrow.ts';
import { broadcastShapes, broadcastTo } from './shapes.ts';

/** A number as an operand. */
export type Scalar = number | bigint | boolean;
/** An operand: a value, or a JavaScript number that takes the type of the other operand. */
export type Operand = Value | Scalar;

const typeOf = (x: Value): ElementType => tensorTypeOf(x).elementType;
const isScalar = (x: Operand): x is Scalar => typeof x !== 'object';

const typeOrNumber = (v: Operand): TensorType | Scalar => (isScalar(v) ? v : tensorTypeOf(v));

/** Both operands in one type and one shape. */
export function unify(b: Builder, op: string, x: Operand, y: Operand, floats = false): [Value, Value] {
  let type = typeTogether(typeOrNumber(x), typeOrNumber(y));
  if (floats && !isContinuous(type)) type = 'f32';
  const shape = broadcastShapes(b, op, isScalar(x) ? [] : shapeOf(x), isScalar(y) ? [] : shapeOf(y));
  const bring = (v: Operand): Value =>
    isScalar(v) ? number(b, type, shape, v) : broadcastTo(b, b.convert(v, type), shape);
  return [bring(x), bring(y)];
}
/** A number of a call, expanded to the shape of the other operand. */
export const number = (b: Builder, type: ElementType, shape: readonly number[], value: Scalar): Value =>
  changing(
    b,
    { value, type },
    () => b.fill(type, shape, value),
    input => broadcastTo(b, input, shape),
    filled => (shape.length === 0 ? filled.op : filled.op?.operands[0]?.op),
  );
const category = (type: ElementType): string => (isInteger(type) ? 'integer' : numberKind(type));
/** The type that two operands have together. */
export function typeTogether(x: TensorType | Scalar, y: TensorType | Scalar): ElementType {
  if (typeof x !== 'object') return typeof y !== 'object' ? 'f32' : scalarType(x, y.elementType);
  return typeof y !== 'object' ? scalarType(y, x.elementType) : promotedType(x, y);
}
/** A tensor without dims does not widen the type of one with dims, unless its kind is higher: as in PyTorch. */
function promotedType(x: TensorType, y: TensorType): ElementType {
  const [a, c] = [x.elementType, y.elementType];
  const [dx, dy] = [x.shape.length > 0, y.shape.length > 0];
  const [wide, other] = dx ? [a, c] : [c, a];
  if (dx !== dy && (category(a) === category(c) || (category(wide) === 'complex' && isFloat(other)))) return wide;
  return promote(a, c);
}

export function binary(b: Builder, name: BinaryName, op: string, x: Operand, y: Operand, floats = false): Value {
  const [p, q] = unify(b, op, x, y, floats);
  if (name === 'maximum' || name === 'minimum') noComplex(b, op, p);
  // their gradients take several ops
  if (name === 'divide' || name === 'power') return inWide(b, p, w => b.binary(name, w, b.convert(q, typeOf(w))));
  return b.binary(name, p, q);
}
export function compare(b: Builder, direction: ComparisonDirection, op: string, x: Operand, y: Operand): Value {
  const [p, q] = unify(b, op, x, y);
  if (direction !== 'EQ' && direction !== 'NE') noComplex(b, op, p);
  return b.compare(direction, p, q);
}
export const toFloat = (b: Builder, x: Value): Value => (isContinuous(typeOf(x)) ? x : b.convert(x, 'f32'));

/** x where the condition holds, else y; all three broadcast together. */
export function where(b: Builder, condition: Value, x: Operand, y: Operand): Value {
  const [p, q] = unify(b, 'where', x, y);
  const shape = broadcastShapes(b, 'where', shapeOf(condition), shapeOf(p));
  const predicate = broadcastTo(b, b.convert(condition, 'i1'), shape);
  return b.select(predicate, broadcastTo(b, p, shape), broadcastTo(b, q, shape));
}

/** x to the power y; small integer exponents become products. */
export function power(b: Builder, x: Operand, y: Operand): Value {
  if (!isScalar(x) && typeof y === 'number') {
    if (y === 2) return b.multiply(x, x);
    if (y === 3) return inWide(b, x, w => b.multiply(b.multiply(w, w), w));
    if (y === 0.5) return inWide(b, toFloat(b, x), w => b.unary('sqrt', w));
    if (y === 1) return x;
  }
  return binary(b, 'power', 'pow', x, y);
}

/** x · Φ(x), where Φ is the cumulative distribution function of the normal distribution. */
export function geluErf(b: Builder, narrow: Value): Value {
  return inWide(b, narrow, x => {
    const erf = b.unary('chlo.erf', b.multiply(x, b.like(x, Math.SQRT1_2)));
    return b.multiply(b.multiply(x, b.like(x, 0.5)), b.add(erf, b.like(x, 1)));
  });
}
/** The approximation of `geluErf` by tanh (Hendrycks and Gimpel, 2016). */
export function geluTanh(b: Builder, narrow: Value): Value {
  return inWide(b, narrow, x => {
    const cube = b.multiply(b.multiply(x, x), x);
    const inner = b.multiply(b.add(x, b.multiply(cube, b.like(x, 0.044715))), b.like(x, Math.sqrt(2 / Math.PI)));
    return b.multiply(b.multiply(x, b.like(x, 0.5)), b.add(b.unary('tanh', inner), b.like(x, 1)));
  });
}
/** x above 0. The gradient at 0 is 0; `maximum` would split it. */
export const relu = (b: Builder, x: Value): Value => b.select(b.compare('LE', x, b.like(x, 0)), b.like(x, 0), x);

/** max(x, 0), whose gradient at 0 is that of x. */
export const atLeastZero = (b: Builder, x: Value): Value => b.select(b.compare('LT', x, b.like(x, 0)), b.like(x, 0), x);

/** The quotient, of floats, or rounded: then integers stay whole. */
export function divide(b: Builder, op: string, x: Operand, y: Operand, rounding: 'trunc' | 'floor' | undefined): Value {
  if (rounding === undefined) return binary(b, 'divide', op, x, y, true);
  const [p, q] = unify(b, op, x, y);
  if (!isFloat(typeOf(p))) return rounding === 'trunc' ? b.divide(p, q) : wholeFloor(b, p, q);
  return inWide(b, p, w => {
    const v = b.convert(q, typeOf(w));
    return rounding === 'trunc' ? truncated(b, b.divide(w, v)) : floatFloor(b, w, v);
  });
}
/** Towards zero. */
export function truncated(b: Builder, x: Value): Value {
  return b.select(b.compare('LT', x, b.like(x, 0)), b.unary('ceil', x), b.unary('floor', x));
}
function wholeFloor(b: Builder, x: Value, y: Value): Value {
  const quotient = b.divide(x, y);
  const rest = b.binary('remainder', x, y);
  const zero = b.like(rest, 0);
  const otherSign = b.compare('NE', b.compare('LT', rest, zero), b.compare('LT', y, zero));
  const isLess = b.binary('and', otherSign, b.compare('NE', rest, zero));
  return b.select(isLess, b.subtract(quotient, b.like(quotient, 1)), quotient);
}
/** As in Python and PyTorch: from the exact remainder, because the floor of the rounded quotient may be one too large. */
function floatFloor(b: Builder, x: Value, y: Value): Value {
  const rest = b.binary('remainder', x, y);
  const zero = b.like(rest, 0);
  const otherSign = b.compare('NE', b.compare('LT', rest, zero), b.compare('LT', y, zero));
  const isLess = b.binary('and', otherSign, b.compare('NE', rest, zero));
  const near = b.divide(b.subtract(x, rest), y);
  const exact = b.select(isLess, b.subtract(near, b.like(near, 1)), near);
  const down = b.unary('floor', exact);
  const isRoundedDown = b.compare('GT', b.subtract(exact, down), b.like(exact, 0.5));
  const floor = b.select(isRoundedDown, b.add(down, b.like(down, 1)), down);
  return b.unary('floor', b.select(b.compare('EQ', y, zero), b.divide(x, y), floor));
}
/** Applies `alpha` in sums and differences: nothing if it is 1. */
export const scaled = (b: Builder, x: Operand, alpha: Scalar): Operand =>
  alpha === 1 || alpha === 1n || alpha === true ? x : binary(b, 'multiply', 'mul', x, alpha);
/** `other` times `alpha`, to be combined with x. @throws {WRONG_ARGUMENT} for a fraction of integers */
export function alphaTimes(b: Builder, call: string, x: Operand, other: Operand, alpha: Scalar): Operand {
  const isFraction = typeof alpha === 'number' && !Number.isInteger(alpha);
  if (isFraction && !isContinuous(typeTogether(typeOrNumber(x), typeOrNumber(other))))
    throw wrongArgument({ call, argument: 'alpha' }, alpha, 'an integer, as the operands are integers');
  return scaled(b, other, alpha);
}
/** Clamps to [`min`, `max`]. At a bound, the gradient is that of x: `maximum` would split it. */
export function clamp(b: Builder, x: Value, min: Operand | undefined, max: Operand | undefined): Value {
  if (min === undefined && max === undefined) throw noBounds(b);
  const lower = min === undefined ? x : bounded(b, x, min, 'GE', 'maximum');
  return max === undefined ? lower : bounded(b, lower, max, 'LE', 'minimum');
}
/** The lower bound of `clamp`, without a gradient where it is not below the upper one: as in PyTorch. */
export function lowerBound(
  b: Builder,
  stop: (value: Value) => void,
  min: Operand | undefined,
  max: Operand | undefined,
): Operand | undefined {
  if (min === undefined || max === undefined || isScalar(min)) return min;
  const [low, high] = unify(b, 'clamp', min, max);
  const isBelow = b.compare('LT', low, high);
  const fixed = b.select(isBelow, high, low);
  stop(fixed);
  return b.select(isBelow, low, fixed);
}
function bounded(b: Builder, x: Value, bound: Operand, inside: 'GE' | 'LE', name: 'maximum' | 'minimum'): Value {
  const [p, q] = unify(b, 'clamp', noComplex(b, 'clamp', x), isScalar(bound) ? withinType(typeOf(x), bound) : bound);
  // A NaN on either side is the result.
  return b.select(b.compare(inside, p, q), p, b.binary(name, p, q));
}
/** The nearest number that an integer type can represent; other numbers and types are unchanged. */
function withinType(type: ElementType, value: Scalar): Scalar {
  if (isFloat(type) || type === 'i1' || type.startsWith('complex') || typeof value === 'boolean') return value;
  if (typeof value === 'number' && !Number.isInteger(value)) return value;
  const { min, max } = iinfo(type);
  return value < min ? min : value > max ? max : value;
}
const noBounds = (b: Builder): TrenioError =>
  new TrenioError(
    'WRONG_ARGUMENT',
    {
      call: 'clamp',
      argument: 'min',
      got: 'undefined',
      expected: 'min or max to be given',
      fix: 'give min, max or both',
    },
    { location: b.location },
  );
/** 1 above 0, −1 below, 0 for zeros and NaN; z / |z| of complex numbers. */
export function signOf(b: Builder, x: Value): Value {
  const type = typeOf(x);
  if (/^(ui|i1$)/.test(type)) return b.convert(truth(b, x), type);
  if (type.startsWith('complex')) return b.unary('sign', x);
  const zero = b.like(x, 0);
  const notAbove = b.select(b.compare('LT', x, zero), b.like(x, -1), zero);
  return b.select(b.compare('GT', x, zero), b.like(x, 1), notAbove);
}
/** As booleans: whether elements are nonzero. */
export const truth = (b: Builder, x: Value): Value => (typeOf(x) === 'i1' ? x : b.compare('NE', x, b.like(x, 0)));
/** x with a number where the mask is true, in the type of x. */
export function maskedFill(b: Builder, x: Value, mask: Value, value: Operand): Value {
  const type = typeOf(x);
  if (!isScalar(value)) return where(b, mask, convert(b, value, type), x);
  return where(b, mask, b.fill(type, [], elementIn('maskedFill', 'value', type, value)), x);
}
/** Converts to another data type, like PyTorch's `to`. */
export const convert = (b: Builder, x: Value, type: ElementType): Value =>
  type === 'i1' ? truth(b, x) : b.convert(x, type);
/** A mask. @throws {BAD_DTYPE} unless it is of type bool; uint8 where PyTorch takes it, too */
export function booleans(b: Builder, op: string, mask: Value, types: readonly ElementType[] = ['i1']): Value {
  if (types.includes(typeOf(mask))) return mask;
  const got = dtypeName(typeOf(mask));
  throw new TrenioError('BAD_DTYPE', { op, got, expected: 'a mask of type bool' }, { location: b.location });
}
/** @throws {BAD_DTYPE} for booleans */
export function noBooleans(b: Builder, op: string, x: Value): Value {
  if (typeOf(x) !== 'i1') return x;
  throw new TrenioError('BAD_DTYPE', { op, got: 'bool', expected: 'numbers' }, { location: b.location });
}
/** @throws {BAD_DTYPE} for floats */
export function noFloats<T extends Operand>(b: Builder, op: string, x: T): T {
  const isFloating = isScalar(x) ? typeof x === 'number' && !Number.isInteger(x) : isFloat(typeOf(x));
  if (!isFloating) return x;
  const got = dtypeName(isScalar(x) ? 'f32' : typeOf(x));
  throw new TrenioError('BAD_DTYPE', { op, got, expected: 'integers or booleans' }, { location: b.location });
}
/** A rounding function for floats, which leaves integers unchanged. */
export const rounded = (b: Builder, x: Value, body: (x: Value) => Value): Value =>
  isFloat(typeOf(x)) ? inWide(b, x, body) : noComplex(b, 'rounding', x);
/** @throws {BAD_DTYPE} for complex numbers, which have no order */
export function noComplex(b: Builder, op: string, x: Value): Value {
  if (!typeOf(x).startsWith('complex')) return x;
  throw new TrenioError(
    'BAD_DTYPE',
    { op, got: dtypeName(typeOf(x)), expected: 'real numbers: complex ones have no order' },
    { location: b.location },
  );
}
/** Rounded to a number of decimals, halves to even. @throws {BAD_DTYPE} for decimals of integers */
export function roundedTo(b: Builder, x: Value, decimals: number): Value {
  const nearest = (v: Value): Value => b.unary('round_nearest_even', v);
  if (decimals === 0) return rounded(b, x, nearest);
  if (!isFloat(typeOf(x)))
    throw new TrenioError(
      'BAD_DTYPE',
      { op: 'round', got: dtypeName(typeOf(x)), expected: 'a floating-point type, where decimals are given' },
      { location: b.location },
    );
  return inWide(b, x, w => {
    const scale = b.like(w, 10 ** Math.abs(decimals));
    return decimals > 0
      ? b.divide(nearest(b.multiply(w, scale)), scale)
      : b.multiply(nearest(b.divide(w, scale)), scale);
  });
}
/** The remainder with the sign of the divisor, like PyTorch's `remainder`. */
export function remainder(b: Builder, x: Operand, y: Operand): Value {
  const [p, q] = unify(b, 'remainder', x, y);
  const rest = b.binary('remainder', p, q);
  const zero = b.like(rest, 0);
  const otherSign = b.binary('xor', b.compare('LT', rest, zero), b.compare('LT', q, zero));
  const wrong = b.binary('and', otherSign, b.compare('NE', rest, zero));
  return b.select(wrong, b.add(rest, q), rest);
}
