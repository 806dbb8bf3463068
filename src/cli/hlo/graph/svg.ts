// The picture of a program as SVG: boxes with text, colored by the kind of op, and curves between them.
import type { Module } from '../../../hlo/program.ts';
import { escaped } from '../../command/markup.ts';
import { layoutBoxes, metrics, type PlacedBox, type PlacedEdge, type PlacedNode } from './layout.ts';
import { graphOf } from './model.ts';
import type { NodeKind } from './picture.ts';

export interface Picture {
  readonly svg: string;
  /** The node kinds that occur in it. */
  readonly kinds: readonly NodeKind[];
  readonly width: number;
  readonly height: number;
}

/** Fill and border of nodes; black text is easy to read on all of them. */
export const colors: { readonly [K in NodeKind]: readonly [fill: string, border: string] } = {
  argument: ['#e8e8e8', '#8a8a8a'],
  result: ['#d4d4d4', '#5c5c5c'],
  elementwise: ['#fff4d6', '#d4a72c'],
  source: ['#f4f4f4', '#a0a0a0'],
  view: ['#f1eefc', '#a495dd'],
  movement: ['#e6e0fa', '#7d68cf'],
  reduction: ['#ffe3d1', '#e0823d'],
  window: ['#ffd9c9', '#d9623a'],
  contraction: ['#d6e9ff', '#3d85d8'],
  scatter: ['#fbdcec', '#cf5c9a'],
  random: ['#e0f5f0', '#3fa58b'],
  sort: ['#fae3f5', '#b86bb0'],
  control: ['#eef3f7', '#6d8799'],
  collective: ['#d9f2dc', '#43a356'],
  opaque: ['#fbe0e0', '#cc4b4b'],
};

export function drawModule(module: Module): Picture {
  const { boxes, width, height } = layoutBoxes(graphOf(module), 12);
  const kinds = new Set<NodeKind>();
  const body = boxes.map(box => drawBox(box, kinds)).join('\n');
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="11">`,
    `<title>${escaped(module.name)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    body,
    '</svg>',
    '',
  ].join('\n');
  return { svg, kinds: [...kinds], width, height };
}

const n = (value: number): string => String(Math.round(value * 10) / 10);

function drawBox(box: PlacedBox, kinds: Set<NodeKind>): string {
  return [
    `<g transform="translate(${n(box.x)} ${n(box.y)})">`,
    `<rect width="${n(box.width)}" height="${n(box.height)}" rx="6" fill="#fdfdfd" stroke="#b8b8b8"/>`,
    `<text x="${metrics.padding}" y="15" fill="#666666">${escaped(box.title)}</text>`,
    ...box.edges.map(drawEdge),
    ...box.nodes.map(node => drawNode(node, kinds)),
    '</g>',
  ].join('\n');
}

function drawNode({ node, boxes, x, y, width, height }: PlacedNode, kinds: Set<NodeKind>): string {
  kinds.add(node.kind);
  const [fill, border] = colors[node.kind];
  const line = (text: string, i: number): string => {
    const weight = i < node.titles.length ? ' font-weight="bold"' : ' fill="#444444"';
    return `<text x="${metrics.padding}" y="${metrics.line * (i + 1)}"${weight}>${escaped(text)}</text>`;
  };
  return [
    `<g class="node" data-name="${escaped(node.name)}" data-kind="${node.kind}" transform="translate(${n(x)} ${n(y)})">`,
    `<title>${escaped(node.details)}</title>`,
    `<rect width="${n(width)}" height="${n(height)}" rx="5" fill="${fill}" stroke="${border}"/>`,
    ...[...node.titles, ...node.lines].map(line),
    ...boxes.map(box => drawBox(box, kinds)),
    '</g>',
  ].join('\n');
}

/** A curve that leaves and arrives vertically, straight through the layers in between, with an arrowhead. */
function drawEdge({ points, label }: PlacedEdge): string {
  const [first, ...rest] = points;
  let [x, y] = first!;
  let path = `M${n(x)} ${n(y)}`;
  rest.forEach(([toX, toY], i) => {
    const end = i === rest.length - 1 ? toY - 5 : toY;
    const middle = (y + end) / 2;
    path +=
      Math.abs(toX - x) < 0.05 ? `V${n(end)}` : `C${n(x)} ${n(middle)} ${n(toX)} ${n(middle)} ${n(toX)} ${n(end)}`;
    [x, y] = [toX, toY];
  });
  const tip = `<path d="M${n(x - 3.5)} ${n(y - 6)}h7l-3.5 6z" fill="#7a7a7a"/>`;
  const text =
    label === '' ? '' : `<text x="${n(x + 5)}" y="${n(y - 8)}" font-size="9" fill="#777777">${escaped(label)}</text>`;
  return `<path d="${path}" fill="none" stroke="#9a9a9a"/>${tip}${text}`;
}
