// Checks that rows share: dims in range, unique, sorted; shapes that agree where both are known; types of regions.
// Each failure names the constraint of the StableHLO specification it comes from.
import { check } from '../op-row.ts';
import { type Region, tensorTypeOf, type Value } from '../program.ts';
import {
  dynamicDim,
  formatType,
  isInteger,
  numberKind,
  type Quantization,
  sameQuantization,
  sameType,
  type TensorType,
  type Type,
} from '../types.ts';
import { bitWidth } from './element-data.ts';

/** A constraint of one op. @throws {INVALID_OP} unless the condition holds */
export type Checker = (condition: unknown, constraint: number | string, detail: () => string) => asserts condition;

/** `checkerOf('pad')` makes a checker whose constraint 3 is called `pad_c3`, and whose constraint 'i1', on input 1, `pad_i1`. */
export function checkerOf(op: string): Checker {
  return (condition, constraint, detail) => {
    if (condition) return;
    const ofInput = typeof constraint === 'string' && /^i\d+$/.test(constraint);
    check(
      false,
      op,
      typeof constraint === 'number' ? `${op}_c${constraint}` : `${ofInput ? '' : 'trenio_'}${op}_${constraint}`,
      detail,
    );
  };
}

export const isUnique = (dims: readonly number[]): boolean => new Set(dims).size === dims.length;
export const isSorted = (dims: readonly number[]): boolean => dims.every((d, i) => i === 0 || dims[i - 1]! <= d);
/** Whether every dim is an integer in 0 … rank - 1. */
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
/** Whether two shapes are equal wherever both are known. */
export function shapesAgree(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!dimsAgree(a[i]!, b[i]!)) return false;
  return true;
}

function withinBounds({ shape }: TensorType, { bounds }: TensorType): boolean {
  return bounds === undefined || bounds.every((bound, i) => bound === undefined || shape[i]! <= bound);
}
/** Whether shapes agree and no known size exceeds a bound of the other. */
export const compatibleShapes = (a: TensorType, b: TensorType): boolean =>
  shapesAgree(a.shape, b.shape) && withinBounds(a, b) && withinBounds(b, a);

export const isPerAxis = (type: TensorType): boolean => type.quantization?.axis !== undefined;
const sameRange = (a: Quantization, b: Quantization): boolean =>
  a.storageMin === b.storageMin && a.storageMax === b.storageMax;

/** The same element type; of quantized elements the same storage and expressed type, both per tensor or both per axis. */
export function compatibleElements(a: TensorType, b: TensorType): boolean {
  if (a.elementType !== b.elementType) return false;
  const [p, q] = [a.quantization, b.quantization];
  if (p === undefined || q === undefined) return p === q;
  return p.expressedType === q.expressedType && sameRange(p, q) && isPerAxis(a) === isPerAxis(b);
}

/** Exactly the same elements, including scales and zero points. */
export const sameElements = (a: TensorType, b: TensorType): boolean =>
  a.elementType === b.elementType && sameQuantization(a.quantization, b.quantization);

/**
 * True if two types can describe the same value: equal, or different only in unknown sizes. Sizes may
 * be unknown on either side, a known size must be within the other's bound, and quantized elements may differ in scales
 * and zero points, because inference cannot determine those of a result.
 */
export function compatible(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== 'tensor' || b.kind !== 'tensor') return sameType(a, b);
  return compatibleElements(a, b) && compatibleShapes(a, b);
}
export function allCompatible(a: readonly Type[], b: readonly Type[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!compatible(a[i]!, b[i]!)) return false;
  return true;
}

/**
 * The common shape of compatible shapes, with each size taken from a shape in which it is known. The caller has checked
 * compatibility.
 */
export function mergeShapes(shapes: readonly (readonly number[])[]): readonly number[] {
  const first = shapes[0]!;
  if (!first.includes(dynamicDim)) return first;
  return first.map((_, d) => shapes.map(s => s[d]!).find(size => size !== dynamicDim) ?? dynamicDim);
}

/** Whether elements of `from` may be accumulated in those of `to`: the same kind of number, at least as wide. */
function isPromotable(from: TensorType, to: TensorType): boolean {
  const [p, q] = [from.quantization, to.quantization];
  if (p === undefined || q === undefined) {
    if (p !== q) return false;
    const same =
      numberKind(from.elementType) === numberKind(to.elementType) ||
      (isInteger(from.elementType) && isInteger(to.elementType));
    return same && bitWidth(from.elementType) <= bitWidth(to.elementType);
  }
  return p.expressedType === q.expressedType && bitWidth(from.elementType) <= bitWidth(to.elementType);
}

interface Moved {
  readonly operands: readonly [Value, ...Value[]];
  readonly results: readonly [Value];
}
/** A `verify` of ops that only move elements: the results have exactly those of the first operand. */
export const keepsElements =
  (require: Checker, constraint: number) =>
  ({ operands: [x], results: [y] }: Moved): void => {
    const [from, to] = [tensorTypeOf(x), tensorTypeOf(y)];
    require(sameElements(from, to), constraint, () => `${formatType(from)} becomes ${formatType(to)}`);
  };

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
  require(allCompatible(args, argTypes) && allCompatible(results, resultTypes), constraint, () =>
    `the region must be ${show(argTypes)} -> ${show(resultTypes)}, got ${show(args)} -> ${show(results)}`);
}

/**
 * Checks a reducer, (E0…, E0…) -> (E0…), and returns its types E, to which the inputs must be promotable. They are
 * scalars; a reduction may also allow tensors with the shape of its initial values and dims among `allowed`.
 */
export function checkReducer(
  require: Checker,
  constraint: number,
  { args, results }: Region,
  inputs: readonly TensorType[],
  inits?: readonly TensorType[],
  allowed: readonly number[] = [],
): readonly TensorType[] {
  require(results.length === inputs.length && args.length === 2 * results.length, constraint, () =>
    `the region must combine 2 · ${inputs.length} values into ${inputs.length}, got ${args.length} and ${results.length}`);
  return results.map(({ type }, i) => {
    require(type.kind === 'tensor', constraint, () => `the region gives ${formatType(type)}`);
    const shape = inits?.[i]?.shape ?? [];
    require(shapesAgree(type.shape, shape) && isSubsequence(type.shape, allowed), constraint, () =>
      `the region returns ${formatType(type)}, it must have shape ${list(shape)}`);
    for (const at of [i, results.length + i]) {
      const arg = args[at]!.type;
      require(arg.kind === 'tensor' && sameElements(arg, type) && shapesAgree(arg.shape, type.shape), constraint, () =>
        `argument ${at} of the region is ${formatType(arg)}, the region returns ${formatType(type)}`);
    }
    require(isPromotable(inputs[i]!, type), constraint, () =>
      `${formatType(inputs[i]!)} is not promotable to ${formatType(type)}`);
    return type;
  });
}
function isSubsequence(dims: readonly number[], of: readonly number[]): boolean {
  let next = 0;
  for (const size of of) if (next < dims.length && dimsAgree(size, dims[next]!)) next++;
  return next === dims.length;
}

/** The number of window positions along one dim. All sizes in elements; dynamic in, dynamic out. */
export function windowCount(
  size: number,
  window: number,
  stride: number,
  low: number,
  high: number,
  baseDilation: number,
  windowDilation: number,
): number {
  if (size === dynamicDim || window === dynamicDim) return dynamicDim;
  const padded = low + (size === 0 ? 0 : (size - 1) * baseDilation + 1) + high;
  const dilated = window === 0 ? 0 : (window - 1) * windowDilation + 1;
  return padded <= 0 || dilated > padded ? 0 : Math.floor((padded - dilated) / stride) + 1;
}

/** The elements of `type` with another shape; bounds are dropped. */
export function withShape({ kind, elementType, quantization }: TensorType, shape: readonly number[]): TensorType {
  return quantization === undefined ? { kind, shape, elementType } : { kind, shape, elementType, quantization };
}
