// Tables with one entry for each op name. A table over a set of names (`LoweredAs<'control'>['name']`, say)
// makes the type checker require an entry when the set grows, and each entry receives its op with precise operand and attribute
// types. Code that depends on which op it has looks it up in such a table, or asks a property of its row; it compares no names
// (scripts/check-op-names.ts).
import type { OpName } from './attributes.ts';
import type { Op, OpOf } from './program.ts';

/** A function of the op for each of these names, which also takes `Rest`. */
export type PerOp<N extends OpName, Result, Rest extends readonly unknown[] = []> = {
  readonly [K in N]: (op: OpOf<K>, ...rest: Rest) => Result;
};

/** The result of the entry for the op. */
export function dispatch<N extends OpName, Result, Rest extends readonly unknown[]>(
  table: PerOp<N, Result, Rest>,
  op: Op<N>,
  ...rest: Rest
): Result {
  return (table[op.name] as (op: never, ...rest: Rest) => Result)(op as never, ...rest);
}

/** Whether a table has an entry for the op. */
export const isIn = <N extends OpName>(
  table: { readonly [K in N]: unknown },
  op: Op,
): op is Extract<Op, { readonly name: N }> => Object.hasOwn(table, op.name);

/** The same entry for each of some names. */
export const forAll = <const N extends OpName, E>(names: readonly N[], entry: E): { readonly [K in N]: E } =>
  Object.fromEntries(names.map(name => [name, entry])) as { readonly [K in N]: E };
