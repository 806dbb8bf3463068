// A fused group: values that one kernel computes over one space of loops.
import type { Value } from '../../hlo/program.ts';

export interface Space {
  readonly shape: readonly number[];
  /** For each dim, whether the group reduces over it. */
  readonly reduced: readonly boolean[];
}
export interface FusedGroup {
  readonly space: Space;
  /** What the kernel writes to memory. */
  readonly outputs: readonly Value[];
  /** Sums of columns over the same rows, which are added up after each few rows: the dims kept and reduced change places. */
  readonly columns?: FusedGroup;
}

export interface Storage {
  /** True for values that lie in memory; everything else is computed where it is used. */
  isStored(value: Value): boolean;
}
