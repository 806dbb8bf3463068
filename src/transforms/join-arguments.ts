// Many arguments that a program only concatenates become one argument: a batch is the concatenation of examples that the script
// has stored. The caller copies them into one buffer before each run, as a loader does. So the program does not depend on their
// number, nor on which of them are the same tensor.
//
//   concatenate(a₀, a₁, …, aₙ)        →        one argument
import { type Func, type Op, tensorTypeOf, type Value } from '../hlo/program.ts';
import { byteSize } from '../hlo/types.ts';
import { cloneOp } from '../hlo/walk.ts';
import { setOrigin } from './rewriter.ts';
import { readsOf } from './roll/value-numbers.ts';
import type { RolledArgument } from './roll/writer.ts';

/** Fewer are not worth a copy by the host. */
export const fewestJoined = 8;
/** Larger results are concatenated by the program, on all cores. */
export const maxJoinedBytes = 1 << 20;

export interface JoinedArguments {
  readonly func: Func;
  readonly args: readonly RolledArgument[];
}

/**
 * The function with joined arguments; undefined if it has none.
 * @param mayJoin whether arguments like this one may be copied at each execution
 */
export function joinArguments(
  func: Func,
  mayJoin: (argument: Value, index: number) => boolean,
): JoinedArguments | undefined {
  const { args, ops, results } = func.body;
  if (args.length < fewestJoined || func.argAttributes !== undefined || func.resultAttributes !== undefined)
    return undefined;
  const indices = new Map(args.map((arg, i) => [arg, i]));
  const joined = new Map<Op, readonly number[]>();
  for (const op of ops) {
    if (op.name !== 'concatenate' || op.operands.length < fewestJoined || !isInOrder(op)) continue;
    const parts = op.operands.map(value => indices.get(elementsOf(value)));
    if (parts.every(part => part !== undefined && mayJoin(args[part]!, part))) joined.set(op, parts as number[]);
  }
  if (joined.size === 0) return undefined;

  // In the order of their first use, which does not depend on the order of those that are joined.
  const live = liveOps(func, joined);
  const used = new Set([...live.flatMap(op => (joined.has(op) ? op.results : readsOf(op))), ...results]);
  const ids = { next: 0 };
  const map = new Map<Value, Value>();
  const newArgs: Value[] = [];
  const sources: RolledArgument[] = [];
  for (const value of used) {
    const parts = value.op && joined.get(value.op);
    const argument = indices.get(value);
    if (parts === undefined && argument === undefined) continue;
    sources.push(parts ? { kind: 'stacked', arguments: parts } : { kind: 'one', argument: argument! });
    map.set(value, { id: ids.next++, type: value.type, op: undefined, index: newArgs.length });
    newArgs.push(map.get(value)!);
  }
  const newOps = live.flatMap(op => {
    if (joined.has(op)) return [];
    const copy = cloneOp(op, map, ids);
    setOrigin(copy, op);
    return [copy];
  });
  const body = { args: newArgs, ops: newOps, results: results.map(value => map.get(value)!) };
  const aliases = sources.map(arg => (arg.kind === 'one' ? func.aliases[arg.argument] : undefined));
  return { func: { ...func, body, aliases }, args: sources };
}

/** The ops that the results need when some ops are arguments. */
function liveOps({ body }: Func, joined: ReadonlyMap<Op, unknown>): readonly Op[] {
  const needed = new Set(body.results);
  const live = body.ops.toReversed().filter(op => {
    if (op.results.length > 0 && !op.results.some(result => needed.has(result))) return false;
    if (!joined.has(op)) for (const value of readsOf(op)) needed.add(value);
    return true;
  });
  return live.reverse();
}

/** Whether the elements of the result are those of the operands, one operand after the other. */
function isInOrder({ attributes: { dimension }, results: [result] }: Op<'concatenate'>): boolean {
  const { shape } = tensorTypeOf(result);
  return byteSize(tensorTypeOf(result)) <= maxJoinedBytes && shape.slice(0, dimension).every(size => size === 1);
}
/** A value with the same elements in the same order: what a value with other dims of size 1 was made of. */
function elementsOf(value: Value): Value {
  const { op } = value;
  if (op?.name === 'reshape') return elementsOf(op.operands[0]!);
  if (op?.name !== 'broadcast_in_dim') return value;
  const [x] = op.operands as readonly [Value];
  const { broadcastDimensions } = op.attributes;
  const isSame =
    byteSize(tensorTypeOf(x)) === byteSize(tensorTypeOf(value)) &&
    broadcastDimensions.every((dim, i) => i === 0 || dim > broadcastDimensions[i - 1]!);
  return isSame ? elementsOf(x) : value;
}
