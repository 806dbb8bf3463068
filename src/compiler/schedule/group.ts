// A kernel under construction: its iteration space, its outputs, and the relation between indices into a value and its loops.
import type { Op, Value } from '../../hlo/program.ts';
import { shapeOf } from '../../hlo/program.ts';
import { elementCount } from '../../hlo/types.ts';
import type { Space } from '../ir/group.ts';
import { type Index, type Loop, linearize, visitTerms } from '../ir/index-expr.ts';
import type { Machine } from '../ir/machine.ts';
import { canonicalIndex } from '../ir/nest.ts';
import { NodeGraph } from '../ir/node.ts';
import type { EpilogueDot } from '../ir/schedule.ts';

/** How a value's elements map to the loops: one per iteration in order, one per row in order, or differently. */
export type Identity = 'full' | 'kept' | 'other';

/** A reduction joins its users only if this many rows can be distributed among threads, or there is little work. */
const minRows = 16;
const littleWork = 32 * 1024;
/** Elements of the longest row whose columns are added up with it. */
const longestRow = 4096;

export class Group {
  readonly id: number;
  readonly loops: readonly Loop<number>[];
  #reduced: readonly boolean[];
  readonly outputs: Value[];
  readonly #fullKey: string;
  readonly graph = new NodeGraph();
  /** All values whose elements its ops use; the kernel reads those that are stored in the end. */
  readonly elementsOf = new Set<Value>();
  /** The number of ops computed in it, each counted as often as it is computed. */
  ops = 0;
  hasReduction: boolean;
  /** Some index in it is read from memory; such indices cannot be compared with another group's. */
  hasData = false;
  position: number;
  /** Sums of columns that are computed together with its rows. */
  columns: Group | undefined;
  /** The multiply whose epilogue it is; from then on, the multiply determines its rows and how they are split. */
  dot: EpilogueDot | undefined;

  constructor(
    id: number,
    shape: readonly number[],
    reduced: readonly boolean[] | undefined,
    outputs: Value[],
    position: number,
  ) {
    this.id = id;
    const real = shape.map((size, d) => ({ size, reduced: reduced?.[d] ?? false })).filter(d => d.size !== 1);
    this.loops = real.map((d, i) => ({ id: i, size: d.size }));
    this.#reduced = real.map(d => d.reduced);
    this.#fullKey = canonicalIndex(this.loops).key;
    this.outputs = outputs;
    this.position = position;
    this.hasReduction = reduced !== undefined;
  }

  space(): Space {
    return { shape: this.loops.map(l => l.size), reduced: this.#reduced };
  }
  reducedLoops(): Loop<number>[] {
    return this.loops.filter((_, d) => this.#reduced[d]);
  }
  keptLoops(): Loop<number>[] {
    return this.loops.filter((_, d) => !this.#reduced[d]);
  }
  /** Whether it reduces columns: the sums are known only after its last row, too late for other values in it. */
  isColumns(): boolean {
    return this.hasReduction && this.#reduced.includes(true) && this.#reduced.at(-1) === false;
  }

  /** It goes through rows short enough to stay in the cache until their columns are added up. */
  canTakeColumns(): boolean {
    const width = elementCount(this.reducedLoops().map(l => l.size));
    return this.hasReduction && !this.isColumns() && !this.hasData && this.dot === undefined && width <= longestRow;
  }
  /** Whether another kernel's sums of columns can be computed together with this one's rows. */
  takesColumns(other: Group, machine: Machine): boolean {
    if (other === this || !other.isColumns() || other.hasData || other.dot !== undefined) return false;
    if (this.loops.length !== other.loops.length || this.loops.some((l, d) => l.size !== other.loops[d]!.size))
      return false;
    const reduced = other.space().reduced;
    if (reduced.some((r, d) => r === this.#reduced[d])) return false;
    const columns = elementCount(other.keptLoops().map(l => l.size));
    const sums = [...(this.columns?.outputs ?? []), ...other.outputs];
    if (sums.some(v => elementCount(shapeOf(v)) !== columns) || reduced.filter(r => !r).length !== 1) return false;
    return machine.fitsColumnSums(elementCount(other.reducedLoops().map(l => l.size)), columns, sums.length);
  }
  /** For a kernel that sums columns: one element for each iteration, or for each row, in order. */
  isOfRow(shape: readonly number[], index: readonly Index[]): boolean {
    const { key } = linearize(shape, index);
    return key === this.#fullKey || key === canonicalIndex(this.reducedLoops()).key;
  }
  addColumns(other: Group): void {
    if (this.columns === undefined) this.columns = other;
    else this.columns.take(other);
    this.ops += other.ops;
  }
  /** One of its elements for each of its iterations. */
  isFull(value: Value): boolean {
    return elementCount(shapeOf(value)) === elementCount(this.loops.map(l => l.size));
  }

  identity(shape: readonly number[], index: readonly Index[]): Identity {
    const { key } = linearize(shape, index);
    if (key === this.#fullKey && elementCount(shape) === elementCount(this.loops.map(l => l.size))) return 'full';
    return this.hasReduction && key === canonicalIndex(this.keptLoops()).key ? 'kept' : 'other';
  }

  /** How often an element at this index is computed: in every iteration of the loops down to the innermost it needs. */
  evaluations(index: readonly Index[]): number {
    let needed = 0;
    const visit = (i: Index): void =>
      visitTerms(i, t => {
        if (t.kind === 'loop') needed |= 1 << t.loop.id;
        else if (t.kind === 'data') needed |= t.node.deps;
      });
    for (const i of index) visit(i);
    const kept = this.keptLoops();
    const columns = this.isColumns() ? kept.splice(-1) : [];
    const order = this.hasReduction ? [...kept, ...this.reducedLoops(), ...columns] : this.loops;
    let count = 1;
    let total = 1;
    for (const l of order) {
      total *= l.size;
      if ((needed >> l.id) & 1) count = total;
    }
    return count;
  }

  /**
   * Lets a reduce whose result is used at `index` join, if the loops can be the reduce's: its kept dims around its reduced
   * ones. From then on the kernel goes row by row.
   */
  reduceBy(op: Op<'reduce'>, index: readonly Index[]): boolean {
    if (this.dot !== undefined) return false;
    const linear = linearize(shapeOf(op.results[0]), index);
    const kept = new Set<number>();
    for (const [, t] of linear.terms) {
      if (t.kind !== 'loop') return false;
      kept.add(t.loop.id);
    }
    const keptLoops = this.loops.filter(l => kept.has(l.id));
    if (linear.key !== canonicalIndex(keptLoops).key) return false;
    const reduced = this.loops.map(l => !kept.has(l.id));
    const length = elementCount(this.loops.filter(l => !kept.has(l.id)).map(l => l.size));
    const operand = shapeOf(op.operands[0]);
    if (
      length === 1 ||
      length !== elementCount(op.attributes.dimensions.map(d => operand[d]!)) ||
      reduced.at(-1) !== true
    )
      return false;
    const rows = elementCount(keptLoops.map(l => l.size));
    if (rows < minRows && rows * length > littleWork) return false;
    if (this.hasReduction) return reduced.every((r, d) => r === this.#reduced[d]);
    this.#reduced = reduced;
    this.hasReduction = true;
    return true;
  }

  canMerge(other: Group): boolean {
    if (this.dot !== undefined && (other.dot !== undefined || other.hasReduction)) return false;
    if (other.dot !== undefined && this.hasReduction) return false;
    if (this.hasData || other.hasData || this.loops.length !== other.loops.length) return false;
    if (this.loops.some((l, d) => l.size !== other.loops[d]!.size)) return false;
    return !this.hasReduction || !other.hasReduction || this.#reduced.every((r, d) => r === other.#reduced[d]);
  }
  /** Takes over the outputs and the ops of another group. */
  take(other: Group): void {
    if (other.hasReduction) this.#reduced = other.#reduced;
    this.hasReduction ||= other.hasReduction;
    this.dot ??= other.dot;
    this.outputs.push(...other.outputs);
    for (const v of other.elementsOf) this.elementsOf.add(v);
    this.ops += other.ops;
    this.position = Math.max(this.position, other.position);
  }
}
