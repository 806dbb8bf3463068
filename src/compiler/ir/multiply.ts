// Matrix multiplies as data: sizes and strides, and the locations of the operands. How CPUs tile them: cpu/ir/multiply-tiling.ts.
//
//   c[batch…, i, j] = Σ_k a[batch…, i, k] · b[batch…, k, j]        i < m, j < n
import type { Value } from '../../hlo/program.ts';
import type { Loop } from './node.ts';

/** Products of this many rows are bound by reading B. */
export const fewRows = 4;

/** One batch dimension: its size, and the step of each operand along it, in elements (0 repeats an operand). */
export interface GemmBatch {
  readonly size: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** Types that an operand or a result may have in memory. */
export type GemmElementType = 'f32' | 'f64' | 'bf16' | 'f16';

/** Elements of a matrix [n, k] in few bits: `value(code) · scale`, rounded to f32. */
export interface QuantizedFormat {
  /** Signed bytes; or codes of 4 bits, two in a byte. */
  readonly bits: 8 | 4;
  /** The values of codes of 4 bits. */
  readonly table?: readonly number[];
  /** The consecutive elements of a row that share a scale. */
  readonly block: number;
  readonly scaleType: 'f32' | 'f16';
  readonly layout: QuantizedLayout;
}

/** Whether a row's codes follow one another in memory, or a group of rows is interleaved: see `QuantizedRuns`. */
export type QuantizedLayout = 'rows' | 'interleaved';

/**
 * Where codes and scales are in memory: `rows` rows take turns, each with a run of bytes. The halves of bytes of 4-bit codes
 * are runs of their own: the low ones hold the first `bytes` codes, the high ones those that follow.
 *
 *     codes  [n / rows, k / (halves · bytes), rows, bytes]        scales  [n / rows, k / block, rows]
 */
export interface QuantizedRuns {
  readonly rows: number;
  readonly halves: 1 | 2;
  readonly bytes: number;
}

/** Rows that are interleaved: a word of each fills a cache line. */
export const interleavedRows = 16;
/** The elements of a block in interleaved rows, as in GGUF's formats. */
export const interleavedBlock = 32;
/** The codes of 4 bits in a run of a row. */
export const packedGroup = 32;

export function quantizedRuns({
  bits,
  block,
  layout,
}: Pick<QuantizedFormat, 'bits' | 'block' | 'layout'>): QuantizedRuns {
  const halves = bits === 8 ? 1 : 2;
  if (layout === 'interleaved') return { rows: interleavedRows, halves, bytes: 4 };
  return { rows: 1, halves, bytes: bits === 8 ? block : packedGroup / 2 };
}

/** A batched multiply over memory of any strides, in elements. `c` is overwritten; its elements must not overlap. */
export interface GemmSpec {
  /** The element type of A and B. Products are summed in f32, those of f64 in f64. */
  readonly elementType: GemmElementType;
  /** The element type of C: the sum is rounded once to nearest even. Defaults to `elementType`; f64 goes with f64 only. */
  readonly resultType?: GemmElementType;
  /** Operands of f32 are rounded to tf32 (10 bits of mantissa, to nearest even) before they are multiplied. */
  readonly compute?: 'tf32';
  /** B is quantized in memory: its strides are those of [n, k]. Its elements are computed where they are multiplied. */
  readonly quantized?: QuantizedFormat;
  /**
   * B lies in panels of this many columns, for bf16 in pairs along k: its strides are not used. Every sum has the same order for
   * any number of rows, and reads B once. `n` is a multiple, `k` of bf16 even, and there is no batch.
   *
   *     f32 [n / panel, k, panel]        bf16 [n / panel, k / 2, panel, 2]
   */
  readonly panel?: number;
  /** Outermost first. */
  readonly batch: readonly GemmBatch[];
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly a: { readonly m: number; readonly k: number };
  readonly b: { readonly k: number; readonly n: number };
  readonly c: { readonly m: number; readonly n: number };
}

/** The memory layout of an operand: element (loops) is at offset + Σ stride · loop. */
export interface StridedOperand {
  readonly value: Value;
  readonly offset: number;
  readonly strides: ReadonlyMap<Loop<number>, number>;
}
export interface DotPlan {
  readonly lhs: StridedOperand;
  readonly rhs: StridedOperand;
  /** The scales of a quantized right-hand side, in memory from their first element on. */
  readonly scales?: Value;
  readonly spec: GemmSpec;
}

/** The values that a multiply reads. */
export const operandsOfDot = ({ lhs, rhs, scales }: DotPlan): readonly Value[] =>
  scales === undefined ? [lhs.value, rhs.value] : [lhs.value, rhs.value, scales];
