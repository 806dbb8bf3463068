// A bar is a number that must be reached, measured in the run that prints it. Each bench states its own with `bar`; where
// bench/main.ts started it, the bar goes there too, for the table at the end.
export interface Bar {
  readonly what: string;
  /** Of what the number is: `× PyTorch eager`, `% of peak`, `ms`. */
  readonly unit: string;
  readonly measured: number;
  readonly limit: number;
  /** Whether `limit` is the least or the most that is allowed. */
  readonly kind: 'at least' | 'at most';
}

export const isMet = ({ kind, measured, limit }: Bar): boolean =>
  kind === 'at least' ? measured >= limit : measured <= limit;

/** Prints the bar and hands it to whoever started this bench. */
export function bar(stated: Bar): void {
  const { what, measured, unit, kind, limit } = stated;
  console.log(`  bar: ${what}: ${measured.toFixed(2)} ${unit}, ${kind} ${limit}: ${isMet(stated) ? 'met' : 'NOT met'}`);
  process.send?.(stated);
}

/** The bars as a table, one a line. */
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
