// Runs collectives from their data (ir/collective.ts): each process takes its steps, and waits where others have to arrive.
// Processes are coroutines that are resumed in turn until all have ended.
import { assertNever, invariant } from '../../../base/errors.ts';
import { tensorType } from '../../../hlo/types.ts';
import type { CollectiveStep, Combination, Fill, PartLayout, Partners, Place } from '../../ir/collective.ts';
import type { ScalarValue } from '../../ir/scalar-value.ts';
import type { OpKernelOf } from '../ir/op-kernel.ts';
import { binaryFunction } from '../scalar-functions/scalar.ts';
import { memoryOf } from './memory.ts';

/** Bytes of a process's memory, starting at a place. */
type Memory = (place: Place, bytes: number) => Uint8Array;
/** Suspends a process until another one has done something. */
export type Waiting<T> = Generator<void, T>;

/** The common state of the processes of a run: arrivals, and sent messages. */
export class Meetings {
  readonly processes: number;
  readonly #arrived = new Map<CollectiveStep, Map<number, Memory>>();
  readonly #messages = new Map<string, (readonly Uint8Array[])[]>();
  #changes = 0;

  constructor(processes: number) {
    this.processes = processes;
  }

  /** Takes part in a step of a group; the last member to arrive computes it for all. */
  *meet(step: CollectiveStep, members: readonly number[], process: number, memory: Memory): Waiting<void> {
    const there = this.#arrived.get(step) ?? new Map<number, Memory>();
    this.#arrived.set(step, there);
    there.set(process, memory);
    this.#changes++;
    if (members.every(p => there.has(p))) {
      moveData(
        step,
        members,
        members.map(p => there.get(p)!),
      );
      for (const p of members) there.delete(p);
    } else while (there.has(process)) yield;
  }
  send(channel: string, tensors: readonly Uint8Array[]): void {
    const waiting = this.#messages.get(channel) ?? [];
    this.#messages.set(channel, waiting);
    waiting.push(tensors.map(t => t.slice()));
    this.#changes++;
  }
  *receive(channel: string): Waiting<readonly Uint8Array[]> {
    for (;;) {
      const message = this.#messages.get(channel)?.shift();
      if (message !== undefined) {
        this.#changes++;
        return message;
      }
      yield;
    }
  }

  /** Runs the processes to completion, and returns the results of each. */
  run<T>(processes: readonly Waiting<T>[]): T[] {
    const results = new Map<number, T>();
    while (results.size < processes.length) {
      const before = this.#changes + results.size;
      processes.forEach((process, p) => {
        if (results.has(p)) return;
        const { done, value } = process.next();
        if (done === true) results.set(p, value);
      });
      invariant(this.#changes + results.size > before, 'the processes wait for each other');
    }
    return processes.map((_, p) => results.get(p)!);
  }
}

export function* runCollective(
  { op, partners, processes, steps, part }: OpKernelOf<'collective'>,
  process: number,
  memory: Memory,
  meetings: Meetings,
): Waiting<void> {
  invariant(processes === undefined || processes === meetings.processes, 'a program for another number of processes');
  for (const step of steps) {
    // A started collective runs when it is awaited, in the memory that it was given at the start.
    if (part !== undefined && (part.does === 'start') !== (step.kind === 'copy')) continue;
    switch (step.kind) {
      case 'copy':
        memory(step.to, step.bytes).set(memory(step.from, step.bytes));
        break;
      case 'pack':
      case 'unpack':
        copyParts(step.kind, step.layout, step.from, step.to, memory);
        break;
      case 'send-receive': {
        invariant(partners.kind === 'routes', 'messages without routes');
        const [source, target] = [partners.sources[process]!, partners.targets[process]!];
        const { channelId = 0 } = op.attributes;
        const channel = (from: number, to: number): string => `${channelId}: ${from} to ${to}`;
        const at = (positions: readonly Place[]): Uint8Array[] =>
          positions.map((place, i) => memory(place, step.bytes[i]!));
        if (target >= 0 && step.does !== 'receive') meetings.send(channel(process, target), at(step.sent));
        if (step.does === 'send') break;
        const received = source < 0 ? step.fills.map(filled) : yield* meetings.receive(channel(source, process));
        at(step.received).forEach((to, i) => {
          to.set(received[i]!);
        });
        break;
      }
      default: {
        const members = membersOf(partners, process, meetings.processes);
        if (members !== undefined) yield* meetings.meet(step, members, process, memory);
        else if (step.kind === 'broadcast') memory(step.to, step.bytes).set(filled(step.otherwise));
      }
    }
  }
}

function membersOf(partners: Partners, process: number, processes: number): readonly number[] | undefined {
  if (partners.kind === 'all') return Array.from({ length: processes }, (_, p) => p);
  return partners.kind === 'groups' ? partners.groups.find(g => g.includes(process)) : undefined;
}

function copyParts(kind: 'pack' | 'unpack', layout: PartLayout, from: Place, to: Place, memory: Memory): void {
  const { outer, parts, rowBytes } = layout;
  const bytes = outer * parts * rowBytes;
  const [source, target] = [memory(from, bytes).slice(), memory(to, bytes)];
  for (let o = 0; o < outer; o++)
    for (let k = 0; k < parts; k++) {
      const [inMemory, inParts] = [(o * parts + k) * rowBytes, (k * outer + o) * rowBytes];
      const [read, written] = kind === 'pack' ? [inMemory, inParts] : [inParts, inMemory];
      target.set(source.subarray(read, read + rowBytes), written);
    }
}

/** The effect of a step on the memory of all members, in their order. */
function moveData(step: CollectiveStep, members: readonly number[], memories: readonly Memory[]): void {
  const count = members.length;
  switch (step.kind) {
    case 'all-reduce':
      for (const tensor of step.tensors) {
        const bytes = tensor.count * elementSize(step.by);
        const parts = memories.map(m => m(tensor.place, bytes));
        const result = combined(parts, step.by);
        for (const part of parts) part.set(result);
      }
      return;
    case 'reduce-scatter': {
      const bytes = step.count * elementSize(step.by);
      const result = combined(
        memories.map(m => m(step.from, bytes * count)),
        step.by,
      );
      memories.forEach((m, i) => {
        m(step.to, bytes).set(result.subarray(i * bytes, (i + 1) * bytes));
      });
      return;
    }
    case 'all-gather': {
      const parts = memories.map(m => m(step.from, step.bytes).slice());
      for (const m of memories)
        parts.forEach((part, i) => {
          m(step.to, step.bytes * count).set(part, i * step.bytes);
        });
      return;
    }
    case 'all-to-all': {
      const sent = memories.map(m => m(step.from, step.bytes * count).slice());
      memories.forEach((m, to) => {
        const target = m(step.to, step.bytes * count);
        sent.forEach((parts, from) => {
          target.set(parts.subarray(to * step.bytes, (to + 1) * step.bytes), from * step.bytes);
        });
      });
      return;
    }
    case 'broadcast':
      // Each member reads the root from its own memory; they agree.
      for (const m of memories) {
        const { root } = step;
        const at = root === undefined ? 0 : rootOf(m({ slot: root.slot, offset: 0 }, 4 * (root.index + 1)), root.index);
        const source = memories[Math.max(0, Math.min(count - 1, at))]!;
        m(step.to, step.bytes).set(source(step.from, step.bytes).slice());
      }
      return;
    case 'copy':
    case 'pack':
    case 'unpack':
    case 'send-receive':
      invariant(false, `${step.kind} is not a step of a group`);
      break;
    default:
      assertNever(step);
  }
}

const rootOf = (bytes: Uint8Array, index: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getInt32(4 * index, true);

const elementSize = ({ type }: Combination): number => ({ f32: 4, f64: 8, i32: 4, i64: 8, bf16: 2, f16: 2 })[type];

/** Element by element, pairwise in the order of the members: (0 + 1) + (2 + 3). */
function combined(parts: readonly Uint8Array[], { type, reduction }: Combination): Uint8Array {
  const combine = binaryFunction(reduction, type, type);
  const count = parts[0]!.length / elementSize({ type, reduction });
  const inputs = parts.map(part => memoryOf(tensorType(type, [count]), part));
  const bytes = new Uint8Array(parts[0]!.length);
  const result = memoryOf(tensorType(type, [count]), bytes);
  for (let i = 0; i < count; i++) {
    let level: ScalarValue[] = inputs.map(m => m.get(i));
    while (level.length > 1)
      level = level.flatMap((left, k) =>
        k % 2 === 1 ? [] : [level[k + 1] === undefined ? left : combine([left, level[k + 1]!])],
      );
    result.set(i, level[0]!);
  }
  return bytes;
}

function filled({ type, count, bytes, value }: Fill): Uint8Array {
  const memory = new Uint8Array(bytes);
  if (value === 0) return memory;
  const elements = memoryOf(tensorType(type, [count]), memory);
  for (let i = 0; i < count; i++) elements.set(i, value);
  return memory;
}
