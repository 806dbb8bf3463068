// Numbers that the host passes to each execution, such as a learning rate: they are inputs, never part of the program.
import type { TensorType } from '../../hlo/types.ts';

export interface HostInput {
  readonly label: string;
  readonly type: TensorType;
  /** Called once for each execution. */
  next(): Uint8Array;
}
