// The work of a kernel in numbers: multiplies, sweeps over elements, moves of rows. Used to predict its time
// on this machine (simulator/calibration) or on other hardware (simulator). Counted from the ops; nothing is measured.
import type { ElementType } from '../../hlo/types.ts';

/** Formats that multiplies are counted in. What no engine multiplies (integers, f64) counts as f32. */
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
  /** Of both operands and, where nothing is computed from it in the same kernel, the result. */
  readonly bytes: number;
  /** How it is lowered: a convolution gathers one operand's patches as it goes. */
  readonly of: 'dot' | 'convolution';
  /** For each operand, n where the dim of the kernel's inner loop lies along memory (k of A, n of B), t where not. */
  readonly layout: OperandLayout;
}

/**
 * How a kernel goes through its elements.
 * - `elements`: each by itself;
 * - `rows`: rows are reduced and used again (softmax, layer norm);
 * - `columns`: rows are added up (the gradient of a bias);
 * - `epilogue`: over the result of a multiply, before it leaves the cache;
 * - `other`: other access orders (sort, windows), or copies.
 */
export const sweepPatterns = ['elements', 'rows', 'columns', 'epilogue', 'other'] as const;
export type SweepPattern = (typeof sweepPatterns)[number];

/** Operations, for each element of a sweep or over all of it. */
export interface Operations {
  /** Adds, multiplies, compares, steps of a reduction, words of random bits. */
  readonly simple: number;
  readonly transcendental: number;
  /** Operations on integers and bits; `simple` counts them too. */
  readonly integers: number;
  /** `simple` counts them too. */
  readonly divisions: number;
  /** Square roots and their reciprocals; `transcendental` counts them too. */
  readonly roots: number;
  /** The other transcendental operations, each as the exponentials that the compiler's polynomials take as long as. */
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
  /** Of the bytes written, those that lie where the kernel reads. */
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

/** The format that elements of a type are multiplied in; undefined where it is none of them. */
export function countedType(type: ElementType, isTf32 = false): CountedType | undefined {
  if (type === 'f32') return isTf32 ? 'tf32' : 'f32';
  if (type === 'bf16' || type === 'f16' || type === 'tf32') return type;
  return type.startsWith('f8') ? 'f8' : undefined;
}
