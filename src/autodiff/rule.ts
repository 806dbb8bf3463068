// Gradient rules: given the cotangents of an op's results, a rule appends ops that compute the cotangents of its operands.
// A rule handles a single op. It does not walk the program (`backpropagate.ts` does) and does not accumulate.
//
//   cotangent of a value v = ∂(output)/∂v, a tensor of v's type; `undefined` means zeros.

import type { PerResult } from '../hlo/arity.ts';
import type { OpName } from '../hlo/attributes.ts';
import type { Builder } from '../hlo/builder.ts';
import type { Func, Op, OpOf, Value } from '../hlo/program.ts';

export interface GradientContext<N extends OpName> {
  /** Rules append here. Its location is that of the op. */
  readonly builder: Builder;
  readonly op: OpOf<N>;
  /** One per result. At least one is defined, so that of a single result always is. */
  readonly cotangents: PerResult<N, Value | undefined, Value>;
  /** True if the gradient of this value is needed; a rule may skip the others. */
  needs(value: Value): boolean;
  /** Adds to the cotangent of a value that a region of the op captures. */
  accumulate(value: Value, cotangent: Value): void;
  /** Throws NOT_DIFFERENTIABLE for this op, with the given reason. */
  refuse(reason: string): never;
  /** Appends copies of `ops`, with values replaced according to `map`, which is extended by the results of the copies. */
  inline(builder: Builder, ops: readonly Op[], map: Map<Value, Value>): readonly Op[];
  /** Reverse mode over `ops`, for rules of ops that hold or name a body. Results are one per `wrt`. */
  backpropagate(
    builder: Builder,
    ops: readonly Op[],
    seeds: readonly Seed[],
    wrt: readonly Value[],
  ): readonly (Value | undefined)[];
  /** The function that an op calls by name, if it was passed to `gradients`. */
  callee(name: string): Func | undefined;
}
export type Seed = readonly [value: Value, cotangent: Value];

/** The cotangents of the operands, one per operand; `undefined` means zeros. */
export type GradientRule<N extends OpName> = (context: GradientContext<N>) => readonly (Value | undefined)[];

/** The op has no rule. `zero`: its gradient is zero (almost) everywhere; `refuse`: requesting it is an error. */
export interface NoGradient {
  readonly kind: 'zero' | 'refuse';
  readonly reason: string;
}
export type GradientTable = { readonly [N in OpName]: GradientRule<N> | NoGradient };

export const zero = (reason: string): NoGradient => ({ kind: 'zero', reason });
export const refuse = (reason: string): NoGradient => ({ kind: 'refuse', reason });
