// sort, planned and printed as for known sizes.
import { elementAt } from '../../../../base/element-at.ts';
import type { Op } from '../../../../hlo/program.ts';
import { planSort } from '../../kernels/sized-op-plan.ts';
import type { Step } from '../step.ts';

/** Positions along the dim have 4 bytes. */
const longest = 2 ** 31 - 1;

export function sort(step: Step, op: Op<'sort'>): void {
  const sizes = step.known(step.agreedSizes(op.operands.map(v => step.sizes(v))));
  const dim = op.attributes.dimension < 0 ? op.attributes.dimension + sizes.length : op.attributes.dimension;
  const length = elementAt(sizes, dim);
  if (typeof length === 'string') step.bounded(length, 0, longest);
  for (const v of op.results) step.result(v, sizes);
  step.runOp(op, (slots, all) => planSort(op, slots, all));
}
