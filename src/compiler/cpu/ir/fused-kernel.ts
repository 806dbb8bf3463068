// The kernel of a fused group as data: its loops, the values computed and stored in them, and its split into tasks.
// It determines the results completely, independently of the language it is printed in. Planned by cpu/kernels/, printed as C by
// cpu/c/kernels/, and as WebAssembly by cpu/wasm/.
import type { Extent } from '../../ir/extent.ts';
import type { Loop } from '../../ir/index-expr.ts';
import type { Nest, Output } from '../../ir/nest.ts';
import type { Node, Reduction } from '../../ir/node.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import type { Pieces } from './pairwise-sum.ts';
import type { ElementOrder, InnerLoop, RowPlan } from './row.ts';

/** The number of random elements generated at a time. */
export const randomBlock = 4096;
/** Rows are only cut at multiples of this: a vector of the smallest elements. */
export const wholeVectors = 64;
/** Processes its elements row by row. */
export interface RowsKernel {
  readonly kind: 'rows';
  readonly row: RowPlan;
  readonly rows: Extent;
  /** Elements of a row. */
  readonly width: Extent;
  readonly tasks: Extent;
  /** Rows of a task; 1 where rows are cut. */
  readonly perTask: Extent;
  /** Parts that a row is cut into, and elements of each but the last. */
  readonly chunks: Extent;
  readonly chunk: Extent;
  /** Both ends of each part are multiples of it. */
  readonly multiple: number;
  readonly isParallel: boolean;
}

export interface ColumnNest {
  readonly outer: readonly Loop[];
  readonly reduced: readonly Loop[];
  readonly column: Loop;
  readonly outputs: readonly Output[];
  readonly operands: readonly KernelOperand[];
}

/**
 * Where chunks leave partial results, in the workspace: for each reduction, and each of its inputs, the byte at which its
 * partial results begin. Empty where nothing is cut into chunks.
 */
export interface Partials {
  readonly offsets: ReadonlyMap<Reduction, readonly Extent[]>;
  readonly bytes: Extent;
}

/** The number of rows that are computed before they are summed. */
export interface RowsBefore {
  readonly row: RowPlan;
  readonly rows: number;
}

export interface ColumnsKernel {
  readonly kind: 'columns';
  readonly nest: ColumnNest;
  readonly reductions: readonly Reduction[];
  /** Known before the rows are processed: one value for each index of the outer loops. */
  readonly uniform: readonly Node[];
  /** The nodes computed for each element, in order, for these roots. */
  readonly nodes: readonly Node[];
  readonly roots: readonly Node[];
  readonly inner: InnerLoop;
  /** Outputs with one element per element of the space, and results of reductions. */
  readonly full: readonly Output[];
  readonly results: readonly Output[];
  /** The columns of each block but the last, the maximum of that number, and the number of blocks. */
  readonly block: Extent;
  readonly longestBlock: number;
  readonly blocks: Extent;
  /** Both ends of each block are multiples of it. */
  readonly multiple: number;
  /** The loop over rows that is cut into chunks, the steps of each chunk but the last, and the number of chunks. */
  readonly first: Loop | undefined;
  readonly perChunk: Extent;
  readonly chunks: Extent;
  /** One for each index of the outer loops, block and chunk, the chunk changing fastest. */
  readonly tasks: Extent;
  readonly isParallel: boolean;
  readonly before: RowsBefore | undefined;
  /** The pieces of rows, for sums that have several. */
  readonly pieces: Pieces | undefined;
  readonly partials: Partials;
}

/** Reduces a few long rows, each split into chunks; the chunks' results are combined in order. */
export interface SplitKernel {
  readonly kind: 'split';
  readonly nest: Nest;
  readonly required: readonly Node[];
  readonly reductions: readonly Reduction[];
  readonly rows: Extent;
  /** Known before the first row. */
  readonly hoisted: readonly Node[];
  /** One value per row, before the reductions and after them. */
  readonly uniform: readonly Node[];
  readonly uniformAfter: readonly Node[];
  /** The nodes computed for each element, in order, for these roots. */
  readonly nodes: readonly Node[];
  readonly roots: readonly Node[];
  readonly inner: InnerLoop;
  /** Outputs with one element per element of the space, and those with one per row. */
  readonly full: readonly Output[];
  readonly results: readonly Output[];
  /**
   * The loop that is cut into chunks, the steps of each chunk but the last, and the number of chunks. Each chunk of each row is
   * a task.
   */
  readonly first: Loop;
  readonly perChunk: Extent;
  readonly chunks: Extent;
  /** The order of the elements of a chunk, which begins at a multiple of the lanes. */
  readonly order: ElementOrder;
  /** The pieces of a chunk's elements, and of the chunks, for sums that have several. */
  readonly pieces: Pieces | undefined;
  readonly chunkPieces: Pieces | undefined;
  readonly partials: Partials;
}

/**
 * Rows or sums of columns in parts along their innermost loop, one part after the other over the same operands: where parts are
 * computed differently (the operands of a concatenation), so that no per-element test for the part is needed.
 */
export interface PartsKernel {
  readonly kind: 'parts';
  readonly parts: readonly (RowsKernel | ColumnsKernel)[];
}

export type FusedKernel =
  | RowsKernel
  | ColumnsKernel
  | SplitKernel
  | PartsKernel
  /** One after the other, over the same operands. */
  | { readonly kind: 'sequence'; readonly first: RowsKernel; readonly second: ColumnsKernel };
