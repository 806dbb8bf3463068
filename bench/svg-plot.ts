// Line plots as SVG, for docs/images: panels side by side over one legend. Readable on light and dark pages (the picture has
// its own background and follows the reader's color scheme) and without colors (lines differ in their dashes). Not for
// millions of points: every point is written.
import { invariant } from '../src/base/errors.ts';

export interface Series {
  readonly name: string;
  /** Text after the name in the legend, such as the last value. */
  readonly note?: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}
/** A horizontal line at `y`, with a label at its right end. */
export interface Level {
  readonly y: number;
  readonly label: string;
}
export interface Panel {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** In the order of the legend; a series may have no points in a panel. */
  readonly series: readonly Series[];
  /** The range of the y axis; by default, that of the data. */
  readonly range?: readonly [low: number, high: number];
  readonly levels?: readonly Level[];
  /** A shaded range of y, such as the spread of a measurement. */
  readonly band?: { readonly low: number; readonly high: number; readonly label: string };
}
export interface Plot {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** A line's color on light and dark backgrounds (Okabe and Ito, safe for color-blind readers), and its dashes. */
const styles = [
  ['#222222', '#eeeeee', ''],
  ['#0072b2', '#56b4e9', ''],
  ['#d55e00', '#ff8c42', ''],
  ['#009e73', '#2fd3a5', '7 4'],
  ['#aa4499', '#e58fd0', '2 3'],
  ['#8a6d00', '#e6c13c', '9 3 2 3'],
  ['#5b5bd6', '#a5a5ff', '4 4'],
] as const;

const panelWidth = 430;
const plotHeight = 250;
const margin = { left: 62, right: 18, top: 58, bottom: 48 };
const legendRow = 19;

/** The plot as an SVG document. At most seven series. */
export function svgPlot({ title, panels }: Plot): string {
  const names = panels[0]!.series;
  invariant(names.length <= styles.length, `${names.length} series, and ${styles.length} styles of lines`);
  const legendTop = margin.top + plotHeight + margin.bottom + 16;
  const width = panels.length * panelWidth;
  const height = legendTop + names.length * legendRow + 4;
  const legend = names.map((series, i) => {
    const x = margin.left;
    const y = legendTop + i * legendRow;
    return `<path class="line s${i}" d="M${x} ${y - 4}h28"/><text x="${x + 36}" y="${y}">${escaped(series.name)}${
      series.note === undefined ? '' : ` <tspan class="note">${escaped(series.note)}</tspan>`
    }</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<style>${css()}</style>`,
    `<rect class="ground" width="${width}" height="${height}" rx="6"/>`,
    `<text class="title" x="${margin.left}" y="24">${escaped(title)}</text>`,
    ...panels.map((panel, i) => panelSvg(panel, i)),
    ...legend,
    '</svg>',
    '',
  ].join('\n');
}

function css(): string {
  const stroke = (dark: 0 | 1): string => styles.map((style, i) => `.s${i}{stroke:${style[dark]}}`).join('');
  const dashes = styles.map(([, , dash], i) => (dash === '' ? '' : `.s${i}{stroke-dasharray:${dash}}`)).join('');
  return [
    'text{font:12px system-ui,sans-serif;fill:#333}.title{font-weight:600;font-size:14px}.note,.tick,.level{fill:#666}',
    '.ground{fill:#fff}.grid{stroke:#e3e3e3}.axis{stroke:#999}.rule{stroke:#666;stroke-dasharray:3 3}.band{fill:#8883}',
    `.line{fill:none;stroke-width:1.8;stroke-linejoin:round}${stroke(0)}${dashes}`,
    '@media(prefers-color-scheme:dark){text{fill:#ddd}.note,.tick,.level{fill:#aaa}.ground{fill:#161b22}.grid{stroke:#30363d}',
    `.axis{stroke:#777}.rule{stroke:#aaa}${stroke(1)}}`,
  ].join('');
}

function panelSvg(panel: Panel, index: number): string {
  const { series, levels = [], band } = panel;
  const points = series.flatMap(each => each.points);
  const xs = extent(points.map(([x]) => x));
  const shown = [...points.map(([, y]) => y), ...levels.map(level => level.y), ...(band ? [band.low, band.high] : [])];
  const [low, high] = panel.range ?? extent(shown);
  const [left, right] = [index * panelWidth + margin.left, (index + 1) * panelWidth - margin.right];
  const [top, bottom] = [margin.top, margin.top + plotHeight];
  const x = (value: number): number => round(left + ((value - xs[0]) / (xs[1] - xs[0])) * (right - left));
  const y = (value: number): number => round(bottom - ((value - low) / (high - low)) * plotHeight);
  const clip = `clip${index}`;
  return [
    `<clipPath id="${clip}"><rect x="${left}" y="${top}" width="${right - left}" height="${plotHeight}"/></clipPath>`,
    `<text x="${left}" y="${top - 10}">${escaped(panel.title)}</text>`,
    ...ticks(low, high).map(
      t =>
        `<path class="grid" d="M${left} ${y(t)}H${right}"/><text class="tick" text-anchor="end" x="${left - 6}" y="${y(t) + 4}">${t}</text>`,
    ),
    ...ticks(...xs).map(
      t =>
        `<path class="axis" d="M${x(t)} ${bottom}v4"/><text class="tick" text-anchor="middle" x="${x(t)}" y="${bottom + 18}">${t}</text>`,
    ),
    `<path class="axis" fill="none" d="M${left} ${top}V${bottom}H${right}"/>`,
    `<text text-anchor="middle" x="${(left + right) / 2}" y="${bottom + 38}">${escaped(panel.xLabel)}</text>`,
    `<text text-anchor="middle" transform="translate(${left - 46} ${(top + bottom) / 2}) rotate(-90)">${escaped(panel.yLabel)}</text>`,
    `<g clip-path="url(#${clip})">`,
    ...(band
      ? [
          `<rect class="band" x="${left}" y="${y(band.high)}" width="${right - left}" height="${round(y(band.low) - y(band.high))}"/>`,
        ]
      : []),
    ...levels.map(level => `<path class="rule" d="M${left} ${y(level.y)}H${right}"/>`),
    ...series.map((each, i) =>
      each.points.length === 0
        ? ''
        : `<path class="line s${i}" d="M${each.points.map(([px, py]) => `${x(px)} ${y(py)}`).join('L')}"/>`,
    ),
    '</g>',
    ...levels.map(
      level =>
        `<text class="level" text-anchor="end" x="${right - 4}" y="${y(level.y) - 4}">${escaped(level.label)}</text>`,
    ),
    ...(band
      ? [`<text class="level" x="${left + 6}" y="${y(Math.min(band.high, high)) + 14}">${escaped(band.label)}</text>`]
      : []),
  ]
    .filter(line => line !== '')
    .join('\n');
}

function extent(values: readonly number[]): [low: number, high: number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return high > low ? [low, high] : [low - 1, low + 1];
}

/** Four to eight ticks from `low` to `high`. */
function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find(factor => factor * power >= rough * 0.8) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(10)));
}

const round = (value: number): number => Math.round(value * 10) / 10;
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
