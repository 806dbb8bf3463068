// Lines and marks over two axes: scaling over nodes, cost against time.

import type { Scale } from './scale.ts';
import { line, mark, n, svg, text } from './svg.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
  readonly hint: string;
  /** Drawn as an outline: does not fit. */
  readonly hollow?: boolean;
}
export interface Series {
  /** Which colour and shape. */
  readonly index: number;
  readonly points: readonly Point[];
  readonly line: 'solid' | 'dashed' | 'none';
}
export interface Axis {
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
  /** Lines across the whole chart: a deadline, a budget. */
  readonly limits?: readonly { readonly axis: 'x' | 'y'; readonly value: number; readonly label: string }[];
  /** A line behind the marks, from left to right. */
  readonly front?: readonly { readonly x: number; readonly y: number }[];
}
/** In pixels; y runs downwards. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const WIDTH = 470;
const HEIGHT = 320;
const area: Area = { left: 68, right: WIDTH - 14, top: 14, bottom: HEIGHT - 46 };

export function pointChart(chart: PointChart): string {
  const { id, title, description, x, y, series, limits = [], front = [] } = chart;
  const scale = chart.scale(area);
  const at = (p: { readonly x: number; readonly y: number }): string => `${n(scale.x.at(p.x))},${n(scale.y.at(p.y))}`;
  const { left, right, top, bottom } = area;
  const body = [
    ...scale.x.ticks.flatMap(tick => [
      line(scale.x.at(tick), top, scale.x.at(tick), bottom, 'grid'),
      text(scale.x.at(tick), bottom + 16, x.format(tick), { anchor: 'middle', className: 'tick' }),
    ]),
    ...scale.y.ticks.flatMap(tick => [
      line(left, scale.y.at(tick), right, scale.y.at(tick), 'grid'),
      text(left - 6, scale.y.at(tick) + 4, y.format(tick), { anchor: 'end', className: 'tick' }),
    ]),
    text((left + right) / 2, HEIGHT - 8, x.title, { anchor: 'middle', className: 'axis' }),
    `<text transform="translate(13 ${n((top + bottom) / 2)}) rotate(-90)" text-anchor="middle" class="axis">${y.title}</text>`,
    ...limits.flatMap(({ axis, value, label }) => {
      const place = axis === 'x' ? scale.x.at(value) : scale.y.at(value);
      const isInside = axis === 'x' ? place >= left && place <= right : place >= top && place <= bottom;
      if (!isInside) return [];
      return axis === 'x'
        ? [line(place, top, place, bottom, 'limit'), text(place + 5, bottom - 6, label, { className: 'over' })]
        : [
            line(left, place, right, place, 'limit'),
            text(right - 4, place - 5, label, { anchor: 'end', className: 'over' }),
          ];
    }),
    ...(front.length < 2 ? [] : [`<polyline points="${front.map(at).join(' ')}" class="front"/>`]),
    ...series.flatMap(({ index, points, line: style }) => [
      ...(style === 'none' || points.length < 2
        ? []
        : [`<polyline points="${points.map(at).join(' ')}" class="s${index}${style === 'dashed' ? ' dashed' : ''}"/>`]),
      ...points.map(p => mark(scale.x.at(p.x), scale.y.at(p.y), index, p.hint, p.hollow)),
    ]),
  ];
  return svg({ id, width: WIDTH, height: HEIGHT, title, description }, body);
}

/** Of points that less is better of in both: those that no other is at least as good as in both, from left to right. */
export function paretoFront<P extends { readonly x: number; readonly y: number }>(points: readonly P[]): readonly P[] {
  const front: P[] = [];
  for (const point of points.toSorted((a, b) => a.x - b.x || a.y - b.y))
    if (front.length === 0 || point.y < front.at(-1)!.y) front.push(point);
  return front;
}
