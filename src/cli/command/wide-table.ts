// A table that fits into the terminal: the widest columns of text are cut. Elsewhere, such as in a pipe, nothing is.
import type { OutputStream } from '../../base/output-stream.ts';
import { type Column, displayWidth, formatTable } from '../../base/table.ts';

const GAP = 2;
/** A narrower column says nothing. */
const NARROWEST = 8;

export function fittingTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { columns: width }: Pick<OutputStream, 'columns'>,
): string {
  if (width === undefined) return formatTable(columns, rows);
  const widths = columns.map(({ header, maxWidth = Number.MAX_SAFE_INTEGER }, c) =>
    Math.max(displayWidth(header), ...rows.map(row => Math.min(maxWidth, displayWidth(row[c]!)))),
  );
  const total = (): number => widths.reduce((sum, one) => sum + one, GAP * (widths.length - 1));
  while (total() > width) {
    const widest = widths.reduce(
      (best, one, c) => (columns[c]!.align !== 'right' && one > (widths[best] ?? 0) ? c : best),
      -1,
    );
    if (widest < 0 || widths[widest]! <= Math.max(NARROWEST, displayWidth(columns[widest]!.header))) break;
    widths[widest]!--;
  }
  return formatTable(
    columns.map((column, c) => ({ ...column, maxWidth: widths[c]! })),
    rows,
  );
}
