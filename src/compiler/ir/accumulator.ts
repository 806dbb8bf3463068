// Reductions by one binary op with any number of partial results, combined in any grouping: their list, the type of partial
// results, and their start values. Any other region is applied to the elements in order.
import type { BinaryName } from '../../hlo/attributes.ts';
import { bitWidth, isBig, isComplex } from '../../hlo/ops/element-data.ts';
import { type Region, tensorTypeOf } from '../../hlo/program.ts';
import { reducerOf } from '../../hlo/reducer.ts';
import { type ElementType, isInteger, numberKind } from '../../hlo/types.ts';
import { keyOfScalarValue, type ScalarValue } from './scalar-value.ts';

const accumulatorNames = ['add', 'multiply', 'maximum', 'minimum', 'and', 'or', 'xor'] as const;
export type AccumulatorName = (typeof accumulatorNames)[number];

export interface Accumulator {
  readonly name: AccumulatorName;
  /** The type of the elements and of the result. */
  readonly type: ElementType;
  /** The type of partial results. Integers wrap in the end as those of their width would. */
  readonly held: ElementType;
}

/** Undefined if the op must be applied in order. */
function accumulatorOf(op: BinaryName | undefined, type: ElementType): Accumulator | undefined {
  const name = accumulatorNames.find(n => n === op);
  if (name === undefined) return undefined;
  // C has no suitable operator for products of complex numbers, so they are computed in order
  if (isComplex(type) && name !== 'add') return undefined;
  if (type === 'i1') return { name, type, held: 'ui8' };
  switch (name) {
    case 'add':
    case 'multiply':
      return { name, type, held: wide(type) };
    case 'maximum':
    case 'minimum':
      return { name, type, held: isInteger(type) ? type : wide(type) };
    default:
      return isInteger(type) ? { name, type, held: type } : undefined;
  }
}

/** The same of a region (a, b) → op(a, b). */
export function accumulatorOfRegion(region: Region): Accumulator | undefined {
  const name = reducerOf(region);
  return name === undefined ? undefined : accumulatorOf(name, tensorTypeOf(region.results[0]!).elementType);
}

function wide(type: ElementType): ElementType {
  if (isComplex(type)) return 'complex<f64>';
  if (type === 'f64') return 'f64';
  if (numberKind(type) === 'float') return 'f32';
  return type === 'i64' || type === 'ui64' ? 'ui64' : 'ui32';
}

/** True if the result does not depend on the order in which elements are combined: all but sums and products that round. */
export const isExact = ({ name, type }: Accumulator): boolean =>
  (name !== 'add' && name !== 'multiply') || type === 'i1' || isInteger(type);

/** The neutral element, which partial results start from. */
export function identityOf({ name, type, held }: Accumulator): ScalarValue {
  const of = (value: number): ScalarValue =>
    held === 'complex<f64>' ? [value, 0] : held === 'i64' || held === 'ui64' ? BigInt(value) : value;
  switch (name) {
    case 'add':
    case 'or':
    case 'xor':
      return of(0);
    case 'multiply':
      return of(1);
    case 'and':
      return type === 'i1' ? 1 : numberKind(type) === 'unsigned' ? largest(type) : of(-1);
    case 'maximum':
      return type === 'i1' ? 0 : isInteger(type) ? smallest(type) : -Infinity;
    case 'minimum':
      return type === 'i1' ? 1 : isInteger(type) ? largest(type) : Infinity;
  }
}

/** True for elements that do not change any partial result; +0 is not such an element in a sum, because of -0. */
export function isIdentity(accumulator: Accumulator, element: ScalarValue): boolean {
  const identity = identityOf(accumulator);
  const isWidened = typeof identity === 'bigint' && typeof element === 'number';
  return keyOfScalarValue(isWidened ? BigInt(element) : element) === keyOfScalarValue(identity);
}

const sized = (type: ElementType, value: bigint): ScalarValue => (isBig(type) ? value : Number(value));
function largest(type: ElementType): ScalarValue {
  const bits = BigInt(bitWidth(type) - (numberKind(type) === 'unsigned' ? 0 : 1));
  return sized(type, 2n ** bits - 1n);
}
function smallest(type: ElementType): ScalarValue {
  return sized(type, numberKind(type) === 'unsigned' ? 0n : -(2n ** BigInt(bitWidth(type) - 1)));
}
