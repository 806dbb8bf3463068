// What an optimizer declares and is given to update one parameter: its state, the count of its steps, and the inputs of an update.
import type { Value } from '../hlo/program.ts';
import type { ElementType } from '../hlo/types.ts';
import type { HostInput, Tensor } from '../tensor/index.ts';

/** A tensor that an optimizer keeps for a parameter. */
export interface StateSpec {
  readonly name: string;
  readonly shape: readonly number[];
  /** By default that of the parameter, or the group's `stateType` where that is a narrow float. */
  readonly dtype?: ElementType;
  /** Its elements before the first step; 0 by default. */
  readonly fill?: number;
}
/** Parameters that were stepped equally often share a count, and with it the numbers of a step. */
export interface Clock {
  count: number;
  readonly input: HostInput;
}
/** How a step is taken where gradients were scaled (see `grad-scaler.ts`). All are scalars on the device. */
export interface StepOptions {
  /** Gradients are multiplied by it first, in the type of the update. */
  readonly gradientScale?: Tensor | undefined;
  /** i1: where it is false, parameters and state stay as they are. */
  readonly when?: Tensor | undefined;
  /** f32: how many earlier steps were skipped. */
  readonly skipped?: Tensor | undefined;
}

/** The inputs of an update. */
export interface UpdateInput {
  readonly parameter: Value;
  readonly gradient: Value;
  readonly state: readonly Value[];
  /** The step's numbers as scalars. */
  readonly numbers: readonly Value[];
  readonly shape: readonly number[];
  /** The type in which the parameter is stored. */
  readonly dtype: ElementType;
}
