// Where the axes of a layout should be before any of them is gathered or moves to another dim, so that what remains are
// suffixes of dims. Each dim keeps its number of parts, so that one permutation of the devices' parts leads there:
//
//   [{a, b}, {}] ─▶ [{b}, {}]          [{b, a}, {}], then a is gathered
//   [{c}, {b, a}] ─▶ [{b}, {c, a}]     [{b, a}, {c}], then a moves; c = 4, a = b = 2
import type { AxisRef } from '../../hlo/sharding/mesh.ts';
import { type Axes, sameAxis } from './axes.ts';
import type { Layout } from './layout.ts';

type SizeOf = (axes: Axes) => number;
const includes = (axes: Axes, axis: AxisRef): boolean => axes.some(other => sameAxis(axis, other));

/** Undefined if the axes cannot be distributed so. */
export function arrangement(now: Layout, to: Layout, sizeOf: SizeOf): Layout | undefined {
  const prefixes = now.map((axes, d) => longestPrefix(to[d]!, sizeOf(axes), sizeOf));
  const others = now.flat().filter(axis => !includes(prefixes.flat(), axis));
  const rests = now.map((axes, d) => sizeOf(axes) / sizeOf(prefixes[d]!));
  const chosen = distribute(rests, now, others, sizeOf);
  // Axes that another dim needs come last, in its order.
  const needed = to.flatMap((axes, d) => axes.slice(prefixes[d]!.length));
  const rank = (axis: AxisRef): number => needed.findIndex(other => sameAxis(axis, other));
  return chosen?.map((axes, d) => [...prefixes[d]!, ...[...axes].sort((a, b) => rank(a) - rank(b))]);
}

/** The most leading axes of a target that a dim with some parts can have. */
function longestPrefix(target: Axes, parts: number, sizeOf: SizeOf): Axes {
  let end = 0;
  while (end < target.length && parts % sizeOf(target.slice(0, end + 1)) === 0) end++;
  return target.slice(0, end);
}

/** Axes for each dim whose sizes make up the rest of its parts, its own first; the parts of others are equal then. */
function distribute(rests: readonly number[], now: Layout, axes: Axes, sizeOf: SizeOf): readonly Axes[] | undefined {
  const d = rests.findIndex(rest => rest > 1);
  if (d < 0) return rests.map(() => []);
  const own = axes.filter(axis => includes(now[d]!, axis));
  for (const axis of [...own, ...axes.filter(other => !own.includes(other))]) {
    if (rests[d]! % sizeOf([axis]) !== 0) continue;
    const left = axes.filter(other => other !== axis);
    const found = distribute(rests.with(d, rests[d]! / sizeOf([axis])), now, left, sizeOf);
    if (found !== undefined) return found.with(d, [axis, ...found[d]!]);
  }
  return undefined;
}
