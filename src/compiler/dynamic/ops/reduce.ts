// reduce: planned and printed as in programs of known sizes, by rows or by columns.
import type { Op } from '../../../hlo/program.ts';
import { reducedSizes } from '../elements.ts';
import type { Step } from '../step.ts';

export function reduce(step: Step, op: Op<'reduce'>): void {
  const { from, to } = reducedSizes(step, op);
  const pointers = op.results.map(v => step.result(v, to).pointer);
  step.fuse(
    from,
    op.attributes.dimensions,
    op.results.map((value, which) => ({
      value,
      pointer: pointers[which]!,
      sizes: step.known(step.sizes(value)),
      isKept: true,
      at: (k, index) => k.reduced(op, which, index),
    })),
  );
}
