// Plans the kernels of collectives, send and recv: which processes take part, and the steps of one process. All processes share
// one program, so partners are determined for all of them; see ir/collective.ts.

import { invariant, TrenioError } from '../../../base/errors.ts';
import { zip } from '../../../base/zip.ts';
import { dispatch, type PerOp } from '../../../hlo/per-op.ts';
import { type GroupOp, type Groups, groupsOf } from '../../../hlo/process-groups.ts';
import { type Module, type Op, shapeOf, tensorTypeOf, type Value } from '../../../hlo/program.ts';
import { reducerOf } from '../../../hlo/reducer.ts';
import { byteSize, elementBytes, elementCount } from '../../../hlo/types.ts';
import type {
  CollectivePart,
  CollectiveStep,
  Combination,
  Fill,
  PartLayout,
  Partners,
  Place,
} from '../../ir/collective.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import { coversAll, isOfAll, processCount, routesOf, upTo } from '../../lowering/collective-groups.ts';
import { nativeReduction } from '../../lowering/native-reduction.ts';
import { keepsOperands } from '../../lowering/startable.ts';
import type { PlannedKernel } from '../ir/kernel.ts';
import type { CollectiveName, OpKernelOf, OpSlots } from '../ir/op-kernel.ts';
import { type OpOperands, operandsOf, withInPlace } from './op-operands.ts';

function refused(op: Op, what: string, instead: string): TrenioError {
  return new TrenioError(
    'UNSUPPORTED',
    { what: `${op.name} ${what}`, where: 'the C compiler backend', instead },
    { location: op.location },
  );
}

/** The result of lowering an op, without its operands. */
interface Plan {
  readonly partners: Partners;
  readonly processes: number | undefined;
  readonly steps: readonly CollectiveStep[];
  readonly workspaceBytes?: number;
  /** Results may share memory with the operands. */
  readonly isInPlace?: true;
}

export function planCollective(op: Op<CollectiveName>, module: Module): PlannedKernel {
  const memory = operandsOf(op);
  const { workspaceBytes = 0, isInPlace = false, ...plan } = dispatch(plans, op, memory, module);
  const kernel: OpKernelOf<'collective'> = { kind: 'op', form: 'collective', op, slots: memory.slots, ...plan };
  const operands = isInPlace ? withInPlace(memory, () => true) : memory.operands;
  return { kernel, operands, workspaceBytes, scratchBytes: 0 };
}

const plans: PerOp<CollectiveName, Plan, [OpOperands, Module]> = {
  all_reduce: planAllReduce,
  all_gather: planAllGather,
  reduce_scatter: planReduceScatter,
  all_to_all: planAllToAll,
  collective_broadcast: planBroadcast,
  collective_permute: planSendReceive,
  send: planSendReceive,
  recv: planSendReceive,
};

/** The kernel that starts a collective, or the one that awaits it: both have the same steps and perform their part of them. */
export function planCollectivePart(planned: PlannedKernel, part: CollectivePart): PlannedKernel {
  const { kernel, operands } = planned;
  invariant(kernel.kind === 'op' && kernel.form === 'collective', 'only a collective can be started');
  invariant(planned.workspaceBytes === 0, 'the data to send is contiguous in memory');
  if (part.does === 'start') return { ...planned, kernel: { ...kernel, part } };
  // Results are complete when it has been awaited; operands that were copied are no longer read.
  const [first] = operands.filter(o => o.access === 'write');
  const keeps = keepsOperands(kernel.op);
  const read = operands.map(
    ({ value, access }): KernelOperand => ({
      value: access === 'write' || keeps ? value : first!.value,
      access: 'read',
    }),
  );
  return { ...planned, kernel: { ...kernel, part }, operands: read };
}

const at = (slot: number, offset = 0): Place => ({ slot, offset });
const workspace = ({ operands }: OpOperands, offset = 0): Place => at(operands.length, offset);
const bytesOf = (value: Value): number => byteSize(tensorTypeOf(value));

/** Where each result's operand lies, and the result. */
const places = ({ operands, results }: OpSlots): (readonly [from: Place, to: Place])[] =>
  zip(operands.slice(0, results.length), results).map(([from, to]) => [at(from), at(to)] as const);

/** The partners of an op in which every process takes part. */
function groupPartners(op: GroupOp, module: Module): Extract<Partners, { kind: 'groups' }> {
  const groups = groupsOf(op, module);
  const processes = processCount(module);
  if (!coversAll(groups, processes))
    throw refused(op, `over groups that are not all ${processes} processes`, 'put each process into one group');
  return { kind: 'groups', groups };
}

/** Those of an op for which the runtime has a call for all processes. */
export function partnersOf(op: Op<'all_reduce' | 'all_gather'>, module: Module): Partners {
  if (!isOfAll(op, module)) return groupPartners(op, module);
  const groups = op.attributes.replicaGroups.length;
  if (groups > 1) throw refused(op, `over ${groups} groups`, 'use one group of all ranks');
  return { kind: 'all' };
}

function requireSize(op: GroupOp, groups: Groups, members: number): void {
  const other = groups.find(g => g.length !== members);
  if (other === undefined) return;
  throw refused(op, `over a group of ${other.length} where its type is for ${members}`, 'use groups of one size');
}

function combinationOf(op: Op<'all_reduce' | 'reduce_scatter'>, value: Value): Combination {
  const type = tensorTypeOf(value).elementType;
  const native = nativeReduction(op.regions[0], type);
  if (native !== undefined) return native;
  const what = `of ${type} with ${reducerOf(op.regions[0]) ?? 'a custom region'}`;
  throw refused(op, what, 'combine f32, f64, bf16, f16, i32 or i64 by add, multiply, maximum or minimum');
}

function planAllReduce(op: Op<'all_reduce'>, { slots }: OpOperands, module: Module): Plan {
  const partners = partnersOf(op, module);
  const tensors = zip(op.operands, slots.results).map(([v, result]) => ({
    place: at(result),
    count: elementCount(shapeOf(v)),
    by: combinationOf(op, v),
  }));
  const copies = zip(op.operands, zip(slots.operands, slots.results)).map(
    ([v, [from, to]]): CollectiveStep => ({ kind: 'copy', from: at(from), to: at(to), bytes: bytesOf(v) }),
  );
  const alike = Map.groupBy(tensors, ({ by }) => `${by.type} ${by.reduction}`);
  const calls = [...alike.values()].map(
    (list): CollectiveStep => ({
      kind: 'all-reduce',
      tensors: list.map(({ place, count }) => ({ place, count })),
      by: list[0]!.by,
    }),
  );
  const processes = partners.kind === 'all' ? undefined : processCount(module);
  return { partners, processes, steps: [...copies, ...calls], isInPlace: true };
}

function planAllGather(op: Op<'all_gather'>, memory: OpOperands, module: Module): Plan {
  const { slots } = memory;
  const partners = partnersOf(op, module);
  const { allGatherDim } = op.attributes;
  const tensors = zip(op.operands, op.results).map(([v, result]) => {
    const shape = shapeOf(v);
    const outer = elementCount(shape.slice(0, allGatherDim));
    const members = (shapeOf(result)[allGatherDim] ?? 1) / Math.max(1, shape[allGatherDim]!);
    const bytes = bytesOf(v);
    return { bytes, layout: { outer, parts: members, rowBytes: bytes / outer } };
  });
  const members = tensors[0]!.layout.parts;
  if (partners.kind === 'groups') requireSize(op, partners.groups, members);
  const steps = zip(tensors, places(slots)).flatMap(([{ bytes, layout }, [from, to]]): CollectiveStep[] => {
    if (layout.outer === 1) return [{ kind: 'all-gather', from, to, bytes }];
    const gathered = workspace(memory);
    return [
      { kind: 'all-gather', from, to: gathered, bytes },
      { kind: 'unpack', from: gathered, to, layout },
    ];
  });
  // A module of one process may be run by any number of ranks: the number follows from the types.
  const processes = partners.kind === 'all' ? members : processCount(module);
  const workspaceBytes = Math.max(...tensors.map(t => (t.layout.outer === 1 ? 0 : t.bytes * t.layout.parts)));
  return { partners, processes, steps, workspaceBytes };
}

function planReduceScatter(op: Op<'reduce_scatter'>, memory: OpOperands, module: Module): Plan {
  const [x] = op.operands;
  const shape = shapeOf(x);
  const d = op.attributes.scatterDimension;
  const members = shape[d]! / Math.max(1, shapeOf(op.results[0])[d]!);
  // Here, too.
  const isAny = processCount(module) === 1;
  const partners: Partners = isAny ? { kind: 'groups', groups: [upTo(members)] } : groupPartners(op, module);
  if (partners.kind === 'groups') requireSize(op, partners.groups, members);
  const layout: PartLayout = {
    outer: elementCount(shape.slice(0, d)),
    parts: members,
    rowBytes: (elementCount(shape.slice(d)) / members) * elementBytes(tensorTypeOf(x).elementType),
  };
  const [ends] = places(memory.slots);
  invariant(ends !== undefined, 'an operand and a result');
  const [from, to] = ends;
  const isPacked = layout.outer !== 1;
  const steps: CollectiveStep[] = [
    ...(isPacked ? [{ kind: 'pack' as const, from, to: workspace(memory), layout }] : []),
    {
      kind: 'reduce-scatter',
      from: isPacked ? workspace(memory) : from,
      to,
      count: elementCount(shape) / members,
      by: combinationOf(op, x),
    },
  ];
  const processes = isAny ? members : processCount(module);
  return { partners, processes, steps, workspaceBytes: isPacked ? bytesOf(x) : 0 };
}

function planAllToAll(op: Op<'all_to_all'>, memory: OpOperands, module: Module): Plan {
  const { splitDimension, concatDimension, splitCount } = op.attributes;
  const partners = groupPartners(op, module);
  requireSize(op, partners.groups, splitCount);
  const plans = zip(op.operands, places(memory.slots)).map(([v, [from, to]]) => {
    const whole = shapeOf(v);
    const part = whole.with(splitDimension, whole[splitDimension]! / splitCount);
    const layoutAt = (dim: number): PartLayout => ({
      outer: elementCount(part.slice(0, dim)),
      parts: splitCount,
      rowBytes: elementCount(part.slice(dim)) * elementBytes(tensorTypeOf(v).elementType),
    });
    const [split, join] = [layoutAt(splitDimension), layoutAt(concatDimension)];
    // The parts one after another, in the order of sending and receiving.
    const sent = split.outer === 1 ? from : workspace(memory);
    const got = join.outer === 1 ? to : workspace(memory, split.outer === 1 ? 0 : bytesOf(v));
    const steps: CollectiveStep[] = [
      ...(split.outer === 1 ? [] : [{ kind: 'pack' as const, from, to: sent, layout: split }]),
      { kind: 'all-to-all', from: sent, to: got, bytes: bytesOf(v) / splitCount },
      ...(join.outer === 1 ? [] : [{ kind: 'unpack' as const, from: got, to, layout: join }]),
    ];
    return { steps, workspaceBytes: bytesOf(v) * (Number(split.outer !== 1) + Number(join.outer !== 1)) };
  });
  return {
    partners,
    processes: processCount(module),
    steps: plans.flatMap(p => p.steps),
    workspaceBytes: Math.max(...plans.map(p => p.workspaceBytes)),
  };
}

/** Zeros, as the op specifies. */
function zeros(value: Value): Fill {
  const type = tensorTypeOf(value);
  const zeroPoint = type.quantization?.zeroPoints[0] ?? 0;
  return { type: type.elementType, count: elementCount(type.shape), bytes: byteSize(type), value: zeroPoint };
}

function planBroadcast(op: Op<'collective_broadcast'>, { slots }: OpOperands, module: Module): Plan {
  const groups = groupsOf(op, module);
  const processes = processCount(module);
  if (groups.flat().some(p => p >= processes))
    throw refused(op, `to more than ${processes} processes`, 'name processes that there are');
  const { hasDynamicRoot } = op.attributes;
  const data = hasDynamicRoot ? op.operands.slice(0, -1) : op.operands;
  const steps = zip(data, places(slots)).map(
    ([v, [from, to]], i): CollectiveStep => ({
      kind: 'broadcast',
      from,
      to,
      bytes: bytesOf(v),
      root: hasDynamicRoot ? { slot: slots.operands.at(-1)!, index: i } : undefined,
      otherwise: zeros(v),
    }),
  );
  return { partners: { kind: 'groups', groups }, processes, steps };
}

const does = { collective_permute: 'both', send: 'send', recv: 'receive' } as const;

function planSendReceive(op: Op<keyof typeof does>, { slots }: OpOperands, module: Module): Plan {
  const isTensor = (v: Value): boolean => v.type.kind === 'tensor';
  const sent = does[op.name] === 'receive' ? [] : op.operands.filter(isTensor);
  const received = does[op.name] === 'send' ? [] : op.results.filter(isTensor);
  const slotsOf = (list: readonly number[]): Place[] => list.filter(slot => slot >= 0).map(slot => at(slot));
  const step: CollectiveStep = {
    kind: 'send-receive',
    does: does[op.name],
    sent: sent.length === 0 ? [] : slotsOf(slots.operands),
    received: received.length === 0 ? [] : slotsOf(slots.results),
    bytes: (sent.length > 0 ? sent : received).map(bytesOf),
    fills: received.map(zeros),
  };
  return { partners: routePartners(op, module), processes: processCount(module), steps: [step] };
}

/** Without pairs, a process receives its own message; with two processes, each receives the other's. */
function routePartners(op: Op<keyof typeof does>, module: Module): Partners {
  const processes = processCount(module);
  if (does[op.name] !== 'both' && (op.attributes.sourceTargetPairs ?? []).length === 0) {
    if (processes > 2) throw refused(op, `without pairs of ${processes} processes`, 'say source_target_pairs');
    const ends = processes === 1 ? [0] : [1, 0];
    return { kind: 'routes', sources: ends, targets: ends };
  }
  const routes = routesOf(op, module);
  if (routes === undefined)
    throw refused(op, `between more than ${processes} processes`, 'name processes that there are');
  invariant(routes.sources.length === processes, 'a route for each process');
  return { kind: 'routes', ...routes };
}
