// Chains of elementwise ops, each used only by the next one, as one node with several lines.
import type { GraphBox, GraphEdge, GraphNode } from './picture.ts';

/** The longest chain that is one node. */
const longestChain = 6;

export function chained({ title, nodes, edges }: GraphBox): GraphBox {
  const [into, outOf] = [count(edges, 'to'), count(edges, 'from')];
  // The node that each one becomes part of: the first of its chain.
  const head = nodes.map((_, i) => i);
  const length = nodes.map(() => 1);
  for (const { from, to } of edges.toSorted((a, b) => a.to - b.to)) {
    const [first, second] = [nodes[from]!, nodes[to]!];
    if (first.kind !== 'elementwise' || second.kind !== 'elementwise') continue;
    if (outOf.get(from) !== 1 || into.get(to) !== 1 || first.lines[0] !== second.lines[0]) continue;
    if (length[head[from]!]! === longestChain) continue;
    head[to] = head[from]!;
    length[head[to]!]!++;
  }
  const members = new Map<number, number[]>();
  head.forEach((at, i) => {
    members.set(at, [...(members.get(at) ?? []), i]);
  });
  const kept = [...members.keys()];
  const place = new Map(kept.map((at, i) => [at, i]));
  return {
    title,
    nodes: kept.map(at => merged(members.get(at)!.map(i => nodes[i]!))),
    edges: edges
      .filter(({ from, to }) => head[from] !== head[to])
      .map(edge => ({ ...edge, from: place.get(head[edge.from]!)!, to: place.get(head[edge.to]!)! })),
  };
}

function count(edges: readonly GraphEdge[], end: 'from' | 'to'): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const edge of edges) counts.set(edge[end], (counts.get(edge[end]) ?? 0) + 1);
  return counts;
}

/** The chain is named after its last op, because others use that. */
function merged(nodes: readonly GraphNode[]): GraphNode {
  const last = nodes.at(-1)!;
  if (nodes.length === 1) return last;
  const [type] = last.lines;
  return {
    ...last,
    titles: nodes.flatMap(node => node.titles),
    lines: [...(type === undefined ? [] : [type]), ...nodes.flatMap(node => node.lines.slice(1))],
    details: nodes.map(node => node.details).join('\n'),
  };
}
