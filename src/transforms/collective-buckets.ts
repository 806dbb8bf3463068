// All-reduces of many tensors in buckets, each moved to where its last tensor is computed, so that gradients are sent while the
// rest of the backward pass runs. The reduction is elementwise, so the result does not depend on the buckets. Whether a bucket is
// sent in the background or synchronously is decided by the runtime.
//
// This applies to any tensors, not only to gradients.
import { zip } from '../base/zip.ts';
import type { Collective, OpName } from '../hlo/attributes.ts';
import type { Func, Module, Op, Value } from '../hlo/program.ts';
import { mainOf, tensorTypeOf } from '../hlo/program.ts';
import { byteSize } from '../hlo/types.ts';
import { forEachOp } from '../hlo/walk.ts';
import { Rewriter } from './rewriter.ts';

/** Whether ranks synchronize in an op. An all-reduce is not moved across such an op, except across others of the same group. */
export type IsCollective = (op: Op) => boolean;

/** The same module if there is nothing to divide or to move. */
export function bucketAllReduces(module: Module, bucketBytes: number, isCollective: IsCollective): Module {
  const main = mainOf(module);
  if (!main.body.ops.some(isReduction)) return module;
  const divided = divideInto(module, main, bucketBytes);
  return { ...module, functions: [{ ...divided, body: { ...divided.body, ops: moved(divided, isCollective) } }] };
}

/** Ops that only move or convert the operand of a collective: they are placed with it. */
const moves: ReadonlySet<OpName> = new Set<OpName>([
  'broadcast_in_dim',
  'concatenate',
  'constant',
  'convert',
  'pad',
  'reshape',
  'slice',
  'transpose',
]);

const isAllReduce = (op: Op): op is Op<'all_reduce'> => op.name === 'all_reduce';
const isReduction = (op: Op): op is Op<'all_reduce' | 'reduce_scatter'> =>
  op.name === 'all_reduce' || op.name === 'reduce_scatter';
const bytesOf = (v: Value): number => byteSize(tensorTypeOf(v));

/** The position at which a value is available: that of the last op it depends on, ignoring ops that only move data. */
function positionsOf(func: Func): (value: Value) => number {
  const position = new Map<Op, number>();
  func.body.ops.forEach((op, i) => {
    position.set(op, moves.has(op.name) ? Math.max(-1, ...op.operands.map(at)) : i);
  });
  function at({ op }: Value): number {
    return op === undefined ? -1 : (position.get(op) ?? -1);
  }
  return at;
}

function divideInto(module: Module, main: Func, bucketBytes: number): Func {
  const positionOf = positionsOf(main);
  const buckets = new Map<Op, readonly (readonly number[])[]>();
  for (const op of main.body.ops) {
    if (!isAllReduce(op)) continue;
    const list = bucketsOf(op.operands, positionOf, bucketBytes);
    if (list.length > 1) buckets.set(op, list);
  }
  if (buckets.size === 0) return main;
  const rewriter = new Rewriter(module, main, [
    (op, r) => {
      const list = r.source && buckets.get(r.source);
      if (list === undefined || !isAllReduce(op) || op.operands.length !== r.source!.operands.length) return undefined;
      const results: Value[] = [];
      for (const bucket of list) {
        const operands = bucket.flatMap(i => op.operands.slice(i, i + 1));
        const regions = op.regions.map(region => r.copyOf(region));
        for (const [i, value] of zip(bucket, r.emit('all_reduce', operands, op.attributes, regions)))
          results[i] = value;
      }
      return results;
    },
  ]);
  return rewriter.run(main);
}

/** The operands in the order in which they are computed, divided into buckets. */
function bucketsOf(
  operands: readonly Value[],
  positionOf: (value: Value) => number,
  bucketBytes: number,
): readonly (readonly number[])[] {
  const order = operands
    .map((value, i) => ({ value, i, at: positionOf(value) }))
    .sort((a, b) => a.at - b.at || a.i - b.i);
  const buckets: number[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const { value, i } of order) {
    if (bytes >= bucketBytes) {
      buckets.push([]);
      bytes = 0;
    }
    buckets.at(-1)!.push(i);
    bytes += bytesOf(value);
  }
  return buckets;
}

/**
 * Places each all-reduce and reduce-scatter right after the last of its operands, along with ops that only move them, but never
 * before an earlier collective.
 */
function moved(func: Func, isCollective: IsCollective): readonly Op[] {
  const positionOf = positionsOf(func);
  const original = new Map<Op, number>(func.body.ops.map((op, i) => [op, i]));
  const after = new Map<number, Op[]>();
  const isMoved = new Set<Op>();
  const place = (op: Op, at: number): void => {
    if (isMoved.has(op)) return;
    isMoved.add(op);
    for (const { op: maker } of op.operands)
      if (maker !== undefined && moves.has(maker.name) && (original.get(maker) ?? -1) > at) place(maker, at);
    const list = after.get(at) ?? [];
    after.set(at, list);
    list.push(op);
  };
  const places: { readonly op: Op; readonly at: number }[] = [];
  let fence = -1;
  let group = '';
  func.body.ops.forEach((op, i) => {
    if (!isReduction(op)) {
      if (!holds(op, isCollective)) return;
      fence = i;
      group = '';
      return;
    }
    const mine = groupOf(op.attributes);
    // Collectives of the same group are placed one after the other, in the order of their operands.
    if (group !== '' && mine !== group) fence = i - 1;
    group = mine;
    places.push({ op, at: Math.max(fence, ...op.operands.map(positionOf)) });
  });
  // An operand that several of them share is computed before the first.
  for (const { op, at } of places.sort((a, b) => a.at - b.at)) place(op, at);
  const rest = func.body.ops.flatMap((op, i) => [...(isMoved.has(op) ? [] : [op]), ...(after.get(i) ?? [])]);
  return [...(after.get(-1) ?? []), ...rest];
}

const groupOf = ({ replicaGroups, meshAxes, useGlobalDeviceIds }: Collective): string =>
  JSON.stringify([replicaGroups, meshAxes, useGlobalDeviceIds]);

function holds(op: Op, isCollective: IsCollective): boolean {
  let found = isCollective(op);
  for (const region of op.regions)
    forEachOp(region, inner => {
      found ||= isCollective(inner);
    });
  return found;
}
