// Notes where an activation passes from one stage of a pipeline to the next.

import { isFloat, tensorTypeOf } from '../../hlo/index.ts';
import { type StageBorder, stageBorderCall } from '../../hlo/ops/stage-border.ts';
import { record, type Tensor } from '../tensor.ts';

/** The same tensor. Of numbers that are not floats, it notes nothing: no gradient comes back. */
export const stageBorder = (x: Tensor, border: Omit<StageBorder, 'isBackward'>): Tensor =>
  isFloat(x.type.elementType)
    ? record('stageBorder', [x], (b, [value]) =>
        b.emit1('custom_call', [value!], stageBorderCall(tensorTypeOf(value!), { ...border, isBackward: false })),
      )
    : x;
