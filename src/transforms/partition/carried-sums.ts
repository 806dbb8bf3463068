// Sums that a loop carries from trip to trip: gradients over micro-batches, or of the layers of a scan. If what each trip adds
// consists of terms, so does the sum, and the terms are combined once, after the loop:
//
//   while(acc = 0) { acc + all_reduce(dot) }     ─▶     all_reduce(while(acc = 0) { acc + dot })
import type { OpOf, Value } from '../../hlo/program.ts';

/** The values that a trip adds to a carried one, or writes into it; empty if they, or the carried one, have other uses. */
export function addendsOf(
  { regions }: OpOf<'while'>,
  i: number,
  useCounts: ReadonlyMap<Value, number>,
): readonly Value[] {
  const [condition, body] = regions;
  const carried = body.args[i]!;
  const isUsedOnce = (value: Value): boolean => useCounts.get(value) === 1;
  if (useCounts.has(condition.args[i]!) || !isUsedOnce(carried)) return [];
  const pathTo = (value: Value): readonly Value[] | undefined => {
    if (value === carried) return [];
    const { op } = value;
    if (!isUsedOnce(value) || (op?.name !== 'add' && op?.name !== 'dynamic_update_slice')) return undefined;
    const [first, second] = op.operands;
    const before = pathTo(first);
    if (before !== undefined) return [...before, second];
    const after = op.name === 'add' ? pathTo(second) : undefined;
    return after && [...after, first];
  };
  const addends = pathTo(body.results[i]!) ?? [];
  return addends.every(isUsedOnce) ? addends : [];
}
