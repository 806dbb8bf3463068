// Conversions for decompositions of several steps, which compute in at least f32 and round once at the end.

import type { BaseBuilder } from '../base-builder.ts';
import { type TensorValue, tensorTypeOf, type Value } from '../program.ts';
import { elementBytes, isFloat } from '../types.ts';

/** Converts floats less precise than f32 to f32; other values are returned unchanged. */
export function widened(b: BaseBuilder, x: Value): TensorValue {
  const { elementType } = tensorTypeOf(x);
  return isFloat(elementType) && elementBytes(elementType) < 4 ? b.convert(x, 'f32') : (x as TensorValue);
}
