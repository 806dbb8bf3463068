// Batching rules: given an op of one example and the images of its operands, a rule builds the op for all examples at once.
//
//   image of a value   batched: a tensor with one more dim in front, the examples; or the value itself, the same for all
import type { PerOperand } from '../../hlo/arity.ts';
import type { OpName } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { inlineRegion } from '../../hlo/inline.ts';
import { type OpOf, type Region, shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';

import type { ElementType } from '../../hlo/types.ts';

export interface Image {
  readonly value: Value;
  readonly isBatched: boolean;
}
export type Images = ReadonlyMap<Value, Image>;

export interface BatchContext<N extends OpName> {
  /** Rules append here. */
  readonly builder: Builder;
  readonly op: OpOf<N>;
  /** The number of examples. */
  readonly size: number;
  /** The images of the operands. */
  readonly operands: PerOperand<N, Image>;
  /** The images of values that the op's regions capture. */
  readonly images: Images;
  /** Appends the ops of a region for all examples, for the given images of its arguments; returns the images of its results. */
  inline(builder: Builder, region: Region, args: readonly Image[]): readonly Image[];
}
/** The images of the results; undefined if this op has no rule. */
export type BatchRule<N extends OpName> = (context: BatchContext<N>) => readonly Image[] | undefined;
export type BatchTable = { readonly [N in OpName]?: BatchRule<N> };

export const batched = (value: Value): Image => ({ value, isBatched: true });
export const same = (value: Value): Image => ({ value, isBatched: false });

/** The value with a leading dim of examples. */
export function inFull(b: Builder, { value, isBatched }: Image, size: number): Value {
  if (isBatched) return value;
  const shape = shapeOf(value);
  return b.broadcastInDim(
    value,
    shape.map((_, d) => d + 1),
    [size, ...shape],
  );
}
/** All operands, each with a leading dim of examples. */
export const allInFull = (c: BatchContext<OpName>): Value[] =>
  c.operands.map(image => inFull(c.builder, image, c.size));

/** A copy of a region, for another op. */
export const copyOf = (b: Builder, region: Region): Region =>
  b.region(
    region.args.map(arg => arg.type),
    (inner, args) => inlineRegion(inner, region, args),
  );

export const shifted = (dims: readonly number[]): number[] => dims.map(d => d + 1);
/** Moves the dim at `from` to `to`. */
export function moveDim(b: Builder, x: Value, from: number, to: number): Value {
  if (from === to) return x;
  const dims = shapeOf(x).map((_, d) => d);
  dims.splice(to, 0, ...dims.splice(from, 1));
  return b.transpose(x, dims);
}
export const elementTypeOf = (value: Value): ElementType => tensorTypeOf(value).elementType;
