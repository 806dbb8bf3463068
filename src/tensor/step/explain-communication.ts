// The table of the collectives of a step: a row for each line of the user's code and kind of collective.
import { readVariable } from '../../base/environment.ts';
import { formatTable } from '../../base/table.ts';
import { formatBytes } from '../../base/units.ts';
import { rankInfo } from '../../runtime/comm/ranks.ts';
import type { Communication } from '../../transforms/partition/communication.ts';
import type { AxisNames, Replicated } from '../../transforms/partition/replicated.ts';
import { shortLocation } from './explain.ts';
import type { CompileEvent, Metrics } from './metrics.ts';

/** The collectives of one kind of one line. */
export interface Row {
  readonly at: string;
  readonly kind: string;
  readonly devices: number;
  readonly count: number;
  readonly bytes: number;
  /** The time in which the rank does nothing else, in a step; undefined if it was not measured. */
  readonly exposedMs?: number;
}

type Waited = Pick<Metrics, 'collectiveMs' | 'stepsMarked'>;

/** The collectives of the last training step of a history, those with most bytes first, and the time that steps waited. */
export function explainCommunication(history: readonly CompileEvent[], waited: Waited): string {
  const step = history.findLast(({ kind }) => kind === 'step');
  if (step === undefined) return 'no step was compiled yet';
  if (step.communication.length === 0) return `the step at ${step.at} sends nothing between ranks`;
  const table = communicationTable(communicationRows(step.communication));
  const warnings = [...new Set(step.replicated.map(replicationText))].map(text => `\n${text}`);
  return `each rank sends in the step at ${step.at} (collectives of a loop count once):\n${table}${waitedText(waited)}${warnings.join('')}`;
}
/** Those with most bytes first. */
export function communicationRows(communication: readonly Communication[]): readonly Row[] {
  const rows = new Map<string, Row>();
  for (const { kind, bytes, devices, location } of communication) {
    const at = location === undefined && kind === 'send' ? 'between stages' : shortLocation(location);
    const key = `${at} ${kind} ${devices}`;
    const row = rows.get(key) ?? { at, kind, devices, count: 0, bytes: 0 };
    rows.set(key, { ...row, count: row.count + 1, bytes: row.bytes + bytes });
  }
  return [...rows.values()].sort((a, b) => b.bytes - a.bytes);
}

export function communicationTable(rows: readonly Row[]): string {
  const sum = (of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const isTimed = rows.some(({ exposedMs }) => exposedMs !== undefined);
  const time = (ms: number): readonly string[] => (isTimed ? [ms.toFixed(2)] : []);
  const count = (n: number): string => (Number.isInteger(n) ? `${n}` : n.toFixed(1));
  return formatTable(
    [
      { header: 'line' },
      { header: 'collective' },
      { header: 'ranks', align: 'right' },
      { header: 'count', align: 'right' },
      { header: 'bytes', align: 'right' },
      ...(isTimed ? [{ header: 'exposed ms', align: 'right' } as const] : []),
    ],
    [
      ...rows.map(({ at, kind, devices, exposedMs = 0, ...row }) => [
        ...[at, kind, `${devices}`, count(row.count), formatBytes(row.bytes), ...time(exposedMs)],
      ]),
      [
        ...['total', '', '', count(sum(row => row.count)), formatBytes(sum(row => row.bytes))],
        ...time(sum(row => row.exposedMs ?? 0)),
      ],
    ],
  );
}
const waitedText = ({ collectiveMs, stepsMarked }: Waited): string =>
  stepsMarked === 0
    ? ''
    : `\nthis rank waited ${(collectiveMs / stepsMarked).toFixed(2)} ms a step for collectives and late ranks (mean of ${stepsMarked})`;

/** A warning of an op that every rank computes whole, with the call that avoids it. */
export function replicationText({ name, isOperator, location, bytes, divided, instead }: Replicated): string {
  const textOf = (spec: AxisNames): string => {
    const entries = spec.map(axes => (axes.length === 0 ? 'null' : axes.map(axis => `'${axis}'`).join(', ')));
    return `[${entries.map((text, d) => (spec[d]!.length > 1 ? `[${text}]` : text)).join(', ')}]`;
  };
  const wanted = instead ?? divided.map(() => []);
  const why = instead === undefined ? 'shows that it is meant' : 'keeps it divided';
  const advice = isOperator
    ? 'it has no sharding rule; call it in shardMap if parts can be computed alone'
    : `withShardingConstraint(x, ${textOf(wanted)}) before it ${why}`;
  return `every rank computes the ${isOperator ? 'custom operator ' : ''}${name} at ${shortLocation(location)} whole, and gathers ${formatBytes(bytes)} that are divided as ${textOf(divided)}: ${advice}`;
}

/** With TRENIO_EXPLAIN_COMMS, rank 0 prints the table of its device when the script ends. */
export function explainAtExit(device: { readonly history: readonly CompileEvent[]; readonly metrics: Waited }): void {
  if (readVariable('TRENIO_EXPLAIN_COMMS') !== true || rankInfo().rank !== 0) return;
  process.once('exit', () => void process.stderr.write(`${explainCommunication(device.history, device.metrics)}\n`));
}
