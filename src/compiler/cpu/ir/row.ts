// The computation of one row of a kernel, as data: consecutive stages, each with a pass over the inner loops. Chosen by
// cpu/kernels/row-plan.ts. The loops over rows and their split into tasks are in fused-kernel.ts.
import type { Extent } from '../../ir/extent.ts';
import type { Nest, Output } from '../../ir/nest.ts';
import { maskOf, type Node, type Reduction, usesOf } from '../../ir/node.ts';
import type { Pieces } from './pairwise-sum.ts';

/** The last stage of a row, run together with the preceding stage of the next row (cpu/kernels/deferred-plan.ts). */
export interface DeferredStage {
  readonly outputs: readonly Output[];
  /** Values that the previous stage left in scratch: two alternating rows, at this distance in elements. */
  readonly saved: readonly { readonly node: Node; readonly apart: number }[];
  /** The values computed for each element. */
  readonly nodes: readonly Node[];
  /** One value per row, kept until the next row. */
  readonly uniform: readonly Node[];
}

/**
 * The order in which a pass processes elements and its reductions combine them, which determines the bits of floating-point sums.
 *   given   sequential: regions that are not accumulators, and sums of a few elements
 *   any     unspecified: in C `#pragma omp simd reduction`. Only for reductions whose bits do not depend on it
 *   lanes   element i goes to partial result i modulo `lanes`; these are folded in halves, always the same tree
 * Long sums, in order or in lanes, are added in pieces (cpu/ir/pairwise-sum.ts).
 */
export type ElementOrder =
  | { readonly kind: 'given' }
  | { readonly kind: 'any' }
  | { readonly kind: 'lanes'; readonly lanes: number };
export const lanesOf = (order: ElementOrder): number => (order.kind === 'lanes' ? order.lanes : 0);

/** How a pass traverses its innermost loop. Results do not depend on it. */
export interface InnerLoop {
  /** The elements of a block: the number of lanes, or the block size of a function; 0 if elements are processed one by one. */
  readonly block: number;
  /** The number of elements of each loop over a block. */
  readonly part: number;
  /** Random bits that are generated before the loop, for all its elements. */
  readonly buffered: ReadonlySet<Node>;
}

/** A pass over the inner loops of one row. */
export interface RowPass {
  /** Over all elements of the row; the results are known after the pass. */
  readonly reductions: readonly Reduction[];
  /** One element per element of the row. */
  readonly outputs: readonly Output[];
  /** The values computed for each element, in order. */
  readonly nodes: readonly Node[];
  /** The values of the outputs and reductions. */
  readonly roots: readonly Node[];
  /** Each kept in a row of scratch for later stages. */
  readonly saved: readonly Node[];
  /** Outputs whose elements later stages read back from memory. */
  readonly readBack: readonly Output[];
  readonly order: ElementOrder;
  /** For sums that have several. */
  readonly pieces: Pieces | undefined;
  readonly inner: InnerLoop;
  /** If elements are computed and saved first: the loop that reduces them afterwards. */
  readonly apart: InnerLoop | undefined;
}
export interface RowStage {
  /** One value per row each, computed before the pass. */
  readonly uniform: readonly Node[];
  readonly uniformOutputs: readonly Output[];
  /** Absent if nothing is computed per element. */
  readonly pass?: RowPass;
}
export interface RowPlan {
  readonly nest: Nest;
  readonly required: readonly Node[];
  /** The range of the innermost loop, if it covers only part of its size. */
  readonly isRanged: boolean;
  /** Available before the first row. */
  readonly hoisted: readonly Node[];
  readonly stages: readonly RowStage[];
  /** The last stage, if it runs together with the preceding stage of the next row. */
  readonly deferred?: DeferredStage;
  readonly scratch: RowScratch;
}

/** Rows of scratch, one for each of these values; those of a deferred stage are separate. */
export interface RowScratch {
  readonly nodes: readonly Node[];
  /** Elements per row, or more. */
  readonly width: Extent;
  /** The size of scratch that a worker needs for them; 0 if they are on the stack. */
  readonly bytes: Extent;
}

/** Predicates on the values of a row. */
export class RowValues {
  readonly #innerMask: number;
  constructor(nest: Pick<Nest, 'inner'>) {
    this.#innerMask = maskOf(nest.inner);
  }
  /** A value that differs between elements of a row. */
  isInner = (n: Node): boolean => (n.deps & this.#innerMask) !== 0;
  isInnerOutput = (o: Output): boolean => ((o.node.deps | usesOf(o.index).deps) & this.#innerMask) !== 0;
  /** Available before the row loop. */
  isHoisted = (n: Node): boolean => n.deps === 0 && n.stage === 0 && n.kind !== 'reduced';
}
