// The cheapest moves from one layout to another, if all dims divide evenly: a shortest path over layouts, where each move costs
// the elements that a device sends.
//
//   slice        0                      a dim is divided further, also one that gives the axes on later
//   permute      a part                 parts of the same size, of other devices: to where suffixes of dims remain to be moved
//   exchange     a part · (1 - 1/n)     the last axes of a dim become the last ones of another
//   gather       a part · (n - 1)       the last axes of a dim are given up
import type { Mesh } from '../../hlo/sharding/mesh.ts';
import { arrangement } from './arrangement.ts';
import { type Axes, sameAxis, sizeOfAxes } from './axes.ts';
import { type Layout, sameLayout } from './layout.ts';

/** A move to a layout; `from` and `count`: the dim whose last axes move. */
export type Move =
  | { readonly kind: 'slice' | 'permute'; readonly to: Layout }
  | { readonly kind: 'exchange' | 'gather'; readonly to: Layout; readonly from: number; readonly count: number };

interface Site {
  readonly shape: readonly number[];
  sizeOf(axes: Axes): number;
}
interface Reached {
  readonly layout: Layout;
  readonly cost: number;
  readonly moves: readonly Move[];
}
/** Searches that are larger take too long for what they save. */
const maxVisited = 2000;

/** For each mesh: the layers of a model make the same moves. */
const known = new WeakMap<Mesh, Map<string, readonly Move[] | undefined>>();

/** Undefined if none are found in time. */
export function cheapestMoves(
  now: Layout,
  to: Layout,
  shape: readonly number[],
  mesh: Mesh,
): readonly Move[] | undefined {
  const ofMesh = known.get(mesh) ?? new Map<string, readonly Move[] | undefined>();
  known.set(mesh, ofMesh);
  const key = JSON.stringify([now, to, shape]);
  if (!ofMesh.has(key)) ofMesh.set(key, search(now, to, { shape, sizeOf: axes => sizeOfAxes(axes, mesh) }));
  return ofMesh.get(key);
}
function search(now: Layout, to: Layout, site: Site): readonly Move[] | undefined {
  const keyOf = (layout: Layout): string => JSON.stringify(layout);
  /** The cheapest is the last one. */
  const waiting: Reached[] = [{ layout: now, cost: 0, moves: [] }];
  const add = (reached: Reached): void => {
    let [low, high] = [0, waiting.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(reached, waiting[middle]!)) low = middle + 1;
      else high = middle;
    }
    waiting.splice(low, 0, reached);
  };
  const visited = new Set<string>();
  /** The cheapest way to each layout so far. */
  const ways = new Map<string, Reached>();
  while (waiting.length > 0 && visited.size < maxVisited) {
    const best = waiting.pop()!;
    if (sameLayout(best.layout, to)) return best.moves;
    const key = keyOf(best.layout);
    if (visited.has(key)) continue;
    visited.add(key);
    for (const { move, cost } of movesFrom(best.layout, to, site)) {
      const key = keyOf(move.to);
      const reached = { layout: move.to, cost: best.cost + cost, moves: [...best.moves, move] };
      const before = ways.get(key);
      if (before !== undefined && !isBefore(reached, before)) continue;
      ways.set(key, reached);
      add(reached);
    }
  }
  return undefined;
}
const isBefore = (a: Reached, b: Reached): boolean =>
  a.cost < b.cost || (a.cost === b.cost && a.moves.length < b.moves.length);

function movesFrom(
  now: Layout,
  to: Layout,
  { shape, sizeOf }: Site,
): readonly { readonly move: Move; readonly cost: number }[] {
  const part = shape.reduce((product, size) => product * size, 1) / sizeOf(now.flat());
  const fits = (dim: number, axes: Axes): boolean => shape[dim]! % sizeOf(axes) === 0;
  const free = to.flat().filter(axis => !now.flat().some(other => sameAxis(axis, other)));
  const found: { move: Move; cost: number }[] = [];
  for (const [dim, axes] of now.entries()) {
    for (const axis of free)
      if (fits(dim, [...axes, axis]))
        found.push({ move: { kind: 'slice', to: now.with(dim, [...axes, axis]) }, cost: 0 });
    for (let count = 1; count <= axes.length; count++) {
      const [kept, moved] = [axes.slice(0, -count), axes.slice(-count)];
      const parts = sizeOf(moved);
      const without = now.with(dim, kept);
      found.push({ move: { kind: 'gather', to: without, from: dim, count }, cost: part * (parts - 1) });
      for (const [other, its] of now.entries())
        if (other !== dim && fits(other, [...its, ...moved]))
          found.push({
            move: { kind: 'exchange', to: without.with(other, [...its, ...moved]), from: dim, count },
            cost: part * (1 - 1 / parts),
          });
    }
  }
  const arranged = arrangement(now, to, sizeOf);
  if (arranged !== undefined && !sameLayout(arranged, now))
    found.push({ move: { kind: 'permute', to: arranged }, cost: part });
  return found;
}
