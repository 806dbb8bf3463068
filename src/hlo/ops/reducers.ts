// How the region of a reduction combines scalars. A region of a single binary op becomes a plain function; any other region is
// evaluated op by op. The result of each step is rounded, to the element type or a wider one.
import type { Complex } from '../../numerics/complex.ts';
import type { BinaryName } from '../attributes.ts';
import { type Literal, literal, scalar, zeros } from '../literal.ts';
import type { EvaluationContext } from '../op-row.ts';
import type { Region } from '../program.ts';
import { reducerOf } from '../reducer.ts';
import { type ElementType, type TensorType, tensorType } from '../types.ts';
import { bigCombinerOf, combinerOf, complexCombinerOf } from './apply.ts';
import { convertLiteral } from './convert.ts';
import { type BigData, decode, encode, entriesOf, isBig, isComplex } from './element-data.ts';

export type Scalar = number | bigint;
/** Two entries per element for complex numbers, real then imaginary. */
export type Accumulator = Float64Array | BigInt64Array | BigUint64Array;

/** Folds element `source` of the sources into position `target` of the accumulators. One of each per operand of the op. */
export type Fold = (
  accumulators: readonly Accumulator[],
  target: number,
  sources: readonly ArrayLike<Scalar>[],
  source: number,
) => void;

/** The element types in which a reduction region computes: those of its results. */
export const accumulatorTypes = (region: Region): readonly ElementType[] =>
  region.results.map(r => (r.type as TensorType).elementType);

/** `held` is the accumulator type if the region is a single op; by default that of the elements. */
export function foldOf(
  region: Region,
  context: EvaluationContext,
  held: (type: ElementType) => ElementType = type => type,
): Fold {
  const types = accumulatorTypes(region);
  const name = types.length === 1 ? reducerOf(region) : undefined;
  if (name !== undefined)
    return isComplex(types[0]!) ? complexFold(name, types[0]!) : binaryFold(name, types[0]!, held(types[0]!));
  if (isOverwriting(region)) {
    return (accumulators, target, sources, source) => {
      accumulators.forEach((a, i) => {
        setElement(a, target, types[i]!, sources[i]!, source);
      });
    };
  }
  return (accumulators, target, sources, source) => {
    const old = accumulators.map((a, i) => elementOf(types[i]!, a, target));
    const fresh = sources.map((from, i) => elementOf(types[i]!, from, source));
    const results = context.region(region, [...old, ...fresh]);
    results.forEach((r, i) => {
      setElement(accumulators[i]!, target, types[i]!, decode(r), 0);
    });
  };
}

function binaryFold(name: BinaryName, type: ElementType, held: ElementType): Fold {
  const combine = (isBig(type) ? bigCombinerOf(name, type) : combinerOf(name, type, held)) as (
    a: Scalar,
    b: Scalar,
  ) => Scalar;
  return ([accumulator], target, [from], source) => {
    (accumulator as Float64Array)[target] = combine(accumulator![target]!, from![source]!) as number;
  };
}
function complexFold(name: BinaryName, type: ElementType): Fold {
  const combine = complexCombinerOf(name, type);
  const pair = (data: ArrayLike<Scalar>, i: number): Complex => [data[2 * i] as number, data[2 * i + 1] as number];
  return ([accumulator], target, [from], source) => {
    const result = combine(pair(accumulator!, target), pair(from!, source));
    (accumulator as Float64Array).set(result, 2 * target);
  };
}

/** Whether a region returns the new elements, as that of a scatter that overwrites. */
export const isOverwriting = ({ ops, args, results }: Region): boolean =>
  ops.length === 0 && results.every((r, i) => r.op === undefined && args.indexOf(r) === results.length + i);

/** Element i of decoded data, as a literal. */
export function elementOf(type: ElementType, data: ArrayLike<Scalar>, i: number): Literal {
  return isComplex(type) ? literal(type, [], [data[2 * i]!, data[2 * i + 1]!]) : scalar(type, data[i]!);
}
function setElement(to: Accumulator, target: number, type: ElementType, from: ArrayLike<Scalar>, source: number): void {
  const entries = entriesOf(type);
  for (let e = 0; e < entries; e++) (to as Float64Array)[target * entries + e] = from[source * entries + e] as number;
}

/** Elements in the type of the accumulator, as numbers or bigints. */
export const sourceOf = (lit: Literal, type: ElementType): ArrayLike<Scalar> => decode(convertLiteral(lit, type));

/** An array of `count` elements, initialized with those of `init`, which may be a scalar. */
export function accumulatorOf(type: ElementType, count: number, init: Literal): Accumulator {
  const start = sourceOf(init, type);
  const entries = entriesOf(type);
  const room = count * entries;
  const accumulator = isBig(type) ? (zeros(tensorType(type, [room])).data as BigData) : new Float64Array(room);
  if (start.length === room) accumulator.set(start as ArrayLike<never>);
  else if (entries === 1) (accumulator as Float64Array).fill(start[0] as number);
  else for (let i = 0; i < count; i++) setElement(accumulator, i, type, start, 0);
  return accumulator;
}
/** The accumulated values as a literal; the final rounding of the reduction. */
export function finished(type: TensorType, accumulator: Accumulator): Literal {
  return isBig(type.elementType) ? { type, data: accumulator } : encode(type, accumulator as Float64Array);
}
