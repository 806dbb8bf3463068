// Metadata of the values of random programs: whether they are exact, and how large they can be. Results must not depend on how
// floats are rounded, so that comparisons can be strict: discontinuous ops (floor, compare, sort, conversion to integers) are
// only applied to exact values, and magnitudes are kept small.
import type { Builder } from './builder.ts';
import { type TensorValue, tensorTypeOf } from './program.ts';
import { type ElementType, isFloat } from './types.ts';

/** Metadata of a value: bits of its exact elements (undefined: rounded), and a bound of their magnitude. */
export interface Known {
  readonly value: TensorValue;
  readonly bits: number | undefined;
  readonly bound: number;
}

/** Bits of the significand, minus one for safety. */
export const precision: { readonly [T in ElementType]?: number } = { f64: 50, f32: 22, f16: 9, bf16: 6 };
const maxBound = 64;

/** Low-precision floats can only be compared if nothing is rounded. */
export const takesRounding = (type: ElementType): boolean => type === 'f32' || type === 'f64';

/** The tolerance between two correct implementations: see `RandomProgram`. */
export function toleranceOf({ value, bits }: Known): number {
  const { elementType } = tensorTypeOf(value);
  if (!isFloat(elementType) || bits !== undefined) return 0;
  return elementType === 'f64' ? 1e-9 : 2e-3;
}

/** A rounded value of large or unknown magnitude is squashed; an exact one with too many bits becomes inexact. */
export function tamed(b: Builder, known: Known): Known {
  const { elementType } = tensorTypeOf(known.value);
  if (!isFloat(elementType)) return { ...known, bits: undefined };
  const exact = known.bits !== undefined && known.bits <= precision[elementType]! ? known.bits : undefined;
  if (known.bound <= maxBound || exact !== undefined) return { ...known, bits: exact };
  return { value: b.unary('tanh', known.value), bits: undefined, bound: 1 };
}

/** Metadata of elements that come from either of two values. */
export function eitherOf(x: Known, y: Known): Pick<Known, 'bits' | 'bound'> {
  return {
    bits: x.bits === undefined || y.bits === undefined ? undefined : Math.max(x.bits, y.bits),
    bound: Math.max(x.bound, y.bound),
  };
}
