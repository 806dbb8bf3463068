// A bar is a target value for a measurement of a benchmark. Each benchmark reports its bars with `bar`; if
// bench/main.ts started it, they are also collected there for the final table.

// Measured steps are those of machine code, from the first one on.
process.env.TRENIO_TIERS ??= 'wait';

export interface Bar {
  readonly what: string;
  /** The unit of the number: `× PyTorch eager`, `% of peak`, `ms`. */
  readonly unit: string;
  readonly measured: number;
  readonly limit: number;
  /** Whether `limit` is a minimum or a maximum. */
  readonly kind: 'at least' | 'at most';
}

export const isMet = ({ kind, measured, limit }: Bar): boolean =>
  kind === 'at least' ? measured >= limit : measured <= limit;

/** Prints the bar and reports it to bench/main.ts, if that started this benchmark. */
export function bar(stated: Bar): void {
  const { what, measured, unit, kind, limit } = stated;
  console.log(`  bar: ${what}: ${measured.toFixed(2)} ${unit}, ${kind} ${limit}: ${isMet(stated) ? 'met' : 'NOT met'}`);
  process.send?.(stated);
}

/** The bars as a table, one per line. */
export function barTable(bars: readonly Bar[]): string {
  const rows = bars.map(each => [
    each.what,
    `${each.kind} ${each.limit} ${each.unit}`,
    each.measured.toFixed(2),
    isMet(each) ? 'met' : 'NOT met',
  ]);
  const all = [['what', 'bar', 'measured', 'verdict'], ...rows];
  const widths = [0, 1, 2].map(column => Math.max(...all.map(row => row[column]!.length)));
  return all.map(row => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('   ')).join('\n');
}
