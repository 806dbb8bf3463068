// What a packing function copies, and into what.

import type { KernelType, Load } from '../../ir/multiply-tiling.ts';
/** What lies contiguously in the source: the elements across, those along k, or neither. */
export type PackSource = 'across' | 'along' | 'strided';

export interface PackSpec {
  readonly elementType: KernelType;
  /** How elements become `elementType`; a copy where absent. */
  readonly load?: Load;
  /** For `load`: the processor converts f16. */
  readonly f16?: boolean;
  /** Elements across a panel. */
  readonly width: number;
  /** The number that the source has; the others become zeros. */
  readonly columns: number;
  readonly source: PackSource;
  /** Widest vector to copy with. */
  readonly lanes: number;
}
