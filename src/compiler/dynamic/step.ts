// The step function of a dynamic program while it is written: what is known of each value, memory, and the launching of
// kernels; names and sizes are in names.ts and checks.ts. What each op does with these is in ops/.
import { invariant } from '../../base/errors.ts';
import type { Op, Value } from '../../hlo/program.ts';
import { tensorTypeOf } from '../../hlo/program.ts';
import { type ElementType, elementBytes } from '../../hlo/types.ts';
import { loaded, memoryType, registerType, stored } from '../c/scalar/c-types.ts';
import { failures } from '../target/size-report.ts';
import { Checks } from './checks.ts';
import { finish, Kernel } from './kernel.ts';
import { type KnownSizes, linearText, type Sizes } from './sizes.ts';

/** Where elements are: the text of a pointer, and the block that holds them if the program owns it. */
export interface Memory {
  readonly pointer: string;
  readonly block: string | undefined;
}
/** One element, by its index; or by its linear index, where the value is computed element after element. */
export type Index = string | readonly string[];
export interface Lazy {
  /** Elements may be had by linear index: those of the operands lie in the same order. */
  readonly isFlat: boolean;
  at(kernel: Kernel, index: Index): string;
}
/** The known facts about a value: one of `atoms`, `memory` and `lazy`, or atoms and memory. */
export interface Held {
  readonly type: ElementType;
  readonly sizes: Sizes;
  readonly atoms?: readonly string[];
  readonly memory?: Memory;
  readonly lazy?: Lazy;
}

export interface KernelFunction {
  readonly name: string;
  readonly code: string;
  readonly first: Op;
  calls: number;
}

export class Step extends Checks {
  /** The kernels by their texts. */
  readonly kernels = new Map<string, KernelFunction>();
  /** The values that no later op needs. */
  dying: ReadonlySet<Value> = new Set();
  readonly #held = new Map<Value, Held>();
  readonly #moved = new Set<Value>();

  // values

  hold(value: Value, held: Held): void {
    this.#held.set(value, held);
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

  /** A kernel over every index of `sizes`, the last dim innermost and vectorised. */
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

  /** A kernel over 0 … count - 1, vectorised. */
  overFlat(count: string | number, body: (kernel: Kernel, i: string) => void, simd = true): void {
    const grain = this.bind('int64_t', `t_grain(${count}, 1)`);
    const kernel = new Kernel();
    kernel.out.line(
      `const int64_t low = task * ${grain}, rest = ${count} - low, high = low + (rest < ${grain} ? rest : ${grain});`,
    );
    kernel.loop('high', i => body(kernel, i), { from: 'low', ...(simd ? { simd: '' } : {}) });
    this.launch(kernel, this.bind('int64_t', `t_tasks(${count}, 1, ${grain})`));
  }

  /** An element of a value within a kernel, as a name or constant. */
  at(kernel: Kernel, value: Value, index: Index): string {
    const { type, sizes, atoms, memory, lazy } = this.held(value);
    if (atoms?.length === 1) return atoms[0]!;
    const place =
      sizes.length === 0 || sizes.every(s => s === 1)
        ? '0'
        : typeof index === 'string'
          ? index
          : linearText(sizes, index);
    if (memory !== undefined) return kernel.let(registerType(type), loaded(type, `${memory.pointer}[${place}]`));
    invariant(lazy !== undefined, `%${value.id} cannot be read by a kernel`);
    const key = typeof index === 'string' ? index : index.join();
    return kernel.once(`%${value.id} ${key}`, () => lazy.at(kernel, index));
  }
  /** Whether elements of a value may be had by linear index. */
  isFlat(value: Value): boolean {
    return this.held(value).lazy?.isFlat ?? true;
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
