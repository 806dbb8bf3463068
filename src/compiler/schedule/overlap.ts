// Starts large collectives when their operands are computed and awaits them before their first use, so that they overlap with the
// work in between:
//
//   … grads of layer 2 │ start 0 │ backward of layer 1 │ start 1 │ rest │ await 0 │ update 2 │ await 1 │ update 1
//
// Steps that need a collective, directly or not, come after all that need none, and after those that need only earlier ones: then
// the updates of the first gradients run while the last are being reduced. Collectives keep an order that is the same on all
// ranks of a program, so ranks cannot wait for each other crosswise.
import type { Value } from '../../hlo/program.ts';
import type { Step } from '../ir/schedule.ts';
import { isCollective } from '../lowering/lowering-kinds.ts';
import { addedBytes, isStartable, keepsOperands } from '../lowering/startable.ts';
import { storageRootOf } from '../lowering/storage-root.ts';
import type { Placed } from './order.ts';

/** The number of the next collective of the program that is started. */
export interface Tickets {
  next: number;
}

/** Bytes that are gathered before they are read, if they are more than one parameter. */
const aheadBytes = 64 << 20;

type CollectiveStep = Extract<Step, { kind: 'kernel' }>;
const isCandidate = (step: Step): step is CollectiveStep => step.kind === 'kernel' && isStartable(step.op);

/** Steps in order, with each collective that something overlaps with in two. */
export function withStarts(order: readonly Placed[], tickets: Tickets): Step[] {
  if (!order.some(({ step }) => isCandidate(step))) return order.map(({ step }) => step);
  const steps = notTooEarly(afterWhatTheyNeed(order));
  const awaits = new Map<number, Step[]>();
  const starts = new Map<Step, Step>();
  steps.forEach((step, i) => {
    if (!isCandidate(step)) return;
    const end = firstReader(steps, i);
    const isIdle = steps.slice(i + 1, end).every(between => between.kind === 'kernel' && isCollective(between.op));
    if (isIdle) return;
    const ticket = tickets.next++;
    starts.set(step, { ...step, part: { does: 'start', ticket } });
    const reads = [...step.writes, ...(keepsOperands(step.op) ? step.reads : [])];
    const list = awaits.get(end) ?? [];
    awaits.set(end, list);
    list.push({ kind: 'kernel', op: step.op, part: { does: 'await', ticket }, reads, writes: [] });
  });
  const split = steps.flatMap((step, i) => [...(awaits.get(i) ?? []), starts.get(step) ?? step]);
  return [...split, ...(awaits.get(steps.length) ?? [])];
}

/**
 * Collectives that add to memory, as those that gather parameters, start when few are ahead of them: otherwise all of a model
 * would be gathered at the beginning.
 */
function notTooEarly(steps: readonly Step[]): readonly Step[] {
  // Results of the block are needed at its end in any case.
  const growing = steps
    .flatMap((step, at) =>
      isCandidate(step) && addedBytes(step.op) > 0 ? [{ step, at, read: firstReader(steps, at) }] : [],
    )
    .filter(({ read }) => read < steps.length);
  growing.sort((a, b) => a.read - b.read);
  const starts = new Map<number, Step[]>();
  const moved = new Set<Step>();
  let [first, ahead, released] = [0, 0, 0];
  for (const { step, at, read } of growing) {
    ahead += addedBytes(step.op);
    while (ahead > aheadBytes && growing[first]!.step !== step) {
      ahead -= addedBytes(growing[first]!.step.op);
      released = growing[first++]!.read;
    }
    const from = Math.max(at, Math.min(released, read));
    if (from === at) continue;
    moved.add(step);
    starts.set(from, [...(starts.get(from) ?? []), step]);
  }
  return steps.flatMap((step, i) => [...(starts.get(i) ?? []), ...(moved.has(step) ? [] : [step])]);
}

/** The first step after `from` that reads its outputs, or the end of the block. */
function firstReader(steps: readonly Step[], from: number): number {
  const written = new Set(steps[from]!.writes);
  const at = steps.findIndex((step, i) => i > from && step.reads.some(v => written.has(storageRootOf(v))));
  return at >= 0 ? at : steps.length;
}

/** Stable: steps by the last collective that they need, which keeps each after those whose results it reads. */
function afterWhatTheyNeed(order: readonly Placed[]): readonly Step[] {
  const needed = new Map<Value, number>();
  const carried = new Map<number, number>();
  let collectives = 0;
  const keyed = order.map(({ step, id, before }) => {
    let needs = carried.get(id) ?? 0;
    for (const v of step.reads) needs = Math.max(needs, needed.get(storageRootOf(v)) ?? 0);
    const made = isCandidate(step) ? ++collectives : needs;
    for (const v of step.writes) needed.set(v, Math.max(made, needs));
    if (before !== undefined) carried.set(before, Math.max(carried.get(before) ?? 0, needs));
    return { step, needs };
  });
  return keyed.sort((a, b) => a.needs - b.needs).map(({ step }) => step);
}
