// `trenio hlo cost`
import { formatTable } from '../../base/table.ts';
import { formatBytes } from '../../base/units.ts';
import { costOfModule, type OpCost } from '../../hlo/cost.ts';
import type { CliContext } from '../command/command.ts';
import type { costOptions, Input } from './hlo-options.ts';
import { readProgram, withEntry } from './programs.ts';

const name = 'hlo cost';

export async function priceProgram(
  { options, positionals: [file] }: Input<typeof costOptions>,
  { stdout, cwd }: CliContext,
): Promise<number> {
  const { total, byOp } = costOfModule(withEntry(await readProgram(cwd, file!), name, options.function));
  if (options.json) {
    stdout.write(`${JSON.stringify({ total, byOp: Object.fromEntries(byOp) })}\n`);
    return 0;
  }
  const dearest = [...byOp].toSorted(([, a], [, b]) => workOf(b) - workOf(a));
  const table = formatTable(
    [
      { header: 'op' },
      { header: 'count', align: 'right' },
      { header: 'FLOPs', align: 'right' },
      { header: 'transcendentals', align: 'right' },
      { header: 'read', align: 'right' },
      { header: 'written', align: 'right' },
      { header: 'intensity', align: 'right' },
    ],
    [...dearest.map(([op, cost]) => rowOf(op, cost)), rowOf('total', total)],
  );
  stdout.write(`${table}\n`);
  return 0;
}

const workOf = ({ flops, transcendentals, bytesRead, bytesWritten }: OpCost): number =>
  flops + transcendentals + bytesRead + bytesWritten;

function rowOf(op: string, { count, flops, transcendentals, bytesRead, bytesWritten }: OpCost): readonly string[] {
  const bytes = bytesRead + bytesWritten;
  const intensity = bytes === 0 || flops === 0 ? '-' : (flops / bytes).toPrecision(3);
  return [
    op,
    `${count}`,
    amount(flops),
    amount(transcendentals),
    formatBytes(bytesRead),
    formatBytes(bytesWritten),
    intensity,
  ];
}

/** Exact below a million: `512`, `1.34 G`. */
function amount(value: number): string {
  if (value === 0) return '-';
  if (value < 1e6) return `${value}`;
  const prefixes = ['M', 'G', 'T', 'P', 'E'];
  const step = Math.min(Math.floor(Math.log10(value) / 3) - 2, prefixes.length - 1);
  return `${(value / 10 ** (3 * step + 6)).toFixed(2)} ${prefixes[step]}`;
}
