// What a device computes, as the engine models take it: multiplies, sweeps over elements, moves of rows. A model described
// by its configuration and a recorded program come down to the same list.
import type { MultiplyType } from '../hardware/machine.ts';

/** `batch` multiplies of [m, k] by [k, n]. */
export interface Multiply {
  readonly kind: 'multiply';
  readonly name: string;
  readonly batch: number;
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly type: MultiplyType;
  /** Bytes of memory traffic for both operands and the result, if nothing of them is kept near the engine. */
  readonly bytes: number;
  /** Elements of operands that a systolic array must turn first, as they were just made with their rows across it. */
  readonly turned?: number;
  /** Part of a kernel that works in blocks and goes on with the result where it was made. */
  readonly blocked?: boolean;
}
/** Arithmetic over `elements`, fused: each operand is read once and each result written once. */
export interface Sweep {
  readonly kind: 'sweep';
  readonly name: string;
  readonly elements: number;
  /** Simple operations for each element: adds, multiplies, compares, steps of a reduction. */
  readonly simple: number;
  /** Transcendental operations for each element: exp, tanh, erf, rsqrt, log. */
  readonly transcendental: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
}
/** Rows looked up or summed into a table at indices. */
export interface RowMove {
  readonly kind: 'row-move';
  readonly name: string;
  readonly rows: number;
  readonly bytesPerRow: number;
  readonly direction: 'gather' | 'scatter';
}
/** One kind of work: a product of matrices, a pass over memory, or rows that are moved. */
export type Work = Multiply | Sweep | RowMove;

export const flopsOf = (work: Work): number =>
  work.kind === 'multiply' ? 2 * work.batch * work.m * work.n * work.k : 0;

/** Work that is done `times` times in a row. */
export interface WorkList {
  readonly work: readonly Work[];
  readonly times: number;
}
