// The step function of a dynamic program while it is being written: the known facts about each value, memory, and kernel
// launches; names and sizes are in names.ts and checks.ts. The code for each op is in ops/.
import { invariant } from '../../../base/errors.ts';
import { zip } from '../../../base/zip.ts';
import type { Op, Value } from '../../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../../hlo/program.ts';
import { type ElementType, elementBytes } from '../../../hlo/types.ts';
import { capturesOf, constantLiteral } from '../../../hlo/walk.ts';
import type { Extent } from '../../ir/extent.ts';
import { type Index, linearize } from '../../ir/index-expr.ts';
import { type Output, requiredNodes } from '../../ir/nest.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import { printOp } from '../c/kernel-printer.ts';
import { withQuantities } from '../c/kernels/size-text.ts';
import { printSized } from '../c/kernels/sized-printer.ts';
import { loaded, memoryType, registerType, stored } from '../c/scalar/c-types.ts';
import type { OpKernel, OpSizes, OpSlots } from '../ir/op-kernel.ts';
import type { SizedKernel } from '../ir/sized-kernel.ts';
import { planSized } from '../kernels/sized-plan.ts';
import { failures } from '../target/size-report.ts';
import { Checks } from './checks.ts';
import { ElementKernel, type Held, type Lazy, type Memory, SizeNames } from './element-kernel.ts';
import type { Origin } from './names.ts';
import { readOf } from './op-forms.ts';
import type { KnownSizes, Size, Sizes } from './sizes.ts';

/** An output of a fused kernel. */
export interface FusedOutput extends Lazy {
  readonly value: Value;
  readonly pointer: string;
  /** The sizes of the memory to which it is written. */
  readonly sizes: KnownSizes;
  /** It only has elements for the dims that are not reduced. */
  readonly isKept?: boolean;
  /** Where an element is written, if not at its own index. */
  place?(kernel: ElementKernel, index: readonly Index[]): readonly Index[];
  /** The value whose elements are in the memory before. */
  readonly over?: Value;
}
/** A call of a fused kernel, as data. */
export interface FusedCall {
  readonly op: Op;
  readonly kernel: SizedKernel;
  readonly sizes: readonly Origin[];
  /** The number of elements that it computes: it is not called for zero elements. */
  readonly count: Origin;
  readonly outputs: readonly Pick<FusedOutput, 'value' | 'over'>[];
}
export interface KernelFunction {
  readonly name: string;
  readonly code: string;
  readonly hasWorkspace: boolean;
  readonly first: Op;
  calls: number;
}

export class Step extends Checks {
  /** The kernels by their texts. */
  readonly kernels = new Map<string, KernelFunction>();
  /** The values that no later op needs. */
  dying: ReadonlySet<Value> = new Set();
  readonly fusedCalls: FusedCall[] = [];
  readonly #held = new Map<Value, Held>();
  /** Lazy values that had to be stored after all, in the current region. */
  #forced: Value[] = [];
  readonly #moved = new Set<Value>();

  // values

  hold(value: Value, held: Held): void {
    this.#held.set(value, held);
    held.sizes.forEach((size, d) => {
      if (typeof size === 'string') this.setOrigin(size, run => run.size(value, d));
    });
  }
  held(value: Value): Held {
    const held = this.#held.get(value);
    invariant(held !== undefined, `%${value.id} (${value.op?.name ?? 'argument'}) is not known in a dynamic program`);
    return held;
  }
  sizes(value: Value): Sizes {
    return this.held(value).sizes;
  }
  heldOrNot(value: Value): Held | undefined {
    return this.#held.get(value);
  }
  memory(value: Value): Memory {
    const { memory, atoms, type, sizes } = this.held(value);
    if (memory !== undefined) return memory;
    invariant(atoms !== undefined, `%${value.id} (${value.op?.name ?? 'argument'}) is not in memory`);
    const made = this.allocate(type, sizes);
    this.store(made.pointer, type, atoms);
    return made;
  }
  /** Element `i` of a small value, as a name or constant of the step function. */
  atom(value: Value, i = 0): string {
    const { atoms, type, memory, sizes } = this.held(value);
    if (atoms !== undefined) return atoms[i]!;
    invariant(memory !== undefined, `%${value.id} cannot be read by the step function`);
    const count = this.count(this.known(sizes));
    if (typeof count === 'string') this.check(`${count} > ${i}`, 'sizes', 0, count, i + 1);
    return this.bind(registerType(type), loaded(type, `${memory.pointer}[${i}]`));
  }

  /** Element `i` of a small value of integers, as an integer. */
  integerOf(value: Value, i: number): number | string {
    return this.integerFrom(this.atom(value, i), run => run.element(value, i));
  }

  // memory

  allocate(type: ElementType, sizes: Sizes): Memory {
    const bytes = this.bytes(type, sizes);
    const block = this.name('t_block *');
    this.out.line(`t_block *const ${block} = t_allocate(&heap, ${bytes});`);
    this.out.line(
      `T_CHECK(${block} != 0, ${failures.memory}, ${this.opNumber()}, 0, ${bytes}, heap.limit - heap.end);`,
    );
    const pointer = this.name(`${memoryType(type)} *`);
    this.out.line(`${memoryType(type)} *const ${pointer} = (void *)(${block} + 1);`);
    return { pointer, block };
  }
  /** Allocates memory for a result. */
  result(value: Value, sizes: Sizes): Memory {
    const { elementType } = tensorTypeOf(value);
    const stated = this.asStated(value, sizes);
    const memory = this.allocate(elementType, stated);
    this.hold(value, { type: elementType, sizes: stated, memory });
    return memory;
  }
  /** The result shares the memory of an operand. */
  share(value: Value, operand: Value, sizes: Sizes): void {
    const { pointer, block } = this.memory(operand);
    const { elementType } = tensorTypeOf(value);
    const own = block === undefined ? undefined : this.name('t_block *');
    if (own !== undefined) this.out.line(`t_block *const ${own} = t_retain(${block});`);
    this.hold(value, { type: elementType, sizes: this.asStated(value, sizes), memory: { pointer, block: own } });
  }
  /** The block of a value, whose use the caller takes over: the existing use if the value dies here, or an additional one. */
  taken(value: Value, dies: boolean): string {
    const { block } = this.memory(value);
    if (block === undefined) return '0';
    if (dies && !this.#moved.has(value)) {
      this.#moved.add(value);
      return block;
    }
    return `t_retain(${block})`;
  }
  dies(value: Value): boolean {
    return this.dying.has(value);
  }
  /** The memory of a value that dies here, if nothing else uses it; else a copy. */
  reuse(value: Value, type: ElementType, sizes: Sizes): Memory {
    const old = this.memory(value);
    const memory = { pointer: this.name(`${memoryType(type)} *`), block: this.name('t_block *') };
    this.out.line(`t_block *${memory.block} = t_retain(${old.block});`);
    this.out.line(`${memoryType(type)} *${memory.pointer} = ${old.pointer};`);
    this.out.open(`if (!${old.block} || ${old.block}->uses > 2)`);
    this.scope(this.storage, () => {
      this.out.line(`t_release(${old.block});`);
      const copy = this.allocate(type, sizes);
      this.copy(copy.pointer, old.pointer, type, sizes);
      this.out.line(`${memory.block} = ${copy.block};`);
      this.out.line(`${memory.pointer} = ${copy.pointer};`);
    });
    this.out.close();
    return memory;
  }
  copy(to: string, from: string, type: ElementType, sizes: Sizes): void {
    this.out.line(`t_copy(rt, ${to}, ${from}, ${this.bytes(type, sizes)});`);
  }
  bytes(type: ElementType, sizes: Sizes): number | string {
    return this.times(this.count(this.known(sizes)), elementBytes(type));
  }
  drop(value: Value): void {
    if (this.#moved.has(value)) return;
    const block = this.#held.get(value)?.memory?.block;
    if (block !== undefined) this.out.line(`t_release(${block});`);
  }
  dropBlock(block: string | undefined): void {
    if (block !== undefined) this.out.line(`t_release(${block});`);
  }
  /** Writes atoms to memory. */
  store(pointer: string, type: ElementType, atoms: readonly string[]): void {
    atoms.forEach((a, i) => {
      this.out.line(`${pointer}[${i}] = ${stored(type, a)};`);
    });
  }

  // kernels

  /** Computes lazy values into memory, in one kernel over a space of these sizes. */
  fuse(sizes: KnownSizes, reduced: readonly number[], outputs: readonly FusedOutput[]): void {
    const names = new SizeNames(this);
    const space = { sizes: sizes.map(s => names.extent(s)), reduced: sizes.map((_, d) => reduced.includes(d)) };
    const unreachable = new Set<Value>();
    const kernel = planSized(space, names.graph, (loops, before) => {
      const k = new ElementKernel(this, names, space, loops, before);
      const written = outputs.map((o): Output => {
        const index = k.here(o.isKept === true);
        const node = o.at(k, index);
        const shape = o.sizes.map(s => k.extent(s));
        const { elementType } = tensorTypeOf(o.value);
        const slot = k.operands.slot(o.value, 'write');
        return { node, slot, index: linearize(shape, o.place?.(k, index) ?? index), type: elementType };
      });
      for (const v of k.unreachable) unreachable.add(v);
      return { operands: k.operands, outputs: written, nodes: requiredNodes(written) };
    });
    if (unreachable.size === 0)
      this.#launchFused(kernel, names, outputs, this.count(outputs[0]?.isKept ? outputs[0].sizes : sizes));
    else {
      for (const v of unreachable) this.#force(v);
      this.fuse(sizes, reduced, outputs);
    }
  }
  #force(value: Value): void {
    const { sizes, lazy } = this.held(value);
    invariant(lazy !== undefined && value.op !== undefined, 'a value that is computed nowhere');
    const held = this.held(value);
    const known = this.known(sizes);
    const memory = this.allocate(held.type, known);
    const [x] = value.op.operands;
    const { dimensions } = value.op.attributes as { readonly dimensions: readonly number[] };
    this.fuse(this.known(this.sizes(x!)), dimensions, [
      { value, pointer: memory.pointer, sizes: known, isKept: true, at: lazy.at },
    ]);
    this.hold(value, { ...held, memory });
    this.#forced.push(value);
  }
  /** Frees lazy values that had to be stored, at the end of a region that `body` writes. */
  freeingForced(body: () => void): void {
    const outer = this.#forced;
    this.#forced = [];
    body();
    for (const v of this.#forced) this.drop(v);
    this.#forced = outer;
  }

  #launchFused(kernel: SizedKernel, names: SizeNames, outputs: readonly FusedOutput[], count: number | string): void {
    const sizes = names.list.map(
      (name): Origin =>
        run =>
          this.numberIn(run, name),
    );
    // outputs are empty together; there may be very many empty rows
    if (count !== 0) {
      const inRun: Origin = run => this.numberIn(run, count);
      this.fusedCalls.push({ op: this.#currentOp(), kernel, sizes, count: inRun, outputs });
    }
    const pointers = kernel.operands.map(({ value }) => outputs.find(o => o.value === value)?.pointer);
    this.#call(printSized(kernel), kernel.operands, pointers, names, count);
  }

  /**
   * Runs the kernel of a single op, planned and printed as for known sizes. Its results are in memory; `starts` are results that
   * have the elements of the operand with the same index already.
   */
  runOp(op: Op, plan: PlanOp, starts: readonly string[] = []): void {
    const names = new SizeNames(this);
    const operands: KernelOperand[] = [];
    const pointers: (string | undefined)[] = [];
    // each use of a value has an entry, because a value that is overwritten may also be read as another operand
    const entry = (value: Value, access: 'read' | 'write', pointer?: string): number => {
      pointers.push(pointer);
      return operands.push({ value, access }) - 1;
    };
    // lists of numbers that the step function reads are not operands of the kernel
    const isNumbers = (v: Value, i: number): boolean => readOf(op, i) === 'atoms' && shapeOf(v).length > 0;
    const slots: OpSlots = {
      operands: op.operands.map((v, i) => (isNumbers(v, i) ? -1 : entry(v, 'read', starts[i]))),
      results: op.results.map(v => entry(v, 'write')),
      captured: new Map(
        [...capturesOf(op)].filter(v => constantLiteral(v) === undefined).map(v => [v, entry(v, 'read')]),
      ),
    };
    const sizes = { operands: op.operands.map(v => names.extents(v)), results: op.results.map(v => names.extents(v)) };
    const kernel = plan(slots, sizes, size => names.extent(size));
    const { code } = printOp(kernel, operands);
    const [result] = op.results;
    const count = result === undefined ? 1 : this.count(this.known(this.sizes(result)));
    const text = withQuantities(code, names.graph, operands.length + 1);
    this.#call({ code: text, hasWorkspace: false }, operands, pointers, names, count);
  }

  /** Calls a kernel, unless it has nothing to compute. `pointers`: for operands that are not stored with their values. */
  #call(
    { code, hasWorkspace }: { readonly code: string; readonly hasWorkspace: boolean },
    operands: readonly KernelOperand[],
    given: readonly (string | undefined)[],
    names: SizeNames,
    count: number | string,
  ): void {
    if (count === 0) return;
    const { out } = this;
    let found = this.kernels.get(code);
    if (found === undefined) {
      found = { name: `k${this.kernels.size}`, code, hasWorkspace, first: this.#currentOp(), calls: 0 };
      this.kernels.set(code, found);
    }
    found.calls++;
    out.open(typeof count === 'number' ? '' : `if (${count} > 0)`);
    if (names.list.length > 0) out.line(`const int64_t sizes[] = {${names.list.join(', ')}};`);
    const pointers = zip(operands, given).map(([{ value }, pointer], slot) => {
      if (pointer !== undefined) return pointer;
      const { memory, atoms, type } = this.held(value);
      if (memory !== undefined) return memory.pointer;
      const [number] = atoms ?? [];
      invariant(number !== undefined, `%${value.id} is neither in memory nor a number`);
      out.line(`const ${memoryType(type)} number${slot} = ${stored(type, number)};`);
      return `&number${slot}`;
    });
    const entries = [...pointers.map(p => `(char *)${p}`), '0', names.list.length > 0 ? '(char *)sizes' : '0'];
    out.line(`char *p[] = {${entries.join(', ')}};`);
    if (hasWorkspace) {
      out.line(`const int64_t bytes = ${found.name}_workspace(p);`);
      out.line('t_block *const workspace = t_allocate(&heap, bytes);');
      const lacking = `${failures.memory}, ${this.opNumber()}, 0, bytes, heap.limit - heap.end`;
      out.line(`T_CHECK(workspace != 0, ${lacking});`);
      out.line(`p[${pointers.length}] = (char *)(workspace + 1);`);
    }
    out.line(`${found.name}(rt, p);`);
    if (hasWorkspace) out.line('t_release(workspace);');
    out.close();
  }
  #currentOp(): Op {
    const { op } = this;
    invariant(op !== undefined, 'a kernel outside an op');
    return op;
  }
}

/** Plans the kernel of an op: its entries of p[], its sizes, and other integers of the step function. */
export type PlanOp = (slots: OpSlots, sizes: OpSizes, extent: (size: Size) => Extent) => OpKernel;
