// reduce_window and select_and_scatter, planned and printed as for known sizes.
import { elementAt } from '../../../../base/element-at.ts';
import type { Op } from '../../../../hlo/program.ts';
import { planReduceWindow, planSelectAndScatter } from '../../kernels/sized-op-plan.ts';
import type { KnownSizes } from '../sizes.ts';
import type { Step } from '../step.ts';

interface Windows {
  readonly windowDimensions: readonly number[];
  readonly windowStrides: readonly number[];
  readonly padding: readonly (readonly [number, number])[];
  readonly baseDilations: readonly number[];
  readonly windowDilations: readonly number[];
}

/** The number of windows along each dim. */
function windowCounts(step: Step, from: KnownSizes, w: Windows): (number | string)[] {
  return from.map((size, d) => {
    const [low, high] = elementAt(w.padding, d);
    const numbers = [
      elementAt(w.windowDimensions, d),
      elementAt(w.windowStrides, d),
      low,
      high,
      elementAt(w.baseDilations, d),
      elementAt(w.windowDilations, d),
    ];
    return step.bind('int64_t', `t_windows(${size}, ${numbers.join(', ')})`);
  });
}

export function reduceWindow(step: Step, op: Op<'reduce_window'>): void {
  const inputs = op.operands.slice(0, op.operands.length / 2);
  const from = step.known(step.agreedSizes(inputs.map(v => step.sizes(v))));
  const counts = windowCounts(step, from, op.attributes);
  for (const v of op.results) step.result(v, counts);
  step.runOp(op, (slots, sizes) => planReduceWindow(op, slots, sizes));
}

export function selectAndScatter(step: Step, op: Op<'select_and_scatter'>): void {
  const [x, source] = op.operands;
  const from = step.known(step.sizes(x));
  const ones = from.map(() => 1);
  const windows: Windows = { ...op.attributes, baseDilations: ones, windowDilations: ones };
  step.agreedSizes([windowCounts(step, from, windows), step.sizes(source)]);
  step.result(op.results[0], from);
  step.runOp(op, (slots, sizes) => planSelectAndScatter(op, slots, sizes));
}
