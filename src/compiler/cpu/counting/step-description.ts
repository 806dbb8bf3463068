// The computation of a step, for comments in the C and for reports: its ops, their work and the memory they move.

import type { OpName } from '../../../hlo/attributes.ts';
import type { OpRow } from '../../../hlo/op-row.ts';
import { opTable } from '../../../hlo/op-table.ts';
import { type Module, type Op, shapeOf, type Value } from '../../../hlo/program.ts';
import { byteSize } from '../../../hlo/types.ts';
import { communicationOfOp } from '../../../transforms/partition/communication.ts';
import type { KernelMemory } from '../../ir/machine.ts';
import type { DotPlan } from '../../ir/multiply.ts';
import type { Step } from '../../ir/schedule.ts';
import { isCollective, isFree } from '../../lowering/lowering-kinds.ts';
import { aliasOf } from '../../lowering/storage-root.ts';
import type { KernelInfo } from './kernel-info.ts';

type Description = Omit<KernelInfo, 'name' | 'calls'>;
/** A step's kernel, the program that it is of, and a name for the memory of a value. */
export interface Placement {
  readonly kernel: KernelMemory;
  readonly module: Module;
  placeOf(value: Value): string;
}

export function describeStep(step: Step, placement: Placement): Description {
  const ops = opsOf(step);
  const moved = movedBytes(step, placement);
  const flops = ops.reduce((n, op) => {
    const cost = (opTable[op.name] as OpRow<OpName>).cost(op as never);
    return n + cost.flops + cost.transcendentals;
  }, 0);
  return {
    kind: kindOf(step),
    shape: shapeText(step),
    ops: ops.map(op => ({ name: op.name, location: op.location })),
    flops,
    products: dotOf(step)?.spec.elementType,
    ...moved,
    bytes: moved.bytesRead + moved.bytesWritten,
    ...sentBy(step, placement.module),
  };
}

function sentBy(step: Step, module: Module): Pick<Description, 'sent'> {
  const sent = step.kind === 'kernel' ? communicationOfOp(step.op, module) : undefined;
  if (sent === undefined || step.kind !== 'kernel') return {};
  const isAwait = step.part?.does === 'await';
  return { sent: { bytes: isAwait ? 0 : sent.bytes, devices: sent.devices, times: isAwait ? 0 : 1 } };
}

/** The multiply of a step, separate or before its epilogue. */
export function dotOf(step: Step): DotPlan | undefined {
  if (step.kind === 'control') return undefined;
  return step.kind === 'fused' ? step.dot?.plan : step.dot;
}

function kindOf(step: Step): KernelInfo['kind'] {
  if (dotOf(step) !== undefined) return 'multiply';
  if (step.kind === 'fused') return 'fused';
  if (opTable[step.op.name].kind === 'contraction') return 'multiply';
  return isCollective(step.op) ? 'collective' : 'other';
}

/** `1024×3072×768` (m×n×k) or `96 of 128×128×64`; `1024×(768)`, the reduced dims in parentheses; a result's shape. */
function shapeText(step: Step): string {
  const spec = dotOf(step)?.spec;
  if (spec !== undefined) {
    const count = spec.batch.reduce((n, d) => n * d.size, 1);
    return `${count === 1 ? '' : `${count} of `}${spec.m}×${spec.n}×${spec.k}`;
  }
  if (step.kind !== 'fused') {
    const value = step.writes[0] ?? step.op.operands[0];
    return value === undefined ? '' : shapeOf(value).join('×');
  }
  const { shape, reduced } = step.group.space;
  return shape.map((size, d) => (reduced[d] ? `(${size})` : `${size}`)).join('×');
}

function movedBytes(step: Step, { kernel, placeOf }: Placement) {
  const reads = new Map<Value, number>();
  const writes: Value[] = [];
  for (const { value, access } of kernel.operands) {
    if (access === 'write') writes.push(value);
    else reads.set(value, bytesOf(value));
  }
  const readPositions = new Set([...reads.keys()].map(placeOf));
  const isInPlace = (v: Value): boolean => readPositions.has(placeOf(v));
  if (
    step.kind === 'kernel' &&
    opTable[step.op.name].kind === 'scatter' &&
    writes.length === 1 &&
    isInPlace(writes[0]!)
  ) {
    // only scattered elements are touched
    const [, indices, updates] = step.op.operands;
    const bytes = bytesOf(updates!);
    return { bytesRead: 2 * bytes + bytesOf(indices!), bytesWritten: bytes, bytesInPlace: bytes };
  }
  if (step.kind === 'fused') narrowReads(step, reads);
  const sum = (values: Iterable<number>): number => [...values].reduce((n, bytes) => n + bytes, 0);
  return {
    bytesRead: sum(reads.values()),
    bytesWritten: sum(writes.map(bytesOf)),
    bytesInPlace: sum(writes.filter(isInPlace).map(bytesOf)),
  };
}

/** If a kernel reads only parts of a value, it reads as many elements as its result has. */
function narrowReads(step: Extract<Step, { kind: 'fused' }>, reads: Map<Value, number>): void {
  const taken = new Map<Value, number>();
  for (const op of reachedOps(step)) {
    const { kind } = opTable[op.name];
    const [result] = op.results;
    const isPart = result !== undefined && (kind === 'view' || kind === 'movement');
    op.operands.forEach((v, i) => {
      if (!reads.has(v)) return;
      const bytes = isPart && i === 0 ? bytesOf(result) : bytesOf(v);
      taken.set(v, (taken.get(v) ?? 0) + bytes);
    });
  }
  for (const [v, bytes] of taken) reads.set(v, Math.min(bytes, bytesOf(v)));
}

const bytesOf = (v: Value): number => (v.type.kind === 'tensor' ? byteSize(v.type) : 0);

/** The ops of a step, in program order, without views and constants. */
export function opsOf(step: Step): Op[] {
  if (step.kind !== 'fused') return [step.op];
  const all = reachedOps(step);
  const shown = all.filter(op => !op.results.every(isFree) && opTable[op.name].kind !== 'view');
  return shown.length > 0 ? shown : all;
}

/** The ops of a step without cost: they only change the index or the type of elements. */
export function viewsOf(step: Step): Op[] {
  const isShown = new Set(opsOf(step));
  if (step.kind === 'fused') return reachedOps(step).filter(op => !isShown.has(op));
  const reads = new Set(step.reads);
  return opsAbove(step.op.operands, v => reads.has(v)).filter(op => !isShown.has(op));
}

/** The ops between the operands of a fused step in memory and its outputs, in program order. */
function reachedOps(step: Extract<Step, { kind: 'fused' }>): Op[] {
  const operands = new Set([...step.reads, ...step.unread]);
  return opsAbove(step.writes, v => operands.has(v));
}

/** The ops that compute the values, back to those at which the search `ends`, in program order. */
function opsAbove(values: readonly Value[], ends: (value: Value) => boolean): Op[] {
  const ops = new Set<Op>();
  const seen = new Set<Value>();
  const queue = [...values];
  for (let v = queue.pop(); v !== undefined; v = queue.pop()) {
    if (v.op === undefined || ends(v) || seen.has(v)) continue;
    seen.add(v);
    // A barrier has many operands, of which each result is one.
    const alias = aliasOf(v);
    if (alias !== undefined) queue.push(alias);
    else if (!ops.has(v.op)) queue.push(...v.op.operands);
    ops.add(v.op);
  }
  return [...ops].sort((a, b) => a.results[0]!.id - b.results[0]!.id);
}
