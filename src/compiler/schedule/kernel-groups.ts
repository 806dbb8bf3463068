// The fused kernels of a region while they are formed: which of them may compute a value as well, and which are merged because
// they compute with the same values over the same iteration space.
import type { Op, Value } from '../../hlo/program.ts';
import { shapeOf } from '../../hlo/program.ts';
import type { Machine } from '../ir/machine.ts';
import { Group, type Identity } from './group.ts';
import { Reach } from './reach.ts';
import { type Access, ValueUses } from './value-uses.ts';

/** The maximum number of ops per kernel, so that it compiles quickly and well. */
export const maxOps = 250;
export const maxOutputs = 24;
/** Kernels further apart in the program than this are not fused, because that would keep values alive for long. */
const mergeDistance = 80;

/** A small value used by more kernels than this is stored, however cheap: a learning rate, a gradient norm. */
export const manyUsers = 8;

/** Groups of ops that become fused kernels, with the uses of values by them and the order between them. */
export class KernelGroups {
  readonly uses = new ValueUses();
  readonly reach: Reach;
  readonly byId = new Map<number, Group>();
  readonly #position: ReadonlyMap<Op, number>;
  readonly #machine: Machine;

  constructor(ops: readonly Op[], position: ReadonlyMap<Op, number>, machine: Machine) {
    this.#position = position;
    this.#machine = machine;
    this.reach = new Reach(2 * ops.reduce((n, op) => n + Math.max(1, op.results.length), 2));
  }

  /** A new kernel over an iteration space, which runs before its consumers. */
  add(
    shape: readonly number[],
    reduced: readonly boolean[] | undefined,
    outputs: Value[],
    consumers: Iterable<number>,
  ): Group {
    const id = this.reach.add(consumers);
    const group = new Group(id, shape, reduced, outputs, Math.max(...outputs.map(v => this.#position.get(v.op!)!)));
    this.byId.set(id, group);
    return group;
  }
  /** True if computing the op's result there as well would move all of the kernel forward, with its inputs and outputs. */
  isFar(group: Group, op: Op): boolean {
    return group.position - this.#position.get(op)! > mergeDistance;
  }
  /** True if the kernel computes each element of the value once. */
  canHost(group: Group, identity: Identity): boolean {
    return identity === 'full' || (identity === 'kept' && !group.isColumns());
  }
  /** True if no other consumer is scheduled before the kernel. */
  mayFeedAlso(id: number, consumers: ReadonlySet<number>): boolean {
    for (const c of consumers) if (c !== id && this.reach.reaches(c, id)) return false;
    return true;
  }

  /** Merges kernels that compute with the same value over the same iteration space, if that does not make a cycle. */
  merge(groups: ReadonlyMap<number, readonly Access[]>): void {
    if (groups.size > manyUsers) return;
    const ids = [...groups.keys()];
    for (let i = 0; i < ids.length; i++) {
      for (let j = i + 1; j < ids.length; j++) {
        const [a, b] = [this.uses.find(ids[i]!), this.uses.find(ids[j]!)];
        const [x, y] = [this.byId.get(a), this.byId.get(b)];
        if (a === b || x === undefined || y === undefined || !x.canMerge(y)) continue;
        if (
          Math.abs(x.position - y.position) > mergeDistance ||
          x.ops + y.ops > maxOps ||
          x.outputs.length + y.outputs.length > maxOutputs
        )
          continue;
        if (this.reach.reaches(a, b) || this.reach.reaches(b, a)) continue;
        this.reach.merge(a, b);
        this.uses.merge(a, b);
        this.byId.delete(b);
        x.take(y);
      }
    }
  }

  /**
   * Sums of columns over rows that a kernel processes anyway, such as those of the weights of a normalization, join that
   * kernel, so that the rows are read from memory once. The sums are split and added as in a separate kernel.
   * `readsOf`: the inputs of a kernel; `others`: the steps that are not fused kernels.
   */
  joinColumns(readsOf: (group: Group) => ReadonlySet<Value>, others: readonly number[]): void {
    for (const rows of [...this.byId.values()].filter(group => group.canTakeColumns())) {
      const read = readsOf(rows);
      for (const other of [...this.byId.values()].sort((a, b) => a.position - b.position)) {
        if (Math.abs(rows.position - other.position) > mergeDistance || rows.ops + other.ops > maxOps) continue;
        if (!rows.takesColumns(other, this.#machine) || this.#isBetween(rows.id, other.id, others)) continue;
        const shared = [...readsOf(other)].filter(v => read.has(v) || rows.outputs.includes(v));
        if (!shared.some(v => rows.isFull(v)) || !this.#readsSameRows(other, rows.outputs)) continue;
        this.reach.merge(rows.id, other.id);
        this.uses.merge(rows.id, other.id);
        this.byId.delete(other.id);
        rows.addColumns(other);
      }
    }
  }
  /** True if a column-sum kernel reads only elements of these values that belong to the row that it adds. */
  #readsSameRows(columns: Group, values: readonly Value[]): boolean {
    return values.every(v =>
      (this.uses.accessesOf(this.uses.of(v)).get(columns.id) ?? []).every(a => columns.isOfRow(shapeOf(v), a.index)),
    );
  }
  /** True if the second kernel comes before the first, or if another kernel is between them. */
  #isBetween(first: number, second: number, others: readonly number[]): boolean {
    if (this.reach.reaches(second, first)) return true;
    const all = [...this.byId.keys(), ...others];
    return all.some(x => x !== first && x !== second && this.reach.reaches(first, x) && this.reach.reaches(x, second));
  }
}
