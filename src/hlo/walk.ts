// Traversals of programs shared by passes: every op, the uses of values, reachability, copies of regions.

import type { OpName } from './attributes.ts';
import type { Literal } from './literal.ts';
import type { OpRow } from './op-row.ts';
import { opTable } from './op-table.ts';
import type { IdSource, Op, Region, Value } from './program.ts';

export { comparisonOf, reducerOf } from './reducer.ts';

/**
 * Calls `visit` for every op of a region in program order, those of inner regions after the op that contains them.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * const names: string[] = [];
 * hlo.forEachOp(main.body, op => names.push(op.name));
 * names // ['add']
 */
export function forEachOp(region: Region, visit: (op: Op, region: Region) => void): void {
  for (const op of region.ops) {
    visit(op, region);
    for (const inner of op.regions) forEachOp(inner, visit);
  }
}

/**
 * Whether some op within the op's regions satisfies the predicate.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [4])], (b, [x]) => [b.sum(x!)]);
 * const reduce = main.body.ops.find(({ name }) => name === 'reduce')!;
 * hlo.regionsHold(reduce, op => op.name === 'add') // true
 */
export function regionsHold(op: Op, predicate: (op: Op) => boolean): boolean {
  return op.regions.some(region => region.ops.some(inner => predicate(inner) || regionsHold(inner, predicate)));
}

const rowOf = (op: Op): OpRow<OpName> => opTable[op.name] as OpRow<OpName>;

/**
 * The literal of a constant; undefined for all other values.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32')], (b, [x]) => [b.like(x!, 2)]);
 * hlo.constantLiteral(main.body.results[0]!)?.data // [2]
 */
export const constantLiteral = ({ op }: Value): Literal | undefined => op && rowOf(op).literal?.(op as never);

/**
 * True for an op that runs its regions repeatedly on its state.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.isLoop(main.body.ops[0]!) // false
 */
export const isLoop = (op: Op): op is Op<'while'> => rowOf(op).controlFlow === 'loop';

/**
 * The name of the function that an op calls directly.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.calleeOf(main.body.ops[0]!) // undefined
 */
export const calleeOf = (op: Op): string | undefined => rowOf(op).callee?.(op as never).name;
/**
 * The name of the function that an op applies to elements.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.appliedBy(main.body.ops[0]!) // undefined
 */
export const appliedBy = (op: Op): string | undefined => rowOf(op).applies?.(op as never)?.name;

/**
 * The names of the functions that an op calls, directly or within its regions.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.callsOf(main.body.ops[0]!) // []
 */
export function callsOf(op: Op): readonly string[] {
  const callee = calleeOf(op) ?? appliedBy(op);
  const names = callee === undefined ? [] : [callee];
  names.push(...(rowOf(op).programs?.(op as never) ?? []));
  for (const region of op.regions) for (const inner of region.ops) names.push(...callsOf(inner));
  return names;
}

/**
 * The number of times an execution of the op runs each of its regions (`OpRow.regionRuns`).
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.regionRunsOf(main.body.ops[0]!, 10) // undefined
 */
export const regionRunsOf = (
  op: Op,
  iterations: number,
): ReturnType<NonNullable<OpRow<OpName>['regionRuns']>> | undefined => rowOf(op).regionRuns?.(op as never, iterations);

/**
 * Whether equal ops may be merged and an unused one removed; an op with regions is pure if the ops in them are.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.isPure(main.body.ops[0]!) // true
 */
export function isPure(op: Op): boolean {
  const { pure } = rowOf(op);
  return (
    (typeof pure === 'function' ? pure(op as never) : pure) && op.regions.every(region => region.ops.every(isPure))
  );
}

/** A use of a value as an operand. */
export interface Use {
  /** The op that uses the value. */
  readonly user: Op;
  /** The index of the operand. */
  readonly operand: number;
}
/**
 * Every use of every value as an operand within a region and its inner regions, in program order. Results of regions do not
 * count.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.usesOf(main.body).get(main.body.args[0]!)!.length // 2
 */
export function usesOf(region: Region): ReadonlyMap<Value, readonly Use[]> {
  const uses = new Map<Value, Use[]>();
  forEachOp(region, user => {
    user.operands.forEach((value, operand) => {
      const list = uses.get(value);
      if (list === undefined) uses.set(value, [{ user, operand }]);
      else list.push({ user, operand });
    });
  });
  return uses;
}

/**
 * Values that an op's regions use but do not define.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.capturesOf(main.body.ops[0]!).size // 0
 */
export function capturesOf(op: Op): ReadonlySet<Value> {
  const captured = new Set<Value>();
  const defined = new Set<Value>();
  const enter = (region: Region): void => {
    for (const arg of region.args) defined.add(arg);
    for (const inner of region.ops) {
      for (const v of inner.operands) if (!defined.has(v)) captured.add(v);
      for (const r of inner.regions) enter(r);
      for (const v of inner.results) defined.add(v);
    }
    for (const v of region.results) if (!defined.has(v)) captured.add(v);
  };
  for (const region of op.regions) enter(region);
  return captured;
}

const lastUseCache = new WeakMap<Region, readonly (readonly Value[])[]>();
/**
 * For each op of a region, the region's own values (arguments and results of its ops) that are dead after it, that is, not used
 * by later ops, their regions, or the results. Computed once per region.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.lastUses(main.body)[0]!.length // 1
 */
export function lastUses(region: Region): readonly (readonly Value[])[] {
  const known = lastUseCache.get(region);
  if (known !== undefined) return known;
  const dying: Value[][] = region.ops.map(() => []);
  const mine = new Set<Value>(region.args);
  for (const op of region.ops) for (const v of op.results) mine.add(v);
  for (const v of region.results) mine.delete(v);
  for (let i = region.ops.length - 1; i >= 0; i--) {
    const op = region.ops[i]!;
    const used =
      op.regions.length === 0 ? [...op.operands, ...op.results] : [...op.operands, ...op.results, ...capturesOf(op)];
    for (const v of used) if (mine.delete(v)) dying[i]!.push(v);
  }
  lastUseCache.set(region, dying);
  return dying;
}

/**
 * The ops that some values are computed from (captures of regions included), in a valid execution order.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.reachableOps(main.body.results).length // 1
 */
export function reachableOps(values: Iterable<Value>): readonly Op[] {
  const order: Op[] = [];
  const seen = new Set<Op>();
  const stack: { readonly op: Op; readonly inputs: readonly Value[]; next: number }[] = [];
  const push = (value: Value): void => {
    const { op } = value;
    if (op === undefined || seen.has(op)) return;
    seen.add(op);
    const inputs = op.regions.length === 0 ? op.operands : [...op.operands, ...capturesOf(op)];
    stack.push({ op, inputs, next: 0 });
  };
  for (const value of values) {
    push(value);
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      if (top.next < top.inputs.length) push(top.inputs[top.next++]!);
      else {
        order.push(top.op);
        stack.pop();
      }
    }
  }
  return order;
}

/**
 * A copy of an op with its operands (and those of its regions) replaced according to `map`; other values are kept.
 * The new results are added to the map.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * const copy = hlo.cloneOp(main.body.ops[0]!, new Map(), { next: 10 });
 * copy.name // 'add'
 */
export function cloneOp(op: Op, map: Map<Value, Value>, ids: IdSource): Op {
  const operands = op.operands.map(v => map.get(v) ?? v);
  const regions = op.regions.map(r => cloneRegion(r, map, ids));
  const results: Value[] = [];
  const copy = { ...op, operands, regions, results } as unknown as Op;
  for (const result of op.results) {
    const fresh: Value = { id: ids.next++, type: result.type, op: copy, index: result.index };
    results.push(fresh);
    map.set(result, fresh);
  }
  return copy;
}

/**
 * A copy of a region with fresh arguments and results, its outer values replaced according to `map`.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.cloneRegion(main.body, new Map(), { next: 10 }).ops.length // 1
 */
export function cloneRegion(region: Region, map: Map<Value, Value>, ids: IdSource): Region {
  const args = region.args.map(arg => {
    const fresh: Value = { id: ids.next++, type: arg.type, op: undefined, index: arg.index };
    map.set(arg, fresh);
    return fresh;
  });
  const ops = region.ops.map(op => cloneOp(op, map, ids));
  return { args, ops, results: region.results.map(v => map.get(v) ?? v) };
}

/**
 * Copies the body of a region with other arguments: its ops in order, and the values of its results. For inlining.
 * `map` may contain further replacements.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.substitute(main.body, main.body.args, { next: 10 }).ops.length // 1
 */
export function substitute(
  region: Region,
  args: readonly Value[],
  ids: IdSource,
  map: Map<Value, Value> = new Map(),
): {
  /** The ops. */
  readonly ops: readonly Op[];
  /** The results. */
  readonly results: readonly Value[];
} {
  region.args.forEach((arg, i) => {
    map.set(arg, args[i]!);
  });
  const ops = region.ops.map(op => cloneOp(op, map, ids));
  return { ops, results: region.results.map(v => map.get(v) ?? v) };
}

/**
 * One above the largest id within a region, where the ids of copies may start.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.nextId(main.body) // 2
 */
export function nextId(region: Region): number {
  let next = 0;
  for (const arg of region.args) next = Math.max(next, arg.id + 1);
  forEachOp(region, op => {
    for (const v of op.results) next = Math.max(next, v.id + 1);
    for (const r of op.regions) for (const arg of r.args) next = Math.max(next, arg.id + 1);
  });
  return next;
}
