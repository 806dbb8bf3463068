// Values that are aliases of other values in memory.
import type { OpName } from '../../hlo/attributes.ts';
import type { Value } from '../../hlo/program.ts';

/** Each result shares memory with the operand of the same index. */
const aliases: ReadonlySet<OpName> = new Set(['reshape', 'optimization_barrier']);

/** The operand that a value aliases; undefined for values with their own memory. */
export const aliasOf = ({ op, index }: Value): Value | undefined =>
  op !== undefined && aliases.has(op.name) ? op.operands[index] : undefined;

/** The value that owns the memory of a value. The storage root of a value that is needed in memory is itself stored. */
export function storageRootOf(value: Value): Value {
  let root = value;
  for (let v = aliasOf(root); v !== undefined; v = aliasOf(root)) root = v;
  return root;
}
