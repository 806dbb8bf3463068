// The location of every stored value: in the memory of an argument or a result, in the program's constants, or at an offset in
// the arena. Values with disjoint lifetimes share memory in the arena; an elementwise kernel may overwrite an input
// that dies with it; results are written to the caller's memory, which may be that of donated arguments that are
// no longer read.
import { invariant } from '../../base/errors.ts';
import type { Func, Value } from '../../hlo/program.ts';
import { byteSize } from '../../hlo/types.ts';
import { isLoop } from '../../hlo/walk.ts';
import type { KernelMemory } from '../ir/machine.ts';
import { operandAt } from '../ir/operands.ts';
import type { Block, Step } from '../ir/schedule.ts';
import { isTable } from '../lowering/lowering-kinds.ts';
import { storageRootOf } from '../lowering/storage-root.ts';
import { packIntervals } from './interval-packing.ts';
import { joinsOf } from './joins.ts';

export type Location =
  | { readonly kind: 'argument'; readonly index: number }
  | { readonly kind: 'result'; readonly index: number }
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'arena'; readonly offset: number };

/** A copy between two locations, to be made in order. */
export interface Copy {
  readonly from: Location;
  readonly to: Location;
  readonly bytes: number;
}

export interface MemoryPlan {
  readonly arenaBytes: number;
  /** Where a value in memory lies (follows reshapes). */
  locationOf(value: Value): Location;
  /** The workspace of a step's kernel. */
  workspaceOf(step: Step): Location | undefined;
  /** At the end of the program: results that could not be written in place. */
  readonly finalCopies: readonly Copy[];
  /** At the end of a block of a control step: copies of its results to the results of the step. */
  blockCopies(block: Block): readonly Copy[];
  /** Before a while: its operands to the carried values. */
  entryCopies(step: Step): readonly Copy[];
}

interface Unit {
  bytes: number;
  start: number;
  end: number;
  offset: number;
  /** Parts of a concatenation are computed in place: it outlives each of them. */
  hasParts?: boolean;
}

type Allocation =
  /** `at`: bytes from the unit's first. */
  | { readonly kind: 'unit'; readonly unit: Unit; readonly at: number }
  | { readonly kind: 'fixed'; readonly location: Location };

const bytesOf = (value: Value): number => {
  invariant(value.type.kind === 'tensor', 'a value in memory that is not a tensor');
  return byteSize(value.type);
};

export function planMemory(func: Func, main: Block, kernelOf: (step: Step) => KernelMemory | undefined): MemoryPlan {
  return new Planner(func, main, kernelOf).plan();
}

class Planner {
  readonly #func: Func;
  readonly #main: Block;
  readonly #kernelOf: (step: Step) => KernelMemory | undefined;
  readonly #units: Unit[] = [];
  readonly #allocations = new Map<Value, Allocation>();
  readonly #workspaces = new Map<Step, Unit>();
  readonly #lastUse = new Map<Value, number>();
  readonly #time = new Map<Step, readonly [start: number, end: number]>();
  readonly #copies = new Map<Block, () => readonly Copy[]>();
  readonly #entry = new Map<Step, () => readonly Copy[]>();
  #clock = 0;

  constructor(func: Func, main: Block, kernelOf: (step: Step) => KernelMemory | undefined) {
    this.#func = func;
    this.#main = main;
    this.#kernelOf = kernelOf;
  }

  plan(): MemoryPlan {
    this.#number(this.#main);
    const end = this.#clock;
    this.#main.args.forEach((value, index) => {
      this.#allocations.set(value, { kind: 'fixed', location: { kind: 'argument', index } });
    });
    const finalCopies = this.#allocateResults(end);
    this.#allocateJoins(this.#main);
    this.#allocateBlock(this.#main);
    const arenaBytes = packIntervals(this.#units);
    return {
      arenaBytes,
      locationOf: v => this.#locate(v),
      workspaceOf: s => {
        const unit = this.#workspaces.get(s);
        return unit && { kind: 'arena', offset: unit.offset };
      },
      finalCopies: finalCopies(),
      blockCopies: b => this.#copies.get(b)?.() ?? [],
      entryCopies: s => this.#entry.get(s)?.() ?? [],
    };
  }

  /** Assigns a time to each step, and to each value the time of its last use. */
  #number(block: Block): void {
    for (const step of block.steps) {
      const start = this.#clock++;
      if (step.kind === 'control') {
        for (const inner of step.blocks) {
          this.#number(inner);
          const atEnd = this.#clock++;
          for (const v of inner.results) this.#use(storageRootOf(v), atEnd);
        }
      }
      const end = step.kind === 'control' ? this.#clock++ : start;
      this.#time.set(step, [start, end]);
      for (const v of step.reads) this.#use(v, end);
      for (const v of step.writes) this.#use(v, end);
    }
  }
  #use(value: Value, time: number): void {
    const root = storageRootOf(value);
    if ((this.#lastUse.get(root) ?? -1) < time) this.#lastUse.set(root, time);
  }

  #unit(bytes: number, start: number, end: number): Unit {
    const unit: Unit = { bytes: Math.max(64, Math.ceil(bytes / 64) * 64), start, end, offset: 0 };
    this.#units.push(unit);
    return unit;
  }
  #locate(value: Value): Location {
    const root = storageRootOf(value);
    const allocation = this.#allocations.get(root);
    if (allocation === undefined) {
      invariant(root.op !== undefined && isTable(root.op), `%${root.id} of ${root.op?.name} has no memory`);
      return { kind: 'constant', value: root };
    }
    return allocation.kind === 'fixed'
      ? allocation.location
      : { kind: 'arena', offset: allocation.unit.offset + allocation.at };
  }

  // results

  /** Results written in place; the others get copies at the end, made once everything has its location. */
  #allocateResults(end: number): () => Copy[] {
    const { results, steps } = this.#main;
    const writer = new Map<Value, Step>();
    for (const s of steps) for (const v of s.writes) writer.set(v, s);
    const donor = new Map<number, number>();
    this.#func.aliases.forEach((result, argument) => {
      if (result !== undefined) donor.set(result, argument);
    });
    const copied: number[] = [];
    const argumentReads = new Map<Value, Step[]>();
    for (const s of steps) {
      for (const v of s.reads) {
        const list = argumentReads.get(v);
        if (list) list.push(s);
        else argumentReads.set(v, [s]);
      }
    }
    const readAtEnd = new Set<Value>();
    results.forEach((v, i) => {
      const root = storageRootOf(v);
      const step = writer.get(root);
      if (step === undefined || this.#allocations.has(root)) {
        readAtEnd.add(root);
        copied.push(i);
      } else this.#allocations.set(root, { kind: 'fixed', location: { kind: 'result', index: i } });
    });
    // A result replaces a donated argument only if the argument is no longer read. Undoing a replacement adds no reads of
    // arguments.
    results.forEach((v, i) => {
      const root = storageRootOf(v);
      const argument = donor.get(i);
      if (argument === undefined || copied.includes(i)) return;
      const donated = this.#main.args[argument]!;
      if (
        !readAtEnd.has(donated) &&
        this.#mayOverwrite(donated, root, writer.get(root)!, argumentReads.get(donated) ?? [])
      )
        return;
      this.#allocations.delete(root);
      copied.push(i);
    });
    for (const i of copied) this.#use(results[i]!, end);
    for (const i of copied) {
      const root = storageRootOf(results[i]!);
      const step = writer.get(root);
      if (step && !this.#allocations.has(root))
        this.#allocations.set(root, {
          kind: 'unit',
          unit: this.#unit(bytesOf(root), this.#time.get(step)![0], end),
          at: 0,
        });
    }
    // Copies that read a donated argument go through temporary memory first: another result may be written over it.
    const donatedArguments = new Set([...donor.values()].map(a => this.#main.args[a]!));
    const temporaries = new Map<number, Unit>();
    for (const i of copied) {
      const root = storageRootOf(results[i]!);
      if (donatedArguments.has(root) && this.#main.args[donor.get(i) ?? -1] !== root)
        temporaries.set(i, this.#unit(bytesOf(root), end, end));
    }
    return () => {
      const first: Copy[] = [];
      const last: Copy[] = [];
      for (const i of copied) {
        const root = storageRootOf(results[i]!);
        if (this.#main.args[donor.get(i) ?? -1] === root) continue;
        const bytes = bytesOf(root);
        const temporary = temporaries.get(i);
        const to: Location = { kind: 'result', index: i };
        if (temporary) {
          first.push({ from: this.#locate(root), to: { kind: 'arena', offset: temporary.offset }, bytes });
          last.push({ from: { kind: 'arena', offset: temporary.offset }, to, bytes });
        } else last.push({ from: this.#locate(root), to, bytes });
      }
      return [...first, ...last];
    };
  }

  /** Whether a step may write `value` over `donated`: all reads come before it, or are made by the step itself, in place. */
  #mayOverwrite(donated: Value, value: Value, step: Step, reads: readonly Step[]): boolean {
    if (step.kind === 'control') return false;
    const [time] = this.#time.get(step)!;
    for (const r of reads) {
      if (r === step) {
        if (!this.#inPlaceSources(step, value).includes(donated)) return false;
      } else if (this.#time.get(r)![1] >= time) return false;
    }
    return true;
  }
  #inPlaceSources(step: Step, value: Value): Value[] {
    const { operands } = this.#kernelOf(step) ?? { operands: [] };
    const written = operands.find(o => o.value === value && o.access === 'write');
    return (written?.inPlaceOf ?? []).map(slot => operandAt(operands, slot).value);
  }

  // concatenations

  /**
   * Parts of concatenations are computed in place if a step of the same block computes them; the concatenation's memory is in
   * use from the first of them on. Last ones first: a concatenation may itself be a part of a later one.
   */
  #allocateJoins(block: Block): void {
    const { joins, writers } = joinsOf(block);
    for (const { step, value, parts } of joins.reverse()) {
      const [time] = this.#time.get(step)!;
      const known = this.#allocations.get(value);
      if (known?.kind === 'fixed') continue;
      const last = Math.max(time, this.#lastUse.get(value) ?? time);
      let own = known;
      for (const { root, at } of parts) {
        const writer = writers.get(root);
        if (writer === undefined || this.#allocations.has(root)) continue;
        own ??= { kind: 'unit', unit: this.#unit(bytesOf(value), time, last), at: 0 };
        const { unit } = own;
        unit.hasParts = true;
        unit.start = Math.min(unit.start, this.#time.get(writer)![0]);
        unit.end = Math.max(unit.end, last, this.#lastUse.get(root) ?? time);
        this.#allocations.set(root, { kind: 'unit', unit, at: own.at + at });
      }
      if (own !== undefined) this.#allocations.set(value, own);
    }
    for (const step of block.steps)
      if (step.kind === 'control') for (const inner of step.blocks) this.#allocateJoins(inner);
  }

  // blocks

  #allocateBlock(block: Block): void {
    for (const step of block.steps) {
      const [start, end] = this.#time.get(step)!;
      if (step.kind === 'control') this.#allocateControl(step, start, end);
      else {
        const taken = new Set<Unit>();
        for (const v of step.writes) if (!this.#allocations.has(v)) this.#allocateWritten(step, v, start, taken);
        const workspace = this.#kernelOf(step)?.workspaceBytes ?? 0;
        if (workspace > 0) this.#workspaces.set(step, this.#unit(workspace, start, end));
      }
    }
  }
  #allocateWritten(step: Step, value: Value, time: number, taken: Set<Unit>): void {
    const last = Math.max(time, this.#lastUse.get(value) ?? time);
    for (const source of this.#inPlaceSources(step, value)) {
      const allocation = this.#allocations.get(source);
      if (
        allocation?.kind !== 'unit' ||
        allocation.unit.hasParts === true ||
        taken.has(allocation.unit) ||
        allocation.unit.end !== time ||
        this.#lastUse.get(source) !== time
      )
        continue;
      if (bytesOf(source) !== bytesOf(value)) continue;
      taken.add(allocation.unit);
      allocation.unit.end = last;
      this.#allocations.set(value, allocation);
      return;
    }
    this.#allocations.set(value, { kind: 'unit', unit: this.#unit(bytesOf(value), time, last), at: 0 });
  }

  #allocateControl(step: Extract<Step, { kind: 'control' }>, start: number, end: number): void {
    for (const v of step.writes) {
      if (!this.#allocations.has(v))
        this.#allocations.set(v, {
          kind: 'unit',
          unit: this.#unit(bytesOf(v), start, Math.max(end, this.#lastUse.get(v) ?? end)),
          at: 0,
        });
    }
    const carries = isLoop(step.op);
    for (const block of step.blocks) {
      if (carries)
        block.args.forEach((arg, i) => {
          this.#allocations.set(arg, this.#allocations.get(step.writes[i]!)!);
        });
      if (carries && block === step.blocks[1]) this.#allocateCarried(block);
      this.#allocateBlock(block);
    }
    if (carries) {
      this.#entry.set(step, () =>
        step.op.operands.map((v, i) => ({
          from: this.#locate(v),
          to: this.#locate(step.writes[i]!),
          bytes: bytesOf(v),
        })),
      );
      this.#setBlockCopies(step.blocks[1]!, step.writes, start, end);
    } else for (const block of step.blocks) this.#setBlockCopies(block, step.writes, start, end);
  }

  /** A carried value that overwrites that of the previous iteration, which is no longer read, needs no copy. */
  #allocateCarried({ args, results, steps }: Block): void {
    const writer = new Map(steps.flatMap(step => step.writes.map(v => [v, step] as const)));
    results.forEach((v, i) => {
      const root = storageRootOf(v);
      const step = writer.get(root);
      const arg = args[i]!;
      if (step === undefined || step.kind === 'control' || this.#allocations.has(root)) return;
      const [time] = this.#time.get(step)!;
      const isLastUse = (this.#lastUse.get(arg) ?? -1) <= time;
      if (isLastUse && bytesOf(root) === bytesOf(arg) && this.#inPlaceSources(step, root).includes(arg))
        this.#allocations.set(root, this.#allocations.get(arg)!);
    });
  }

  /**
   * Copies the results of a block to their locations. A result whose memory is the location of another (a swapped argument) is
   * saved first.
   */
  #setBlockCopies(block: Block, to: readonly Value[], start: number, end: number): void {
    const args = new Set(block.args);
    const temporaries = block.results.map((v, i) =>
      args.has(storageRootOf(v)) && storageRootOf(v) !== block.args[i] ? this.#unit(bytesOf(v), start, end) : undefined,
    );
    this.#copies.set(block, () => {
      const first: Copy[] = [];
      const last: Copy[] = [];
      block.results.forEach((v, i) => {
        const from = this.#locate(v);
        const target = this.#locate(to[i]!);
        const bytes = bytesOf(v);
        if (storageRootOf(v) === block.args[i]) return;
        const temporary = temporaries[i];
        if (temporary) {
          const saved: Location = { kind: 'arena', offset: temporary.offset };
          first.push({ from, to: saved, bytes });
          last.push({ from: saved, to: target, bytes });
        } else last.push({ from, to: target, bytes });
      });
      return [...first, ...last];
    });
  }
}
