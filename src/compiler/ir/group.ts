// A fused group: values that one kernel computes in one loop nest.
import type { Value } from '../../hlo/program.ts';

export interface Space {
  readonly shape: readonly number[];
  /** For each dim, whether the group reduces over it. */
  readonly reduced: readonly boolean[];
}
export interface FusedGroup {
  readonly space: Space;
  /** The values that the kernel writes to memory. */
  readonly outputs: readonly Value[];
  /** Column sums over the same rows, updated after every few rows: kept and reduced dims are swapped. */
  readonly columns?: FusedGroup;
}

export interface Storage {
  /** True for values stored in memory; all others are computed where they are used. */
  isStored(value: Value): boolean;
}
