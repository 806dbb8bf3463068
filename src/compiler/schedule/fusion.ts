// Groups the ops of a region into kernels. Works from the results back to the arguments, so that when an op is visited,
// all its consumers have been scheduled, and the uses of each value determine where it is computed:
//
//   used by one kernel only                       computed there, never stored
//   used by several, cheap to recompute           computed in each
//   used by several, or by an op that needs       stored: written by one of the kernels that compute with it if that
//   its operands in memory                        does not make a cycle, else by a separate kernel
//
// The index at which a value is used makes views disappear and lets reductions join the kernels that use them: a reduce joins
// a kernel whose loops are the reduce's kept dims around its reduced ones, which makes that kernel process rows.
import { invariant } from '../../base/errors.ts';
import type { Op, Region, Value } from '../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../hlo/program.ts';
import { capturesOf, forEachOp, usesOf } from '../../hlo/walk.ts';
import { delinearize, type Index, linearize } from '../ir/index-expr.ts';
import type { Machine } from '../ir/machine.ts';
import { operandsOfDot } from '../ir/multiply.ts';
import { canonicalIndex } from '../ir/nest.ts';
import type { Block, Step } from '../ir/schedule.ts';
import { reducedIndex } from '../lowering/computation.ts';
import { Evaluator } from '../lowering/evaluator.ts';
import {
  isCollective,
  isFree,
  isLoweredAs,
  isSliceUpdate,
  isTable,
  type LoweredAs,
  loweringKindOf,
} from '../lowering/lowering-kinds.ts';
import { aliasOf, storageRootOf } from '../lowering/storage-root.ts';
import { canWriteTransposed, planDot } from '../lowering/strided-dot.ts';
import { FusedSteps, readInMemory } from './fused-step.ts';
import type { Group } from './group.ts';
import { afterTheirCollectives } from './immediate-collectives.ts';
import { KernelGroups, manyUsers, maxOps, maxOutputs } from './kernel-groups.ts';
import { orderSteps, type Placed } from './order.ts';
import { type Tickets, withStarts } from './overlap.ts';
import { countOf, type Rematerialization } from './rematerialization.ts';
import type { Access, UsesOfValue } from './value-uses.ts';

/**
 * Schedules a region and its inner regions; adds to `stored` the values that must be in memory. `donated`: arguments that results
 * may overwrite.
 */
export function scheduleRegion(
  region: Region,
  stored: Set<Value>,
  rematerialization: Rematerialization,
  machine: Machine,
  tickets: Tickets,
  donated: ReadonlySet<Value> = new Set(),
): Block {
  return new RegionScheduler(region, stored, rematerialization, machine, tickets, donated).run();
}

const isTensor = (v: Value): boolean => v.type.kind === 'tensor';
function holdsCollective(op: Op): boolean {
  let found = isCollective(op);
  if (loweringKindOf(op) === 'control')
    for (const region of op.regions)
      forEachOp(region, inner => {
        found ||= isCollective(inner);
      });
  return found;
}

class RegionScheduler {
  readonly #region: Region;
  readonly #stored: Set<Value>;
  readonly #rematerialization: Rematerialization;
  readonly #machine: Machine;
  readonly #tickets: Tickets;
  readonly #donated: ReadonlySet<Value>;
  readonly #local = new Set<Value>();
  readonly #position = new Map<Op, number>();
  readonly #kernels: KernelGroups;
  readonly #steps: FusedSteps;
  readonly #placed: Placed[] = [];
  /** Dots that write a transpose of their result. */
  readonly #writesTransposed = new Map<Op, Value>();
  /** The collective that was scheduled last: the next one in the program. */
  #nextCollective: number | undefined;

  constructor(
    region: Region,
    stored: Set<Value>,
    rematerialization: Rematerialization,
    machine: Machine,
    tickets: Tickets,
    donated: ReadonlySet<Value>,
  ) {
    this.#region = region;
    this.#stored = stored;
    this.#rematerialization = rematerialization;
    this.#machine = machine;
    this.#tickets = tickets;
    this.#donated = donated;
    region.ops.forEach((op, i) => {
      this.#position.set(op, i);
      for (const v of op.results) this.#local.add(v);
    });
    this.#kernels = new KernelGroups(region.ops, this.#position, machine);
    this.#steps = new FusedSteps(stored, this.#local);
  }

  run(): Block {
    const { ops, args, results } = this.#region;
    for (const a of args) this.#stored.add(a);
    for (const v of results) this.#kernels.uses.of(storageRootOf(v)).isResult = true;
    this.#findTransposedDots();
    for (let i = ops.length - 1; i >= 0; i--) this.#place(ops[i]!);
    const others = this.#placed.map(({ id }) => id);
    this.#kernels.joinColumns(group => this.#steps.readsOf(group), others);
    for (const [id, group] of this.#kernels.byId)
      this.#placed.push({ step: this.#steps.stepOf(group), position: group.position, id });
    const steps = this.#machine.overlapsCollectives
      ? withStarts(orderSteps(this.#placed), this.#tickets)
      : orderSteps(afterTheirCollectives(this.#placed, this.#donated)).map(({ step }) => step);
    return { args, results, steps };
  }

  #place(op: Op): void {
    switch (loweringKindOf(op)) {
      case 'multiply':
      case 'kernel':
      case 'inlined':
      case 'operator':
      case 'collective':
      case 'control':
        this.#placeKernel(op);
        return;
      case 'reduce':
        this.#placeReduce(op as LoweredAs<'reduce'>);
        return;
      case 'source':
      case 'constant':
      case 'view':
      case 'element':
        for (const v of op.results) this.#placeElement(op, v);
        return;
      case 'resolved':
        // produces tokens, which are not stored in memory
        return;
      default:
        invariant(false, `${op.name} should have been refused`);
    }
  }

  // ops with separate kernels

  #placeKernel(op: Op): void {
    const isMultiply = isLoweredAs(op, 'multiply');
    const outputs = isMultiply ? [this.#writesTransposed.get(op) ?? op.results[0]] : op.results.filter(isTensor);
    const used = outputs.flatMap(v => this.#kernels.uses.known(v) ?? []);
    const isOrdered = holdsCollective(op);
    if (used.length === 0 && !isOrdered) return;
    for (const w of used) this.#kernels.merge(this.#kernels.uses.accessesOf(w));
    if (isMultiply && this.#placeInEpilogue(op, outputs[0]!, used[0]!)) return;
    const consumers = new Set(used.flatMap(w => [...this.#kernels.uses.consumersOf(w)]));
    // Ranks with different programs must reach their common collectives in program order, too.
    if (isOrdered && this.#nextCollective !== undefined) consumers.add(this.#nextCollective);
    const id = this.#kernels.reach.add(consumers);
    const before = isOrdered ? this.#nextCollective : undefined;
    if (isOrdered) this.#nextCollective = id;
    for (const v of outputs) this.#stored.add(v);
    const position = this.#position.get(op)!;
    if (isMultiply) {
      const dot = planDot(op, outputs[0]!);
      const reads = dot ? operandsOfDot(dot).map(v => this.#read(v, id)) : op.operands.map(v => this.#read(v, id));
      this.#placed.push({
        step: { kind: 'kernel', op, ...(dot ? { dot } : {}), reads, writes: outputs },
        position,
        id,
      });
      return;
    }
    const blocks = isLoweredAs(op, 'control') ? op.regions.map(r => this.#scheduleInner(r)) : [];
    const inMemory = new Set(blocks.flatMap(readInMemory));
    const captured = [...capturesOf(op)].filter(v => !isFree(v) || inMemory.has(v)).map(v => this.#read(v, id));
    const isRead = (v: Value): boolean => isTensor(v) && !(isSliceUpdate(op) && isFree(v));
    const reads = [...op.operands.filter(isRead).map(v => this.#read(v, id)), ...captured];
    const step: Step = isLoweredAs(op, 'control')
      ? { kind: 'control', op, blocks, reads, writes: outputs }
      : { kind: 'kernel', op, reads, writes: outputs };
    this.#placed.push({ step, position, id, before });
  }
  #scheduleInner(region: Region): Block {
    this.#rematerialization.add(region);
    return scheduleRegion(region, this.#stored, this.#rematerialization, this.#machine, this.#tickets);
  }
  /**
   * Makes a kernel that computes with a multiply's result the multiply's epilogue, if it processes the result in the
   * order in which the multiply produces it. Other kernels that use the result read it from memory, where the epilogue stores it.
   */
  #placeInEpilogue(op: Op<'dot_general'>, value: Value, w: UsesOfValue): boolean {
    const plan = planDot(op, value);
    const groups = this.#kernels.uses.accessesOf(w);
    if (plan === undefined || groups.size === 0) return false;
    const consumers = this.#kernels.uses.consumersOf(w);
    const alone = consumers.size === 1 && w.readers.size === 0 && !w.isResult;
    const nearest = [...groups].sort(
      ([a], [b]) => this.#kernels.byId.get(a)!.position - this.#kernels.byId.get(b)!.position,
    );
    for (const [id, accesses] of nearest) {
      const group = this.#kernels.byId.get(id)!;
      if (group.dot !== undefined || accesses.length !== 1 || group.ops >= maxOps) continue;
      if (group.identity(shapeOf(value), accesses[0]!.index) !== 'full') continue;
      if (!this.#machine.fitsEpilogue(plan.spec, group.space())) continue;
      // a transpose that the multiply writes counts as stored until here
      if (alone) this.#stored.delete(value);
      else {
        if (
          this.#kernels.isFar(group, op) ||
          group.outputs.length >= maxOutputs ||
          !this.#kernels.mayFeedAlso(id, consumers)
        )
          continue;
        this.#stored.add(value);
        group.outputs.push(value);
        this.#kernels.reach.connect(
          id,
          [...consumers].filter(c => c !== id),
        );
      }
      group.dot = { op, plan, value };
      group.ops++;
      // as early as the multiply can run: its operands are the largest part of the memory kept alive (the update of a weight
      // follows the whole backward pass in the program, and would keep all activations until then)
      group.position = this.#position.get(op)!;
      for (const v of operandsOfDot(plan)) group.elementsOf.add(this.#read(v, id));
      return true;
    }
    return false;
  }
  /** Records that a value is read from memory; returns its storage root. */
  #read(value: Value, node: number): Value {
    const root = storageRootOf(value);
    // A dot whose own result is read does not write its transpose. Readers are visited first, so it is not scheduled yet.
    if (root.op !== undefined) this.#writesTransposed.delete(root.op);
    this.#kernels.uses.of(root).readers.add(node);
    return root;
  }

  #findTransposedDots(): void {
    const uses = usesOf(this.#region);
    const results = new Set(this.#region.results);
    for (const op of this.#region.ops) {
      if (!isLoweredAs(op, 'multiply')) continue;
      const [use, second] = uses.get(op.results[0]) ?? [];
      if (use === undefined || second !== undefined || results.has(op.results[0]) || !this.#position.has(use.user))
        continue;
      const [target] = use.user.results;
      if (target !== undefined && canWriteTransposed(op, target)) this.#writesTransposed.set(op, target);
    }
  }

  // ops computed element by element

  #placeElement(op: Op, value: Value): void {
    const w = this.#kernels.uses.known(value);
    if (w === undefined || isTable(op)) {
      if (w !== undefined) this.#stored.add(value);
      return;
    }
    const [operand] = op.operands;
    if (operand?.op !== undefined && this.#writesTransposed.get(operand.op) === value) {
      this.#stored.add(value);
      return;
    }
    let groups = this.#kernels.uses.accessesOf(w);
    if (groups.size > 1 && loweringKindOf(op) === 'element') {
      this.#kernels.merge(groups);
      groups = this.#kernels.uses.accessesOf(w);
    }
    const mustStore = w.readers.size > 0 || w.isResult;
    if (!mustStore && this.#canCompute(op, value, groups)) {
      for (const [id, accesses] of groups) for (const a of accesses) this.#compute(value, id, a.index);
      return;
    }
    invariant(aliasOf(value) === undefined || !mustStore, 'an alias of a value was requested in memory');
    this.#store(value, w);
  }

  /** True if every kernel that uses the value may compute it itself. */
  #canCompute(op: Op, value: Value, groups: ReadonlyMap<number, readonly Access[]>): boolean {
    // an alias of its operand, which is visited later
    if (!isLoweredAs(op, 'element') || aliasOf(value) !== undefined) return true;
    const cost = this.#rematerialization.costOf(value);
    if (groups.size > manyUsers && cost > 0 && countOf(value) <= 64) return false;
    let total = 0;
    for (const [id, accesses] of groups) {
      total += accesses.length;
      const group = this.#kernels.byId.get(id)!;
      if (group.ops + accesses.length > maxOps) return false;
      for (const a of accesses)
        if (cost > 2 && group.evaluations(a.index) > 2 * Math.max(1, countOf(value))) return false;
    }
    return total === 1 || this.#rematerialization.isCheap(value);
  }

  /** Lets `group` compute an element, and records which elements that needs. */
  #compute(value: Value, id: number, index: readonly Index[]): void {
    const group = this.#kernels.byId.get(id)!;
    group.ops++;
    const evaluator = new Evaluator({
      graph: group.graph,
      computes: v => v === value || isFree(v),
      leaf: (v, at) => {
        this.#access(v, id, at);
        group.elementsOf.add(storageRootOf(v));
        const { shape, elementType } = tensorTypeOf(v);
        return group.graph.load(elementType, v.id, linearize(shape, at), []);
      },
      reduceAt: (op, at) => ({ index: reducedIndex(op, at, canonicalIndex(group.reducedLoops())), over: 0 }),
    });
    evaluator.at(value, index);
  }
  #access(value: Value, group: number, index: readonly Index[]): void {
    if (!this.#local.has(value)) return;
    if (index.some(i => i.terms.some(([, t]) => t.kind === 'data'))) this.#kernels.byId.get(group)!.hasData = true;
    this.#kernels.uses.of(value).accesses.set(`${group} ${index.map(i => i.key).join(' ')}`, { group, index });
  }

  /** Stores a value in memory, written by a kernel that computes with it or by a separate one. */
  #store(value: Value, w: UsesOfValue): void {
    this.#stored.add(value);
    const groups = this.#kernels.uses.accessesOf(w);
    const consumers = this.#kernels.uses.consumersOf(w);
    const readers = new Set([...w.readers].map(n => this.#kernels.uses.find(n)));
    for (const [id, accesses] of groups) {
      // operands of a kernel's multiply were written before the kernel
      if (readers.has(id)) continue;
      const group = this.#kernels.byId.get(id)!;
      const only = accesses.length === 1 ? accesses[0]! : undefined;
      if (only === undefined || group.outputs.length >= maxOutputs || group.ops >= maxOps) continue;
      if (this.#kernels.isFar(group, value.op!)) continue;
      if (
        !this.#kernels.canHost(group, group.identity(shapeOf(value), only.index)) ||
        !this.#kernels.mayFeedAlso(id, consumers)
      )
        continue;
      group.outputs.push(value);
      group.position = Math.max(group.position, this.#position.get(value.op!)!);
      this.#kernels.reach.connect(
        id,
        [...consumers].filter(c => c !== id),
      );
      this.#compute(value, id, only.index);
      return;
    }
    const group = this.#kernels.add(shapeOf(value), undefined, [value], consumers);
    this.#compute(value, group.id, delinearize(shapeOf(value), canonicalIndex(group.loops)));
  }
  // reductions

  #placeReduce(op: Op<'reduce'>): void {
    const used = new Map(
      op.results.flatMap(v => {
        const w = this.#kernels.uses.known(v);
        return w === undefined ? [] : [[v, w] as const];
      }),
    );
    if (used.size === 0) return;
    for (const w of used.values()) this.#kernels.merge(this.#kernels.uses.accessesOf(w));
    const consumers = new Set([...used.values()].flatMap(w => [...this.#kernels.uses.consumersOf(w)]));
    const mustStore = [...used.values()].some(w => w.isResult || w.readers.size > 0);
    const readers = new Set([...used.values()].flatMap(w => [...w.readers].map(n => this.#kernels.uses.find(n))));
    for (const id of consumers) {
      if (readers.has(id)) continue;
      const group = this.#kernels.byId.get(id);
      const accesses = [...used.values()].flatMap(w => this.#kernels.uses.accessesOf(w).get(id) ?? []);
      const [first] = accesses;
      if (group === undefined || first === undefined || group.ops >= maxOps) continue;
      if (accesses.some(a => a.index.some((i, d) => i.key !== first.index[d]!.key))) continue;
      const alone = consumers.size === 1 && !mustStore;
      if (!alone && (this.#kernels.isFar(group, op) || !this.#kernels.mayFeedAlso(id, consumers))) continue;
      if (!group.reduceBy(op, first.index)) continue;
      if (!alone) {
        for (const v of used.keys()) {
          this.#stored.add(v);
          group.outputs.push(v);
        }
        group.position = Math.max(group.position, this.#position.get(op)!);
        this.#kernels.reach.connect(
          id,
          [...consumers].filter(c => c !== id),
        );
      }
      this.#computeReduce(op, [...used.keys()], group, first.index);
      return;
    }
    for (const v of used.keys()) this.#stored.add(v);
    const shape = shapeOf(op.operands[0]);
    const reduced = shape.map((_, d) => op.attributes.dimensions.includes(d));
    const group = this.#kernels.add(shape, reduced, [...used.keys()], consumers);
    this.#computeReduce(
      op,
      [...used.keys()],
      group,
      delinearize(shapeOf(op.results[0]), canonicalIndex(group.keptLoops())),
    );
  }
  #computeReduce(_op: Op<'reduce'>, values: readonly Value[], group: Group, index: readonly Index[]): void {
    group.hasReduction = true;
    for (const v of values) this.#compute(v, group.id, index);
  }
}
