// The screen of `trenio top` as lines, from the readings and the user's selections. Narrow terminals get fewer columns.
import { basename } from 'node:path';
import { printableLine } from '../../base/printable.ts';
import { displayWidth, truncate } from '../../base/table.ts';
import { formatBytes, formatDuration } from '../../base/units.ts';
import { type HostReading, type ObservedProcess, type Rates, ratesOf, type Sample } from '../../observe/index.ts';
import { type SortKey, signals, type TopState } from './state.ts';
import type { Line, Piece } from './terminal.ts';

export interface TopReading {
  readonly timeMs: number;
  readonly host: HostReading;
  /** The load of all processors, in percent. */
  readonly cpuPercent: number;
  readonly processes: readonly ObservedProcess[];
}
/** A process with its rates at the time that is shown. */
export interface Row {
  readonly process: ObservedProcess;
  readonly rates: Rates;
  /** Its last sample then. */
  readonly last: Sample | undefined;
  readonly residentBytes: number;
}

/** Rates are over this time. */
const windowMs = 10_000;

/** The processes in the order of the screen. */
export function rowsOf(reading: TopReading, state: TopState): readonly Row[] {
  const untilMs = reading.timeMs - state.agoMs;
  const wanted = state.filter.toLowerCase();
  const rows = reading.processes
    .filter(({ identity: { startedMs } }) => state.agoMs === 0 || startedMs <= untilMs)
    .filter(({ identity: { script, args, tag, run, user, pid } }) =>
      [script, ...args, tag, run, user, `${pid}`].join(' ').toLowerCase().includes(wanted),
    )
    .map((process): Row => {
      const last = process.samples.findLast(({ timeMs }) => timeMs <= untilMs);
      const resident = (state.agoMs === 0 ? process.system?.residentBytes : undefined) ?? last?.residentBytes;
      return { process, rates: ratesOf(process, windowMs, untilMs), last, residentBytes: resident ?? 0 };
    });
  const sorted = rows.toSorted((a, b) => compare(a, b, state.sort));
  const ordered = state.isReversed ? sorted.toReversed() : sorted;
  if (!state.isTree) return ordered;
  // Runs stay together, in the order of their first process.
  const runs = [...new Set(ordered.map(row => row.process.identity.run))];
  return runs.flatMap(run => ordered.filter(row => row.process.identity.run === run));
}

/** Largest first, except ids and ranks. */
function compare(a: Row, b: Row, key: SortKey): number {
  const by = (value: (row: Row) => number | undefined): number =>
    (value(b) ?? Number.NEGATIVE_INFINITY) - (value(a) ?? Number.NEGATIVE_INFINITY) || 0;
  const ids = a.process.identity.pid - b.process.identity.pid;
  switch (key) {
    case 'pid':
      return ids;
    case 'rank':
      return (
        a.process.identity.run.localeCompare(b.process.identity.run) ||
        a.process.identity.rank - b.process.identity.rank ||
        ids
      );
    case 'step':
      return by(row => row.rates.stepMs) || ids;
    case 'memory':
      return by(row => row.residentBytes) || ids;
    case 'kernels':
      return by(row => row.rates.kernels) || ids;
    case 'collectives':
      return by(row => row.rates.collectives) || ids;
    case 'loss':
      return by(row => row.rates.loss) || ids;
  }
}

interface Column {
  readonly header: string;
  /** Omitted first if there is no room. */
  readonly priority: number;
  text(row: Row): string;
}
const percent = (share: number | undefined): string => (share === undefined ? '-' : `${Math.round(100 * share)} %`);
export function amount(value: number | undefined): string {
  if (value === undefined || value === 0) return '-';
  const units = ['', 'k', 'M', 'G', 'T', 'P'];
  let unit = 0;
  let scaled = value;
  while (Math.abs(scaled) >= 999.5 && unit < units.length - 1) {
    scaled /= 1000;
    unit++;
  }
  return `${scaled >= 99.95 || Number.isInteger(scaled) ? scaled.toFixed(0) : scaled.toFixed(1)}${units[unit]}`;
}
const number = (value: number | undefined): string =>
  value === undefined ? '-' : Number.isFinite(value) ? value.toPrecision(4) : `${value}`;

const columns = (state: TopState): readonly Column[] => [
  { header: 'PID', priority: 0, text: ({ process }) => `${process.identity.pid}` },
  { header: 'RANK', priority: 1, text: ({ process: { identity } }) => `${identity.rank}/${identity.worldSize}` },
  { header: 'STEP', priority: 4, text: ({ last }) => `${last?.totalSteps ?? 0}` },
  {
    header: 'TIME/STEP',
    priority: 2,
    text: ({ rates }) => (rates.stepMs === undefined ? '-' : formatDuration(rates.stepMs / 1000)),
  },
  { header: 'KERN', priority: 5, text: ({ rates }) => percent(rates.kernels) },
  { header: 'COLL', priority: 6, text: ({ rates }) => percent(rates.collectives) },
  { header: 'HOST', priority: 7, text: ({ rates }) => percent(rates.host) },
  { header: 'DATA', priority: 9, text: ({ rates }) => percent(rates.dataWait) },
  { header: 'EX/S', priority: 8, text: ({ rates }) => amount(rates.examplesPerSecond) },
  { header: 'TOK/S', priority: 10, text: ({ rates }) => amount(rates.tokensPerSecond) },
  state.showsFlops
    ? { header: 'FLOP/S', priority: 7, text: ({ rates }) => amount(rates.flopsPerSecond) }
    : { header: 'MFU', priority: 7, text: ({ rates }) => percent(rates.mfu) },
  { header: 'LOSS', priority: 3, text: ({ rates }) => number(rates.loss) },
  { header: 'MEMORY', priority: 3, text: ({ residentBytes }) => formatBytes(residentBytes) },
];

const leastScript = 12;

/** Lines of the screen, `height` at most. */
export function screenOf(reading: TopReading, state: TopState, width: number, height: number): readonly Line[] {
  const rows = rowsOf(reading, state);
  if (state.mode.kind === 'help') return helpLines;
  const at = Math.max(
    0,
    rows.findIndex(({ process }) => process.identity.pid === state.selected),
  );
  const footer = footerOf(state);
  const head = [headOf(reading, state), ...coreLines(reading, rows, width, Math.max(1, Math.min(4, height - 12)))];
  const details = rows.length === 0 ? [] : detailLines(rows[at]!, reading.timeMs - state.agoMs, width);
  const table = tableLines(rows, at, state, width);
  const room = height - head.length - 1;
  // The table comes first; details take the remaining lines.
  const tableRoom = Math.max(3, Math.min(table.lines.length, room - details.length - 1));
  const first = Math.max(0, Math.min(table.selected - tableRoom + 2, table.lines.length - tableRoom));
  const visible =
    first <= 0
      ? table.lines.slice(0, tableRoom)
      : [table.lines[0]!, ...table.lines.slice(first + 1, first + tableRoom)];
  const body = [...head, ...visible, [], ...details].slice(0, height - 1);
  while (body.length < height - 1) body.push([]);
  return [...body, footer];
}

function headOf({ timeMs, host, cpuPercent, processes }: TopReading, { agoMs, filter }: TopState): Line {
  const memory = `${formatBytes(host.memoryUsedBytes)} of ${formatBytes(host.memoryTotalBytes)}`;
  return [
    { text: 'trenio top', style: 'bold' },
    { text: `  ${new Date(timeMs - agoMs).toTimeString().slice(0, 8)}` },
    ...(agoMs > 0 ? [{ text: ` (${formatDuration(agoMs / 1000)} ago)`, style: 'yellow' } as const] : []),
    {
      text: `  ${processes.length} process${processes.length === 1 ? '' : 'es'}  CPU ${Math.round(cpuPercent)} %  memory ${memory}`,
    },
    ...(filter === '' ? [] : [{ text: `  filter: ${printableLine(filter)}`, style: 'cyan' } as const]),
  ];
}

/** A bar of `width` columns: kernels, collectives, the rest of the time of processes, nothing. */
export function bar(
  shares: readonly { readonly share: number; readonly mark: string; readonly style: Piece['style'] }[],
  width: number,
): Piece[] {
  let used = 0;
  let total = 0;
  const pieces = shares.map(({ share, mark, style }): Piece => {
    total += share;
    const end = Math.min(width, Math.round(total * width));
    const text = mark.repeat(Math.max(0, end - used));
    used = Math.max(used, end);
    return style === undefined ? { text } : { text, style };
  });
  return [...pieces, { text: ' '.repeat(width - used) }];
}

const coreWidth = 34;

/** The cores that processes compute on. */
function coreLines({ host }: TopReading, rows: readonly Row[], width: number, most: number): readonly Line[] {
  const cpus = [...(host.byCpu.size > 0 ? host.byCpu.keys() : new Set(rows.flatMap(row => row.process.identity.cpus)))];
  const perLine = Math.max(1, Math.floor(width / (coreWidth + 2)));
  const cells = cpus.slice(0, perLine * most).map((cpu): Line => {
    const here = rows.filter(({ process: { identity } }) => identity.cpus.slice(0, identity.threads).includes(cpu));
    const share = (of: (rates: Rates) => number): number =>
      Math.min(
        1,
        here.reduce((sum, { rates }) => sum + of(rates), 0),
      );
    const [kernels, collectives] = [share(r => r.kernels), share(r => r.collectives)];
    const shares = [
      { share: kernels, mark: '█', style: 'green' },
      { share: collectives, mark: '▒', style: 'yellow' },
    ] as const;
    return [
      { text: `cpu ${`${cpu}`.padStart(3)} [` },
      ...bar(shares, coreWidth - 15),
      { text: `] ${percent(Math.min(1, kernels + collectives)).padStart(5)}` },
    ];
  });
  const lines: Line[] = [];
  for (let i = 0; i < cells.length; i += perLine)
    lines.push(cells.slice(i, i + perLine).flatMap((cell, n) => (n === 0 ? cell : [{ text: '  ' }, ...cell])));
  return lines;
}

function tableLines(
  rows: readonly Row[],
  at: number,
  state: TopState,
  width: number,
): { lines: Line[]; selected: number } {
  if (rows.length === 0) {
    const why = state.filter === '' ? 'No training processes are running.' : 'No process matches the filter.';
    return { lines: [[], [{ text: why }]], selected: 1 };
  }
  let chosen = columns(state);
  const widthOf = (column: Column): number =>
    Math.max(column.header.length, ...rows.map(row => displayWidth(column.text(row))));
  const total = (): number => chosen.reduce((sum, column) => sum + widthOf(column) + 2, 0);
  while (chosen.length > 1 && total() + leastScript > width) {
    const last = Math.max(...chosen.map(({ priority }) => priority));
    chosen = chosen.filter(
      (column, i) => column.priority !== last || i !== chosen.findLastIndex(c => c.priority === last),
    );
  }
  const widths = chosen.map(widthOf);
  const line = (texts: readonly string[]): string =>
    texts.map((text, i) => ' '.repeat(Math.max(0, widths[i]! - displayWidth(text))) + text).join('  ');
  const lines: Line[] = [[{ text: `${line(chosen.map(c => c.header))}  SCRIPT`, style: 'bold' }]];
  let run: string | undefined;
  let selected = 1;
  rows.forEach((row, i) => {
    const { identity, system } = row.process;
    const isRun = state.isTree && identity.worldSize > 1;
    if (isRun && identity.run !== run) {
      const members = rows.filter(other => other.process.identity.run === identity.run).length;
      const launcher = identity.launcher === undefined ? '' : `${identity.launcher}  `;
      lines.push([{ text: `${launcher}trenio run, ${members} of ${identity.worldSize} ranks here`, style: 'dim' }]);
    }
    run = identity.run;
    const elsewhere = row.process.isHere ? '' : `${identity.host}: `;
    const script = [basename(identity.script), ...identity.args].join(' ');
    const tag = identity.tag === '' ? '' : `[${identity.tag}] `;
    const stopped = system?.state === 'T' ? 'stopped: ' : '';
    const isLast = rows[i + 1]?.process.identity.run !== identity.run;
    const branch = isRun ? (isLast ? '└ ' : '├ ') : '';
    const text = `${line(chosen.map(column => column.text(row)))}  ${branch}${printableLine(elsewhere + stopped + tag + script)}`;
    if (i === at) selected = lines.length;
    lines.push([i === at ? { text: padded(text, width), style: 'inverse' } : { text }]);
  });
  return { lines, selected };
}

const padded = (text: string, width: number): string => {
  const cut = truncate(text, width);
  return cut + ' '.repeat(Math.max(0, width - displayWidth(cut)));
};

const levels = '▁▂▃▄▅▆▇█';
/** The last values as a line of blocks; empty if fewer than two are known. */
export function sparkline(values: readonly number[], width: number): string {
  const known = values.filter(Number.isFinite).slice(-width);
  if (known.length < 2) return '';
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return known.map(value => levels[most > least ? Math.round(((value - least) / (most - least)) * 7) : 0]).join('');
}

function detailLines({ process, last, residentBytes, rates }: Row, untilMs: number, width: number): readonly Line[] {
  const { identity, details } = process;
  const samples = process.samples.filter(({ timeMs }) => timeMs <= untilMs);
  const { parameterBytes: parameters = 0, optimizerBytes: optimizer = 0, arenaBytes: arena = 0 } = last ?? {};
  const host = Math.max(0, residentBytes - parameters - optimizer - arena);
  const spark = Math.max(10, Math.min(60, width - 40));
  const losses = samples.map(({ loss }) => loss).filter(loss => !Number.isNaN(loss));
  const steps = samples.filter(({ steps: n }) => n > 0).map(({ spanMs, steps: n }) => spanMs / n);
  const groups = details.kernelGroups ?? details.programs;
  const totalMs = groups.reduce((sum, group) => sum + group.totalMs, 0);
  const label = (text: string): Piece => ({ text: text.padEnd(10), style: 'bold' });
  return [
    [
      label('process'),
      {
        text: printableLine(
          `${identity.pid}  ${identity.user}@${identity.host}  up ${formatDuration((untilMs - identity.startedMs) / 1000)}  ${identity.script}`,
        ),
      },
    ],
    [
      label('memory'),
      {
        text: `parameters ${formatBytes(parameters)}  optimizer ${formatBytes(optimizer)}  activations ${formatBytes(arena)}  host ${formatBytes(host)}`,
      },
    ],
    [label('loss'), { text: sparkline(losses, spark), style: 'cyan' }, { text: `  ${number(rates.loss)}` }],
    [
      label('step'),
      { text: sparkline(steps, spark), style: 'green' },
      {
        text:
          rates.stepMs === undefined
            ? '  -'
            : `  ${formatDuration(rates.stepMs / 1000)}, ${rates.stepsPerSecond.toFixed(1)}/s`,
      },
    ],
    ...groups.slice(0, 5).map(
      (group, i): Line => [
        label(i > 0 ? '' : details.kernelGroups === undefined ? 'programs' : 'kernels'),
        {
          text: `${percent(totalMs === 0 ? 0 : group.totalMs / totalMs).padStart(5)}  ${formatDuration(group.totalMs / 1000).padStart(12)}  ${printableLine(group.name)}`,
        },
      ],
    ),
  ];
}

function footerOf({ mode, sort, isReversed, notice, filter }: TopState): Line {
  switch (mode.kind) {
    case 'filter':
      return [
        { text: `filter: ${printableLine(filter)}▏`, style: 'cyan' },
        { text: '  Enter keeps it, Esc restores the last one' },
      ];
    case 'choose signal': {
      const list = Object.entries(signals).map(([key, name]) => `${key} ${name.slice(3)}`);
      return [{ text: `signal to process ${mode.pid}: ${list.join('  ')}  any other key: none`, style: 'yellow' }];
    }
    case 'confirm signal':
      return [{ text: `send ${mode.signal} to process ${mode.pid}? y sends it, any other key does not`, style: 'red' }];
    default:
      return notice !== ''
        ? [{ text: printableLine(notice), style: 'yellow' }]
        : [
            {
              text: `q quit  ? help  ↑↓ choose  ←→ time  s sort: ${sort}${isReversed ? ' (reversed)' : ''}  / filter  k signal`,
              style: 'dim',
            },
          ];
  }
}

const helpLines: readonly Line[] = [
  [{ text: 'trenio top', style: 'bold' }],
  [],
  ...[
    '↑ ↓      choose a process; its details are below the table',
    '← →      10 seconds back and forward in time; End: now',
    's r      sort by the next column; reverse the order',
    't        group the ranks of a run',
    '/        filter by script, arguments, tag, run, user or process id',
    'k        send a signal to the process; asks before it does',
    'f        MFU or FLOP/s',
    'q Esc    quit',
    '',
    'KERN, COLL, HOST: the share of time in kernels, in collectives, and in the script;',
    'DATA: the part of HOST that waited for batches. Bars: █ kernels, ▒ collectives.',
    'MFU is not shown until the machine was measured: run once with TRENIO_PROFILE=1.',
    '',
    'Any key closes this help.',
  ].map((text): Line => [{ text }]),
];
