// Micro-batches as an axis of the mesh. A program that is partitioned over this axis, too, has the ops of one micro-batch, and
// each collective along it is a point where micro-batches meet:
//
//   %g = all_reduce %t along micro, dp      ─▶   %t summed over micro-batches (a meeting), then all_reduce along dp
//   %y = all_gather %x along micro          ─▶   the %x of all micro-batches
//
// The axis is the major one: device m · ranks + r of the partitioned program is rank r with micro-batch m.
import { type SourceLocation, TrenioError } from '../../base/errors.ts';
import { type Func, type IdSource, type Module, mainOf, type Op, type Region, type Value } from '../../hlo/program.ts';
import { deviceCount, type Mesh } from '../../hlo/sharding/mesh.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { cloneOp, nextId, reducerOf } from '../../hlo/walk.ts';

export const microAxis = 'micro';

/** A value that is computed from those of all micro-batches. */
export type Meeting =
  | { readonly kind: 'combined'; readonly by: Combiner; readonly from: Value; readonly to: Value }
  /** Joined along a dim: of each of `outer` blocks, the parts of all micro-batches. */
  | {
      readonly kind: 'collected';
      readonly dim: number;
      readonly outer: number;
      readonly from: Value;
      readonly to: Value;
    };
/** How numbers of micro-batches are combined, from a number that changes nothing. */
const combiners = ['add', 'maximum', 'minimum'] as const;
export type Combiner = (typeof combiners)[number];
const isCombiner = (name: string | undefined): name is Combiner => (combiners as readonly unknown[]).includes(name);

export interface OneMicroBatch {
  readonly func: Func;
  /** By the value that they give, which no op defines. */
  readonly meetings: ReadonlyMap<Value, Meeting & { readonly location: SourceLocation | undefined }>;
  /** The number of the device along all axes, micro-batches included, is this value: a scalar ui32. */
  readonly device: Value;
  readonly others: readonly Func[];
}

/** The axes of meshes that divide batches. */
const expertAxes: ReadonlySet<string> = new Set(['ep', 'expert']);
const batchAxes: ReadonlySet<string> = new Set(['dp_replicate', 'dp_shard', ...expertAxes]);

/**
 * The axes of a batch, and micro-batches: each rank divides its part. The ranks along an axis of experts exchange the examples of
 * one micro-batch, so they share each.
 */
export function withMicroAxis(axes: readonly string[]): readonly string[] {
  const at = axes.findIndex(name => expertAxes.has(name));
  return axes.toSpliced(at < 0 ? axes.length : at, 0, microAxis);
}
/** A program whose constraints divide batches into micro-batches, too. Manual computations leave the axis free. */
export function withMicroBatches(module: Module, microBatches: number, mesh: Mesh): Module {
  const main = mainOf(module);
  const map = new Map<Value, Value>();
  const ids: IdSource = { next: nextId(main.body) };
  const ops = main.body.ops.map(op => {
    const copy = cloneOp(op, map, ids);
    if (copy.name === 'sdy.manual_computation') overMicroBatches(copy, microBatches, mesh);
    if (copy.name !== 'sdy.sharding_constraint') return copy;
    const { sharding } = copy.attributes;
    const [first, ...others] = sharding.dims;
    if (first === undefined || sharding.dims.some(({ axes }) => axes.some(({ name }) => name === microAxis)))
      return copy;
    const isBatch = first.axes.every(({ name }) => batchAxes.has(name));
    const divided = withMicroAxis(first.axes.map(({ name }) => name)).map(name => ({ name }));
    // Where ranks exchange examples, they still have those of one micro-batch.
    const exchanges = [...sharding.replicated, ...others.flatMap(dim => dim.axes)].some(({ name }) =>
      expertAxes.has(name),
    );
    const axes = first.axes.length === 0 && !exchanges ? [] : divided;
    const dim = { ...first, axes, isOpen: first.isOpen || axes.length === 0 };
    if (isBatch) replaceAttributes(copy, { sharding: { ...sharding, dims: [dim, ...others] } });
    return copy;
  });
  const body = { ...main.body, ops, results: main.body.results.map(value => map.get(value) ?? value) };
  return { ...module, functions: module.functions.map(func => (func === main ? { ...main, body } : func)) };
}

/** A manual computation of ranks as one of ranks with each micro-batch. */
function overMicroBatches(op: Op, microBatches: number, mesh: Mesh): void {
  const whole = { axes: [{ name: microAxis, size: microBatches }, ...mesh.axes] };
  const ranks = deviceCount(mesh);
  const free = (sharding: Sharding): Sharding => ({
    ...sharding,
    mesh: whole,
    dims: sharding.dims.map(dim => ({ ...dim, isOpen: true })),
  });
  const forEach = (groups: readonly (readonly number[])[]): readonly (readonly number[])[] =>
    Array.from({ length: microBatches }, (_, m) => groups.map(list => list.map(rank => m * ranks + rank))).flat();
  const changed: Readonly<Record<string, (value: never) => unknown>> = {
    inShardings: (list: readonly Sharding[]) => list.map(free),
    outShardings: (list: readonly Sharding[]) => list.map(free),
    replicaGroups: forEach,
    sourceTargetPairs: forEach,
  };
  const entries = Object.entries(op.attributes).map(([name, value]) => [
    name,
    changed[name]?.(value as never) ?? value,
  ]);
  replaceAttributes(op, Object.fromEntries(entries) as object);
  for (const region of op.regions as readonly Region[])
    for (const inner of region.ops) overMicroBatches(inner, microBatches, mesh);
}

interface Groups {
  readonly replicaGroups: readonly (readonly number[])[];
}
const groupsOf = ({ attributes }: Op): Groups['replicaGroups'] | undefined =>
  'replicaGroups' in attributes ? (attributes as Groups).replicaGroups : undefined;

/** The program of one micro-batch, from that of a device of a mesh whose first axis has the micro-batches. */
export function ofOneMicroBatch(module: Module, ranks: number): OneMicroBatch {
  const main = mainOf(module);
  const ids: IdSource = { next: nextId(main.body) };
  const map = new Map<Value, Value>();
  const meetings = new Map<Value, Meeting & { readonly location: SourceLocation | undefined }>();
  const ops: Op[] = [];
  const deviceType = { kind: 'tensor', elementType: 'ui32', shape: [] } as const;
  const fresh = (like: Value): Value => ({ id: ids.next++, type: like.type, op: undefined, index: 0 });
  const device: Value = { id: ids.next++, type: deviceType, op: undefined, index: 0 };
  const meet = (
    op: Op,
    meeting: { kind: 'combined'; by: Combiner } | { kind: 'collected'; dim: number; outer: number },
    from: Value,
  ): Value => {
    const to = fresh(op.results[0]!);
    meetings.set(to, { ...meeting, from, to: to, location: op.location });
    return to;
  };
  for (const op of main.body.ops) {
    if (op.name === 'partition_id') {
      map.set(op.results[0], device);
      continue;
    }
    const groups = groupsOf(op);
    const rest = groups && restOf(groups, ranks);
    if (rest === undefined || groups === undefined) {
      ops.push(onRanks(cloneOp(op, map, ids), ranks));
      continue;
    }
    const operand = map.get(op.operands[0]!) ?? op.operands[0]!;
    const isOne = op.operands.length === 1 && rest !== 'mixed';
    const within = rest === 'mixed' ? 1 : rest[0]!.length;
    /** The same op among the ranks of each group. */
    const among = (value: Value, result: Value): Value => {
      const local = new Map([[op.operands[0]!, value]]);
      const copy = { ...cloneOp(op, local, ids) } as Op;
      (copy as { attributes: object }).attributes = { ...copy.attributes, replicaGroups: rest };
      const made = { ...copy.results[0]!, type: result.type, op: copy };
      (copy as { results: readonly Value[] }).results = [made];
      ops.push(copy);
      return made;
    };
    if (op.name === 'all_reduce' && isOne) {
      const by = reducerOf(op.regions[0]);
      if (!isCombiner(by)) throw meets(op);
      const combined = meet(op, { kind: 'combined', by }, operand);
      map.set(op.results[0]!, within > 1 ? among(combined, op.results[0]!) : combined);
    } else if (op.name === 'all_gather' && isOne && outerOf(groups, rest, ranks) !== undefined) {
      const outer = outerOf(groups, rest, ranks)!;
      const dim = op.attributes.allGatherDim;
      const { type } = operand;
      const shape = type.kind === 'tensor' ? type.shape : [];
      const gathered = { ...type, shape: shape.with(dim, shape[dim]! * within) } as Value['type'];
      const part = within > 1 ? among(operand, { ...operand, type: gathered }) : operand;
      map.set(op.results[0]!, meet(op, { kind: 'collected', dim, outer }, part));
    } else throw meets(op);
  }
  const results = main.body.results.map(value => map.get(value) ?? value);
  const { argAttributes: _args, resultAttributes: _results, ...func } = main;
  return {
    func: { ...func, body: { args: main.body.args, ops, results } },
    meetings,
    device,
    others: module.functions.filter(other => other !== main),
  };
}

/** The ranks of each group, if its members have several micro-batches; 'mixed' if not all ranks have all. */
function restOf(groups: Groups['replicaGroups'], ranks: number): readonly (readonly number[])[] | 'mixed' | undefined {
  const microOf = (device: number): number => Math.floor(device / ranks);
  if (groups.every(group => group.every(device => microOf(device) === microOf(group[0]!)))) return undefined;
  const rest = groups.map(group => group.filter(device => microOf(device) === microOf(group[0]!)).map(d => d % ranks));
  const isWhole = groups.every(
    (group, i) => group.every(device => rest[i]!.includes(device % ranks)) && group.length % rest[i]!.length === 0,
  );
  return isWhole && rest.every(group => group.length > 0) ? rest : 'mixed';
}
/**
 * The number of blocks of ranks in each group whose members are listed block by block, within a block micro-batch by micro-batch:
 * 1 if micro-batches are the major axis, all ranks if they are the minor one.
 */
function outerOf(
  groups: Groups['replicaGroups'],
  rest: readonly (readonly number[])[],
  ranks: number,
): number | undefined {
  const within = rest[0]!.length;
  const isListed = (outer: number): boolean =>
    groups.every((group, g) => {
      const inner = within / outer;
      const count = group.length / within;
      return group.every((device, i) => {
        const member = Math.floor(i / (inner * count)) * inner + (i % inner);
        return device === (Math.floor(i / inner) % count) * ranks + rest[g]![member]!;
      });
    });
  return Array.from({ length: within }, (_, i) => i + 1).find(outer => within % outer === 0 && isListed(outer));
}

/** A collective among ranks, without those of other micro-batches. */
function onRanks(op: Op, ranks: number): Op {
  const regions = op.regions as readonly Region[];
  for (const region of regions)
    for (const inner of region.ops) {
      const groups = groupsOf(inner);
      if (groups !== undefined && restOf(groups, ranks) !== undefined) throw meets(inner);
      if (inner.name === 'partition_id') throw meets(inner);
      onRanks(inner, ranks);
    }
  const { attributes } = op;
  const isOfRanks = (group: readonly number[]): boolean => group.every(device => device < ranks);
  const groups = groupsOf(op) ?? [];
  if (groups.length > 0) replaceAttributes(op, { ...attributes, replicaGroups: groups.filter(isOfRanks) });
  if ('sourceTargetPairs' in attributes && attributes.sourceTargetPairs !== undefined) {
    const pairs = attributes.sourceTargetPairs as readonly (readonly [number, number])[];
    if (pairs.some(([a, b]) => Math.floor(a / ranks) !== Math.floor(b / ranks))) throw meets(op);
    replaceAttributes(op, { ...attributes, sourceTargetPairs: pairs.filter(isOfRanks) });
  }
  return op;
}

function replaceAttributes(op: Op, attributes: object): void {
  (op as { attributes: object }).attributes = attributes;
}

const meets = (op: Op): TrenioError =>
  new TrenioError(
    'UNSUPPORTED',
    {
      what: `${op.name} among the examples of several micro-batches`,
      where: 'a pipeline',
      instead: 'compute each example of a batch by itself, as layer normalization does',
    },
    { location: op.location },
  );
