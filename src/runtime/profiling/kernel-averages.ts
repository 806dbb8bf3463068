// A timeline by kernel: run counts, times, and how close each kernel is to the machine's limits.
import { type Column, formatTable } from '../../base/table.ts';
import { timeSentence, timeShares } from './time-shares.ts';
import type { Timeline } from './timeline.ts';

/** The calls of one kernel. */
export interface KernelAverage {
  /** The name of its program. */
  readonly program: string;
  /** Its name in the program, such as `k12`. */
  readonly kernel: string;
  /** The kind of kernel: a matrix product or convolution, element-wise ops and reductions, other ops, or a collective. */
  readonly kind: 'fused' | 'multiply' | 'other' | 'collective';
  /** The shape of its result; m×n×k of a product. */
  readonly shape: string;
  /** Its ops. */
  readonly ops: string;
  /** The user's line, `file:line:column`. */
  readonly line: string;
  /** The number of its runs. */
  readonly calls: number;
  /** The total time of its calls, in nanoseconds. */
  readonly totalNs: number;
  /** The share of all time in kernels. */
  readonly share: number;
  /** The minimum time on this machine, as a share of the measured time; 0 if the limits are unknown. */
  readonly ofLimit: number;
}

/** The kernels of a timeline, by total time. */
export function kernelAverages({ programs, kernels }: Timeline): readonly KernelAverage[] {
  const sums = new Map<string, { program: number; kernel: number; calls: number; ns: number }>();
  for (const [, ns, program, kernel] of kernels) {
    const key = `${program} ${kernel}`;
    const sum = sums.get(key) ?? { program, kernel, calls: 0, ns: 0 };
    sums.set(key, sum);
    sum.calls++;
    sum.ns += ns;
  }
  const total = [...sums.values()].reduce((ns, sum) => ns + sum.ns, 0);
  return [...sums.values()]
    .sort((a, b) => b.ns - a.ns)
    .map(({ program, kernel, calls, ns }) => {
      const { name, kind, shape, ops, line, computeNs = 0, memoryNs = 0 } = programs[program]!.kernels[kernel]!;
      const ofLimit = ns === 0 ? 0 : (Math.max(computeNs, memoryNs) * calls) / ns;
      return {
        program: programs[program]!.name,
        kernel: name,
        kind,
        shape,
        ops,
        line,
        calls,
        totalNs: ns,
        share: total === 0 ? 0 : ns / total,
        ofLimit,
      };
    });
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const columns: readonly Column[] = [
  { header: 'kernel' },
  { header: 'kind' },
  { header: 'calls', align: 'right' },
  { header: 'total ms', align: 'right' },
  { header: 'mean µs', align: 'right' },
  { header: 'share', align: 'right' },
  { header: 'of limit', align: 'right' },
  { header: 'shape', maxWidth: 24 },
  { header: 'ops', maxWidth: 48 },
  { header: 'line' },
];
/** Kernels as a table, then where the time went. */
export function profileText(timeline: Timeline, rowLimit = 20): string {
  const averages = kernelAverages(timeline);
  const rows = averages
    .slice(0, rowLimit)
    .map(k => [
      k.kernel,
      k.kind,
      `${k.calls}`,
      (k.totalNs / 1e6).toFixed(3),
      (k.totalNs / k.calls / 1e3).toFixed(1),
      percent(k.share),
      k.ofLimit === 0 ? '' : `${Math.round(100 * k.ofLimit)} %`,
      k.shape,
      k.ops,
      k.line.split('/').at(-1) ?? '',
    ]);
  const shares = [...timeShares(timeline)].sort((a, b) => b[1] - a[1]);
  const all = shares.reduce((sum, [, ns]) => sum + ns, 0);
  const uses = shares.map(([use, ns]) => `${percent(all === 0 ? 0 : ns / all)} ${use}`).join(', ');
  return `${formatTable(columns, rows)}\n\n${uses}\n${timeSentence(timeline)}\n`;
}
