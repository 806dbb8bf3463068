// The row of rng: random numbers of a distribution. The generator is implementation-defined; here each rng op
// in the program has its own Philox stream, and returns the same numbers each time it is executed.
//
//   UNIFORM   floats: a + (b - a) · u with u in [0, 1)      integers: a + bits mod (b - a)
//   NORMAL    a + b · √(-2 · ln(1 - u)) · cos(2π · v)        (Box and Muller)
import type { SourceLocation } from '../../base/errors.ts';
import type { OpAttributes } from '../attributes.ts';
import type { BaseBuilder } from '../base-builder.ts';
import { literal } from '../literal.ts';
import { type OpRow, type Rows, tensors } from '../op-row.ts';
import { type TensorValue, tensorTypeOf, type Value } from '../program.ts';
import { type ElementType, formatType, isFloat, type TensorType, tensorType } from '../types.ts';
import { bytesOfType, countOf } from './costs.ts';
import { checkElements, checkGiven, checkSizes, constantNumbers, isStatic } from './operand-checks.ts';
import { type Checker, checkerOf } from './shape-checks.ts';

const require: Checker = checkerOf('rng');

/** Random bits of a shape; `stream` distinguishes different rng ops. */
function bits(b: BaseBuilder, type: TensorType, stream: readonly [bigint, bigint]): TensorValue {
  const state = b.constant(literal('ui64', [2], stream));
  return b.emit('rng_bit_generator', [state], { rngAlgorithm: 'PHILOX', type })[1] as TensorValue;
}

/** Determined by the position only, so that every backend samples the same numbers. */
const streamOf = (location: SourceLocation | undefined): bigint =>
  (BigInt(location?.line ?? 0) << 32n) | BigInt(location?.column ?? 0);

/** Numbers in [0, 1) with as many random bits as f32 or f64 hold. */
function unit(
  b: BaseBuilder,
  wide: 'f32' | 'f64',
  shape: readonly number[],
  stream: readonly [bigint, bigint],
): TensorValue {
  const [from, drop, kept] = wide === 'f64' ? (['ui64', 11, 53] as const) : (['ui32', 8, 24] as const);
  const all = bits(b, tensorType(from, shape), stream);
  const top = b.convert(b.binary('shift_right_logical', all, b.like(all, drop)), wide);
  return b.multiply(top, b.like(top, 2 ** -kept));
}

function sample(
  b: BaseBuilder,
  attributes: OpAttributes['rng'],
  [low, high]: readonly [Value, Value],
  shape: readonly number[],
  stream: bigint,
): Value {
  const { elementType } = tensorTypeOf(low);
  const spread = (x: Value): TensorValue => b.broadcastInDim(x, [], shape);
  if (!isFloat(elementType)) {
    // i1 counts as 0 and 1. The width of the range is computed in ui64, so that all values of a type fit.
    const whole: ElementType = elementType === 'i1' ? 'ui8' : elementType;
    const [a, end] = [b.convert(low, whole), b.convert(high, whole)];
    const width = b.subtract(b.convert(end, 'ui64'), b.convert(a, 'ui64'));
    const offset = b.binary('remainder', bits(b, tensorType('ui64', shape), [stream, 0n]), spread(width));
    return b.convert(b.add(spread(a), b.convert(offset, whole)), elementType);
  }
  const wide = elementType === 'f64' ? 'f64' : 'f32';
  const [a, scale] = [spread(b.convert(low, wide)), spread(b.convert(high, wide))];
  const u = unit(b, wide, shape, [stream, 0n]);
  if (attributes.rngDistribution === 'UNIFORM') {
    const value = b.convert(b.add(a, b.multiply(u, b.subtract(scale, a))), elementType);
    // Rounding may reach the upper end, which is excluded from the range.
    return b.select(b.compare('LT', value, spread(high)), value, spread(low));
  }
  const v = unit(b, wide, shape, [stream, 1n << 63n]);
  const radius = b.unary('sqrt', b.multiply(b.like(u, -2), b.unary('log', b.subtract(b.like(u, 1), u))));
  const angle = b.multiply(v, b.like(v, 2 * Math.PI));
  return b.convert(b.add(a, b.multiply(scale, b.multiply(radius, b.unary('cosine', angle)))), elementType);
}

const rng: OpRow<'rng'> = {
  name: 'rng',
  kind: 'random',
  // Two rng ops must not be merged.
  pure: false,
  infer(operands, { rngDistribution, type }) {
    const [a, b, shape] = tensors('rng', operands);
    const what = (): string => `${formatType(a)} and ${formatType(b)}`;
    checkElements(require, 'element_type', [a, b], ['boolean', 'signed', 'unsigned', 'float']);
    require(a.shape.length === 0 && b.shape.length === 0, 'scalars', () => `takes two scalars, got ${what()}`);
    require(a.elementType === b.elementType && a.elementType === type.elementType, 1, () =>
      `expected one element type, got ${what()} for ${formatType(type)}`);
    require(rngDistribution === 'UNIFORM' || isFloat(a.elementType), 2, () =>
      `a normal distribution needs floats, got ${what()}`);
    checkSizes(require, 'shape', shape);
    require(shape.shape[0] === type.shape.length, 3, () => `${shape.shape[0]} sizes for ${formatType(type)}`);
    return [type];
  },
  verify(op) {
    checkGiven(require, 3, constantNumbers(op.operands[2]), op.attributes.type);
  },
  decompose(b, op, [low, high, sizes]) {
    const { type } = op.attributes;
    const shape = constantNumbers(sizes) ?? (isStatic(type) ? type.shape : undefined);
    return shape && [sample(b, op.attributes, [low, high], shape, streamOf(op.location))];
  },
  // Philox takes about 15 operations per word.
  cost: op => ({
    flops: 20 * countOf(op.results[0].type),
    transcendentals: op.attributes.rngDistribution === 'NORMAL' ? 3 * countOf(op.results[0].type) : 0,
    bytesRead: 0,
    bytesWritten: bytesOfType(op.results[0].type),
  }),
};
export const rngRows: Rows<'rng'> = { rng };
