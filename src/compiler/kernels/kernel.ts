// What every kernel is to the rest of the compiler: C that defines two functions of a fixed form, and the memory it takes.
//
//   static void NAME(const trenio_rt *rt, char *const *p)     p[i]: the memory of operand i
//
// NAME is written `@` until it is known whether an equal kernel exists already; then two layers share one function.
import type { Value } from '../../hlo/program.ts';

export interface KernelCode {
  /** C with `@` for the kernel's name. */
  readonly code: string;
  /** The memory the kernel reads and writes, in the order of p[]. */
  readonly operands: readonly KernelOperand[];
  /** Bytes of the workspace, which is one more entry of p[]; 0 for none. */
  readonly workspaceBytes: number;
  /** Further C that the unit must hold once: shared functions by name. */
  readonly helpers?: ReadonlyMap<string, string>;
  /** What a worker asks of rt->scratch. */
  readonly scratchBytes?: number;
  /** Instead of `code`: statements of the step function, given the operands' addresses. They may `return` an error. */
  readonly inline?: (pointers: readonly string[]) => readonly string[];
  /** Needs the prelude of the matrix multiplies. */
  readonly usesGemm?: boolean;
}

export interface KernelOperand {
  readonly value: Value;
  readonly access: 'read' | 'write';
  /**
   * For a written operand: the read operands whose memory it may take over, because each element is read before it is
   * written and never after.
   */
  readonly inPlaceOf?: readonly number[];
}

/** Collects the operands of a kernel as it is built: one slot a value. */
export class Operands {
  readonly list: { value: Value; access: 'read' | 'write'; inPlaceOf?: number[] }[] = [];
  readonly #slots = new Map<Value, number>();

  /** `first`: what another part of the same kernel has. */
  constructor(first: Operands | undefined = undefined) {
    for (const { value, access } of first?.list ?? []) this.slot(value, access);
  }

  slot(value: Value, access: 'read' | 'write'): number {
    let slot = this.#slots.get(value);
    if (slot === undefined) {
      slot = this.list.length;
      this.#slots.set(value, slot);
      this.list.push({ value, access });
    } else if (access === 'write') this.list[slot]!.access = 'write';
    return slot;
  }
}
