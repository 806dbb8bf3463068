// Charts with one row per item are tables: a name, one or two pictures, a note. Screen readers read the names and
// notes like any table; on a narrow page, name and note are above their pictures.
import { type Content, html, type Markup } from '../../command/markup.ts';
import { line, percent, svg, text } from './svg.ts';

export interface Axis {
  /** In percent of the picture. */
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
}
export interface Panel {
  readonly header: string;
  readonly axis: Axis;
  /** A share of the space that the pictures of a row have together. */
  readonly width?: 'narrow' | undefined;
}
export interface ChartRow {
  readonly name: string;
  /** One for each panel. */
  readonly pictures: readonly { readonly description: string; readonly body: Content }[];
  readonly note: Content;
  /** A rule above it: another machine begins. */
  readonly begins?: boolean;
}
export interface ChartTable {
  readonly id: string;
  readonly caption: string;
  readonly nameHeader: string;
  readonly panels: readonly Panel[];
  readonly noteHeader: string;
  readonly rows: readonly ChartRow[];
}

export function chartTable({ id, caption, nameHeader, panels, noteHeader, rows }: ChartTable): Markup {
  const columns = panels.map(panel => html`<col class="${panel.width ?? 'panel'}">`);
  const headers = panels.map(panel => html`<th scope="col" role="columnheader" class="panel">${panel.header}</th>`);
  const body = rows.map(
    (row, i) =>
      html`<tr role="row"${row.begins === true && i > 0 && html` class="begins"`}><th scope="row" role="rowheader">${row.name}</th>${row.pictures.map(
        ({ description, body: drawn }, p) =>
          html`<td role="cell" class="panel">${svg({ id: `${id}-${i}-${p}`, className: 'track', title: `${row.name}, ${panels[p]!.header}`, description }, [gridOf(panels[p]!.axis), drawn])}</td>`,
      )}<td role="cell" class="note">${row.note}</td></tr>\n`,
  );
  const axes = panels.map(
    ({ axis, header }) => html`<td class="panel">${axisOf(axis)}<small class="axis-name">${header}</small></td>`,
  );
  return html`<table class="chart" role="table"><caption>${caption}</caption><colgroup><col class="name">${columns}<col class="notes"></colgroup>
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">${nameHeader}</th>${headers}<th scope="col" role="columnheader" class="note">${noteHeader}</th></tr></thead>
<tbody role="rowgroup">
${body}</tbody>
<tfoot aria-hidden="true"><tr><td></td>${axes}<td></td></tr></tfoot></table>`;
}

const gridOf = ({ ticks }: Axis): readonly Markup[] => ticks.map(({ at }) => line(at, '0', at, '100%', 'grid'));

function axisOf({ ticks }: Axis): Markup {
  const labels = ticks.map(({ at, label }, i) => {
    // A label that would stick out at an end is aligned with that end.
    const anchor = at < 1 ? 'start' : at > 99 ? 'end' : 'middle';
    return text(at, '13', label, { anchor, className: i % 2 === 1 ? 'tick between' : 'tick' });
  });
  return html`<svg class="track">${labels}</svg>`;
}

export interface Segment {
  readonly series: number;
  readonly hint: string;
  readonly value: number;
}
/** In percent: on a bar of 300 pixels still more than one. */
const LEAST = 0.5;

/**
 * Stacked boxes whose values together take `extent` percent. Each is wide enough to be visible, at the expense of the larger
 * ones.
 */
export function stack(segments: readonly Segment[], extent: number, className: (series: number) => string): Markup {
  const shown = segments.filter(({ value }) => value > 0);
  const widths = visibleWidths(
    shown.map(({ value }) => value),
    extent,
  );
  let x = 0;
  return html`${shown.map(({ series, hint }, i) => {
    const drawn = html`<rect x="${percent(x)}" y="3" width="${percent(widths[i]!)}" height="16" class="${className(series)}"><title>${hint}</title></rect>`;
    x += widths[i]!;
    return drawn;
  })}`;
}

/** In proportion to the values, with a sum of `extent`, each at least `LEAST` if there is room. */
export function visibleWidths(values: readonly number[], extent: number): readonly number[] {
  const all = values.reduce((sum, value) => sum + value, 0);
  const least = Math.min(LEAST, extent / Math.max(1, values.length));
  const isSmall = (value: number): boolean => (value / all) * extent < least;
  const small = values.filter(isSmall);
  const rest = all - small.reduce((sum, value) => sum + value, 0);
  return values.map(value => (isSmall(value) ? least : (value / rest) * (extent - least * small.length)));
}
