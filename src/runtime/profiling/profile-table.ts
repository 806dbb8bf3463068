// A profile as text: for each program a table of its kernels, slowest first, compared with the machine's limits.
import { formatPlace } from '../../base/errors.ts';
import { type Column, formatTable } from '../../base/table.ts';
import type { KernelInfo } from '../../compiler/index.ts';
import type { MachineLimits } from './limits.ts';
import type { KernelProfile, ProgramProfile } from './profile.ts';
import { rooflineOf } from './roofline.ts';

/** Programs that took a smaller share of the time are only listed by name. */
const leastShare = 0.01;
const maxRows = 40;

/**
 * `limits`: without them, the share of the limit is omitted.
 * @example
 * ```ts no-run
 * console.log(formatProfile(device().profile()));
 * ```
 */
export function formatProfile(programs: readonly ProgramProfile[], limits?: MachineLimits): string {
  if (programs.length === 0) return '';
  const total = programs.reduce((sum, p) => sum + p.nanoseconds, 0);
  const tables = programs.map(program =>
    program.nanoseconds >= leastShare * total ? profileTable(program, limits) : headOf(program),
  );
  return [...tables, ...(limits === undefined ? [] : [limitsText(limits)])].map(text => `${text}\n`).join('\n');
}

/** `limits, 2 threads: 236 GFLOP/s (f32), … GB/s`. */
export function limitsText({ threads, all }: MachineLimits): string {
  const bf16 = all.bf16 === undefined ? '' : `, ${all.bf16.toFixed(0)} (bf16)`;
  const memory = `memory ${all.read.toFixed(1)} GB/s read, ${all.write.toFixed(1)} written, ${all.copy.toFixed(1)} copied, ${all.inPlace.toFixed(1)} in place`;
  return `limits of ${threads} ${threads === 1 ? 'thread' : 'threads'}: ${all.f32.toFixed(0)} GFLOP/s (f32)${bf16}; ${memory}`;
}

function headOf({ program, steps, nanoseconds }: ProgramProfile): string {
  return `profile of ${program}: ${steps} ${steps === 1 ? 'step' : 'steps'}, ${ms(nanoseconds / steps)} ms each`;
}

const columns: readonly Column[] = [
  { header: 'kernel' },
  { header: 'calls', align: 'right' },
  { header: 'share', align: 'right' },
  { header: 'ms', align: 'right' },
  { header: 'GFLOP/s', align: 'right' },
  { header: 'GB/s', align: 'right' },
  { header: 'of limit', align: 'right' },
  { header: 'bound' },
  { header: 'shape', maxWidth: 24 },
  { header: 'ops', maxWidth: 60 },
  { header: 'line' },
];

/**
 * The steps of one program: the times of the rows add up to the total. Times are per step; `share` is the fraction of the step.
 */
function profileTable(profile: ProgramProfile, limits?: MachineLimits): string {
  const { steps, nanoseconds, kernels } = profile;
  const sumOf = (list: readonly KernelProfile[]): number => list.reduce((sum, k) => sum + k.nanoseconds, 0);
  const callsOf = (list: readonly KernelProfile[]): number => list.reduce((sum, k) => sum + k.calls, 0);
  const start = (name: string, calls: number | undefined, ns: number): string[] => [
    name,
    calls === undefined ? '' : `${Math.round((10 * calls) / steps) / 10}`,
    `${((100 * ns) / nanoseconds).toFixed(1)} %`,
    ms(ns / steps),
  ];
  const rows = kernels.slice(0, maxRows).map(k => {
    const limit = limits && rooflineOf(k.kernel, k.nanoseconds / k.calls, limits.all);
    return [
      ...start(k.kernel.name, k.calls, k.nanoseconds),
      rate(k, k.kernel.flops),
      rate(k, k.kernel.bytes),
      limit === undefined ? '' : `${(100 * limit.share).toFixed(0)} %`,
      limit?.bound ?? '',
      k.kernel.shape,
      opsText(k.kernel),
      lineText(k.kernel),
    ];
  });
  const rest = kernels.slice(maxRows);
  const empty = Array.from({ length: columns.length - 4 }, () => '');
  if (rest.length > 0) rows.push([...start(`${rest.length} more`, callsOf(rest), sumOf(rest)), ...empty]);
  rows.push([...start('between kernels', undefined, nanoseconds - sumOf(kernels)), ...empty]);
  rows.push([...start('total', callsOf(kernels), nanoseconds), ...empty]);
  return `${headOf(profile)}\n${formatTable(columns, rows)}`;
}

const ms = (nanoseconds: number): string => {
  const value = nanoseconds / 1e6;
  return value.toFixed(value < 0.1 ? 4 : value < 10 ? 3 : 1);
};
const rate = (k: KernelProfile, work: number): string =>
  work === 0 || k.nanoseconds === 0 ? '' : ((work * k.calls) / k.nanoseconds).toFixed(1);

/** `multiply ×3 add reduce`: each name once, in the order of first use. */
export function opsText({ ops }: Pick<KernelInfo, 'ops'>): string {
  const counts = new Map<string, number>();
  for (const { name } of ops) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => (n === 1 ? name : `${name} ×${n}`)).join(' ');
}
/** `model.ts:12:3 in u2.0`, of the first op that has one. */
export function lineText({ ops }: Pick<KernelInfo, 'ops'>): string {
  const at = ops.find(op => op.location !== undefined)?.location;
  return at === undefined ? '' : formatPlace({ ...at, file: at.file.split('/').at(-1) ?? '' });
}
