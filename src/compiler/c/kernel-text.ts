// The C of a kernel: functions of a fixed form.
//
//   static void NAME(const trenio_rt *rt, char *const *p)     p[i]: the memory of operand i
//
// NAME is written `@` until it is known whether an equal kernel exists already; then two layers share one function.
import type { Kernel, KernelMemory } from '../ir/kernel.ts';

/** The C of a kernel, and the memory it takes. */
export interface KernelText extends KernelMemory {
  /** C with `@` for the kernel's name. */
  readonly code: string;
  /** Further C that the unit must hold once: shared functions by name. */
  readonly helpers?: ReadonlyMap<string, string>;
  /** What a worker asks of rt->scratch. */
  readonly scratchBytes?: number;
  /** Instead of `code`: statements of the step function, given the operands' addresses. They may `return` an error. */
  readonly inline?: (pointers: readonly string[]) => readonly string[];
  /** Needs the prelude of the matrix multiplies. */
  readonly usesGemm?: boolean;
}

export interface KernelCode extends KernelText {
  readonly kernel: Kernel;
}
