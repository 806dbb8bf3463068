// The positions in a row at which the computation of its elements changes: where guards begin or cease to hold along a loop.
import { coefficientOf, type Loop } from '../../ir/index-expr.ts';
import type { Guard, Node } from '../../ir/node.ts';

/** With more parts, or shorter ones, the overhead of the loops would dominate. */
const mostParts = 8;
const shortestPart = 16;

/** The first elements of the parts of a loop, 0 among them; undefined where it has none, or too many. */
export function partStarts(nodes: readonly Node[], loop: Loop): readonly number[] | undefined {
  const { size } = loop;
  if (typeof size !== 'number') return undefined;
  const starts = new Set([0]);
  const cut = ({ index, low, high, modulus }: Guard): void => {
    const [term] = index.terms;
    if (modulus !== undefined || index.terms.length !== 1 || term![1].kind !== 'loop') return;
    if (coefficientOf(index, loop) !== 1) return;
    if (typeof high !== 'number') return;
    for (const end of [low, high]) {
      const at = end - index.constant;
      if (at > 0 && at < size) starts.add(at);
    }
  };
  for (const n of nodes) if (n.kind === 'guarded') n.guards.forEach(cut);
  const sorted = [...starts].sort((a, b) => a - b);
  const isLong = sorted.every((start, i) => (sorted[i + 1] ?? size) - start >= shortestPart);
  return sorted.length > 1 && sorted.length <= mostParts && isLong ? sorted : undefined;
}
