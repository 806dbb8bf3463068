// What the kernels of single ops share: slots and row-major strides of their operands, loops over flat positions.

import type { Op, Region, Value } from '../../../hlo/program.ts';
import { tensorTypeOf } from '../../../hlo/program.ts';
import { type ElementType, elementCount, stridesOf } from '../../../hlo/types.ts';
import { capturesOf } from '../../../hlo/walk.ts';
import { Operands } from '../../ir/operands.ts';
import { literalOf } from '../../lowering/constants.ts';
import { isFree } from '../../lowering/lowering-kinds.ts';
import { storageRootOf } from '../../lowering/storage-root.ts';
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
  readonly operands = new Operands();

  read(value: Value): MemoryView {
    return this.#view(value, this.operands.slot(storageRootOf(value), 'read'));
  }
  write(value: Value): MemoryView {
    return this.#view(value, this.operands.slot(value, 'write'));
  }
  #view(value: Value, slot: number): MemoryView {
    const { shape, elementType } = tensorTypeOf(value);
    return { slot, type: elementType, shape, strides: stridesOf(shape), count: elementCount(shape) };
  }

  /** Opens `@_task`, with the operands' pointers. Slots must be known by then. */
  openTask(): void {
    this.out.open('static void @_task(void *arg, int64_t task, int worker)');
    this.out.line('const t_call *const call = arg;');
    this.out.line('char *const *const p = call->p;');
    declareOperands(this.out, this.operands.list);
  }

  /** Names of the scalars from outside that an op's regions use; declares them. */
  captures(op: Op): (value: Value) => string {
    const names = new Map<Value, string>();
    for (const v of capturesOf(op)) {
      if (isFree(v)) names.set(v, cLiteral(literalOf(v), 0));
      else {
        const view = this.read(v);
        names.set(v, `o${view.slot}`);
      }
    }
    return v => names.get(v)!;
  }
  /** After openTask: the constants that `captures` named. */
  declareCaptures(op: Op): void {
    for (const v of capturesOf(op)) {
      if (isFree(v)) continue;
      const view = this.read(v);
      this.out.line(`const ${registerType(view.type)} o${view.slot} = ${loaded(view.type, `p${view.slot}[0]`)};`);
    }
  }
}

/** The results of a region for scalar arguments, as texts; prints what they need. */
export function applyRegion(
  out: Writer,
  region: Region,
  args: readonly string[],
  prefix: string,
  outer: (value: Value) => string,
): string[] {
  return printRegion(out, region, args, prefix, outer);
}

/** `a * 3 + b * 4 + 5`, without the parts that are zero. */
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
