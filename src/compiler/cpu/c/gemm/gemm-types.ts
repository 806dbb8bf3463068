// The names of scalar and vector types in the C of multiplies; prelude.ts defines those of vectors.

import type { GemmElementType } from '../../../ir/multiply.ts';
import { elementBytes } from '../../gemm/problem.ts';
import type { CpuTarget } from '../../target/target.ts';

/** The C type of an element in memory; floats of two bytes are their bits. */
export function scalarType(elementType: GemmElementType): string {
  return { f64: 'double', f32: 'float', bf16: 'uint16_t', f16: 'uint16_t' }[elementType];
}

/** The C type of a vector of `lanes` elements in registers; with the suffix `_u`, of one anywhere in memory. */
export function vectorType(elementType: GemmElementType, lanes: number): string {
  return `gemm_${elementType}x${lanes}`;
}

/** Sizes of the vector types of a unit: powers of two from 2 lanes to the target's widest vector. */
export function vectorSizes(elementType: GemmElementType, target: CpuTarget): number[] {
  const widest = target.vectorBytes / elementBytes(elementType);
  const sizes: number[] = [];
  for (let lanes = 2; lanes <= widest; lanes *= 2) sizes.push(lanes);
  return sizes;
}
