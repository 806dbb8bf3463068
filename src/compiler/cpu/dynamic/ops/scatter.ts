// scatter, planned and printed as for known sizes. The results start as the inputs: in their memory, where nothing else needs it.
import { elementAt } from '../../../../base/element-at.ts';
import { scatterOperands } from '../../../../hlo/operand-groups.ts';
import { otherDims } from '../../../../hlo/ops/shape-checks.ts';
import type { Op } from '../../../../hlo/program.ts';
import { planScatter } from '../../kernels/sized-op-plan.ts';
import type { Step } from '../step.ts';
import { writable } from './movement.ts';

export function scatter(step: Step, op: Op<'scatter'>): void {
  const { indices, pairs } = scatterOperands(op.operands);
  const inputs = pairs.map(pair => pair.input);
  const updates = pairs.map(pair => pair.updates);
  const d = op.attributes.dimensionNumbers;
  const sizes = step.known(step.agreedSizes(inputs.map(v => step.sizes(v))));
  const updateSizes = step.known(step.agreedSizes(updates.map(v => step.sizes(v))));
  const indexSizes = step.known(step.sizes(indices));
  const batchDims = otherDims(updateSizes.length, d.updateWindowDims);
  const batchSizes = indexSizes.filter((_, i) => i !== d.indexVectorDim);
  batchDims.forEach((at, i) => {
    step.agreed(updateSizes[at], batchSizes[i], at);
  });
  if (d.indexVectorDim < indexSizes.length)
    step.agreed(d.scatterDimsToOperandDims.length, indexSizes[d.indexVectorDim], d.indexVectorDim);
  d.inputBatchingDims.forEach((at, i) => {
    step.agreed(sizes[at], indexSizes[elementAt(d.scatterIndicesBatchingDims, i)], at);
  });
  otherDims(sizes.length, d.insertedWindowDims, d.inputBatchingDims).forEach((to, i) => {
    const [size, window] = [elementAt(sizes, to), elementAt(updateSizes, elementAt(d.updateWindowDims, i))];
    if (size !== window) step.check(`${window} <= ${size}`, 'sizes', to, window, size);
  });
  const starts = inputs.map((input, i) => {
    const others = op.operands.filter((_, k) => k !== i);
    return writable(step, elementAt(op.results, i), input, others, sizes);
  });
  step.runOp(op, (slots, all) => planScatter(op, slots, all), starts);
}
