// How the region of a reduction combines scalars. A region that is one binary op becomes a plain function: floats are
// then accumulated in f64 and rounded to the element type once, at the end, because this evaluation is the reference
// that compiled code is measured against. Any other region is evaluated as it is written, op by op.
import { type Literal, scalar, zeros } from '../literal.ts';
import type { EvaluationContext } from '../op-row.ts';
import type { Region } from '../program.ts';
import { reducerOf } from '../reducer.ts';
import { type ElementType, type TensorType, tensorType } from '../types.ts';
import { convertLiteral } from './convert.ts';
import { type BigData, decode, encode, isBig, requireComputable } from './element-data.ts';
import { bigCombinerOf, combinerOf } from './elementwise.ts';

export type Scalar = number | bigint;
export type Accumulator = Float64Array | BigInt64Array | BigUint64Array;

/** Folds element `source` of the sources into place `target` of the accumulators. One of each per operand of the op. */
export type Fold = (
  accumulators: readonly Accumulator[],
  target: number,
  sources: readonly ArrayLike<Scalar>[],
  source: number,
) => void;

/** The element types a reducing region works in: those of its results. */
export const accumulatorTypes = (region: Region): readonly ElementType[] =>
  region.results.map(r => (r.type as TensorType).elementType);

export function foldOf(region: Region, context: EvaluationContext): Fold {
  const types = accumulatorTypes(region);
  for (const type of types) requireComputable('a reduction', type);
  const name = types.length === 1 ? reducerOf(region) : undefined;
  if (name !== undefined) {
    const type = types[0]!;
    const combine = (isBig(type) ? bigCombinerOf(name, type) : combinerOf(name, type, true)) as (
      a: Scalar,
      b: Scalar,
    ) => Scalar;
    return ([accumulator], target, [from], source) => {
      (accumulator as Float64Array)[target] = combine(accumulator![target]!, from![source]!) as number;
    };
  }
  const last = region.results.map(r => (r.op === undefined ? region.args.indexOf(r) : -1));
  if (region.ops.length === 0 && last.every((at, i) => at === types.length + i)) {
    // The region gives back the new element: a scatter that overwrites.
    return (accumulators, target, sources, source) => {
      accumulators.forEach((a, i) => {
        (a as Float64Array)[target] = sources[i]![source] as number;
      });
    };
  }
  return (accumulators, target, sources, source) => {
    const old = accumulators.map((a, i) => scalar(types[i]!, a[target]!));
    const fresh = sources.map((from, i) => scalar(types[i]!, from[source]!));
    const results = context.region(region, [...old, ...fresh]);
    results.forEach((r, i) => {
      (accumulators[i] as Float64Array)[target] = decode(r)[0] as number;
    });
  };
}

/** Elements in the type of the accumulator, as numbers or bigints. */
export const sourceOf = (lit: Literal, type: ElementType): ArrayLike<Scalar> => decode(convertLiteral(lit, type));

export function accumulatorOf(type: ElementType, count: number): Accumulator {
  return isBig(type) ? (zeros(tensorType(type, [count])).data as BigData) : new Float64Array(count);
}
/** The accumulated values as a literal: the one rounding of the reduction. */
export function finished(type: TensorType, accumulator: Accumulator): Literal {
  return isBig(type.elementType) ? { type, data: accumulator } : encode(type, accumulator as Float64Array);
}
