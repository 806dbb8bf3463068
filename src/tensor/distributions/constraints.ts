// The values that parameters and samples may have: `torch.distributions.constraints`. A constraint checks each element, or each
// event.
import type { Tensor } from '../tensor.ts';

/** A set of values. */
export interface Constraint {
  /** The text in messages: `a number above 0`. */
  readonly name: string;
  /** Whether the values are integers. */
  readonly isDiscrete: boolean;
  /** The number of last dims that form one value. */
  readonly eventDim: number;
  /** The same for a single number, if a value can be one. */
  readonly accepts?: (value: number) => boolean;
  /** Whether values are in the set, without the dims of an event. */
  check(value: Tensor): Tensor;
}
const each = (
  name: string,
  check: (x: Tensor) => Tensor,
  isDiscrete = false,
  accepts?: (value: number) => boolean,
): Constraint => ({
  name,
  isDiscrete,
  eventDim: 0,
  check,
  ...(accepts === undefined ? {} : { accepts }),
});
const whole = (x: Tensor): Tensor => x.eq(x.floor());
const all = (x: Tensor, dims: number): Tensor => (dims === 0 ? x : all(x.all(-1), dims - 1));
const tolerance = 1e-6;

/** All numbers but NaN. */
export const real: Constraint = each(
  'a number other than NaN',
  x => x.eq(x),
  false,
  x => !Number.isNaN(x),
);
/** Numbers above 0. */
export const positive: Constraint = each(
  'a number above 0',
  x => x.gt(0),
  false,
  x => x > 0,
);
/** Numbers of at least 0. */
export const nonnegative: Constraint = each(
  'a number of at least 0',
  x => x.ge(0),
  false,
  x => x >= 0,
);
/** Numbers from 0 to 1. */
export const unitInterval: Constraint = each(
  'a number from 0 to 1',
  x => x.ge(0).logicalAnd(x.le(1)),
  false,
  x => x >= 0 && x <= 1,
);
/** 0 and 1. */
export const boolean: Constraint = each('0 or 1', x => x.eq(0).logicalOr(x.eq(1)), true);
/** 0, 1, 2 and so on. */
export const nonnegativeInteger: Constraint = each(
  'an integer of at least 0',
  x => x.ge(0).logicalAnd(whole(x)),
  true,
  x => Number.isInteger(x) && x >= 0,
);
/** 1, 2, 3 and so on. */
export const positiveInteger: Constraint = each('an integer of at least 1', x => x.ge(1).logicalAnd(whole(x)), true);
/**
 * Integers from `low` to `high`, both included.
 * @example
 * distributions.constraints.integerInterval(0, 3).check(tensor([0, 1.5, 4])) // [true, false, false]
 */
export const integerInterval = (low: Tensor | number, high: Tensor | number): Constraint =>
  each('an integer in the range', x => x.ge(low).logicalAnd(x.le(high)).logicalAnd(whole(x)), true);
/**
 * Numbers from `low` to `high`, both included.
 * @example
 * distributions.constraints.interval(0, 1).check(tensor([0, 0.5, 2])) // [true, true, false]
 */
export const interval = (low: Tensor | number, high: Tensor | number): Constraint =>
  each('a number in the range', x => x.ge(low).logicalAnd(x.le(high)));
/**
 * Numbers above a bound.
 * @example
 * distributions.constraints.greaterThan(1).check(tensor([1, 2])) // [false, true]
 */
export const greaterThan = (low: Tensor | number): Constraint =>
  each(
    'a number above the lower bound',
    x => x.gt(low),
    false,
    x => typeof low !== 'number' || x > low,
  );
/**
 * Numbers of at least a bound.
 * @example
 * distributions.constraints.greaterThanEq(1).check(tensor([1, 2])) // [true, true]
 */
export const greaterThanEq = (low: Tensor | number): Constraint =>
  each('a number of at least the bound', x => x.ge(low));
/**
 * Numbers below a bound.
 * @example
 * distributions.constraints.lessThan(1).check(tensor([0, 1])) // [true, false]
 */
export const lessThan = (high: Tensor | number): Constraint => each('a number below the bound', x => x.lt(high));
/** Probabilities along the last dim. */
export const simplex: Constraint = {
  name: 'numbers of at least 0 that sum to 1',
  isDiscrete: false,
  eventDim: 1,
  check: x => x.ge(0).all(-1).logicalAnd(x.sum(-1).sub(1).abs().lt(tolerance)),
};
/** Zeros and one 1 along the last dim. */
export const oneHot: Constraint = {
  name: 'zeros and one 1',
  isDiscrete: true,
  eventDim: 1,
  check: x => x.eq(0).logicalOr(x.eq(1)).all(-1).logicalAnd(x.sum(-1).eq(1)),
};
/** Lower triangles. */
export const lowerTriangular: Constraint = {
  name: 'a lower triangle',
  isDiscrete: false,
  eventDim: 2,
  check: x => all(x.tril().eq(x), 2),
};
/** Lower triangles with a diagonal above 0. */
export const lowerCholesky: Constraint = {
  name: 'a lower triangle with a diagonal above 0',
  isDiscrete: false,
  eventDim: 2,
  check: x => all(x.tril().eq(x), 2).logicalAnd(x.diagonal(0, -2, -1).gt(0).all(-1)),
};
/** Symmetric positive definite matrices. */
export const positiveDefinite: Constraint = {
  name: 'a symmetric positive definite matrix',
  isDiscrete: false,
  eventDim: 2,
  check: x => {
    const isSymmetric = all(x.sub(x.transpose(-2, -1)).abs().le(tolerance), 2);
    const diagonal = x.cholesky().diagonal(0, -2, -1);
    return isSymmetric.logicalAnd(diagonal.gt(0).all(-1));
  },
};
/**
 * A constraint for each element of events with several dims.
 * @example
 * const { independent, positive } = distributions.constraints;
 * independent(positive, 1).check(tensor([[1, 2], [-1, 2]])) // [true, false]
 */
export const independent = (base: Constraint, reinterpretedBatchNdims: number): Constraint => ({
  name: base.name,
  isDiscrete: base.isDiscrete,
  eventDim: base.eventDim + reinterpretedBatchNdims,
  check: x => all(base.check(x), reinterpretedBatchNdims),
});
/** Vectors without NaN. */
export const realVector: Constraint = independent(real, 1);
