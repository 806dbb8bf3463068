// Small helpers shared by several rules.
import type { Builder } from '../hlo/builder.ts';
import { numberAt } from '../hlo/literal.ts';
import { dispatch, isIn, type PerOp } from '../hlo/per-op.ts';
import { type Op, shapeOf, type TensorValue, tensorTypeOf, type Value } from '../hlo/program.ts';

/** The value of all elements, if the program determines it: a constant, possibly broadcast or converted. */
export const splatOf = ({ op }: Value): number | undefined =>
  op !== undefined && isIn(splats, op) ? dispatch(splats, op) : undefined;

const ofOperand = ({ operands: [x] }: Op<'broadcast_in_dim' | 'reshape' | 'convert'>): number | undefined => splatOf(x);
const splats: PerOp<'broadcast_in_dim' | 'reshape' | 'convert' | 'constant', number | undefined> = {
  broadcast_in_dim: ofOperand,
  reshape: ofOperand,
  convert: ofOperand,
  constant: ({ attributes: { value } }) => (value.data.length === 1 ? numberAt(value, 0) : undefined),
};

export const zerosLike = (b: Builder, value: Value): TensorValue => b.like(value, 0);
/** A scalar zero of the value's element type. */
export const zeroScalar = (b: Builder, value: Value): TensorValue => b.fill(tensorTypeOf(value).elementType, [], 0);
/** x · factor, for a number. */
export const scale = (b: Builder, x: Value, factor: number): TensorValue => b.multiply(x, b.like(x, factor));

/** 0, 1, … n-1 without those in `without`. */
export function dimsExcept(rank: number, without: readonly number[]): number[] {
  const dims: number[] = [];
  for (let d = 0; d < rank; d++) if (!without.includes(d)) dims.push(d);
  return dims;
}
/** Undoes a reduction's change of shape: `reduced` lacks the dims `dimensions` of `shape`. */
export function broadcastBack(
  b: Builder,
  reduced: Value,
  shape: readonly number[],
  dimensions: readonly number[],
): TensorValue {
  return b.broadcastInDim(reduced, dimsExcept(shape.length, dimensions), shape);
}
/** Sums all elements into a scalar; a scalar is returned unchanged. */
export function sumAll(b: Builder, x: Value): TensorValue {
  return shapeOf(x).length === 0 ? (x as TensorValue) : b.sum(x);
}
export function inversePermutation(permutation: readonly number[]): number[] {
  const inverse = new Array<number>(permutation.length);
  permutation.forEach((from, to) => {
    inverse[from] = to;
  });
  return inverse;
}
/** Transposes, or returns the value itself if the order is unchanged. */
export function transposed(b: Builder, x: Value, permutation: readonly number[]): TensorValue {
  return permutation.every((from, to) => from === to) ? (x as TensorValue) : b.transpose(x, permutation);
}
/** Dims of a size, with `inner - 1` holes between neighbors: the extent of a dilated dim. */
export const dilated = (size: number, dilation: number): number => (size === 0 ? 0 : (size - 1) * dilation + 1);
