// Less common functions of one or two numbers: signs, divisors, steps, powers of two.
import { TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, type Value } from '../../hlo/program.ts';
import { isFloat, isInteger } from '../../hlo/types.ts';
import { logAddExp } from './elementary.ts';
import { noComplex, type Operand, toFloat, unify } from './elementwise.ts';
import { loop } from './linalg/batches.ts';
import * as move from './move.ts';
import { dtypeOf, inWide, typeOf } from './narrow.ts';
import { dimOf, mismatch } from './shapes.ts';

/** Where the sign is minus, also of zeros. */
export function signBit(b: Builder, x: Value): Value {
  if (!isFloat(typeOf(x))) return b.compare('LT', noComplex(b, 'signbit', x), b.like(x, 0));
  const inverse = b.divide(b.like(x, 1), x);
  const isZero = b.compare('EQ', x, b.like(x, 0));
  return b.compare('LT', b.select(isZero, inverse, x), b.like(x, 0));
}
/** The size of x with the sign of y. */
export function copySign(b: Builder, x: Value, y: Operand): Value {
  const [p, q] = unify(b, 'copysign', x, y, true);
  const size = b.unary('abs', p);
  return b.select(signBit(b, q), b.negate(size), size);
}
/** 0 below 0, 1 above, `values` at 0. */
export function heaviside(b: Builder, x: Value, values: Value): Value {
  if (typeOf(x) !== typeOf(values))
    throw new TrenioError(
      'BAD_DTYPE',
      { op: 'heaviside', got: dtypeOf(values), expected: `${dtypeOf(x)}, as the input` },
      { location: b.location },
    );
  const [p, q] = unify(b, 'heaviside', x, values);
  const zero = b.like(p, 0);
  return b.select(b.compare('EQ', p, zero), q, b.select(b.compare('LT', p, zero), zero, b.like(p, 1)));
}
function wholeNumbers(b: Builder, op: string, x: Value, y: Value): [Value, Value] {
  const [p, q] = unify(b, op, x, y);
  if (isInteger(typeOf(p))) return [p, q];
  throw new TrenioError('BAD_DTYPE', { op, got: dtypeOf(p), expected: 'integers' }, { location: b.location });
}
const divisorSteps = 100;
/** The greatest common divisor, by Euclid. */
export function greatestDivisor(b: Builder, op: string, x: Value, y: Value): Value {
  const [p, q] = wholeNumbers(b, op, x, y).map(v => (typeOf(v).startsWith('u') ? v : b.unary('abs', v))) as [
    Value,
    Value,
  ];
  return loop(
    b,
    divisorSteps,
    [p, q],
    (inner, _, [u, v]) => {
      const isDone = inner.compare('EQ', v!, inner.like(v!, 0));
      const divisor = inner.select(isDone, inner.like(v!, 1), v!);
      return [inner.select(isDone, u!, v!), inner.select(isDone, v!, inner.binary('remainder', u!, divisor))];
    },
    (inner, [, v]) =>
      inner.reduce(
        'or',
        inner.compare('NE', v!, inner.like(v!, 0)),
        inner.fill('i1', [], false),
        shapeOf(v!).map((_, d) => d),
      ),
  )[0]!;
}
/** The least common multiple: 0 where an operand is 0. */
export function leastMultiple(b: Builder, x: Value, y: Value): Value {
  const [p, q] = wholeNumbers(b, 'lcm', x, y);
  const divisor = greatestDivisor(b, 'lcm', p, q);
  const isZero = b.compare('EQ', divisor, b.like(divisor, 0));
  const product = b.multiply(b.divide(p, b.select(isZero, b.like(divisor, 1), divisor)), q);
  return typeOf(product).startsWith('u') ? product : b.unary('abs', product);
}
/** log₂(2ˣ + 2ʸ), without overflow. */
export function logAddExp2(b: Builder, x: Value, y: Value): Value {
  const [p, q] = unify(b, 'logaddexp2', x, y, true);
  const scaled = (v: Value, by: number): Value => b.multiply(v, b.like(v, by));
  return inWide(b, p, w =>
    scaled(logAddExp(b, scaled(w, Math.LN2), scaled(b.convert(q, typeOf(w)), Math.LN2)), Math.LOG2E),
  );
}
/** The second differences in the middle, one-sided ones at the ends; points are `spacing` apart along a dim. */
export function slopesAlong(b: Builder, input: Value, dim: number, spacing: number, order: number): Value {
  const x = toFloat(b, input);
  const shape = shapeOf(x);
  const at = dimOf(b, 'gradient', shape, dim);
  const size = shape[at] ?? 0;
  if (order !== 1 && order !== 2) throw mismatch(b, 'gradient', shape, [order], 'edgeOrder is 1 or 2');
  if (size <= order) throw mismatch(b, 'gradient', shape, [order + 1], `dim ${at} needs at least ${order + 1} entries`);
  const entry = (from: number, to = from + 1): Value => move.slice(b, x, at, from, to, 1);
  const times = (v: Value, by: number): Value => b.multiply(v, b.like(v, by));
  const middle = times(b.subtract(entry(2, size), entry(0, size - 2)), 0.5 / spacing);
  const end = (i: number, step: 1 | -1): Value => {
    if (order === 1) return times(b.subtract(entry(i + step), entry(i)), step / spacing);
    const near = b.add(times(entry(i), -1.5), times(entry(i + step), 2));
    return times(b.add(near, times(entry(i + 2 * step), -0.5)), step / spacing);
  };
  return move.cat(b, size === 2 ? [end(0, 1), end(1, -1)] : [end(0, 1), middle, end(size - 1, -1)], at);
}
/** The running integral by trapezoids of equal steps. */
export function runningTrapezoid(b: Builder, input: Value, step: number, dim: number): readonly [Value, number] {
  const y = toFloat(b, input);
  const shape = shapeOf(y);
  const at = dimOf(b, 'cumulativeTrapezoid', shape, dim);
  const size = shape[at] ?? 0;
  const both = b.add(move.slice(b, y, at, 1, size, 1), move.slice(b, y, at, 0, Math.max(0, size - 1), 1));
  return [b.multiply(both, b.like(both, step / 2)), at];
}
