// Shared by kernels of single ops: operands in row-major order, loops over flat positions.

import { zip } from '../../../base/zip.ts';
import type { Region, Value } from '../../../hlo/program.ts';
import { tensorTypeOf } from '../../../hlo/program.ts';
import { type ElementType, elementCount, stridesOf } from '../../../hlo/types.ts';
import type { OpKernel, OpSlots } from '../../ir/op-kernel.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import { literalOf } from '../../lowering/constants.ts';
import { declareOperands } from '../kernels/loops.ts';
import { cLiteral, loaded, registerType } from '../scalar/c-types.ts';
import { printRegion } from '../scalar/combiners.ts';
import { Writer } from '../writer.ts';

export interface MemoryView {
  readonly slot: number;
  readonly type: ElementType;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly count: number;
}

export class PlainKernel {
  readonly out = new Writer();
  /** The op's operands and results in memory, in order. */
  readonly inputs: readonly MemoryView[];
  readonly results: readonly MemoryView[];
  readonly #operands: readonly KernelOperand[];
  readonly #captured: OpSlots['captured'];

  constructor({ op, slots }: OpKernel, operands: readonly KernelOperand[]) {
    this.inputs = zip<Value, number>(op.operands, slots.operands).map(([v, slot]) => viewOf(v, slot));
    this.results = zip<Value, number>(op.results, slots.results).map(([v, slot]) => viewOf(v, slot));
    this.#operands = operands;
    this.#captured = slots.captured;
  }

  /** Opens `@_task`, with the operands' pointers. */
  openTask(): void {
    this.out.open('static void @_task(void *arg, int64_t task, int worker)');
    this.out.line('const t_call *const call = arg;');
    this.out.line('char *const *const p = call->p;');
    declareOperands(this.out, this.#operands);
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
}

function viewOf(value: Value, slot: number): MemoryView {
  const { shape, elementType } = tensorTypeOf(value);
  return { slot, type: elementType, shape, strides: stridesOf(shape), count: elementCount(shape) };
}

/** The results of a region for scalar arguments, as texts; prints the statements that they need. */
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
export function sumText(parts: readonly (readonly [name: string, factor: number])[], constant = 0): string {
  const texts = parts.filter(([, f]) => f !== 0).map(([n, f]) => (f === 1 ? n : `${n} * ${f}`));
  if (constant !== 0 || texts.length === 0) texts.push(String(constant));
  return texts.join(' + ').replaceAll('+ -', '- ');
}

/** Declares NAME0, NAME1 … from a flat position over some sizes. */
export function decode(out: Writer, name: string, sizes: readonly number[], position: string): void {
  let below = sizes.reduce((n, s) => n * s, 1);
  sizes.forEach((size, d) => {
    below /= Math.max(1, size);
    const quotient = below === 1 ? position : `${position} / ${below}`;
    out.line(`const int64_t ${name}${d} = ${size === 1 ? '0' : d === 0 ? quotient : `(${quotient}) % ${size}`};`);
  });
}
