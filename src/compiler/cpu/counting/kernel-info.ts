// Information about a kernel for reports.
import type { SourceLocation } from '../../../base/errors.ts';

/** A kernel of a compiled program: its ops, work and bytes. */
export interface KernelInfo {
  /** Its name in the program, `k12`; a comment in the C repeats it where the kernel is declared and defined. */
  readonly name: string;
  /** The kind of work: fused element-wise work, a matrix multiply, a collective, or something else. */
  readonly kind: 'fused' | 'multiply' | 'other' | 'collective';
  /** The number of steps that call it: equal layers share their kernels. */
  readonly calls: number;
  /** The sizes of its loops: `1024×3072×768` (m×n×k of a multiply), `1024×(768)` (rows, reduced dims), a result's shape. */
  readonly shape: string;
  /** The ops that it computes, with the lines of the user's program that recorded them. */
  readonly ops: readonly {
    /** The name of the op. */
    readonly name: string;
    /** The line that recorded the op, if it is known. */
    readonly location: SourceLocation | undefined;
  }[];
  /** The operations of one call; a transcendental function counts as one. */
  readonly flops: number;
  /** The type of the operands of a multiply. */
  readonly products: string | undefined;
  /** Memory read and written by one call. */
  readonly bytes: number;
  /** The bytes that are read. */
  readonly bytesRead: number;
  /** The bytes that are written. */
  readonly bytesWritten: number;
  /** The written bytes that are in memory that the call also reads. */
  readonly bytesInPlace: number;
  /** Set for a collective. */
  readonly sent?: {
    /** The bytes that each rank sends in one call. */
    readonly bytes: number;
    /** The number of ranks that exchange with each other. */
    readonly devices: number;
    /** 0 for a kernel that only awaits what another one has started. */
    readonly times: number;
  };
}
