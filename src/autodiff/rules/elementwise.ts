// Gradient rules of the elementwise ops. In each: g is the cotangent of the result, x (and y) the operands, and the
// last letter the result itself, used where it saves recomputing (tanh: g·(1 - y²)).
//
// At points without a derivative, each rule follows a convention: maximum and minimum split the cotangent of a tie
// equally (as JAX), clamp passes it at its bounds (as PyTorch), abs has slope 0 at 0.
import type { BinaryName, UnaryName } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { isFloat, numberKind } from '../../hlo/types.ts';
import { scale, splatOf, sumAll, zerosLike } from '../constants.ts';
import { type GradientRule, type GradientTable, refuse, zero } from '../rule.ts';
import { complexAbs, ofConvert } from './complex.ts';

type Unary = (b: Builder, g: Value, x: Value, y: Value) => Value;
const unary =
  (derive: Unary): GradientRule<UnaryName> =>
  ({ builder, op, cotangents: [g] }) => [derive(builder, g, op.operands[0], op.results[0])];

/** Returns one thunk per operand, so that gradients that are not needed cost nothing. */
type Binary = (b: Builder, g: Value, x: Value, y: Value, z: Value) => readonly [() => Value, () => Value];
const binary =
  (derive: Binary): GradientRule<BinaryName> =>
  ({ builder, op, cotangents: [g], needs }) => {
    const [x, y] = op.operands;
    const [dx, dy] = derive(builder, g, x, y, op.results[0]);
    return [needs(x) ? dx() : undefined, needs(y) ? dy() : undefined];
  };

const isComplex = (x: Value): boolean => numberKind(tensorTypeOf(x).elementType) === 'complex';
const square = (b: Builder, x: Value): Value => b.multiply(x, x);
const oneMinus = (b: Builder, x: Value): Value => b.subtract(b.like(x, 1), x);
const onePlus = (b: Builder, x: Value): Value => b.add(x, b.like(x, 1));

const unaryRules = {
  abs: unary((b, g, x, y) => (isComplex(x) ? complexAbs(b, g, x, y) : b.multiply(g, b.unary('sign', x)))),
  cbrt: unary((b, g, _, y) => b.divide(g, scale(b, square(b, y), 3))),
  ceil: zero('piecewise constant'),
  count_leading_zeros: zero('takes integers'),
  cosine: unary((b, g, x) => b.negate(b.multiply(g, b.unary('sine', x)))),
  exponential: unary((b, g, _, y) => b.multiply(g, y)),
  exponential_minus_one: unary((b, g, _, y) => b.multiply(g, onePlus(b, y))),
  floor: zero('piecewise constant'),
  log: unary((b, g, x) => b.divide(g, x)),
  log_plus_one: unary((b, g, x) => b.divide(g, onePlus(b, x))),
  logistic: unary((b, g, _, y) => b.multiply(g, b.multiply(y, oneMinus(b, y)))),
  negate: unary((b, g) => b.negate(g)),
  not: zero('takes integers or booleans'),
  popcnt: zero('takes integers'),
  round_nearest_afz: zero('piecewise constant'),
  round_nearest_even: zero('piecewise constant'),
  rsqrt: unary((b, g, x, y) => b.multiply(g, scale(b, b.divide(y, x), -0.5))),
  sign: zero('piecewise constant'),
  sine: unary((b, g, x) => b.multiply(g, b.unary('cosine', x))),
  sqrt: unary((b, g, _, y) => b.divide(scale(b, g, 0.5), y)),
  tan: unary((b, g, _, y) => b.multiply(g, onePlus(b, square(b, y)))),
  tanh: unary((b, g, _, y) => b.multiply(g, oneMinus(b, square(b, y)))),
  'chlo.erf': unary((b, g, x) =>
    b.multiply(g, scale(b, b.unary('exponential', b.negate(square(b, x))), 2 / Math.sqrt(Math.PI))),
  ),
} satisfies Partial<GradientTable>;

/** g where `winner` is selected over `loser` in this direction, half of it at a tie, else zeros. */
function towards(b: Builder, direction: 'GT' | 'LT', g: Value, winner: Value, loser: Value): Value {
  const atTie = b.select(b.compare('EQ', winner, loser), scale(b, g, 0.5), zerosLike(b, g));
  return b.select(b.compare(direction, winner, loser), g, atTie);
}

/** d xʸ/dx = y·xʸ⁻¹. At y = 0 the power is computed as x¹, so that the result for x = 0 is 0 and not 0·∞. */
function powerBase(b: Builder, g: Value, x: Value, y: Value): Value {
  const exponent = splatOf(y);
  if (exponent === 1) return g;
  if (exponent === 2) return b.multiply(g, scale(b, x, 2));
  const safe = b.select(b.compare('EQ', y, b.like(y, 0)), b.like(y, 1), b.subtract(y, b.like(y, 1)));
  return b.multiply(g, b.multiply(y, b.binary('power', x, safe)));
}
/** d xʸ/dy = xʸ·ln x, and 0 at x = 0 (for y ≥ 0, where the power is flat in y). */
function powerExponent(b: Builder, g: Value, x: Value, y: Value, z: Value): Value {
  const nought = b.like(x, 0);
  const isZero = b.compare('EQ', x, nought);
  const flat = isComplex(x) ? isZero : b.binary('and', isZero, b.compare('GE', y, nought));
  return b.select(flat, zerosLike(b, g), b.multiply(g, b.multiply(z, b.unary('log', x))));
}
/** x/y truncated to an integer. */
function wholeQuotient(b: Builder, x: Value, y: Value): Value {
  const quotient = b.divide(x, y);
  return b.multiply(b.unary('sign', quotient), b.unary('floor', b.unary('abs', quotient)));
}

const binaryRules = {
  add: binary((_, g) => [() => g, () => g]),
  and: zero('takes integers or booleans'),
  // z = atan2(x, y) is the angle of the point (y, x).
  atan2: binary((b, g, x, y) => {
    const length = b.add(square(b, x), square(b, y));
    const nought = b.like(x, 0);
    const scaled = b.select(b.compare('EQ', length, nought), nought, b.divide(g, length));
    return [() => b.multiply(scaled, y), () => b.negate(b.multiply(scaled, x))];
  }),
  divide: binary((b, g, _, y, z) => {
    const dx = b.divide(g, y);
    return [() => dx, () => b.negate(b.multiply(dx, z))];
  }),
  maximum: binary((b, g, x, y) => [() => towards(b, 'GT', g, x, y), () => towards(b, 'GT', g, y, x)]),
  minimum: binary((b, g, x, y) => [() => towards(b, 'LT', g, x, y), () => towards(b, 'LT', g, y, x)]),
  multiply: binary((b, g, x, y) => [() => b.multiply(g, y), () => b.multiply(g, x)]),
  or: zero('takes integers or booleans'),
  power: binary((b, g, x, y, z) => [() => powerBase(b, g, x, y), () => powerExponent(b, g, x, y, z)]),
  remainder: binary((b, g, x, y) => [() => g, () => b.negate(b.multiply(g, wholeQuotient(b, x, y)))]),
  shift_left: zero('takes integers'),
  shift_right_arithmetic: zero('takes integers'),
  shift_right_logical: zero('takes integers'),
  subtract: binary((b, g) => [() => g, () => b.negate(g)]),
  xor: zero('takes integers or booleans'),
} satisfies Partial<GradientTable>;

/** A bound of clamp may be a scalar, whose cotangent is then the sum over all elements. */
const toBound = (b: Builder, g: Value, bound: Value): Value => (shapeOf(bound).length === 0 ? sumAll(b, g) : g);
const spread = (b: Builder, bound: Value, like: Value): Value =>
  shapeOf(bound).length === shapeOf(like).length ? bound : b.broadcastInDim(bound, [], shapeOf(like));

const clampRule: GradientRule<'clamp'> = ({ builder: b, op, cotangents: [g], needs }) => {
  const [lowBound, x, highBound] = op.operands;
  const [low, high] = [spread(b, lowBound, x), spread(b, highBound, x)];
  const nought = zerosLike(b, x);
  const inside = (): Value => b.binary('and', b.compare('GE', x, low), b.compare('LE', x, high));
  const below = (): Value => b.binary('and', b.compare('LT', x, low), b.compare('LT', low, high));
  const above = (): Value => b.binary('or', b.compare('GT', x, high), b.compare('LT', high, low));
  return [
    needs(lowBound) ? toBound(b, b.select(below(), g, nought), lowBound) : undefined,
    needs(x) ? b.select(inside(), g, nought) : undefined,
    needs(highBound) ? toBound(b, b.select(above(), g, nought), highBound) : undefined,
  ];
};

export const elementwiseRules = {
  ...unaryRules,
  ...binaryRules,
  is_finite: zero('returns booleans'),
  compare: zero('returns booleans'),
  select: ({ builder: b, op, cotangents: [g], needs }) => {
    const [predicate, onTrue, onFalse] = op.operands;
    const nought = zerosLike(b, g);
    return [
      undefined,
      needs(onTrue) ? b.select(predicate, g, nought) : undefined,
      needs(onFalse) ? b.select(predicate, nought, g) : undefined,
    ];
  },
  clamp: clampRule,
  convert: ({ builder, op, cotangents: [g] }) => {
    const { elementType } = tensorTypeOf(op.operands[0]);
    const isSmooth = isFloat(elementType) || numberKind(elementType) === 'complex';
    return [isSmooth ? ofConvert(builder, g, elementType) : undefined];
  },
  bitcast_convert: refuse('reinterpreting the bits of a number as another type is not a differentiable function'),
  reduce_precision: ({ builder, op, cotangents: [g] }) => [builder.emit1('reduce_precision', [g], op.attributes)],
  // The barrier orders the forward computation only: cotangents pass.
  optimization_barrier: ({ cotangents }) => cotangents,
} satisfies Partial<GradientTable>;
