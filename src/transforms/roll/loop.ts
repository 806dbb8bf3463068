// A repeated section as a loop: where each operand of its ops comes from, and what else differs between iterations.
import type { Literal } from '../../hlo/literal.ts';
import type { Op, TensorValue, Value } from '../../hlo/program.ts';

/** Values of equal type, one after another, that a loop reads by their position. */
export type Family =
  /** They become one argument. */
  | { readonly kind: 'arguments'; readonly values: readonly Value[] }
  /** The results of an op of an earlier loop. */
  | {
      readonly kind: 'results';
      readonly loop: Loop;
      readonly at: number;
      readonly result: number;
    };
export type Results = Extract<Family, { kind: 'results' }>;

/** An element of a family. */
export interface Row {
  readonly family: Family;
  readonly index: number;
}

/** Where an operand comes from: `at` is the position of an op in the section. */
export type Source =
  | { readonly kind: 'turn'; readonly at: number; readonly result: number }
  /** An earlier iteration: the previous one if there is one init, and so on. In the first iterations, these. */
  | { readonly kind: 'carried'; readonly at: number; readonly result: number; readonly inits: readonly Value[] }
  | { readonly kind: 'fixed'; readonly value: Value }
  /** Element `first + step · i` of a family, in iteration i. */
  | { readonly kind: 'row'; readonly family: Family; readonly first: number; readonly step: number };

/** How the attributes of an op change. */
export type Change =
  | { readonly kind: 'none' }
  /** A constant with another value in each iteration. */
  | { readonly kind: 'numbers'; readonly literals: readonly Literal[] }
  /** A slice or pad that starts at `first + step · i` along a dim. */
  | { readonly kind: 'start'; readonly dim: number; readonly first: number; readonly step: number };

export interface Turn {
  /** The op of the first iteration. */
  readonly op: Op;
  /** Its operands, then the values that its regions capture. */
  readonly sources: readonly Source[];
  readonly change: Change;
  /** It computes the same in each iteration, and is computed once, before the loop. */
  readonly isFixed: boolean;
}

export interface Loop {
  /** The position of its first op in the function. */
  readonly start: number;
  readonly count: number;
  readonly turns: readonly Turn[];
}

export const typeOf = (value: Value): TensorValue['type'] => (value as TensorValue).type;
