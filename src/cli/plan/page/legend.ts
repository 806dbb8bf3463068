// The legend of a chart: colors, shapes and lines.
import { html, type Markup } from '../../command/markup.ts';
import { colorOf } from './palette.ts';
import { shape } from './svg.ts';

const list = (items: readonly Markup[]): Markup => html`<ul class="legend">${items}</ul>`;
const swatch = (drawn: Markup): Markup => html`<svg class="swatch" aria-hidden="true">${drawn}</svg>`;
const item = (drawn: Markup, name: string): Markup => html`<li>${swatch(drawn)}${name}</li>`;

/** Names of stacked parts; `used` keeps those that are in the picture. */
export const partLegend = (names: readonly string[], used: (name: string) => boolean): Markup =>
  list(
    names.flatMap((name, i) =>
      used(name) ? [item(html`<rect x="1" y="2" width="12" height="12" rx="2" class="f${colorOf(i)}"/>`, name)] : [],
    ),
  );

export interface MarkLegend {
  readonly names: readonly string[];
  readonly lines?: readonly { readonly className: string; readonly name: string }[];
  readonly hollow: boolean;
}
const centered = (drawn: Markup): Markup => html`<g transform="translate(7 8)">${drawn}</g>`;
export const markLegend = ({ names, lines = [], hollow }: MarkLegend): Markup =>
  list([
    ...names.map((name, i) => item(centered(shape(i, false)), name)),
    ...lines.map(({ className, name }) => item(html`<line x1="0" y1="8" x2="14" y2="8" class="${className}"/>`, name)),
    ...(hollow ? [item(centered(html`<circle r="5" class="outline"/>`), 'outline: does not fit in memory')] : []),
  ]);
