// The C of a kernel: functions with a fixed signature.
//
//   static void NAME(const trenio_rt *rt, char *const *p)     p[i]: the memory of operand i
//
// NAME is written as `@` until it is known whether an equal kernel exists; if so, both layers share one function.
/** The C of a kernel. */
export interface KernelText {
  /** C with `@` for the kernel's name. */
  readonly code: string;
  /** Additional C that the unit must contain once: shared functions by name. */
  readonly helpers?: ReadonlyMap<string, string>;
  /** Instead of `code`: statements of the step function, given the operands' addresses. They may `return` an error. */
  readonly inline?: (pointers: readonly string[]) => readonly string[];
  /** Needs the prelude of the matrix multiplies. */
  readonly usesGemm?: boolean;
}
