// What may be given by name to methods and functions. Made from the table in ../surface by scripts/write-surface.ts: change the rows, not this file.
import type { DType } from '../dtype.ts';
import type { Scalar } from '../lower/elementwise.ts';

/** What may be given by name to `add` (torch.add). */
export interface AddOptions {
  /** What `other` is multiplied with first. Default: 1. */
  readonly alpha?: Scalar | undefined;
}

/** What may be given by name to `sub` (torch.sub). */
export interface SubOptions {
  /** What `other` is multiplied with first. Default: 1. */
  readonly alpha?: Scalar | undefined;
}

/** What may be given by name to `div` (torch.div). */
export interface DivOptions {
  /** How the quotient is rounded. */
  readonly roundingMode?: 'trunc' | 'floor' | undefined;
}

/** What may be given by name to `clamp` (torch.clamp). */
export interface ClampOptions<T> {
  /** The lower bound. */
  readonly min?: T | Scalar | undefined;
  /** The upper bound. */
  readonly max?: T | Scalar | undefined;
}

/** What may be given by name to `sum` (torch.sum). */
export interface SumOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
  /** What the elements are converted to first. */
  readonly dtype?: DType | undefined;
}

/** What may be given by name to `mean` (torch.mean). */
export interface MeanOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
  /** What the elements are converted to first. */
  readonly dtype?: DType | undefined;
}

/** What may be given by name to `var` (torch.var). */
export interface VarOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** What is taken off the count of elements. Default: 1. */
  readonly correction?: number | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** What may be given by name to `var` (torch.var). */
export interface VarOptions2 {
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** What may be given by name to `std` (torch.std). */
export interface StdOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** What is taken off the count of elements. Default: 1. */
  readonly correction?: number | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** What may be given by name to `std` (torch.std). */
export interface StdOptions2 {
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** What may be given by name to `max` (torch.max). */
export interface MaxOptions {
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** What may be given by name to `min` (torch.min). */
export interface MinOptions {
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** What may be given by name to `amax` (torch.amax). */
export interface AmaxOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** What may be given by name to `amin` (torch.amin). */
export interface AminOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** What may be given by name to `argmax` (torch.argmax). */
export interface ArgmaxOptions {
  /** The dim to reduce; the flattened tensor by default. */
  readonly dim?: number | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** What may be given by name to `argmin` (torch.argmin). */
export interface ArgminOptions {
  /** The dim to reduce; the flattened tensor by default. */
  readonly dim?: number | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** What may be given by name to `all` (torch.all). */
export interface AllOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}

/** What may be given by name to `any` (torch.any). */
export interface AnyOptions {
  /** The dim or dims to reduce; all of them by default. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keep the reduced dims, with size 1. Default: false. */
  readonly keepDim?: boolean | undefined;
}
