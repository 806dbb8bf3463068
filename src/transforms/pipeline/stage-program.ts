// A part of a program as a module: the ops that some values need, given others.
import { Builder } from '../../hlo/builder.ts';
import {
  type Func,
  type IdSource,
  type Module,
  moduleOf,
  type Op,
  tensorTypeOf,
  type Value,
} from '../../hlo/program.ts';
import { capturesOf, cloneOp } from '../../hlo/walk.ts';
import type { Combiner, Meeting } from './micro-batches.ts';

/** An input of a part of the program. */
export type Input =
  | { readonly kind: 'argument'; readonly index: number }
  /** A value of this micro-batch. */
  | { readonly kind: 'value'; readonly of: 'micro-batch'; readonly id: number }
  /** A value of the whole step: from other ranks, or of an earlier part. */
  | { readonly kind: 'value'; readonly of: 'step'; readonly id: number }
  /** A value of one of the micro-batches. */
  | { readonly kind: 'collected'; readonly id: number; readonly microBatch: number }
  /** The number of the first device that has this micro-batch. */
  | { readonly kind: 'first device' };
/** A result of it. */
export type Output =
  | { readonly kind: 'value'; readonly of: 'micro-batch' | 'step'; readonly id: number }
  | { readonly kind: 'result'; readonly index: number };
export interface StageProgram {
  readonly module: Module;
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
}

/** Everything that an op reads from its surroundings. */
export const readsOf = (op: Op): readonly Value[] =>
  op.regions.length === 0 ? op.operands : [...op.operands, ...capturesOf(op)];

export interface PartRequest {
  readonly name: string;
  /** All ops, in order, that parts consist of. */
  readonly ops: readonly Op[];
  readonly definition: ReadonlyMap<Value, Op>;
  readonly arguments: ReadonlyMap<Value, number>;
  /** The number of this device, with its micro-batch. */
  readonly device: Value;
  readonly others: readonly Func[];
  readonly ranks: number;
  readonly isPerMicroBatch: boolean;
  /** How a value that the part does not compute is given; undefined for those that it computes. */
  input(value: Value): Input | undefined;
  /** Values of all micro-batches that are joined along a dim. */
  collected(value: Value): (Extract<Meeting, { kind: 'collected' }> & { readonly count: number }) | undefined;
  readonly outputs: readonly { readonly value: Value; readonly output: Output }[];
  /** Values that are combined with those of earlier micro-batches. */
  readonly accumulated: readonly { readonly value: Value; readonly id: number; readonly by: Combiner }[];
  /** The result that may take over the memory of an argument. */
  donatedTo(argument: number): number | undefined;
}

export function stageProgram(request: PartRequest): StageProgram | undefined {
  const { outputs, accumulated, definition } = request;
  if (outputs.length + accumulated.length === 0) return undefined;
  const needed = new Set<Op>();
  const given = new Map<Value, Input>();
  const joined = new Set<Value>();
  const seen = new Set<Value>();
  const pending = [...outputs, ...accumulated].map(({ value }) => value).reverse();
  let usesDevice = false;
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (seen.has(value)) continue;
    seen.add(value);
    const index = request.arguments.get(value);
    const input = request.input(value) ?? (index === undefined ? undefined : { kind: 'argument' as const, index });
    const op = definition.get(value);
    if (input !== undefined) given.set(value, input);
    else if (value === request.device) usesDevice = true;
    else if (request.collected(value) !== undefined) joined.add(value);
    else if (op !== undefined && !needed.has(op)) {
      needed.add(op);
      pending.push(...readsOf(op));
    }
  }
  const ids: IdSource = { next: 0 };
  const b = new Builder(ids);
  const map = new Map<Value, Value>();
  const args: Value[] = [];
  const inputs: Input[] = [];
  const argument = (type: Value['type'], input: Input): Value => {
    const arg = b.argument(type, args.length);
    args.push(arg);
    inputs.push(input);
    return arg;
  };
  // In the order of the arguments of the whole, so that equal parts have equal text.
  const ordered = [...given].sort(
    ([a], [c]) => (request.arguments.get(a) ?? 1e9) - (request.arguments.get(c) ?? 1e9) || a.id - c.id,
  );
  for (const [value, input] of ordered) map.set(value, argument(value.type, input));
  for (const value of joined) {
    const { from, dim, outer, count } = request.collected(value)!;
    const parts = Array.from({ length: count }, (_, microBatch) =>
      argument(from.type, { kind: 'collected', id: from.id, microBatch }),
    );
    map.set(value, joinedParts(b, parts, tensorTypeOf(value).shape, dim, outer));
  }
  if (usesDevice) {
    const rank = b.emit1('partition_id', [], {});
    const first = request.isPerMicroBatch ? argument(rank.type, { kind: 'first device' }) : undefined;
    map.set(request.device, first === undefined ? rank : b.add(first, rank));
  }
  for (const op of request.ops) if (needed.has(op)) b.ops.push(cloneOp(op, map, ids));
  const results = outputs.map(({ value }) => map.get(value)!);
  const aliases: (number | undefined)[] = args.map(() => undefined);
  inputs.forEach((input, i) => {
    const result = input.kind === 'argument' ? request.donatedTo(input.index) : undefined;
    const at = outputs.findIndex(({ output }) => output.kind === 'result' && output.index === result);
    if (result !== undefined && at >= 0 && !aliases.includes(at)) aliases[i] = at;
  });
  const made: Output[] = outputs.map(({ output }) => output);
  for (const { value, id, by } of accumulated) {
    const before = argument(value.type, { kind: 'value', of: 'step', id });
    b.location = definition.get(value)?.location;
    aliases.push(results.length);
    results.push(b.binary(by, before, map.get(value)!));
    made.push({ kind: 'value', of: 'step', id });
  }
  const func: Func = { name: 'main', body: { args, ops: b.ops, results }, aliases };
  const module = moduleOf(func, { name: request.name, functions: request.others, numPartitions: request.ranks });
  return { module, inputs, outputs: made };
}

/** Parts joined along a dim: in each of `outer` blocks, all of them after one another. */
function joinedParts(b: Builder, parts: readonly Value[], shape: readonly number[], dim: number, outer: number): Value {
  if (outer === 1) return b.emit1('concatenate', parts, { dimension: dim });
  const blocks = parts.map(part => {
    const own = tensorTypeOf(part).shape;
    return b.reshape(part, [...own.slice(0, dim), outer, own[dim]! / outer, ...own.slice(dim + 1)]);
  });
  return b.reshape(b.emit1('concatenate', blocks, { dimension: dim + 1 }), shape);
}
