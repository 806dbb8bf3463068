// Shared by kernels of single ops: operands in row-major order, loops over flat positions. Sizes may be quantities.

import { elementAt } from '../../../../base/element-at.ts';
import { zip } from '../../../../base/zip.ts';
import type { Region, Value } from '../../../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../../../hlo/program.ts';
import type { ElementType } from '../../../../hlo/types.ts';
import { countOf, type Extent, numberOf, rowMajor } from '../../../ir/extent.ts';
import type { KernelOperand } from '../../../ir/operands.ts';
import { literalOf } from '../../../lowering/constants.ts';
import type { OpKernel, OpSizes, OpSlots, TaskCut } from '../../ir/op-kernel.ts';
import { declareOperands } from '../kernels/loops.ts';
import { entryOf } from '../kernels/rows-printer.ts';
import { isMany, sizeText } from '../kernels/size-text.ts';
import { cLiteral, loaded, registerType } from '../scalar/c-types.ts';
import { printRegion } from '../scalar/combiners.ts';
import { Writer } from '../writer.ts';

/** An operand or a result in memory. */
export class MemoryView {
  readonly slot: number;
  readonly type: ElementType;
  readonly shape: readonly Extent[];
  readonly #strides: readonly Extent[];

  constructor(value: Value, slot: number, shape: readonly Extent[]) {
    this.slot = slot;
    this.type = tensorTypeOf(value).elementType;
    this.shape = shape;
    this.#strides = rowMajor(shape);
  }
  get count(): Extent {
    return countOf(this.shape);
  }
  /** The sizes, of an op whose kernels have known ones. */
  get sizes(): readonly number[] {
    return this.shape.map(numberOf);
  }
  size(dim: number): Extent {
    return elementAt(this.shape, dim);
  }
  stride(dim: number): Extent {
    return elementAt(this.#strides, dim);
  }
  /** Dims other than these. */
  dimsWithout(...lists: readonly (readonly number[])[]): number[] {
    return this.shape.map((_, d) => d).filter(d => !lists.some(list => list.includes(d)));
  }
  /** Its elements at a position, as a value in a register. */
  load(position: string): string {
    return loaded(this.type, `p${this.slot}[${position}]`);
  }
}

const sizesOf = (values: readonly Value[]): (readonly Extent[])[] =>
  values.map(v => (v.type.kind === 'tensor' ? shapeOf(v) : []));

export class PlainKernel {
  readonly out = new Writer();
  /** The op's operands and results in memory, in order. */
  readonly inputs: readonly MemoryView[];
  readonly results: readonly MemoryView[];
  readonly #operands: readonly KernelOperand[];
  readonly #captured: OpSlots['captured'];

  /** `sizes`: of the op's types where not given. */
  constructor({ op, slots }: OpKernel, operands: readonly KernelOperand[], sizes?: OpSizes) {
    const view = ([[v, slot], shape]: readonly [readonly [Value, number], readonly Extent[]]): MemoryView =>
      new MemoryView(v, slot, shape);
    const inputs = sizes?.operands ?? sizesOf(op.operands);
    const results = sizes?.results ?? sizesOf(op.results);
    this.inputs = zip(zip<Value, number>(op.operands, slots.operands), inputs).map(view);
    this.results = zip(zip<Value, number>(op.results, slots.results), results).map(view);
    this.#operands = operands;
    this.#captured = slots.captured;
  }

  input(i: number): MemoryView {
    return elementAt(this.inputs, i);
  }
  result(i: number): MemoryView {
    return elementAt(this.results, i);
  }

  /** Opens `@_task`, with the operands' pointers. */
  openTask(): void {
    this.out.open('static void @_task(void *arg, int64_t task, int worker)');
    this.out.line('const t_call *const call = arg;');
    this.out.line('char *const *const p = call->p;');
    declareOperands(this.out, this.#operands);
  }
  /** The loop over the units of a task. */
  openUnits(cut: TaskCut<Extent>, unit: string): void {
    const [units, perTask] = [sizeText(cut.units), sizeText(cut.perTask)];
    this.out.line(`const int64_t end = (task + 1) * ${perTask} < ${units} ? (task + 1) * ${perTask} : ${units};`);
    this.out.open(`for (int64_t ${unit} = task * ${perTask}; ${unit} < end; ${unit}++)`);
  }

  /** The C of a scalar from outside that the regions of the op use. */
  readonly nameOf = (value: Value): string => {
    const slot = this.#captured.get(value);
    return slot === undefined ? cLiteral(literalOf(value), 0) : `o${slot}`;
  };
  /** After openTask: the constants named by `nameOf`. */
  declareCaptures(): void {
    for (const [value, slot] of this.#captured) {
      const type = tensorTypeOf(value).elementType;
      this.out.line(`const ${registerType(type)} o${slot} = ${loaded(type, `p${slot}[0]`)};`);
    }
  }

  /** The text of the kernel: what was printed, and the function that runs its tasks. */
  text(cut: TaskCut<Extent>): string {
    return `${this.out}\n${entryOf(cut.tasks, isMany(cut.tasks))}`;
  }
}

/** The results of a region for scalar arguments, as C expressions; prints the statements that they need. */
export function applyRegion(
  out: Writer,
  region: Region,
  args: readonly string[],
  prefix: string,
  outer: (value: Value) => string,
): string[] {
  return printRegion(out, region, args, prefix, outer);
}

/** `a * 3 + b * 4 + 5`, without terms that are zero. */
export function sumText(parts: readonly (readonly [name: string, factor: Extent])[], constant: Extent = 0): string {
  const texts = parts.filter(([, f]) => f !== 0).map(([n, f]) => (f === 1 ? n : `${n} * ${sizeText(f)}`));
  if (constant !== 0 || texts.length === 0) texts.push(sizeText(constant));
  return texts.join(' + ').replaceAll('+ -', '- ');
}

/** Declares NAME0, NAME1 … from a flat position over some sizes. */
export function decode(out: Writer, name: string, sizes: readonly Extent[], position: string): void {
  sizes.forEach((size, d) => {
    const below = countOf(sizes.slice(d + 1));
    const quotient = below === 1 ? position : `${position} / ${sizeText(below)}`;
    out.line(
      `const int64_t ${name}${d} = ${size === 1 ? '0' : d === 0 ? quotient : `(${quotient}) % ${sizeText(size)}`};`,
    );
  });
}
