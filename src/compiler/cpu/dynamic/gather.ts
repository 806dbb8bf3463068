// gather and dynamic_gather: an element of the operand, at a position that is read from the indices, as in programs of known
// sizes.
import { elementAt } from '../../../base/element-at.ts';
import { otherDims } from '../../../hlo/ops/shape-checks.ts';
import type { Op } from '../../../hlo/program.ts';
import { shapeOf } from '../../../hlo/program.ts';
import { plus, times } from '../../ir/extent.ts';
import { dataIndex, type Index, quantityIndex } from '../../ir/index-expr.ts';
import { gatherIndex, startIndexAt } from '../../lowering/views.ts';
import type { ElementKernel, Elements } from './element-kernel.ts';
import { type KnownSizes, largestSize } from './sizes.ts';
import type { Step } from './step.ts';

export function dynamicGather(step: Step, op: Op<'dynamic_gather'>): Elements {
  const [x, , sizes] = op.operands;
  return gather(
    step,
    op,
    step.sizes(x).map((_, d) => step.sizeFrom(step.atom(sizes, d))),
  );
}

/** `slice`: the sizes of the slice at each index. */
export function gather(step: Step, op: Op<'gather' | 'dynamic_gather'>, slice: KnownSizes): Elements {
  const [x, indices] = op.operands;
  const d = op.attributes.dimensionNumbers;
  const from = step.known(step.sizes(x));
  from.forEach((size, i) => {
    const part = elementAt(slice, i);
    if (size !== part) step.check(`${part} <= ${size}`, 'sizes', i, part, size);
  });
  const indexSizes = step.known(step.sizes(indices));
  const rank = shapeOf(op.results[0]).length;
  const batchDims = otherDims(rank, d.offsetDims);
  const windowDims = otherDims(from.length, d.collapsedSliceDims, d.operandBatchingDims);
  const batchSizes = indexSizes.filter((_, i) => i !== d.indexVectorDim);
  if (d.indexVectorDim < indexSizes.length)
    step.agreed(d.startIndexMap.length, indexSizes[d.indexVectorDim], d.indexVectorDim);
  d.operandBatchingDims.forEach((at, i) => {
    step.agreed(from[at], indexSizes[elementAt(d.startIndicesBatchingDims, i)], at);
  });
  const sizes = Array.from({ length: rank }, (_, i) =>
    d.offsetDims.includes(i)
      ? elementAt(slice, elementAt(windowDims, d.offsetDims.indexOf(i)))
      : elementAt(batchSizes, batchDims.indexOf(i)),
  );
  const at = (k: ElementKernel, index: readonly Index[]): Index[] =>
    gatherIndex(op, index, (batch, component, dim) => {
      const limit = plus(k.extent(from[dim]), times(k.extent(slice[dim]), -1));
      if (limit === 0 || from[dim] === slice[dim]) return quantityIndex(0);
      const start = k.at(indices, startIndexAt(op, batch, component));
      const size = k.graph.expression('i64', { name: 'clamp_index', limit: largestSize }, [start], 1);
      const clamped = k.graph.expression('i64', { name: 'minimum' }, [size, k.graph.index(quantityIndex(limit))], 1);
      return dataIndex(clamped, Number.POSITIVE_INFINITY);
    });
  return { sizes, lazy: { at: (k, index) => k.at(x, at(k, index)) } };
}
