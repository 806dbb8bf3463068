// Values that are other names of the memory of a value.
import type { OpName } from '../../hlo/attributes.ts';
import type { Value } from '../../hlo/program.ts';

/** Their results lie where their operands of the same number lie. */
const aliases: ReadonlySet<OpName> = new Set(['reshape', 'optimization_barrier']);

/** The operand that a value aliases; undefined for values with their own memory. */
export const aliasOf = ({ op, index }: Value): Value | undefined =>
  op !== undefined && aliases.has(op.name) ? op.operands[index] : undefined;

/** The value whose memory a value lies in. The storage root of a value that is needed in memory is itself stored. */
export function storageRootOf(value: Value): Value {
  let root = value;
  for (let v = aliasOf(root); v !== undefined; v = aliasOf(root)) root = v;
  return root;
}
