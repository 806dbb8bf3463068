// The elements of a state dict at this moment: its tensors change with the module.
import type { Literal } from '../hlo/literal.ts';
import type { Tensor } from '../tensor/index.ts';

export const literalsOf = (state: ReadonlyMap<string, Tensor>): Map<string, Literal> =>
  new Map(Array.from(state, ([name, value]) => [name, value.literal()]));
