// Layered drawing of a directed graph without cycles (Sugiyama, Tagawa and Toda, 1981): nodes into layers, so that edges
// go down; edges over several layers get a stop in each; the order within the layers is chosen so that few edges cross.

export interface Link {
  readonly from: number;
  readonly to: number;
}
/** A place in a layer: a node, or a stop of an edge on its way. */
export interface Stop {
  /** Undefined for a stop of an edge. */
  readonly node: number | undefined;
  readonly above: number[];
  readonly below: number[];
}
export interface Layering {
  readonly stops: readonly Stop[];
  /** Stops of each layer, from left to right. */
  readonly layers: readonly (readonly number[])[];
  /** For each edge the stops it goes through, from its source to its target. */
  readonly routes: readonly (readonly number[])[];
}

const sweeps = 12;

/** The layer of each node: below all it comes from. Nodes that come from nothing are just above the first that use them. */
export function ranksOf(count: number, links: readonly Link[]): readonly number[] {
  const ranks = new Array<number>(count).fill(0);
  // Nodes are in program order: every edge goes to a later one.
  const sorted = links.toSorted((a, b) => a.to - b.to);
  for (const { from, to } of sorted) ranks[to] = Math.max(ranks[to]!, ranks[from]! + 1);
  const hasSource = new Set(links.map(link => link.to));
  const firstUse = new Map<number, number>();
  for (const { from, to } of links) firstUse.set(from, Math.min(firstUse.get(from) ?? Infinity, ranks[to]!));
  for (const [node, use] of firstUse) if (!hasSource.has(node)) ranks[node] = use - 1;
  return ranks;
}

/** Sets of nodes that no edge joins, each in order. */
export function componentsOf(count: number, links: readonly Link[]): readonly (readonly number[])[] {
  const parent = Array.from({ length: count }, (_, i) => i);
  const root = (i: number): number => {
    let at = i;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!;
      at = parent[at]!;
    }
    return at;
  };
  for (const { from, to } of links) parent[root(to)] = root(from);
  const groups = new Map<number, number[]>();
  for (let i = 0; i < count; i++) groups.set(root(i), [...(groups.get(root(i)) ?? []), i]);
  return [...groups.values()];
}

/** Layers of some nodes, given the rank of each and the edges among them. */
export function layered(nodes: readonly number[], ranks: readonly number[], links: readonly Link[]): Layering {
  const stops: Stop[] = [];
  const layers: number[][] = [];
  const place = (node: number | undefined, rank: number): number => {
    const stop = stops.push({ node, above: [], below: [] }) - 1;
    layers[rank] = [...(layers[rank] ?? []), stop];
    return stop;
  };
  const first = nodes.reduce((least, n) => Math.min(least, ranks[n]!), Infinity);
  const stopOf = new Map(nodes.map(n => [n, place(n, ranks[n]! - first)]));
  const routes = links.map(({ from, to }) => {
    const route = [stopOf.get(from)!];
    for (let rank = ranks[from]! + 1; rank < ranks[to]!; rank++) route.push(place(undefined, rank - first));
    route.push(stopOf.get(to)!);
    for (let i = 1; i < route.length; i++) {
      stops[route[i - 1]!]!.below.push(route[i]!);
      stops[route[i]!]!.above.push(route[i - 1]!);
    }
    return route;
  });
  return { stops, layers: ordered(stops, layers), routes };
}

/** Moves each stop to the middle of its neighbors in the layer above, then below, a few times; keeps the best order. */
function ordered(stops: readonly Stop[], layers: readonly number[][]): readonly (readonly number[])[] {
  const filled = Array.from(layers, layer => layer ?? []);
  const at = new Map<number, number>();
  const index = (layer: readonly number[]): void => layer.forEach((stop, i) => void at.set(stop, i));
  filled.forEach(index);
  let best = filled.map(layer => [...layer]);
  let least = crossings(stops, best, at);
  for (let sweep = 0; sweep < sweeps && least > 0; sweep++) {
    const down = sweep % 2 === 0;
    for (let i = 1; i < filled.length; i++) {
      const layer = filled[down ? i : filled.length - 1 - i]!;
      const middle = new Map(layer.map(stop => [stop, middleOf(down ? stops[stop]!.above : stops[stop]!.below, at)]));
      const before = new Map(layer.map((stop, k) => [stop, k]));
      layer.sort((a, b) => (middle.get(a) ?? before.get(a)!) - (middle.get(b) ?? before.get(b)!));
      index(layer);
    }
    const count = crossings(stops, filled, at);
    if (count < least) [least, best] = [count, filled.map(layer => [...layer])];
  }
  return best;
}

function middleOf(neighbors: readonly number[], at: ReadonlyMap<number, number>): number | undefined {
  if (neighbors.length === 0) return undefined;
  return neighbors.reduce((sum, n) => sum + at.get(n)!, 0) / neighbors.length;
}

/** How many pairs of edges cross: inversions among the lower ends, counted layer by layer. */
function crossings(
  stops: readonly Stop[],
  layers: readonly (readonly number[])[],
  at: ReadonlyMap<number, number>,
): number {
  let count = 0;
  layers.forEach((layer, rank) => {
    const ends = layer.flatMap(stop => stops[stop]!.below.map(n => at.get(n)!).toSorted((a, b) => a - b));
    // A Fenwick tree over the positions of the next layer.
    const tree = new Array<number>((layers[rank + 1]?.length ?? 0) + 1).fill(0);
    ends.forEach((end, seen) => {
      let notAfter = 0;
      for (let i = end + 1; i > 0; i -= i & -i) notAfter += tree[i]!;
      count += seen - notAfter;
      for (let i = end + 1; i < tree.length; i += i & -i) tree[i]!++;
    });
  });
  return count;
}
