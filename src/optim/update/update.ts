// The interface between optimizers and the update of one parameter: its state, its step count, and the inputs of an update.
import type { Value } from '../../hlo/program.ts';
import type { ElementType } from '../../hlo/types.ts';
import type { Parameter } from '../../nn/index.ts';
import type { HostInput, Tensor } from '../../tensor/index.ts';

/** A tensor that an optimizer keeps for a parameter. */
export interface StateSpec {
  readonly name: string;
  readonly shape: readonly number[];
  /** The data type: by default that of the parameter, or the group's `stateType` for a low-precision parameter. */
  readonly dtype?: ElementType;
  /** Its elements before the first step; 0 by default. */
  readonly fill?: number;
}
/** State of the shape of the parameter, 0 before the first step. */
export const likeParameter = ({ shape }: Parameter, names: readonly string[]): readonly StateSpec[] =>
  names.map(name => ({ name, shape }));

/** Parameters with the same number of steps share a count, and therefore the step scalars. */
export interface Clock {
  count: number;
  readonly input: HostInput;
}
/** Options for a step on scaled gradients (see `grad-scaler.ts`). All are scalars on the device. */
export interface StepOptions {
  /** A factor for gradients, applied in the type of the update. */
  readonly gradientScale?: Tensor | undefined;
  /** i1: if false, parameters and state are unchanged. */
  readonly when?: Tensor | undefined;
  /** f32: the number of earlier steps that were skipped. */
  readonly skipped?: Tensor | undefined;
}

/** The inputs of an update. */
export interface UpdateInput {
  readonly parameter: Value;
  readonly gradient: Value;
  readonly state: readonly Value[];
  /** The step scalars. */
  readonly numbers: readonly Value[];
  readonly shape: readonly number[];
  /** The type in which the parameter is stored. */
  readonly dtype: ElementType;
}
