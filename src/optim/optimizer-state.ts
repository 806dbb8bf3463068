// The saved state of an optimizer.
import type { Literal } from '../hlo/literal.ts';

/** An optimizer's state: moments and counts by parameter number, settings by group. */
export interface OptimizerState {
  /** The state tensors by name. */
  readonly tensors: ReadonlyMap<string, Literal>;
  /** The options of each parameter group. */
  readonly groups: readonly Readonly<Record<string, unknown>>[];
}
