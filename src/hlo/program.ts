// The program: values, ops, regions, functions, a module. Plain immutable data in SSA form.
//
//   Module ─ functions ─ Func ─ body: Region ─ args:    Value…   (defined by the region)
//                                            ─ ops:     Op…      (in order; each defines its results)
//                                            ─ results: Value…   (the operands of `return`)
//
// A value refers to the op that defines it, so a graph can be walked upwards from any value. Ids are unique within the
// builder that created the value, and grow in program order.
import { type SourceLocation, TrenioError } from '../base/errors.ts';
import type { PerOperand, PerRegion, PerResult } from './arity.ts';
import type { DiscardableAttributes, OpAttributes, OpName } from './attributes.ts';
import type { Mesh } from './sharding/mesh.ts';
import type { StatedSharding } from './sharding/stated.ts';
import type { TensorType, Type } from './types.ts';

/** A result of an op, or an argument. */
export interface Value<T extends Type = Type> {
  /** The number of the value, unique in its program. */
  readonly id: number;
  /** The type. */
  readonly type: T;
  /** The op that defines it; undefined for an argument of a region or function. */
  readonly op: Op | undefined;
  /** The index of the result or argument. */
  readonly index: number;
}
/** A tensor value. */
export type TensorValue = Value<TensorType>;

/** Source of ids for new values: a `Builder`'s source, or `{ next: n }` with n above all ids in use. */
export interface IdSource {
  /** The next free number. */
  next: number;
}

/** An op. `Op` alone is the union over all names, so a switch on `name` narrows the attributes. */
export type Op<N extends OpName = OpName> = { [K in N]: OpOf<K> }[N];
/** An op with this name. */
export interface OpOf<N extends OpName> {
  /** The name of the op. */
  readonly name: N;
  /** The operands. */
  readonly operands: PerOperand<N, Value>;
  /** The attributes. */
  readonly attributes: OpAttributes[N];
  /** The regions. */
  readonly regions: PerRegion<N, Region>;
  /** The results. */
  readonly results: PerResult<N, Value>;
  /** The line of the user's program that recorded the op, if it is known. */
  readonly location: SourceLocation | undefined;
  /** How the results are sharded, if the program states it. */
  readonly sharding?: StatedSharding;
  /** Attributes of other dialects: kept, but not interpreted here. */
  readonly discardable?: DiscardableAttributes;
}

/** A list of ops with arguments and results: the body of a function, of a loop, of a reduction. */
export interface Region {
  /** The arguments of the region. */
  readonly args: readonly Value[];
  /** The ops in order. */
  readonly ops: readonly Op[];
  /** The results. */
  readonly results: readonly Value[];
}

/** Statements of a function about an argument or a result, besides its type. */
export interface ValueAttributes {
  /** How the value is sharded. */
  readonly sharding?: StatedSharding;
  /** Attributes of other dialects, without `tf.aliasing_output`. */
  readonly discardable?: DiscardableAttributes;
}

/** A function of a module. */
export interface Func {
  /** The name of the function. */
  readonly name: string;
  /** The code. */
  readonly body: Region;
  /** For each argument, the result that may reuse its memory (`tf.aliasing_output`), or undefined. */
  readonly aliases: readonly (number | undefined)[];
  /** Whether other modules may call it. */
  readonly visibility?: 'public' | 'private' | 'nested';
  /** Result types of a function that is only declared; its body then has only arguments. */
  readonly declaredResults?: readonly Type[];
  /** Attributes of other dialects. */
  readonly discardable?: DiscardableAttributes;
  /** Statements about each argument; omitted if there are none. */
  readonly argAttributes?: readonly (ValueAttributes | undefined)[];
  /** Statements about each result; omitted if there are none. */
  readonly resultAttributes?: readonly (ValueAttributes | undefined)[];
}

/** A mesh that a module declares. */
export interface DeclaredMesh {
  /** The name of the mesh. */
  readonly name: string;
  /** The mesh. */
  readonly mesh: Mesh;
  /** Attributes of other dialects. */
  readonly discardable?: DiscardableAttributes;
}

/** A StableHLO program: functions, one of which is the entry. */
export interface Module {
  /** The name of the module. */
  readonly name: string;
  /** The entry is the function called `main`, or else the first. */
  readonly functions: readonly Func[];
  /** The number of replicas. */
  readonly numReplicas: number;
  /** The number of partitions. */
  readonly numPartitions: number;
  /** Attributes of other dialects. */
  readonly discardable?: DiscardableAttributes;
  /** `sdy.mesh @mesh = <["data"=4]>` */
  readonly meshes?: readonly DeclaredMesh[];
  /** Other declarations of the module, as MLIR text. */
  readonly declarations?: readonly string[];
}

/**
 * A module with one function.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.moduleOf(main).functions.length // 1
 */
export function moduleOf(
  main: Func,
  options: Partial<Omit<Module, 'functions'>> & { functions?: readonly Func[] } = {},
): Module {
  const { functions = [], name = 'module', numReplicas = 1, numPartitions = 1 } = options;
  return { name, functions: [main, ...functions], numReplicas, numPartitions };
}
/**
 * The entry function: `main`, or the first one.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * const module = hlo.moduleOf(main);
 * hlo.mainOf(module).name // 'main'
 */
export function mainOf(module: Module): Func {
  const main = module.functions.find(f => f.name === 'main') ?? module.functions[0];
  if (main === undefined)
    throw new TrenioError('INVALID_PROGRAM', { function: module.name, detail: 'the module has no functions' });
  return main;
}

/**
 * The tensor type of a value; throws for tokens and tuples, which occur only in a few ops.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.formatType(hlo.tensorTypeOf(main.body.args[0]!)) // 'tensor<2xf32>'
 */
export function tensorTypeOf(value: Value): TensorType {
  if (value.type.kind !== 'tensor') throw new Error(`Trenio bug: expected a tensor, got a ${value.type.kind}`);
  return value.type;
}
/**
 * The sizes of a tensor value.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.shapeOf(main.body.args[0]!) // [2]
 */
export const shapeOf = (value: Value): readonly number[] => tensorTypeOf(value).shape;
