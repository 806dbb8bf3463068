// The work of a device, as input to the engine models: multiplies, sweeps over elements, moves of rows. A model given by its
// configuration and a recorded program are both reduced to such a list.
import type { MultiplyType } from '../hardware/machine.ts';

/** `batch` multiplies of [m, k] by [k, n]. */
export interface Multiply {
  /** Discriminates the members of the union. */
  readonly kind: 'multiply';
  /** The name. */
  readonly name: string;
  /** The number of multiplies in the batch. */
  readonly batch: number;
  /** The number of rows of the result. */
  readonly m: number;
  /** The number of columns of the result. */
  readonly n: number;
  /** The number of terms in each sum. */
  readonly k: number;
  /** The data type. */
  readonly type: MultiplyType;
  /** Bytes of memory traffic for both operands and the result, if they are not kept near the engine. */
  readonly bytes: number;
  /**
   * Elements of operands that must be transposed before a systolic array can use them, because of the layout in which they were
   * just produced.
   */
  readonly turned?: number;
  /** Part of a blocked kernel that continues with the result in registers or cache. */
  readonly blocked?: boolean;
}
/** Arithmetic over `elements`, fused: each operand is read once and each result written once. */
export interface Sweep {
  /** Discriminates the members of the union. */
  readonly kind: 'sweep';
  /** The name. */
  readonly name: string;
  /** The number of elements. */
  readonly elements: number;
  /** Simple operations for each element: adds, multiplies, compares, steps of a reduction. */
  readonly simple: number;
  /** Transcendental operations for each element: exp, tanh, erf, rsqrt, log. */
  readonly transcendental: number;
  /** The bytes that are read. */
  readonly bytesRead: number;
  /** The bytes that are written. */
  readonly bytesWritten: number;
}
/** Rows looked up or summed into a table at indices. */
export interface RowMove {
  /** Discriminates the members of the union. */
  readonly kind: 'row-move';
  /** The name. */
  readonly name: string;
  /** The number of rows. */
  readonly rows: number;
  /** The size of a row in bytes. */
  readonly bytesPerRow: number;
  /** Whether rows are read from the table or added to it. */
  readonly direction: 'gather' | 'scatter';
}
/** One kind of work: a product of matrices, a pass over memory, or rows that are moved. */
export type Work = Multiply | Sweep | RowMove;

export const flopsOf = (work: Work): number =>
  work.kind === 'multiply' ? 2 * work.batch * work.m * work.n * work.k : 0;

/** Work that is done `times` times in a row. */
export interface WorkList {
  /** The work. */
  readonly work: readonly Work[];
  /** The number of executions. */
  readonly times: number;
}
