// Stacked bars lying down, one a row of the plan: memory by kind, time of a step by phase.

import { linearScale } from './scale.ts';
import { box, escaped, legend, line, svg, text } from './svg.ts';

export interface Bar {
  readonly label: string;
  /** One for each series, in its order. */
  readonly parts: readonly number[];
  /** Said after the bar: `9.1 of 16.0 GiB`. */
  readonly note: string;
  /** A line across the bar, for what it must not pass. */
  readonly limit?: { readonly value: number; readonly hint: string };
  /** Its limit is passed. */
  readonly over?: boolean;
}
export interface BarChart {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly series: readonly string[];
  readonly bars: readonly Bar[];
  readonly format: (value: number) => string;
}

const WIDTH = 960;
const ROW = 26;
const LABEL = 210;
const NOTE = 210;
const TOP = 8;

export function barChart({ id, title, description, series, bars, format }: BarChart): string {
  const sum = (bar: Bar): number => bar.parts.reduce((all, part) => all + part, 0);
  const most = Math.max(0, ...bars.map(bar => Math.max(sum(bar), bar.limit?.value ?? 0)));
  const bottom = TOP + bars.length * ROW;
  const { at, ticks } = linearScale(most, LABEL, WIDTH - NOTE);
  const body = [
    ...ticks.flatMap(tick => [
      line(at(tick), TOP, at(tick), bottom, 'grid'),
      text(at(tick), bottom + 16, format(tick), { anchor: 'middle', className: 'tick' }),
    ]),
    ...bars.flatMap((bar, i) => {
      const y = TOP + i * ROW;
      let before = 0;
      const parts = bar.parts.map((part, s) => {
        const start = before;
        before += part;
        return part === 0
          ? ''
          : box(at(start), y + 4, at(before) - at(start), ROW - 8, s, `${bar.label}, ${series[s]}: ${format(part)}`);
      });
      const limit =
        bar.limit === undefined
          ? ''
          : `<path d="M${at(bar.limit.value).toFixed(1)},${y + 1}v${ROW - 2}" class="limit"><title>${escaped(bar.limit.hint)}</title></path>`;
      const end = Math.max(at(before), bar.limit === undefined ? 0 : at(bar.limit.value));
      return [
        text(LABEL - 8, y + ROW / 2 + 4, bar.label, { anchor: 'end' }),
        ...parts,
        limit,
        text(end + 8, y + ROW / 2 + 4, bar.note, { className: bar.over === true ? 'over' : 'note' }),
      ];
    }),
  ];
  const used = new Set(series.filter((_, s) => bars.some(bar => bar.parts[s]! > 0)));
  return `${legend(series, name => used.has(name))}\n${svg({ id, width: WIDTH, height: bottom + 24, title, description }, body)}`;
}
