// reduce: planned and printed as in programs of known sizes, by rows or by columns.
import type { Op } from '../../../../hlo/program.ts';
import { reducedSizes } from '../elements.ts';
import type { Step } from '../step.ts';

export function reduce(step: Step, op: Op<'reduce'>): void {
  const { from, to } = reducedSizes(step, op);
  const memory = op.results.map(value => ({ value, pointer: step.result(value, to).pointer }));
  step.fuse(
    from,
    op.attributes.dimensions,
    memory.map(({ value, pointer }, which) => ({
      value,
      pointer,
      sizes: step.known(step.sizes(value)),
      isKept: true,
      at: (k, index) => k.reduced(op, which, index),
    })),
  );
}
