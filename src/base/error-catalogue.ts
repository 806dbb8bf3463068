// Every error a user can meet: a code, what is wrong (with the data), and what to do about it. Grouped by folder.

const row = <D>(what: (data: D) => string, fix: (data: D) => string) => ({ what, fix });

export const errorCatalogue = {
  // hlo
  INVALID_OP: row<{ op: string; constraint: string; detail: string }>(
    d => `${d.op}: ${d.detail} (${d.constraint})`,
    d =>
      `see ${d.constraint.startsWith('trenio') ? 'the op table in src/hlo' : `the StableHLO specification, constraint ${d.constraint}`}`,
  ),
  UNSUPPORTED: row<{ what: string; where: string; instead: string }>(
    d => `${d.what} is not supported by ${d.where}`,
    d => d.instead,
  ),
  // autodiff
  NOT_DIFFERENTIABLE: row<{ op: string; reason: string }>(
    d => `no gradient flows through ${d.op}: ${d.reason}`,
    () => 'stop the gradient there with detach(), or write the computation with differentiable ops',
  ),
  // compiler, runtime
  NO_C_COMPILER: row<{ tried: string }>(
    d => `no C compiler was found (tried ${d.tried})`,
    () =>
      'install one (Debian: apt-get install gcc; macOS: xcode-select --install), name one with CC=/path/to/cc, or run on the interpreter with TRENIO_BACKEND=interpreter (slow)',
  ),
  // tensor
  SHAPE_MISMATCH: row<{ op: string; left: string; right: string; detail: string }>(
    d => `${d.op}: shapes ${d.left} and ${d.right} do not fit: ${d.detail}`,
    () => 'change one of the two shapes, for example with reshape() or transpose()',
  ),
} as const;

export type ErrorCode = keyof typeof errorCatalogue;
export type ErrorData<C extends ErrorCode> = Parameters<(typeof errorCatalogue)[C]['what']>[0];
