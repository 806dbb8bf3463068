// The source and the target of a packing function.

import type { KernelType, Load } from '../../ir/multiply-tiling.ts';
/** Which elements are contiguous in the source: those across, those along k, or neither. */
export type PackSource = 'across' | 'along' | 'strided';

export interface PackSpec {
  readonly elementType: KernelType;
  /** The conversion to `elementType`; a copy if absent. */
  readonly load?: Load;
  /** For `load`: the processor converts f16. */
  readonly f16?: boolean;
  /** Elements across a panel. */
  readonly width: number;
  /** The number of elements in the source; the others become zeros. */
  readonly columns: number;
  readonly source: PackSource;
  /** The widest vector to copy with. */
  readonly lanes: number;
}
