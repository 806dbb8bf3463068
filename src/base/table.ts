// A text table with aligned columns, for terminals and logs:
//
//   machine         price/h   iterations/s
//   ──────────────  ────────  ────────────
//   ml.trn1.32xl…    $24.725          6.64
//
// Cells are formatted text: callers format numbers, because they know the unit.
import { stripVTControlCharacters } from 'node:util';
import { invariant } from './errors.ts';
import { printableLine } from './printable.ts';

/** A column of a table. */
export interface Column {
  /** The title of the column. */
  readonly header: string;
  /** Right-aligned numbers. Default: left. */
  readonly align?: 'left' | 'right';
  /** Longer cells are cut with an ellipsis. */
  readonly maxWidth?: number;
}

/** Options of `formatTable`. */
export interface TableOptions {
  /** Spaces before each line. */
  readonly indent?: number;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
// Characters that are two columns wide on a terminal: East Asian scripts, full-width forms, emoji.
const wide =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\uff01-\uff60]/u;

/** The width of the text in terminal columns, without color codes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(stripVTControlCharacters(text))) width += wide.test(segment) ? 2 : 1;
  return width;
}

/** The text truncated to at most `width` columns, ending in an ellipsis if truncated (which drops colors). */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(stripVTControlCharacters(text))) {
    const next = wide.test(segment) ? 2 : 1;
    if (used + next > width - 1) break;
    kept += segment;
    used += next;
  }
  return width < 1 ? '' : `${kept}…`;
}

/** A line break inside a cell would break the table, so it becomes a space. */
const printableCell = (cell: string): string => printableLine(cell.replace(/\s*\n\s*/g, ' '));

/**
 * The table as lines joined by newlines, without trailing spaces. Every row must have one cell per column.
 * @example
 * console.log(formatTable([{ header: 'model' }, { header: 'loss', align: 'right' }], [['small', '0.51'], ['large', '0.4']]));
 * // model  loss
 * // ─────  ────
 * // small  0.51
 * // large   0.4
 */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  options: TableOptions = {},
): string {
  const cells = rows.map((row, r) => {
    invariant(
      row.length === columns.length,
      `row ${r} of a table has ${row.length} cells for ${columns.length} columns`,
    );
    return row.map((cell, c) => truncate(printableCell(cell), columns[c]!.maxWidth ?? Number.MAX_SAFE_INTEGER));
  });
  const widths = columns.map((column, c) =>
    Math.max(displayWidth(column.header), ...cells.map(row => displayWidth(row[c]!))),
  );
  const indent = ' '.repeat(options.indent ?? 0);
  const line = (texts: readonly string[]): string => {
    const padded = texts.map((cell, c) => {
      const padding = ' '.repeat(widths[c]! - displayWidth(cell));
      return columns[c]!.align === 'right' ? padding + cell : cell + padding;
    });
    return (indent + padded.join('  ')).trimEnd();
  };
  return [line(columns.map(c => c.header)), line(widths.map(w => '─'.repeat(w))), ...cells.map(line)].join('\n');
}
