// Two profiles compared: kernels are matched by their ops, and compared by their time per step of the loop.
import { type Column, formatTable } from '../../base/table.ts';
import { kernelAverages } from '../../runtime/profiling/kernel-averages.ts';
import type { Timeline } from '../../runtime/profiling/timeline.ts';

export interface KernelDifference {
  readonly ops: string;
  readonly shape: string;
  readonly line: string;
  /** Nanoseconds in a step; undefined where the profile has no such kernel. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** The kernels of both, by how much their time has changed. */
export function diffProfiles(before: Timeline, after: Timeline): readonly KernelDifference[] {
  const [old, now] = [perStep(before), perStep(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map(key => {
      const kernel = (now.get(key) ?? old.get(key))!;
      const { ops, shape, line } = kernel;
      return { ops, shape, line, before: old.get(key)?.ns, after: now.get(key)?.ns };
    })
    .sort((a, b) => Math.abs((b.after ?? 0) - (b.before ?? 0)) - Math.abs((a.after ?? 0) - (a.before ?? 0)));
}

interface StepTime {
  readonly ops: string;
  readonly shape: string;
  readonly line: string;
  ns: number;
}
function perStep(timeline: Timeline): ReadonlyMap<string, StepTime> {
  const steps = Math.max(1, timeline.loop.length);
  const times = new Map<string, StepTime>();
  for (const { ops, shape, line, totalNs } of kernelAverages(timeline)) {
    const key = `${ops} ${shape}`;
    const known = times.get(key);
    if (known === undefined) times.set(key, { ops, shape, line, ns: totalNs / steps });
    else known.ns += totalNs / steps;
  }
  return times;
}

const columns: readonly Column[] = [
  { header: 'before ms', align: 'right' },
  { header: 'after ms', align: 'right' },
  { header: 'change', align: 'right' },
  { header: 'shape', maxWidth: 24 },
  { header: 'ops', maxWidth: 60 },
  { header: 'line' },
];
const maxRows = 30;
export function diffText(differences: readonly KernelDifference[]): string {
  const ms = (ns: number | undefined): string => (ns === undefined ? '-' : (ns / 1e6).toFixed(3));
  const sum = (of: 'before' | 'after'): number => differences.reduce((total, one) => total + (one[of] ?? 0), 0);
  const change = (before: number, after: number): string =>
    before === 0 ? 'new' : `${after >= before ? '+' : '−'}${Math.abs(100 * (after / before - 1)).toFixed(0)} %`;
  const rows = differences
    .slice(0, maxRows)
    .map(({ before, after, shape, ops, line }) => [
      ms(before),
      ms(after),
      after === undefined ? 'gone' : change(before ?? 0, after),
      shape,
      ops,
      line.split('/').at(-1) ?? '',
    ]);
  const [before, after] = [sum('before'), sum('after')];
  const total = [ms(before), ms(after), change(before, after), '', 'all kernels of a step', ''];
  return `${formatTable(columns, [...rows, total])}\n`;
}
