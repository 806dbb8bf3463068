// Lines and marks over two axes: scaling over nodes, cost against time.
import { html, type Markup } from '../../command/markup.ts';
import { colorOf } from './palette.ts';
import type { Scale } from './scale.ts';
import { line, mark, percent, polyline, svg, text } from './svg.ts';

export interface Point {
  readonly x: number;
  /** Undefined if unknown; such points are in the lane above the axis, named by `PointChart.lane`. */
  readonly y: number | undefined;
  readonly hint: string;
  /** Beside the mark. */
  readonly label?: string;
  /** Drawn as an outline: does not fit. */
  readonly hollow?: boolean;
}
export interface Series {
  /** Which color and shape. */
  readonly index: number;
  readonly points: readonly Point[];
  readonly line: 'solid' | 'dashed' | 'none';
}
export interface Axis {
  /** With its unit, and the kind of scale unless it is linear. */
  readonly title: string;
  readonly format: (value: number) => string;
}
export interface PointChart {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly scale: (area: Area) => { readonly x: Scale; readonly y: Scale };
  readonly series: readonly Series[];
  /** Lines across the whole chart: a deadline, a budget. The region within all of them is shaded. */
  readonly limits?: readonly { readonly axis: 'x' | 'y'; readonly value: number; readonly label: string }[];
  /** A line behind the marks, from left to right. */
  readonly front?: readonly { readonly x: number; readonly y: number }[];
  /** Name of the lane for points without a y. */
  readonly lane?: string | undefined;
  /** A ring around it. */
  readonly chosen?: Point | undefined;
}
/** In percent of the plot; y runs downwards. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The position of points without a y. */
const LANE = 94;

export function pointChart(chart: PointChart): Markup {
  const { id, title, description, x, y, series, limits = [], front = [], lane, chosen } = chart;
  const bottom = lane === undefined ? 100 : 86;
  const scale = chart.scale({ left: 0, right: 100, top: 2, bottom });
  const place = (p: { readonly x: number; readonly y: number | undefined }): { x: number; y: number } => ({
    x: scale.x.at(p.x),
    y: p.y === undefined ? LANE : scale.y.at(p.y),
  });
  const markOf = (index: number, p: Point): Markup => {
    const { x: across, y: down } = place(p);
    // To the left of marks near the right end.
    const isLate = across > 92;
    return html`${chosen === p && html`<circle cx="${percent(across)}" cy="${percent(down)}" r="11" class="ring"/>`}${mark(across, down, index, p.hollow === true, p.hint)}${p.label !== undefined && text(across, percent(down), p.label, { className: 'beside', dx: (isLate ? -1 : 1) * (chosen === p ? 13 : 9), dy: chosen === p ? -9 : -6, anchor: isLate ? 'end' : 'start' })}`;
  };
  const body = [
    region(limits, scale, bottom),
    scale.x.ticks.map((tick, i) => [
      line(scale.x.at(tick), '0', scale.x.at(tick), '100%', 'grid'),
      text(scale.x.at(tick), '100%', x.format(tick), {
        anchor: 'middle',
        dy: 17,
        className: i % 2 === 1 ? 'tick between' : 'tick',
      }),
    ]),
    scale.y.ticks.map(tick => [
      line(0, percent(scale.y.at(tick)), 100, percent(scale.y.at(tick)), 'grid'),
      text(0, percent(scale.y.at(tick)), y.format(tick), { anchor: 'end', dx: -8, dy: 4, className: 'tick' }),
    ]),
    lane !== undefined && [
      line(0, percent(bottom + 2), 100, percent(bottom + 2), 'rule'),
      text(0, percent(LANE), lane, { anchor: 'end', dx: -8, dy: 4, className: 'tick' }),
    ],
    text(0, '0', y.title, { dx: -MARGIN, dy: -14, className: 'axis' }),
    text(100, '100%', x.title, { anchor: 'end', dy: 36, className: 'axis' }),
    limits.map(({ axis, value, label }) => {
      const at = axis === 'x' ? scale.x.at(value) : scale.y.at(value);
      return axis === 'x'
        ? [
            line(at, '0', at, '100%', 'limit'),
            text(at, '0', label, { className: 'over', dy: 10, ...(at > 60 ? { dx: -5, anchor: 'end' } : { dx: 5 }) }),
          ]
        : [
            line(0, percent(at), 100, percent(at), 'limit'),
            text(100, percent(at), label, { className: 'over', dx: -4, dy: -5, anchor: 'end' }),
          ];
    }),
    front.length > 1 && polyline(front.map(place), 'front'),
    series.map(({ index, points, line: style }) => {
      const joined = points.filter(p => p.y !== undefined).map(place);
      const className = `s${colorOf(index)}${style === 'dashed' ? ' dashed' : ''}`;
      return style !== 'none' && joined.length > 1 && polyline(joined, className);
    }),
    series.map(({ index, points }) => points.map(p => markOf(index, p))),
  ];
  return svg({ id, className: 'plot', title, description }, body);
}
/** The left margin of the plot in pixels, the same as in the style sheet. */
const MARGIN = 64;

/** The area before the deadline and below the budget. */
function region(
  limits: NonNullable<PointChart['limits']>,
  scale: { x: Scale; y: Scale },
  bottom: number,
): Markup | false {
  if (limits.length === 0) return false;
  const right = limits.find(({ axis }) => axis === 'x');
  const top = limits.find(({ axis }) => axis === 'y');
  const y = top === undefined ? 0 : scale.y.at(top.value);
  return html`<rect x="0" y="${percent(y)}" width="${percent(right === undefined ? 100 : scale.x.at(right.value))}" height="${percent(bottom - y)}" class="kept"/>`;
}

/** The Pareto front, from left to right: smaller is better on both axes, and no other point is at least as good on both. */
export function paretoFront<P extends { readonly x: number; readonly y: number }>(points: readonly P[]): readonly P[] {
  const front: P[] = [];
  for (const point of points.toSorted((a, b) => a.x - b.x || a.y - b.y))
    if (front.length === 0 || point.y < front.at(-1)!.y) front.push(point);
  return front;
}
