// Tables of the page, with a caption and headers; the first cell of a row is its name. On a narrow page each row becomes a
// card whose cells show their header; roles keep it a table for screen readers.
import { type Content, html, type Markup } from '../../command/markup.ts';

export interface Header {
  readonly name: string;
  readonly number?: boolean;
}
export interface Cell {
  readonly main: Content;
  /** Below it, smaller. */
  readonly detail?: Content;
  /** `wide`: may be many words; `short`: stays on one line where the page is wide. */
  readonly room?: 'wide' | 'layout' | 'short';
}
export interface Row {
  readonly name: Cell;
  readonly cells: readonly Cell[];
  /** Another group begins: a stronger rule above. */
  readonly begins?: boolean;
  readonly chosen?: boolean;
}
export interface Table {
  readonly caption: string;
  /** The header of the name column, then those of the cells. */
  readonly headers: readonly Header[];
  readonly rows: readonly Row[];
  /** So few columns that it stays a table on a narrow page. */
  readonly compact?: boolean;
}

export const words = (main: Content, detail?: Content): Cell => ({ main, detail });
export const wide = (main: Content): Cell => ({ main, room: 'wide' });
/** An empty cell. */
export const none: Cell = { main: '–' };

export function table({ caption, headers, rows, compact }: Table): Markup {
  const head = headers.map(
    ({ name, number }) =>
      html`<th scope="col" role="columnheader"${number === true && html` class="number"`}>${name}</th>`,
  );
  const body = rows.map(({ name, cells, begins, chosen }, i) => {
    const className = [...(begins === true && i > 0 ? ['begins'] : []), ...(chosen === true ? ['chosen'] : [])];
    return html`<tr role="row"${className.length > 0 && html` class="${className.join(' ')}"`}><th scope="row" role="rowheader">${inside(name)}</th>${cells.map((cell, c) => cellOf(cell, headers[c + 1]!))}</tr>\n`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table class="${compact === true ? 'rows' : 'rows cards'}" role="table"><caption class="unseen">${caption}</caption><thead role="rowgroup"><tr role="row">${head}</tr></thead><tbody role="rowgroup">
${body}</tbody></table></div>`;
}

function cellOf(cell: Cell, { name, number }: Header): Markup {
  const className = cell.room ?? (number === true ? 'number' : undefined);
  return html`<td role="cell"${className !== undefined && html` class="${className}"`} data-header="${name}">${inside(cell)}</td>`;
}
const inside = ({ main, detail }: Cell): Markup =>
  html`<span>${main}${detail !== undefined && html`<small>${detail}</small>`}</span>`;
