// The step function of a dynamic program while it is written: what is known of each value, memory, and the launching of
// kernels; names and sizes are in names.ts and checks.ts. What each op does with these is in ops/.
import { invariant } from '../../base/errors.ts';
import type { Op, Value } from '../../hlo/program.ts';
import { tensorTypeOf } from '../../hlo/program.ts';
import { type ElementType, elementBytes } from '../../hlo/types.ts';
import { printSized } from '../c/kernels/sized-printer.ts';
import { loaded, memoryType, registerType, stored } from '../c/scalar/c-types.ts';
import { type Index, linearize } from '../ir/index-expr.ts';
import { type Output, requiredNodes } from '../ir/nest.ts';
import type { SizedKernel } from '../ir/sized-kernel.ts';
import { planSized } from '../kernels/sized-plan.ts';
import { failures } from '../target/size-report.ts';
import { Checks } from './checks.ts';
import { ElementKernel, type Held, type Lazy, type Memory, SizeNames } from './element-kernel.ts';
import { finish, Kernel } from './kernel.ts';
import type { Origin } from './names.ts';
import { type KnownSizes, linearText, type Sizes } from './sizes.ts';

/** An output of a fused kernel. */
export interface FusedOutput extends Lazy {
  readonly value: Value;
  readonly pointer: string;
  /** The sizes of the memory that it is written to. */
  readonly sizes: KnownSizes;
  /** It has elements for the dims that are not reduced only. */
  readonly isKept?: boolean;
  /** Where an element is written, if not at its own index. */
  place?(kernel: ElementKernel, index: readonly Index[]): readonly Index[];
  /** The value that the memory has the elements of before. */
  readonly over?: Value;
}
/** A call of a fused kernel, as data. */
export interface FusedCall {
  readonly op: Op;
  readonly kernel: SizedKernel;
  readonly sizes: readonly Origin[];
  readonly outputs: readonly Pick<FusedOutput, 'value' | 'over'>[];
}
export interface KernelFunction {
  readonly name: string;
  readonly code: string;
  /** A fused kernel, not a task; whether it has a workspace. */
  readonly fused?: { readonly hasWorkspace: boolean };
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
  /** Memory for a result, which it then holds. */
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
  /** The block of a value, whose use the caller takes over: the value's own if it dies here, or one more. */
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
    this.out.line(`t_release(${old.block});`);
    const copy = this.allocate(type, sizes);
    this.copy(copy.pointer, old.pointer, type, sizes);
    this.out.line(`${memory.block} = ${copy.block};`);
    this.out.line(`${memory.pointer} = ${copy.pointer};`);
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

  /** Runs a kernel for the tasks 0 … tasks - 1. */
  launch(kernel: Kernel, tasks: string | number): void {
    const { code, captured } = finish(kernel, name => this.typeOf(name));
    let found = this.kernels.get(code);
    if (found === undefined) {
      found = { name: `k${this.kernels.size}`, code, first: this.op!, calls: 0 };
      this.kernels.set(code, found);
    }
    found.calls++;
    this.out.line(`RUN(${found.name}, ${tasks}, ${captured.map(n => `&${n}`).join(', ') || '0'});`);
  }

  /** A kernel over rows of `inner` units of work each: `body` gets the number of a row. */
  overRows(rows: string | number, inner: string | number, body: (kernel: Kernel, row: string) => void): void {
    const grain = this.bind('int64_t', `t_grain(${rows}, ${inner})`);
    const kernel = new Kernel();
    const { out } = kernel;
    out.line(
      `const int64_t low = task * ${grain}, rest = ${rows} - low, high = low + (rest < ${grain} ? rest : ${grain});`,
    );
    kernel.block('for (int64_t row = low; row < high; row++)', () => body(kernel, 'row'));
    this.launch(kernel, this.bind('int64_t', `t_tasks(${rows}, ${inner}, ${grain})`));
  }

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
  /** Frees what was stored in spite of being lazy, at the end of a region that `body` writes. */
  freeingForced(body: () => void): void {
    const outer = this.#forced;
    this.#forced = [];
    body();
    for (const v of this.#forced) this.drop(v);
    this.#forced = outer;
  }

  #launchFused(kernel: SizedKernel, names: SizeNames, outputs: readonly FusedOutput[], count: number | string): void {
    // outputs are empty together; there may be very many empty rows
    if (count === 0) return;
    const { out } = this;
    const { code, hasWorkspace } = printSized(kernel);
    let found = this.kernels.get(code);
    if (found === undefined) {
      found = { name: `k${this.kernels.size}`, code, fused: { hasWorkspace }, first: this.op!, calls: 0 };
      this.kernels.set(code, found);
    }
    found.calls++;
    const sizes = names.list.map(
      (name): Origin =>
        run =>
          this.numberIn(run, name),
    );
    this.fusedCalls.push({ op: this.op!, kernel, sizes, outputs });
    out.open(typeof count === 'number' ? '' : `if (${count} > 0)`);
    if (names.list.length > 0) out.line(`const int64_t sizes[] = {${names.list.join(', ')}};`);
    const pointers = kernel.operands.map(({ value }, slot) => {
      const output = outputs.find(o => o.value === value);
      if (output !== undefined) return output.pointer;
      const { memory, atoms, type } = this.held(value);
      if (memory !== undefined) return memory.pointer;
      out.line(`const ${memoryType(type)} number${slot} = ${stored(type, atoms![0]!)};`);
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

  /** A kernel over every index of `sizes`, the last dim innermost and vectorized. */
  overIndices(sizes: Sizes, body: (kernel: Kernel, index: readonly string[]) => void, simd = true): void {
    const known = this.known(sizes);
    if (known.length <= 1) {
      this.overFlat(known[0] ?? 1, (kernel, i) => body(kernel, known.length === 0 ? [] : [i]), simd);
      return;
    }
    const inner = known.at(-1)!;
    const outer = known.slice(0, -1);
    this.overRows(this.count(outer), inner, (kernel, row) => {
      const index = decoded(kernel, outer, row);
      kernel.loop(inner, i => body(kernel, [...index, i]), simd ? { simd: '' } : {});
    });
  }

  /** A kernel over 0 … count - 1, vectorized. */
  overFlat(count: string | number, body: (kernel: Kernel, i: string) => void, simd = true): void {
    const grain = this.bind('int64_t', `t_grain(${count}, 1)`);
    const kernel = new Kernel();
    kernel.out.line(
      `const int64_t low = task * ${grain}, rest = ${count} - low, high = low + (rest < ${grain} ? rest : ${grain});`,
    );
    kernel.loop('high', i => body(kernel, i), { from: 'low', ...(simd ? { simd: '' } : {}) });
    this.launch(kernel, this.bind('int64_t', `t_tasks(${count}, 1, ${grain})`));
  }

  /** An element of a value in memory within a kernel, by its index or position, as a name or constant. */
  at(kernel: Kernel, value: Value, index: string | readonly string[]): string {
    const { type, sizes, atoms, memory } = this.held(value);
    if (atoms?.length === 1) return atoms[0]!;
    invariant(memory !== undefined, `%${value.id} cannot be read by a kernel`);
    const place = sizes.every(s => s === 1) ? '0' : typeof index === 'string' ? index : linearText(sizes, index);
    return kernel.let(registerType(type), loaded(type, `${memory.pointer}[${place}]`));
  }
}

/** The index along each of some dims from a position in their row-major order. */
export function decoded(kernel: Kernel, sizes: KnownSizes, position: string): string[] {
  const index: string[] = new Array(sizes.length);
  let rest = position;
  for (let d = sizes.length - 1; d >= 0; d--) {
    const size = sizes[d]!;
    const isFirst = sizes.slice(0, d).every(s => s === 1);
    index[d] = size === 1 ? '0' : isFirst ? rest : kernel.let('int64_t', `${rest} % ${size}`);
    if (!isFirst && size !== 1) rest = kernel.let('int64_t', `${rest} / ${size}`);
  }
  return index;
}
