// Matrix multiplies as data: sizes and strides, and the locations of the operands. How they are tiled: multiply-tiling.ts.
//
//   c[batch…, i, j] = Σ_k a[batch…, i, k] · b[batch…, k, j]        i < m, j < n
import type { Value } from '../../hlo/program.ts';
import type { Loop } from './node.ts';

/** One batch dimension: its size, and the step of each operand along it, in elements (0 repeats an operand). */
export interface GemmBatch {
  readonly size: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** Types that an operand or a result may have in memory. */
export type GemmElementType = 'f32' | 'f64' | 'bf16' | 'f16';

/** The codes of 4 bits in 16 bytes: the first half of them in the low halves, the others in the high ones. */
export const packedGroup = 32;

/** Elements of a matrix in few bits: `value(code) · scale`, rounded to f32. */
export interface QuantizedFormat {
  /** Signed bytes; or codes of 4 bits, 32 in each 16 bytes, of which the low halves come first. */
  readonly bits: 8 | 4;
  /** The values of codes of 4 bits. */
  readonly table?: readonly number[];
  /** The consecutive elements of a row that share a scale. */
  readonly block: number;
  /** The type of scales in memory, [n, k / block]. */
  readonly scaleType: 'f32' | 'f16';
}

/** A batched multiply over memory of any strides, in elements. `c` is overwritten; its elements must not overlap. */
export interface GemmSpec {
  /** The element type of A and B. Products are summed in f32, those of f64 in f64. */
  readonly elementType: GemmElementType;
  /** The element type of C: the sum is rounded once to nearest even. Defaults to `elementType`; f64 goes with f64 only. */
  readonly resultType?: GemmElementType;
  /** Operands of f32 are rounded to tf32 (10 bits of mantissa, to nearest even) before they are multiplied. */
  readonly compute?: 'tf32';
  /** B is quantized in memory, [n, k]: its strides are of codes. Its elements are computed where they are multiplied. */
  readonly quantized?: QuantizedFormat;
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
