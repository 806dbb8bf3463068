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
import { canonicalIndex } from '../ir/nest.ts';
import type { Block, EpilogueDot, Step } from '../ir/schedule.ts';
import { fitsEpilogue } from '../kernels/epilogue-plan.ts';
import { reducedIndex } from '../kernels/fused-plan.ts';
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
import type { Target } from '../target/target.ts';
import { Group, type Identity } from './group.ts';
import { orderSteps, type Placed } from './order.ts';
import { type Tickets, withStarts } from './overlap.ts';
import { afterTheirCollectives } from './prompt.ts';
import { Reach } from './reach.ts';
import { countOf, type Rematerialization } from './rematerialization.ts';
import { type Access, type UsesOfValue, ValueUses } from './value-uses.ts';

/** The maximum number of ops per kernel, so that it compiles quickly and well. */
const maxOps = 250;
const maxOutputs = 24;
/** Kernels further apart in the program than this are not fused, because that would keep values alive for long. */
const mergeDistance = 80;

/** A small value used by more kernels than this is stored, however cheap: a learning rate, a gradient norm. */
const manyUsers = 8;

/**
 * Schedules a region and its inner regions; adds to `stored` the values that must be in memory. `donated`: arguments that results
 * may overwrite.
 */
export function scheduleRegion(
  region: Region,
  stored: Set<Value>,
  rematerialization: Rematerialization,
  target: Target,
  tickets: Tickets,
  donated: ReadonlySet<Value> = new Set(),
): Block {
  return new RegionScheduler(region, stored, rematerialization, target, tickets, donated).run();
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
  readonly #target: Target;
  readonly #tickets: Tickets;
  readonly #donated: ReadonlySet<Value>;
  readonly #uses = new ValueUses();
  readonly #local = new Set<Value>();
  readonly #position = new Map<Op, number>();
  readonly #reach: Reach;
  readonly #groups = new Map<number, Group>();
  readonly #placed: Placed[] = [];
  /** Dots that write a transpose of their result. */
  readonly #writesTransposed = new Map<Op, Value>();
  /** The collective that was scheduled last: the next one in the program. */
  #nextCollective: number | undefined;

  constructor(
    region: Region,
    stored: Set<Value>,
    rematerialization: Rematerialization,
    target: Target,
    tickets: Tickets,
    donated: ReadonlySet<Value>,
  ) {
    this.#region = region;
    this.#stored = stored;
    this.#rematerialization = rematerialization;
    this.#target = target;
    this.#tickets = tickets;
    this.#donated = donated;
    this.#reach = new Reach(2 * region.ops.reduce((n, op) => n + Math.max(1, op.results.length), 2));
    region.ops.forEach((op, i) => {
      this.#position.set(op, i);
      for (const v of op.results) this.#local.add(v);
    });
  }

  run(): Block {
    const { ops, args, results } = this.#region;
    for (const a of args) this.#stored.add(a);
    for (const v of results) this.#uses.of(storageRootOf(v)).isResult = true;
    this.#findTransposedDots();
    for (let i = ops.length - 1; i >= 0; i--) this.#place(ops[i]!);
    this.#joinColumns();
    for (const [id, group] of this.#groups)
      this.#placed.push({ step: this.#fusedStep(group), position: group.position, id });
    const steps = this.#target.overlapsCollectives
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
    const used = outputs.flatMap(v => this.#uses.known(v) ?? []);
    const isOrdered = holdsCollective(op);
    if (used.length === 0 && !isOrdered) return;
    for (const w of used) this.#mergeGroups(this.#uses.accessesOf(w));
    if (isMultiply && this.#placeInEpilogue(op, outputs[0]!, used[0]!)) return;
    const consumers = new Set(used.flatMap(w => [...this.#uses.consumersOf(w)]));
    // Ranks with different programs must reach their common collectives in program order, too.
    if (isOrdered && this.#nextCollective !== undefined) consumers.add(this.#nextCollective);
    const id = this.#reach.add(consumers);
    const before = isOrdered ? this.#nextCollective : undefined;
    if (isOrdered) this.#nextCollective = id;
    for (const v of outputs) this.#stored.add(v);
    const position = this.#position.get(op)!;
    if (isMultiply) {
      const dot = planDot(op, outputs[0]!);
      const reads = dot
        ? [dot.lhs.value, dot.rhs.value].map(v => this.#read(v, id))
        : op.operands.map(v => this.#read(v, id));
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
    return scheduleRegion(region, this.#stored, this.#rematerialization, this.#target, this.#tickets);
  }
  /**
   * Makes a kernel that computes with a multiply's result the multiply's epilogue, if it processes the result in the
   * order in which the multiply produces it. Other kernels that use the result read it from memory, where the epilogue stores it.
   */
  #placeInEpilogue(op: Op<'dot_general'>, value: Value, w: UsesOfValue): boolean {
    const plan = planDot(op, value);
    const groups = this.#uses.accessesOf(w);
    if (plan === undefined || groups.size === 0) return false;
    const consumers = this.#uses.consumersOf(w);
    const alone = consumers.size === 1 && w.readers.size === 0 && !w.isResult;
    const nearest = [...groups].sort(([a], [b]) => this.#groups.get(a)!.position - this.#groups.get(b)!.position);
    for (const [id, accesses] of nearest) {
      const group = this.#groups.get(id)!;
      if (group.dot !== undefined || accesses.length !== 1 || group.ops >= maxOps) continue;
      if (group.identity(shapeOf(value), accesses[0]!.index) !== 'full') continue;
      if (!fitsEpilogue(plan.spec, group.space(), this.#target)) continue;
      // a transpose that the multiply writes counts as stored until here
      if (alone) this.#stored.delete(value);
      else {
        if (this.#isFar(group, op) || group.outputs.length >= maxOutputs || !this.#mayFeedAlso(id, consumers)) continue;
        this.#stored.add(value);
        group.outputs.push(value);
        this.#reach.connect(
          id,
          [...consumers].filter(c => c !== id),
        );
      }
      group.dot = { op, plan, value };
      group.ops++;
      // as early as the multiply can run: its operands are the largest part of the memory kept alive (the update of a weight
      // follows the whole backward pass in the program, and would keep all activations until then)
      group.position = this.#position.get(op)!;
      for (const v of [plan.lhs.value, plan.rhs.value]) group.elementsOf.add(this.#read(v, id));
      return true;
    }
    return false;
  }
  /** Records that a value is read from memory; returns its storage root. */
  #read(value: Value, node: number): Value {
    const root = storageRootOf(value);
    // A dot whose own result is read does not write its transpose. Readers are visited first, so it is not scheduled yet.
    if (root.op !== undefined) this.#writesTransposed.delete(root.op);
    this.#uses.of(root).readers.add(node);
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
    const w = this.#uses.known(value);
    if (w === undefined || isTable(op)) {
      if (w !== undefined) this.#stored.add(value);
      return;
    }
    const [operand] = op.operands;
    if (operand?.op !== undefined && this.#writesTransposed.get(operand.op) === value) {
      this.#stored.add(value);
      return;
    }
    let groups = this.#uses.accessesOf(w);
    if (groups.size > 1 && loweringKindOf(op) === 'element') {
      this.#mergeGroups(groups);
      groups = this.#uses.accessesOf(w);
    }
    const mustStore = w.readers.size > 0 || w.isResult;
    if (!mustStore && this.#canCompute(op, value, groups)) {
      for (const [id, accesses] of groups) for (const a of accesses) this.#compute(value, id, a.index);
      return;
    }
    invariant(aliasOf(value) === undefined || !mustStore, 'another name of a value was asked for in memory');
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
      const group = this.#groups.get(id)!;
      if (group.ops + accesses.length > maxOps) return false;
      for (const a of accesses)
        if (cost > 2 && group.evaluations(a.index) > 2 * Math.max(1, countOf(value))) return false;
    }
    return total === 1 || this.#rematerialization.isCheap(value);
  }

  /** Lets `group` compute an element, and records which elements that needs. */
  #compute(value: Value, id: number, index: readonly Index[]): void {
    const group = this.#groups.get(id)!;
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
    if (index.some(i => i.terms.some(([, t]) => t.kind === 'data'))) this.#groups.get(group)!.hasData = true;
    this.#uses.of(value).accesses.set(`${group} ${index.map(i => i.key).join(' ')}`, { group, index });
  }

  /** Stores a value in memory, written by a kernel that computes with it or by a separate one. */
  #store(value: Value, w: UsesOfValue): void {
    this.#stored.add(value);
    const groups = this.#uses.accessesOf(w);
    const consumers = this.#uses.consumersOf(w);
    const readers = new Set([...w.readers].map(n => this.#uses.find(n)));
    for (const [id, accesses] of groups) {
      // operands of a kernel's multiply were written before the kernel
      if (readers.has(id)) continue;
      const group = this.#groups.get(id)!;
      const only = accesses.length === 1 ? accesses[0]! : undefined;
      if (only === undefined || group.outputs.length >= maxOutputs || group.ops >= maxOps) continue;
      if (this.#isFar(group, value.op!)) continue;
      if (!this.#canHost(group, group.identity(shapeOf(value), only.index)) || !this.#mayFeedAlso(id, consumers))
        continue;
      group.outputs.push(value);
      group.position = Math.max(group.position, this.#position.get(value.op!)!);
      this.#reach.connect(
        id,
        [...consumers].filter(c => c !== id),
      );
      this.#compute(value, id, only.index);
      return;
    }
    const group = this.#newGroup(shapeOf(value), undefined, [value], consumers);
    this.#compute(value, group.id, delinearize(shapeOf(value), canonicalIndex(group.loops)));
  }
  /** True if computing the op's result there as well would move all of the kernel forward, with its inputs and outputs. */
  #isFar(group: Group, op: Op): boolean {
    return group.position - this.#position.get(op)! > mergeDistance;
  }
  #canHost(group: Group, identity: Identity): boolean {
    return identity === 'full' || (identity === 'kept' && !group.isColumns());
  }
  /** True if no other consumer is scheduled before the kernel. */
  #mayFeedAlso(id: number, consumers: ReadonlySet<number>): boolean {
    for (const c of consumers) if (c !== id && this.#reach.reaches(c, id)) return false;
    return true;
  }
  #newGroup(
    shape: readonly number[],
    reduced: readonly boolean[] | undefined,
    outputs: Value[],
    consumers: Iterable<number>,
  ): Group {
    const id = this.#reach.add(consumers);
    const group = new Group(id, shape, reduced, outputs, Math.max(...outputs.map(v => this.#position.get(v.op!)!)));
    this.#groups.set(id, group);
    return group;
  }

  // reductions

  #placeReduce(op: Op<'reduce'>): void {
    const used = new Map(
      op.results.flatMap(v => {
        const w = this.#uses.known(v);
        return w === undefined ? [] : [[v, w] as const];
      }),
    );
    if (used.size === 0) return;
    for (const w of used.values()) this.#mergeGroups(this.#uses.accessesOf(w));
    const consumers = new Set([...used.values()].flatMap(w => [...this.#uses.consumersOf(w)]));
    const mustStore = [...used.values()].some(w => w.isResult || w.readers.size > 0);
    const readers = new Set([...used.values()].flatMap(w => [...w.readers].map(n => this.#uses.find(n))));
    for (const id of consumers) {
      if (readers.has(id)) continue;
      const group = this.#groups.get(id);
      const accesses = [...used.values()].flatMap(w => this.#uses.accessesOf(w).get(id) ?? []);
      const [first] = accesses;
      if (group === undefined || first === undefined || group.ops >= maxOps) continue;
      if (accesses.some(a => a.index.some((i, d) => i.key !== first.index[d]!.key))) continue;
      const alone = consumers.size === 1 && !mustStore;
      if (!alone && (this.#isFar(group, op) || !this.#mayFeedAlso(id, consumers))) continue;
      if (!group.reduceBy(op, first.index)) continue;
      if (!alone) {
        for (const v of used.keys()) {
          this.#stored.add(v);
          group.outputs.push(v);
        }
        group.position = Math.max(group.position, this.#position.get(op)!);
        this.#reach.connect(
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
    const group = this.#newGroup(shape, reduced, [...used.keys()], consumers);
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

  // merging

  /** Merges kernels that compute with the same value over the same iteration space, if that does not make a cycle. */
  #mergeGroups(groups: ReadonlyMap<number, readonly Access[]>): void {
    if (groups.size > manyUsers) return;
    const ids = [...groups.keys()];
    for (let i = 0; i < ids.length; i++) {
      for (let j = i + 1; j < ids.length; j++) {
        const [a, b] = [this.#uses.find(ids[i]!), this.#uses.find(ids[j]!)];
        const [x, y] = [this.#groups.get(a), this.#groups.get(b)];
        if (a === b || x === undefined || y === undefined || !x.canMerge(y)) continue;
        if (
          Math.abs(x.position - y.position) > mergeDistance ||
          x.ops + y.ops > maxOps ||
          x.outputs.length + y.outputs.length > maxOutputs
        )
          continue;
        if (this.#reach.reaches(a, b) || this.#reach.reaches(b, a)) continue;
        this.#reach.merge(a, b);
        this.#uses.merge(a, b);
        this.#groups.delete(b);
        x.take(y);
      }
    }
  }

  /**
   * Sums of columns over rows that a kernel processes anyway, such as those of the weights of a normalization, join that
   * kernel, so that the rows are read from memory once. The sums are split and added as in a separate kernel.
   */
  #joinColumns(): void {
    for (const rows of [...this.#groups.values()].filter(canTakeColumns)) {
      const read = this.#readsOf(rows);
      for (const other of [...this.#groups.values()].sort((a, b) => a.position - b.position)) {
        if (Math.abs(rows.position - other.position) > mergeDistance || rows.ops + other.ops > maxOps) continue;
        if (!rows.takesColumns(other) || this.#isBetween(rows.id, other.id)) continue;
        const shared = [...this.#readsOf(other)].filter(v => read.has(v) || rows.outputs.includes(v));
        if (!shared.some(v => rows.isFull(v)) || !this.#readsSameRows(other, rows.outputs)) continue;
        this.#reach.merge(rows.id, other.id);
        this.#uses.merge(rows.id, other.id);
        this.#groups.delete(other.id);
        rows.addColumns(other);
      }
    }
  }
  /** True if a column-sum kernel reads only elements of these values that belong to the row that it adds. */
  #readsSameRows(columns: Group, values: readonly Value[]): boolean {
    return values.every(v =>
      (this.#uses.accessesOf(this.#uses.of(v)).get(columns.id) ?? []).every(a => columns.isOfRow(shapeOf(v), a.index)),
    );
  }
  /** True if the second kernel comes before the first, or if another kernel is between them. */
  #isBetween(first: number, second: number): boolean {
    if (this.#reach.reaches(second, first)) return true;
    const all = [...this.#groups.keys(), ...this.#placed.map(p => p.id)];
    return all.some(
      x => x !== first && x !== second && this.#reach.reaches(first, x) && this.#reach.reaches(x, second),
    );
  }

  // the result

  #fusedStep(group: Group): Step {
    const { columns } = group;
    const writes = [...group.outputs, ...(columns?.outputs ?? [])];
    const operands = this.#operandsOf(writes, group.dot);
    const isRead = (v: Value): boolean => group.elementsOf.has(v) || columns?.elementsOf.has(v) === true;
    return {
      kind: 'fused',
      group: {
        space: group.space(),
        outputs: group.outputs,
        ...(columns ? { columns: { space: columns.space(), outputs: columns.outputs } } : {}),
      },
      ...(group.dot ? { dot: group.dot } : {}),
      reads: operands.filter(isRead),
      unread: operands.filter(v => !isRead(v)),
      writes,
    };
  }
  /** The inputs of a kernel. */
  #readsOf(group: Group): Set<Value> {
    return new Set(this.#operandsOf(group.outputs, group.dot).filter(v => group.elementsOf.has(v)));
  }
  /**
   * The values in memory where the ops that compute these values end, as a multiply's epilogue or without one. A kernel may need
   * no elements of some of them, such as the start of a slice that is as long as its tensor, or a part that is sliced off again.
   */
  #operandsOf(outputs: readonly Value[], dot?: EpilogueDot): Value[] {
    const reads = new Set<Value>();
    const seen = new Set<Value>(outputs);
    const queue = [...outputs];
    for (let v = queue.pop(); v !== undefined; v = queue.pop()) {
      const { op } = v;
      if (op === undefined) continue;
      if (v === dot?.value) {
        for (const operand of [dot.plan.lhs.value, dot.plan.rhs.value]) reads.add(storageRootOf(operand));
        continue;
      }
      const alias = aliasOf(v);
      const inputs =
        alias !== undefined ? [alias] : op.regions.length > 0 ? [...op.operands, ...capturesOf(op)] : op.operands;
      for (const x of inputs) {
        if (seen.has(x)) continue;
        seen.add(x);
        if (this.#stored.has(x)) reads.add(x);
        // a value of an outer region: not scheduled yet, but it will be in memory
        else if (!this.#local.has(x) && !isFree(x)) reads.add(storageRootOf(x));
        else queue.push(x);
      }
    }
    for (const v of outputs) reads.delete(v);
    return [...reads];
  }
}

const canTakeColumns = (group: Group): boolean => group.canTakeColumns();

/** Values that a block needs in memory even if they are constants: fused kernels compute those themselves. */
const readInMemory = (block: Block): readonly Value[] => [
  ...block.steps.flatMap(step => (step.kind === 'fused' ? [] : step.reads)),
  ...block.results.map(storageRootOf),
];
