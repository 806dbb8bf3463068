// Checks that rows share: dims in range, unique, sorted; shapes that agree where both are known; types of regions.
// Each failure names the constraint of the StableHLO specification it comes from.
import { check } from '../op-row.ts';
import type { Region } from '../program.ts';
import {
  dynamicDim,
  type ElementType,
  elementBytes,
  formatType,
  numberKind,
  sameType,
  type TensorType,
  type Type,
  tensorType,
} from '../types.ts';

/** A constraint of one op: throws INVALID_OP unless the condition holds. */
export type Checker = (condition: unknown, constraint: number | string, detail: () => string) => asserts condition;

/** `checkerOf('pad')` makes a checker whose constraint 3 is called `pad_c3`. */
export function checkerOf(op: string): Checker {
  return (condition, constraint, detail) =>
    check(
      condition,
      op,
      typeof constraint === 'number' ? `${op}_c${constraint}` : `trenio_${op}_${constraint}`,
      detail,
    );
}

export const isUnique = (dims: readonly number[]): boolean => new Set(dims).size === dims.length;
export const isSorted = (dims: readonly number[]): boolean => dims.every((d, i) => i === 0 || dims[i - 1]! <= d);
/** True when every dim is a whole number in 0 … rank - 1. */
export const inRange = (dims: readonly number[], rank: number): boolean =>
  dims.every(d => Number.isInteger(d) && d >= 0 && d < rank);
export const list = (dims: readonly number[]): string => `[${dims.join(', ')}]`;

/** Dims of `rank` that are not in `dims`, in order. */
export function otherDims(rank: number, ...dims: readonly (readonly number[])[]): number[] {
  const taken = new Set(dims.flat());
  const rest: number[] = [];
  for (let d = 0; d < rank; d++) if (!taken.has(d)) rest.push(d);
  return rest;
}

export const dimsAgree = (a: number, b: number): boolean => a === b || a === dynamicDim || b === dynamicDim;
/** True when two shapes are equal wherever both are known. */
export const shapesAgree = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((d, i) => dimsAgree(d, b[i]!));

/** One shape that agrees with all, each dim taken from where it is known. The caller has checked that they agree. */
export function mergeShapes(shapes: readonly (readonly number[])[]): readonly number[] {
  const first = shapes[0]!;
  if (!first.includes(dynamicDim)) return first;
  return first.map((_, d) => shapes.map(s => s[d]!).find(size => size !== dynamicDim) ?? dynamicDim);
}

/** True when a value of `from` may be accumulated in `to`: the same kind of number, at least as wide. */
export function isPromotable(from: ElementType, to: ElementType): boolean {
  return from === to || (numberKind(from) === numberKind(to) && elementBytes(from) <= elementBytes(to));
}

/** Checks that a region has this signature. */
export function checkRegion(
  require: Checker,
  constraint: number | string,
  region: Region | undefined,
  argTypes: readonly Type[],
  resultTypes: readonly Type[],
): asserts region is Region {
  const show = (types: readonly Type[]): string => `(${types.map(formatType).join(', ')})`;
  require(region !== undefined, constraint, () => 'a region is missing');
  const args = region.args.map(a => a.type);
  const results = region.results.map(r => r.type);
  const same = (a: readonly Type[], b: readonly Type[]): boolean =>
    a.length === b.length && a.every((t, i) => sameType(t, b[i]!));
  require(same(args, argTypes) && same(results, resultTypes), constraint, () =>
    `the region must be ${show(argTypes)} -> ${show(resultTypes)}, got ${show(args)} -> ${show(results)}`);
}

/**
 * Checks a reducer, (E0…, E0…) -> (E0…) over scalars, and gives the element types E it works in, to which the inputs
 * are promotable.
 */
export function checkReducer(
  require: Checker,
  constraint: number,
  regions: readonly Region[],
  inputs: readonly TensorType[],
): readonly ElementType[] {
  require(regions.length === 1, constraint, () => `takes one region, got ${regions.length}`);
  const accumulators = regions[0]!.results.map((r, i) => {
    const { type } = r;
    require(type.kind === 'tensor' && type.shape.length === 0, constraint, () =>
      `result ${i} of the region must be a scalar, got ${formatType(type)}`);
    return type;
  });
  require(accumulators.length === inputs.length, constraint, () =>
    `the region must give ${inputs.length} results, got ${accumulators.length}`);
  checkRegion(require, constraint, regions[0], [...accumulators, ...accumulators], accumulators);
  return accumulators.map(({ elementType }, i) => {
    const from = inputs[i]!.elementType;
    require(isPromotable(from, elementType), constraint, () => `${from} is not promotable to ${elementType}`);
    return elementType;
  });
}

/** The number of places a window takes along one dim. All sizes in elements; dynamic in, dynamic out. */
export function windowCount(
  size: number,
  window: number,
  stride: number,
  low: number,
  high: number,
  baseDilation: number,
  windowDilation: number,
): number {
  if (size === dynamicDim) return dynamicDim;
  const padded = low + (size === 0 ? 0 : (size - 1) * baseDilation + 1) + high;
  const dilated = window === 0 ? 0 : (window - 1) * windowDilation + 1;
  return padded <= 0 || dilated > padded ? 0 : Math.floor((padded - dilated) / stride) + 1;
}

export const withShape = (type: TensorType, shape: readonly number[]): TensorType =>
  tensorType(type.elementType, shape);
