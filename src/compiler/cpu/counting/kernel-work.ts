// The work of a kernel in numbers: multiplies, sweeps over elements, moves of rows. Used to predict its time
// on this machine (simulator/calibration) or on other hardware (simulator). Counted from the ops; nothing is measured.
import type { ElementType } from '../../../hlo/types.ts';

/** Formats that multiplies are counted in. Types that no engine multiplies (integers, f64) count as f32. */
export type CountedType = 'f32' | 'tf32' | 'bf16' | 'f16' | 'f8';

export type OperandLayout = 'nn' | 'nt' | 'tn' | 'tt';

/** `batch` multiplies of [m, k] by [k, n]. */
export interface KernelMultiply {
  readonly kind: 'multiply';
  readonly name: string;
  readonly batch: number;
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly type: CountedType;
  /** The bytes of both operands and, unless the same kernel uses it, of the result. */
  readonly bytes: number;
  /** How it is lowered: a convolution gathers the patches of one operand on the fly. */
  readonly of: 'dot' | 'convolution';
  /** For each operand, n if the dim of the kernel's inner loop is contiguous in memory (k of A, n of B), else t. */
  readonly layout: OperandLayout;
}

/**
 * How a kernel traverses its elements.
 * - `elements`: each element separately;
 * - `rows`: rows are reduced and used again (softmax, layer norm);
 * - `columns`: rows are added up (the gradient of a bias);
 * - `epilogue`: over the result of a multiply, before it leaves the cache;
 * - `other`: other access orders (sort, windows), or copies.
 */
const sweepPatterns = ['elements', 'rows', 'columns', 'epilogue', 'other'] as const;
export type SweepPattern = (typeof sweepPatterns)[number];

/** Operations, for each element of a sweep or over all of it. */
export interface Operations {
  /** Adds, multiplies, compares, steps of a reduction, words of random bits. */
  readonly simple: number;
  readonly transcendental: number;
  /** Operations on integers and bits; they are also counted in `simple`. */
  readonly integers: number;
  /** These are also counted in `simple`. */
  readonly divisions: number;
  /** Square roots and their reciprocals; also counted in `transcendental`. */
  readonly roots: number;
  /** The other transcendental operations, in units of the time of an exponential. */
  readonly exponentials: number;
  /** Operations whose results are rounded to two bytes. */
  readonly rounded: number;
  readonly randomWords: number;
}

export interface KernelSweep extends Operations {
  readonly kind: 'sweep';
  readonly name: string;
  readonly elements: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** The written bytes that are in memory that the kernel also reads. */
  readonly bytesInPlace: number;
  readonly pattern: SweepPattern;
}
export interface KernelRowMove {
  readonly kind: 'row-move';
  readonly name: string;
  readonly rows: number;
  readonly bytesPerRow: number;
  readonly direction: 'gather' | 'scatter';
}
export type KernelWork = KernelMultiply | KernelSweep | KernelRowMove;

/** The format in which elements of a type are multiplied; undefined if there is none. */
export function countedType(type: ElementType, isTf32 = false): CountedType | undefined {
  if (type === 'f32') return isTf32 ? 'tf32' : 'f32';
  if (type === 'bf16' || type === 'f16' || type === 'tf32') return type;
  return type.startsWith('f8') ? 'f8' : undefined;
}
