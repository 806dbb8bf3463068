// Prints the C of a ConvolutionPlan: packing of the weights (if any), then the tasks, then the sum over slices of k.
//
//   a task: columns j0..j1, output features m0..m1, one slice of k; its sums in scratch memory
//     for each pass over k
//       across: the patches of all columns are copied into panels, then each panel is multiplied with strips of weights
//       along:  one strip of patches at a time is copied and multiplied with each panel of weights
//     the sums go to the result, or to separate buffers, one per slice
//
// An element is summed in the order of k within a slice, then slice by slice, so the bits do not depend on the number of workers.

import type { ConvolutionPlan, ConvolutionTypes, PhasePlan } from '../../ir/convolution.ts';
import { emitTask } from './convolution-task.ts';
import { type ConvolutionSlots, type Emission, emissionOf, panelsOf } from './emission.ts';
import { extentCount, shapeStruct } from './patch-copies.ts';
import { emitCombine, emitStore } from './result-store.ts';
import { emitPacking } from './weight-packing.ts';

export interface ConvolutionCode {
  readonly code: string;
  readonly helpers: ReadonlyMap<string, string>;
}

export function emitConvolution(
  plan: ConvolutionPlan,
  types: ConvolutionTypes,
  slots: ConvolutionSlots,
): ConvolutionCode {
  const e = emissionOf(plan, types, slots);
  const { out } = e;
  const { problem: p, slices } = plan;
  e.helpers.set('t_conv', shapeStruct);
  emitShapes(e);
  if (plan.weights !== 'inPlace') emitPacking(e);
  emitStore(e);
  emitTask(e);
  if (slices > 1) emitCombine(e);
  out.open('static void @(const trenio_rt *rt, char *const *p)');
  out.line('t_call call = {rt, p};');
  if (plan.weights === 'once') out.line(`rt->parallel(rt, @_pack_task, &call, ${p.groups * panelsOf(e)});`);
  out.line(`rt->parallel(rt, @_task, &call, ${plan.tasks * slices});`);
  if (slices > 1) out.line(`rt->parallel(rt, @_combine, &call, ${plan.tasks});`);
  out.close();
  return { code: out.toString(), helpers: e.helpers };
}

function emitShapes(e: Emission): void {
  const list = (values: readonly number[]): string => `{${values.join(', ')}}`;
  const padded = (values: readonly number[], count: number, value: number): number[] => [
    ...Array<number>(Math.max(0, count - values.length)).fill(value),
    ...values,
  ];
  const { problem: p, phases } = e.plan;
  e.out.line(`static const t_conv @_shape[${phases.length}] = {`);
  for (const { phase, wExtents, yExtents, packedAt } of phases) {
    const of = (name: keyof (typeof phase.dims)[number]): string => list(phase.dims.map(d => d[name]));
    const sizes = (extents: PhasePlan['wExtents'], count: number): string =>
      `${list(
        padded(
          extents.map(e => e.size),
          count,
          1,
        ),
      )}, ${list(
        padded(
          extents.map(e => e.stride),
          count,
          0,
        ),
      )}`;
    e.out.line(
      `  {${phase.columns}, ${phase.depth}, ${p.inputs}, ${p.xIn}, ${of('q')}, ${of('taps')}, ${of('step')}, ${of('dilation')}, ${of('first')}, ${of('size')}, ${of('xStride')},`,
    );
    e.out.line(
      `   ${sizes(wExtents, extentCount)}, ${phase.wBase}, ${sizes(yExtents, phase.dims.length)}, ${p.yOut}, ${phase.yBase}, ${packedAt}},`,
    );
  }
  e.out.line('};');
}
