// Additional information for gradients in a trace: computations with a custom gradient, and hooks.
import type { SourceLocation } from '../../base/errors.ts';
import type { Value } from '../../hlo/program.ts';

/** The inputs of the gradient of a node. */
export interface NodeGradientRequest {
  /** One for each output; undefined for zeros. */
  readonly cotangents: readonly (Value | undefined)[];
  /** True for the inputs whose gradient is needed. */
  readonly needs: (input: Value) => boolean;
}

export interface GradientNode {
  readonly name: string;
  readonly location: SourceLocation | undefined;
  /** True if no gradient flows to its inputs. */
  readonly isZero?: boolean;
  readonly inputs: readonly Value[];
  /** Values that were created for this node alone, consecutively. */
  readonly outputs: readonly Value[];
  /** The cotangents of the inputs, recorded in the trace; undefined where none flows. */
  readonly gradient: (request: NodeGradientRequest) => readonly (Value | undefined)[];
}

/** A node whose result does not depend on its inputs, which it therefore gives a gradient of zeros: as PyTorch's `zero_`. */
export const zeroGradient = (
  name: string,
  location: SourceLocation | undefined,
  inputs: readonly Value[],
  output: Value,
): GradientNode => ({
  name,
  location,
  isZero: true,
  inputs,
  outputs: [output],
  gradient: () => inputs.map(() => undefined),
});

/** Changes a gradient, or returns it unchanged. */
export type GradientHook = (gradient: Value) => Value;
