// The layout of a picture. Boxes are laid out from the inside out: the size of an op depends on its contents.
// Unconnected parts of a box are placed next to each other, in rows, in program order.
import { componentsOf, type Layering, layered, ranksOf } from './layers.ts';
import { withReferences } from './model.ts';
import type { GraphBox, GraphEdge, GraphNode } from './picture.ts';
import { centersOf } from './positions.ts';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export interface PlacedNode extends Rectangle {
  readonly node: GraphNode;
  readonly boxes: readonly PlacedBox[];
}
export interface PlacedEdge {
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly label: string;
}
/** Coordinates within it count from its upper left corner. */
export interface PlacedBox extends Rectangle {
  readonly title: string;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

/** Pixels of the one font, of fixed width. */
export const metrics = { character: 6.7, line: 15, padding: 8, title: 20 } as const;
const gaps = { nodes: 22, layers: 34, parts: 40, boxes: 12 } as const;
/** Edges over more layers than this are written as text instead. */
const longestEdge = 6;
/** Drawings of more layers are cut into parts. */
const mostLayers = 40;

export function layoutBox(box: GraphBox): PlacedBox {
  const { nodes, edges } = withoutLongEdges(box);
  const sizes = nodes.map(node => placedNode(node));
  const ranks = ranksOf(nodes.length, edges);
  const parts = componentsOf(nodes.length, edges).map(members => partOf(members, ranks, edges, sizes));
  const placed = placedParts(parts, metrics.padding, metrics.title + metrics.padding);
  const width = Math.max(placed.width, box.title.length * metrics.character) + 2 * metrics.padding;
  const height = placed.height + metrics.title + 2 * metrics.padding;
  return { title: box.title, x: 0, y: 0, width, height, nodes: placed.nodes, edges: placed.edges };
}

/** The functions of a program, in rows. */
export function layoutBoxes(boxes: readonly GraphBox[], margin: number) {
  const placed = boxes.map(box => layoutBox(box));
  const { positions, width, height } = inRows(placed, gaps.boxes);
  return {
    boxes: placed.map((box, i) => ({ ...box, x: positions[i]!.x + margin, y: positions[i]!.y + margin })),
    width: Math.ceil(width + 2 * margin),
    height: Math.ceil(height + 2 * margin),
  };
}

/** The regions of an op, next to each other. */
function boxesInRow(boxes: readonly GraphBox[], x: number, y: number): readonly PlacedBox[] {
  let at = x;
  return boxes.map(box => {
    const placed = { ...layoutBox(box), x: at, y };
    at += placed.width + gaps.boxes;
    return placed;
  });
}

function withoutLongEdges({ nodes, edges }: GraphBox): Pick<GraphBox, 'nodes' | 'edges'> {
  const long = ranksOf(nodes.length, edges);
  const short = edges.filter(({ from, to }) => long[to]! - long[from]! <= longestEdge);
  const ranks = ranksOf(nodes.length, short);
  const cuts = cutsOf(ranks, short);
  const kept = short.filter(({ from, to }) => !cuts.some(cut => ranks[from]! <= cut && cut < ranks[to]!));
  const keeps = new Set(kept);
  return {
    nodes: withReferences(
      nodes,
      edges.filter(edge => !keeps.has(edge)),
    ),
    edges: kept,
  };
}

/** The layers after which a high drawing is cut into parts, where few edges are in the way. */
function cutsOf(ranks: readonly number[], edges: readonly GraphEdge[]): readonly number[] {
  const count = ranks.reduce((most, rank) => Math.max(most, rank + 1), 0);
  const crossing = new Array<number>(count).fill(0);
  for (const { from, to } of edges) for (let rank = ranks[from]!; rank < ranks[to]!; rank++) crossing[rank]!++;
  const cuts: number[] = [];
  for (let start = 0; count - start > mostLayers; start = cuts.at(-1)! + 1) {
    const candidates = crossing.slice(start + mostLayers / 2, start + mostLayers);
    cuts.push(start + mostLayers / 2 + candidates.indexOf(Math.min(...candidates)));
  }
  return cuts;
}

function placedNode(node: GraphNode): PlacedNode {
  const texts = [...node.titles, ...node.lines];
  const longest = Math.max(...texts.map(line => line.length));
  const text = { width: longest * metrics.character, height: texts.length * metrics.line };
  const boxes = boxesInRow(node.boxes, metrics.padding, text.height + metrics.padding);
  const last = boxes.at(-1);
  const inner = last === undefined ? 0 : last.x + last.width;
  return {
    node,
    boxes,
    x: 0,
    y: 0,
    width: Math.max(text.width + metrics.padding, inner) + metrics.padding,
    height: text.height + metrics.padding + Math.max(0, ...boxes.map(box => box.height + metrics.padding)),
  };
}

interface Part {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

/** The drawing of nodes that edges join. */
function partOf(
  members: readonly number[],
  ranks: readonly number[],
  edges: readonly GraphEdge[],
  sizes: readonly PlacedNode[],
): Part {
  const within = new Set(members);
  const mine = edges.filter(edge => within.has(edge.from));
  const layering = layered(members, ranks, mine);
  const sizeOf = (stop: number): PlacedNode | undefined => {
    const { node } = layering.stops[stop]!;
    return node === undefined ? undefined : sizes[node]!;
  };
  const widths = layering.stops.map((_, stop) => sizeOf(stop)?.width ?? 4);
  const centers = centersOf(layering, widths, gaps.nodes);
  const rows = rowsOf(layering, stop => sizeOf(stop)?.height ?? 0);
  const width = widths.reduce((most, w, stop) => Math.max(most, centers[stop]! + w / 2), 0);
  const top = (stop: number): number => rows.tops[rows.layerOf.get(stop)!]!;
  const nodes = layering.stops.flatMap((_, stop) => {
    const size = sizeOf(stop);
    return size === undefined ? [] : [{ ...size, x: centers[stop]! - size.width / 2, y: top(stop) }];
  });
  const placedEdges = layering.routes.map((route, i): PlacedEdge => {
    const points = route.flatMap((stop, k): (readonly [number, number])[] => {
      const [x, y, height] = [
        centers[stop]!,
        top(stop),
        sizeOf(stop)?.height ?? rows.heights[rows.layerOf.get(stop)!]!,
      ];
      if (k === 0) return [[x, y + height]];
      return k === route.length - 1
        ? [[x, y]]
        : [
            [x, y],
            [x, y + height],
          ];
    });
    return { points, label: mine[i]!.label };
  });
  return { nodes, edges: placedEdges, width, height: rows.height };
}

function rowsOf({ layers }: Layering, heightOf: (stop: number) => number) {
  const layerOf = new Map(layers.flatMap((layer, i) => layer.map(stop => [stop, i] as const)));
  const heights = layers.map(layer => Math.max(0, ...layer.map(heightOf)));
  const tops: number[] = [];
  let y = 0;
  for (const height of heights) {
    tops.push(y);
    y += height + gaps.layers;
  }
  return { layerOf, heights, tops, height: Math.max(0, y - gaps.layers) };
}

/** Parts in rows, at their final positions. */
function placedParts(parts: readonly Part[], left: number, top: number): Part {
  const { positions, width, height } = inRows(parts, gaps.parts);
  const nodes: PlacedNode[] = [];
  const edges: PlacedEdge[] = [];
  parts.forEach((part, i) => {
    const [dx, dy] = [left + positions[i]!.x, top + positions[i]!.y];
    for (const node of part.nodes) nodes.push({ ...node, x: node.x + dx, y: node.y + dy });
    for (const edge of part.edges)
      edges.push({ ...edge, points: edge.points.map(([px, py]) => [px + dx, py + dy] as const) });
  });
  return { nodes, edges, width, height };
}

/** Positions for things in rows, in their order, that together are somewhat wider than high. */
function inRows(sizes: readonly Pick<Rectangle, 'width' | 'height'>[], gap: number) {
  const area = sizes.reduce((sum, size) => sum + (size.width + gap) * (size.height + gap), 0);
  const widest = Math.max(1.4 * Math.sqrt(area), ...sizes.map(size => size.width));
  let [x, y, rowHeight, width] = [0, 0, 0, 0];
  const positions = sizes.map(size => {
    if (x > 0 && x + size.width > widest) [x, y, rowHeight] = [0, y + rowHeight + gap, 0];
    const place = { x, y };
    width = Math.max(width, x + size.width);
    x += size.width + gap;
    rowHeight = Math.max(rowHeight, size.height);
    return place;
  });
  return { positions, width, height: y + rowHeight };
}
