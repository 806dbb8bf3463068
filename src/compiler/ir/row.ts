// How one row of a kernel is computed, as data: stages one after another, each with a pass over the inner loops. Decided by
// kernels/row-plan.ts. Not the loops over rows, nor how they are cut into tasks (fused-kernel.ts).
import type { Nest, Output } from './nest.ts';
import { maskOf, type Node, type Reduction, usesOf } from './node.ts';

/** The last stage of a row, run together with the preceding stage of the next row (kernels/deferred-plan.ts). */
export interface DeferredStage {
  readonly outputs: readonly Output[];
  /** What the stage before left in scratch, of which there are two rows, so many elements apart. */
  readonly saved: readonly { readonly node: Node; readonly apart: number }[];
  /** What is computed of each element. */
  readonly nodes: readonly Node[];
  /** One value a row, kept until the row after it. */
  readonly uniform: readonly Node[];
}

/**
 * The order in which a pass processes elements and its reductions combine them, which determines the bits of floating-point sums.
 *   given   sequential: regions that are not accumulators, and sums of a few elements
 *   any     unspecified: in C `#pragma omp simd reduction`. Only for reductions whose bits do not depend on it
 *   lanes   element i goes to partial result i modulo `lanes`; these are folded in halves, always the same tree
 */
export type ElementOrder =
  | { readonly kind: 'given' }
  | { readonly kind: 'any' }
  | { readonly kind: 'lanes'; readonly lanes: number };
export const lanesOf = (order: ElementOrder): number => (order.kind === 'lanes' ? order.lanes : 0);

/** A pass over the inner loops of one row. */
export interface RowPass {
  /** Over all elements of the row; the results are known after the pass. */
  readonly reductions: readonly Reduction[];
  /** One element each an element of the row. */
  readonly outputs: readonly Output[];
  /** What is computed of each element, in order. */
  readonly nodes: readonly Node[];
  /** Those of the outputs and reductions. */
  readonly roots: readonly Node[];
  /** Kept in a row of scratch each, for later stages. */
  readonly saved: readonly Node[];
  /** Outputs whose elements later stages read back from memory. */
  readonly readBack: readonly Output[];
  readonly order: ElementOrder;
  /** Elements are computed and saved first, then reduced in a separate pass. */
  readonly isApart: boolean;
}
export interface RowStage {
  /** One value a row each, computed before the pass. */
  readonly uniform: readonly Node[];
  readonly uniformOutputs: readonly Output[];
  /** Absent where there is nothing to do for single elements. */
  readonly pass?: RowPass;
}
export interface RowPlan {
  readonly nest: Nest;
  readonly required: readonly Node[];
  /** The innermost loop runs over a part of its size. */
  readonly isRanged: boolean;
  /** Known before the first row. */
  readonly hoisted: readonly Node[];
  readonly stages: readonly RowStage[];
  /** The last stage, if it runs together with the preceding stage of the next row. */
  readonly deferred?: DeferredStage;
  readonly scratch: RowScratch;
}

/** Rows of scratch, one for each of these values; those of a deferred stage apart. */
export interface RowScratch {
  readonly nodes: readonly Node[];
  /** Elements of a row. */
  readonly width: number;
  /** What a worker asks of the runtime for them; 0 where they lie on the stack. */
  readonly bytes: number;
}

/** Questions about the values of a row. */
export class RowValues {
  readonly #innerMask: number;
  constructor(nest: Pick<Nest, 'inner'>) {
    this.#innerMask = maskOf(nest.inner);
  }
  /** Another value for each element of a row. */
  isInner = (n: Node): boolean => (n.deps & this.#innerMask) !== 0;
  isInnerOutput = (o: Output): boolean => ((o.node.deps | usesOf(o.index).deps) & this.#innerMask) !== 0;
  /** Known before the row loop. */
  isHoisted = (n: Node): boolean => n.deps === 0 && n.stage === 0 && n.kind !== 'reduced';
}
