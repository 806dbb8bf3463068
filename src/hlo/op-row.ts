// A row of the op table. Passes test properties of the row, never the name of the op.
import type { SourceLocation } from '../base/errors.ts';
import { TrenioError } from '../base/errors.ts';
import type { PerOperand, PerRegion } from './arity.ts';
import type { Collective, OpAttributes, OpName } from './attributes.ts';
import type { BaseBuilder } from './base-builder.ts';
import type { Literal } from './literal.ts';
import type { GridShape } from './process-groups.ts';
import type { OpOf, Region, Value } from './program.ts';
import type { RuntimeValue, Steps } from './steps.ts';
import type { TensorType, Type } from './types.ts';

/** The work of one execution of an op, before any fusion. */
export interface Cost {
  /** The number of floating-point operations. */
  readonly flops: number;
  /** The number of exp, tanh, erf …, counted separately from flops. */
  readonly transcendentals: number;
  /** The bytes that are read. */
  readonly bytesRead: number;
  /** The bytes that are written. */
  readonly bytesWritten: number;
}

/** How an op relates to the elements of its operands, which fusion needs to know. */
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

/** The services that an op may request from the process that runs it. */
export interface EvaluationContext {
  /** Evaluates a region of the op with these arguments (captured values are visible to it). */
  region(region: Region, args: readonly Literal[]): readonly Literal[];
  /** The index of this replica. */
  readonly replicaId: number;
  /** The index of this partition. */
  readonly partitionId: number;
  /** The results of a custom_call; undefined if its target is unknown. */
  customCall(op: OpOf<'custom_call'>, args: readonly Literal[]): readonly Literal[] | undefined;
  /** Stores a value under a name, in addition to earlier ones. */
  probe(id: string, value: Literal): void;
  /** The values stored under a name, in order. */
  probed(id: string): readonly Literal[];
  /** Prints a value, for `interpreter.print`. */
  print(op: OpOf<'interpreter.print'>, value: Literal): void;
}

/** The services for ops that are not pure functions of literals: control flow, tokens, transfers among processes. */
export interface ProcessContext extends EvaluationContext {
  /** replicaId · numPartitions + partitionId */
  readonly process: number;
  /** The number of replicas and partitions. */
  readonly grid: GridShape;
  /** Executes a region of the op; ops in it may make the process wait. */
  execute(region: Region, args: readonly RuntimeValue[]): Steps;
  /** Runs another function of the module. */
  call(callee: string, args: readonly RuntimeValue[]): Steps;
  /** The groups of a collective, given as lists or as axes of a mesh. */
  groupsOf(attributes: Collective): readonly (readonly number[])[];
  /** Called before each iteration of a loop; may throw to end a loop that runs too long. */
  countStep(): void;
  /** Puts values into a channel; they are received in the order in which they were sent. */
  send(channel: string, values: readonly Literal[]): void;
  /** Returns the next infeed value; undefined if there is none. */
  nextInfeed(): string | undefined;
  /** Writes values to the outfeed of this process. */
  outfeed(values: readonly Literal[]): void;
  /** Runs functions as the processes of a separate grid, to the end: programs[replica][partition]. */
  runGrid(
    programs: readonly (readonly string[])[],
    infeed: readonly string[],
    args: readonly RuntimeValue[],
  ): readonly RuntimeValue[];
}

/** A function that an op applies to elements, with the types that it must have. */
export interface AppliedFunction {
  /** The name of the function. */
  readonly name: string;
  /** The types of its arguments. */
  readonly args: readonly Type[];
  /** The types of its results. */
  readonly results: readonly Type[];
}

/** One op: its properties, types, verification, evaluation and cost. */
export interface OpRow<N extends OpName> {
  /** The name of the op. */
  readonly name: N;
  /** The group of ops that it belongs to. */
  readonly kind: OpKind;
  /**
   * Whether two such ops with equal operands and attributes may be merged, and an unused one removed. Of an op with
   * regions this also depends on the ops in them: ask `isPure(op)` in walk.ts.
   */
  readonly pure: boolean | ((op: OpOf<N>) => boolean);
  /** True if unused ops may be removed although two equal ones must not be merged. */
  readonly removable?: true;
  /** The function that the op calls; `exact` if types must be equal, not only compatible. */
  callee?(op: OpOf<N>): {
    /** The name of the function. */
    readonly name: string;
    /** Whether the types must be equal, not only compatible. */
    readonly exact: boolean;
  };
  /** The function that the op applies to elements, where it has no region for that. */
  applies?(op: OpOf<N>): AppliedFunction | undefined;
  /** The functions that the op runs in separate processes. */
  programs?(op: OpOf<N>): readonly string[];
  /**
   * Set for control flow: its regions are code of the surrounding function and run as a whole. The operands of a loop are its
   * state, which is also the arguments and results of its regions; branches capture values.
   */
  readonly controlFlow?: 'loop' | 'branches';
  /** The value of the result, if the op itself determines it. */
  literal?(op: OpOf<N>): Literal;
  /**
   * How often one execution runs each region: numbers, or `one` for exactly one of them. `iterations` is the number of iterations
   * of a loop. Undefined if regions are functions of scalars, whose work `cost` counts.
   */
  regionRuns?(op: OpOf<N>, iterations: number): readonly number[] | 'one';
  /** Types of the results. @throws {INVALID_OP} with the spec's constraint if operands or attributes are invalid */
  infer(operands: PerOperand<N, Type>, attributes: OpAttributes[N], regions: PerRegion<N, Region>): readonly Type[];
  /**
   * Which properties of the results may be declared by the program: their element types (then `infer` returns only the shapes),
   * or also their sizes. `verify` checks them; if nothing is declared, `infer` determines the results.
   */
  readonly stated?: 'elements' | 'sizes';
  /** True if regions cannot use values of the surrounding regions. */
  readonly isolated?: boolean;
  /** Checks constraints on the declared result types, beyond agreement with the inferred ones. @throws {INVALID_OP} */
  verify?(op: OpOf<N>): void;
  /**
   * The reference semantics: obviously correct, not fast. Rows without it, and ops for which it returns nothing, are evaluated
   * through their decomposition.
   */
  evaluate?(op: OpOf<N>, operands: PerOperand<N, Literal>, context: EvaluationContext): readonly Literal[] | undefined;
  /** Replaces `evaluate` for ops that are not pure functions of literals; a generator if it may wait. */
  execute?(
    op: OpOf<N>,
    operands: PerOperand<N, RuntimeValue>,
    process: ProcessContext,
  ): Steps | readonly RuntimeValue[];
  /**
   * The op decomposed into simpler ops, appended to `builder`; returns their results. Derived ops are compiled and differentiated
   * this way. `operands` may have more specific types than those of `op`, and may be constants where those are not.
   * Undefined if this op cannot be decomposed.
   */
  decompose?(builder: BaseBuilder, op: OpOf<N>, operands: PerOperand<N, Value>): readonly Value[] | undefined;
  /** The operations and bytes of an op. */
  cost(op: OpOf<N>): Cost;
}

/** A group of rows, one per name. */
export type Rows<N extends OpName> = { readonly [K in N]: OpRow<K> };

/**
 * `constraint` as in the spec: 'dot_general_c11'.
 * @throws {INVALID_OP} unless the condition holds
 * @example
 * hlo.check(1 > 2, 'add', 'add_c1', () => 'one is not above two') // throws INVALID_OP
 */
export function check(
  condition: unknown,
  op: string,
  constraint: string,
  detail: () => string,
  location?: SourceLocation,
): asserts condition {
  if (!condition) throw new TrenioError('INVALID_OP', { op, constraint, detail: detail() }, { location });
}

/**
 * The operand types as tensors; anything else is rejected. Few ops take per-axis quantized tensors.
 * @example
 * const [x] = hlo.tensors('add', [hlo.tensorType('f32', [2])] as const);
 * x.elementType // 'f32'
 */
export function tensors<T extends readonly Type[]>(
  op: string,
  operands: T,
  options?: { readonly perAxis: boolean },
): { readonly [I in keyof T]: TensorType } {
  for (const type of operands) {
    if (type.kind !== 'tensor') check(false, op, `trenio_${op}_tensor`, () => `takes tensors, got a ${type.kind}`);
    else if (type.quantization?.axis !== undefined && options?.perAxis !== true)
      check(false, op, `trenio_${op}_per_axis`, () => 'takes no tensors that are quantized per axis');
  }
  return operands as { readonly [I in keyof T]: TensorType };
}
