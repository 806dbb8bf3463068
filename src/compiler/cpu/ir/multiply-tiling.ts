// How a matrix multiply is tiled and blocked, as data. Chosen by cpu/gemm/gemm-plan.ts, printed by cpu/c/gemm/.
import { type GemmElementType, type GemmSpec, interleavedBlock, type QuantizedFormat } from '../../ir/multiply.ts';

/** A spec whose operands the generator may have swapped: (A·B)ᵀ = Bᵀ·Aᵀ. */
export interface GemmProblem extends GemmSpec {
  readonly resultType: GemmElementType;
  /** The operand called `a` here is the caller's `b`, and vice versa. */
  readonly swapped: boolean;
}

/** The piece of C that a kernel keeps in registers. */
export interface Tile {
  /** Rows of C in registers. */
  readonly rows: number;
  /** Vectors in a row of C in registers. */
  readonly vectors: number;
}

/** The types that a kernel multiplies; bf16 in pairs along k. Other types are converted while they are packed. */
export type KernelType = 'f32' | 'f64' | 'bf16';

/** The conversion of an element for the kernel: nothing, or a conversion to f32. */
export type Load = 'copy' | 'bf16' | 'f16' | 'tf32';

/**
 * How the kernel finds an operand: in place along rows (k contiguous), in place along columns, packed in panels, or stored in
 * such panels.
 */
export type AAccess = 'rows' | 'columns' | 'packed';
export type BAccess = 'inPlace' | 'packed' | 'stored';

/** Register-tiled: the general plan. */
export interface TiledPlan {
  readonly kind: 'tiled';
  readonly problem: GemmProblem;
  /** Sums in vectors (cpu/c/gemm/micro-kernel.ts), or in the tiles of AMX (cpu/c/gemm/tile-kernel.ts). */
  readonly registers: 'vectors' | 'tiles';
  /** The lanes of a vector of sums. */
  readonly lanes: number;
  readonly tile: Tile;
  /** The type that the kernel multiplies, and the conversion of operands during packing. */
  readonly kernelType: KernelType;
  readonly load: Load;
  readonly f16: boolean;
  /**
   * Sums are kept in C itself between passes and after the last; or in scratch, for an epilogue or a C of another type; or
   * the kernel rounds them to C's bf16 (one pass, whole vectors).
   */
  readonly sums: 'c' | 'scratch' | 'rounded';
  /** Depth of one pass over k. */
  readonly depth: number;
  readonly a: AAccess;
  readonly b: BAccess;
  /** Rows of A packed at a time. */
  readonly packedRows: number;
  /** Rows and columns in a task's chunk, at most. */
  readonly maxRows: number;
  readonly maxColumns: number;
  /** A chunk has all columns. */
  readonly wholeRows: boolean;
  /** The cost of loading an element of an operand into the cache, in multiply-adds. */
  readonly near: { readonly a: number; readonly b: number };
  readonly memory: TiledMemory;
}

/** The last panel of a row of panels, narrower than the others. */
export interface EdgePanel {
  /** Columns that exist. */
  readonly columns: number;
  /** Vectors that hold them. */
  readonly vectors: number;
  /** Whole vectors: nothing has to be padded. */
  readonly exact: boolean;
}

/**
 * The contents of a worker's scratch memory: packed columns of B, packed rows of A, sums that wait for the next pass or
 * for an epilogue.
 */
export interface TiledMemory {
  /** Columns of a panel. */
  readonly width: number;
  readonly edge: EdgePanel | undefined;
  readonly packsPanels: boolean;
  readonly packsEdge: boolean;
  /** Columns of the largest chunk. */
  readonly chunkColumns: number;
  /** The depth of packed panels is a multiple of this. */
  readonly depthUnit: number;
  /** Elements between packed strips of A. */
  readonly stripGap: number;
  readonly bytesA: number;
  readonly bytesB: number;
  /** Sums in scratch: bytes, and elements from a row to the next. */
  readonly bytesOfSums: number;
  readonly sumsRow: number;
  /** The scratch memory of all of them. */
  readonly scratchBytes: number;
  /** A worker reuses the operand that it packed for its last task, if that had the same columns of the same product. */
  readonly keepsB: boolean;
}

/** Few rows, everything contiguous along k: vectors run along k. Bound by reading B once. */
export interface RowDotPlan {
  readonly kind: 'dot';
  readonly problem: GemmProblem;
  readonly lanes: number;
  /** Columns of C computed together. */
  readonly columns: number;
  /** One row of bf16, multiplied in pairs. */
  readonly pairs: boolean;
  /** Each load of B prefetches the same element of the column this many columns further on. */
  readonly prefetchColumns: number;
  readonly load: Load;
  readonly f16: boolean;
  /** The rows of A are first copied so that k is contiguous. */
  readonly packA: boolean;
  readonly scratchBytes: number;
}

/** As a RowDotPlan in f32, with rows of B that are quantized in memory: each vector of it is computed for its products. */
export interface QuantizedDotPlan {
  readonly kind: 'quantized';
  readonly problem: GemmProblem;
  readonly format: QuantizedFormat;
  readonly lanes: number;
  /** Columns of C computed together. */
  readonly columns: number;
  readonly f16: boolean;
  readonly isAvx512: boolean;
  /** The rows of A are first copied so that k is contiguous. */
  readonly packA: boolean;
  readonly scratchBytes: number;
}

/** The memory of 32 elements of A as digits (cpu/c/gemm/digits.ts). */
export const bytesOfBlock = 4 * interleavedBlock;

/**
 * Rows times rows that are quantized and interleaved in memory: a vector is a column of 16 rows of B. The order of sums does not
 * depend on the number of rows.
 */
export interface InterleavedDotPlan {
  readonly kind: 'interleaved';
  readonly problem: GemmProblem;
  readonly format: QuantizedFormat;
  readonly lanes: number;
  /** Rows of A whose sums are in registers. */
  readonly rows: number;
  /** Rows of A that stay in the L2 cache, a multiple of `rows`. */
  readonly nearRows: number;
  readonly f16: boolean;
  /**
   * The memory for A as whole numbers, a common exponent for each block: their bytes are multiplied by codes, and sums are exact.
   * 0 if the target has no such products: then codes are widened to f32.
   */
  readonly digitBytes: number;
}

/** No products at all: C is empty, or filled with zeros (k = 0). */
export interface EmptyPlan {
  readonly kind: 'empty';
  readonly problem: GemmProblem;
}

export type GemmPlan = TiledPlan | RowDotPlan | QuantizedDotPlan | InterleavedDotPlan | EmptyPlan;
