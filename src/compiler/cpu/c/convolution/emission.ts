// The state of a convolution's C printer: the plan, the positions of operands, and the text printed so far.
import type { ConvolutionPlan, ConvolutionTypes } from '../../ir/convolution.ts';
import { scalarType } from '../gemm/gemm-types.ts';
import { memoryType } from '../scalar/c-types.ts';
import { Writer } from '../writer.ts';

/** The operands: their slots among the kernel's pointers, and the elements of x. */
export interface ConvolutionSlots {
  readonly x: number;
  readonly w: number;
  readonly y: number;
  readonly workspace: number;
  readonly xCount: number;
}

export interface Emission {
  readonly plan: ConvolutionPlan;
  readonly types: ConvolutionTypes;
  readonly slots: ConvolutionSlots;
  readonly out: Writer;
  /** C code that must precede the kernel, by name. */
  readonly helpers: Map<string, string>;
  /** The C type of sums, and its size. */
  readonly T: string;
  readonly bytes: number;
  /** Columns per panel of the operand that is read in vectors. */
  readonly width: number;
}

export function emissionOf(plan: ConvolutionPlan, types: ConvolutionTypes, slots: ConvolutionSlots): Emission {
  return {
    plan,
    types,
    slots,
    out: new Writer(),
    helpers: new Map(),
    T: scalarType(types.sum),
    bytes: types.sum === 'f64' ? 8 : 4,
    width: plan.tile.vectors * plan.lanes,
  };
}

/** Adds a function that may be shared with multiplies of the same unit. */
export function share(e: Emission, name: string, text: string): void {
  e.helpers.set(name, `#ifndef ${name}_defined\n#define ${name}_defined\n${text}\n#endif`);
}

/** The number of panels of the weights: strips of the tile's rows, or panels of its columns; the last may be narrower. */
export function panelsOf(e: Emission): number {
  return Math.ceil(e.plan.problem.outputs / panelFeatures(e));
}
/** Output features per panel. */
export function panelFeatures(e: Emission): number {
  return e.plan.orientation === 'across' ? e.plan.tile.rows : e.width;
}
/** The features of the last panel, if it is narrower, and the columns that contain them. */
export function restFeatures(e: Emission): { readonly count: number; readonly width: number } {
  const count = e.plan.problem.outputs % panelFeatures(e);
  const { lanes, orientation } = e.plan;
  return { count, width: orientation === 'across' ? count : Math.ceil(count / lanes) * lanes };
}

/** From a task's index to its part: `c`, group, m0, m1, j0, j1. */
export function emitPart(e: Emission, unit: string): void {
  const { plan, out } = e;
  const { problem: p, phases, blocks } = plan;
  out.line(`int64_t local = ${unit};`);
  out.line('const t_conv *c = @_shape;');
  let last = phases[0]!;
  for (const next of phases.slice(1)) {
    const tasks = last.chunks * blocks * p.groups;
    out.line(`if (c == &@_shape[${phases.indexOf(last)}] && local >= ${tasks}) local -= ${tasks}, c++;`);
    last = next;
  }
  out.line(`const int64_t m0 = local % ${blocks} * ${plan.block}, group = local / ${blocks} % ${p.groups};`);
  out.line(`const int64_t m1 = m0 + ${plan.block} < ${p.outputs} ? m0 + ${plan.block} : ${p.outputs};`);
  out.line(`const int64_t j0 = local / ${blocks * p.groups} * ${plan.chunk};`);
  out.line(`const int64_t j1 = j0 + ${plan.chunk} < c->columns ? j0 + ${plan.chunk} : c->columns;`);
}

/** C expression for the result at the part's first feature. */
export function resultAt(e: Emission): string {
  const { problem: p } = e.plan;
  const Y = memoryType(e.types.y);
  return `(${Y} *)p[${e.slots.y}] + group * ${p.yGroup} + m0 * ${p.yOut}`;
}
