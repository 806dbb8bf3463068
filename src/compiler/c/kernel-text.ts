// The C of a kernel: functions of a fixed form.
//
//   static void NAME(const trenio_rt *rt, char *const *p)     p[i]: the memory of operand i
//
// NAME is written `@` until it is known whether an equal kernel exists already; then two layers share one function.
/** The C of a kernel. */
export interface KernelText {
  /** C with `@` for the kernel's name. */
  readonly code: string;
  /** Further C that the unit must hold once: shared functions by name. */
  readonly helpers?: ReadonlyMap<string, string>;
  /** Instead of `code`: statements of the step function, given the operands' addresses. They may `return` an error. */
  readonly inline?: (pointers: readonly string[]) => readonly string[];
  /** Needs the prelude of the matrix multiplies. */
  readonly usesGemm?: boolean;
}
