// What the op table knows of an op. Passes ask a property of the row, never its name.
import type { SourceLocation } from '../base/errors.ts';
import { TrenioError } from '../base/errors.ts';
import type { OpAttributes, OpName } from './attributes.ts';
import type { Literal } from './literal.ts';
import type { OpOf, Region } from './program.ts';
import type { TensorType, Type } from './types.ts';

/** Work of one execution of an op, before any fusion. */
export interface Cost {
  readonly flops: number;
  /** exp, tanh, erf …: counted apart from flops. */
  readonly transcendentals: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

/** How an op relates to the elements of its operands: what fusion needs to know. */
export type OpKind =
  | 'elementwise' // result[i] depends on operands[i] only
  | 'source' //      no tensor operands: constant, iota, ids
  | 'view' //        moves elements by an affine index map: reshape, broadcast_in_dim, transpose, reverse, slice
  | 'movement' //    moves elements otherwise: pad, concatenate, gather, dynamic_slice …
  | 'reduction' //   reduce
  | 'window' //      reduce_window, select_and_scatter
  | 'contraction' // dot_general, convolution
  | 'scatter'
  | 'random'
  | 'sort'
  | 'control'
  | 'collective'
  | 'opaque'; //     custom_call

export interface EvaluationContext {
  /** Evaluates a region of the op with these arguments (values of the surroundings are visible to it). */
  region(region: Region, args: readonly Literal[]): readonly Literal[];
  call(callee: string, args: readonly Literal[]): readonly Literal[];
  readonly replicaId: number;
  readonly partitionId: number;
  /** Exchange among the replicas of a group; with one replica, the group is just this one. */
  exchange(groups: readonly (readonly number[])[], mine: readonly Literal[]): readonly (readonly Literal[])[];
  /** What a custom_call gives; undefined when its target is not known. */
  customCall?(op: OpOf<'custom_call'>, args: readonly Literal[]): readonly Literal[] | undefined;
  /** Told before each iteration of a loop; may throw to end a loop that runs too long. */
  step?(op: OpOf<'while'>): void;
}

export interface OpRow<N extends OpName> {
  readonly name: N;
  readonly kind: OpKind;
  /** True when two such ops with equal operands and attributes are one, and an unused one may go. */
  readonly pure: boolean;
  /** Types of the results. Throws TrenioError INVALID_OP with the spec's constraint when operands or attributes do not fit. */
  infer(operands: readonly Type[], attributes: OpAttributes[N], regions: readonly Region[]): readonly Type[];
  /** The reference semantics: obviously right, not fast. */
  evaluate(op: OpOf<N>, operands: readonly Literal[], context: EvaluationContext): readonly Literal[];
  cost(op: OpOf<N>): Cost;
}

/** A group of rows, one a name. */
export type Rows<N extends OpName> = { readonly [K in N]: OpRow<K> };

/** Throws INVALID_OP unless the condition holds. `constraint` as in the spec: 'dot_general_c11'. */
export function check(
  condition: unknown,
  op: string,
  constraint: string,
  detail: () => string,
  location?: SourceLocation,
): asserts condition {
  if (!condition) throw new TrenioError('INVALID_OP', { op, constraint, detail: detail() }, { location });
}

/** The operand types as tensors; anything else is refused. */
export function tensors(op: string, operands: readonly Type[], count?: number): readonly TensorType[] {
  check(
    count === undefined || operands.length === count,
    op,
    `trenio_${op}_arity`,
    () => `takes ${count} operands, got ${operands.length}`,
  );
  for (const type of operands)
    check(type.kind === 'tensor', op, `trenio_${op}_tensor`, () => `takes tensors, got a ${type.kind}`);
  return operands as readonly TensorType[];
}
