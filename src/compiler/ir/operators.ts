import { factorizationOf } from '../../hlo/ops/factorizations/factorization.ts';
import { isPagedAttention } from '../../hlo/ops/paged-attention.ts';
import type { Op } from '../../hlo/program.ts';

/** The functions of custom operators by name: symbols that are available when the program is loaded. */
export type Operators = ReadonlyMap<string, string>;

/** Whether the target of a custom call is an operator that is loaded, or has a kernel here. */
export const isKnownCall = (op: Op<'custom_call'>, operators: Operators): boolean =>
  factorizationOf(op) !== undefined || isPagedAttention(op) || operators.has(op.attributes.callTargetName);
