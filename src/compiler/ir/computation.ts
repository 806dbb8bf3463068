// The computation of a fused group's kernel, whichever machine runs it: loops over a space, and for each index of them a graph of
// scalars. How a machine goes through the loops is in the data of its kernels (cpu/ir/fused-kernel.ts).
import type { Loop } from './index-expr.ts';
import type { Output } from './nest.ts';
import type { Node } from './node.ts';
import type { Operands } from './operands.ts';

export interface SpaceLoop {
  readonly loop: Loop;
  readonly reduced: boolean;
}
/** The values computed in some loops. */
export interface LoopValues {
  readonly operands: Operands;
  readonly outputs: readonly Output[];
  /** All that the outputs need, each after its arguments. */
  readonly nodes: readonly Node[];
}
export interface Computation extends LoopValues {
  /** The loops of more than one step, outermost first. */
  readonly loops: readonly SpaceLoop[];
}

/** Elements `from` to `to` of the innermost loop. */
export interface Part {
  readonly from: number;
  readonly to: number;
}
/** The outputs in these loops, or in a part of the innermost one; `before` are the operands of earlier parts. */
export type Evaluate = (loops: readonly SpaceLoop[], before?: Operands, part?: Part) => LoopValues;
