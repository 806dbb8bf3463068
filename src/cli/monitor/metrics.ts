// The metrics of `trenio monitor --prometheus`, one row each, and their text in the OpenMetrics format. docs/monitor.md lists
// them, and docs/grafana-dashboard.json draws them; tests keep all three together.
import { cpuTimeKinds, type HostReading, type ObservedProcess, type Rates, ratesOf } from '../../observe/index.ts';
import type { MetricsFormat } from './exporter.ts';
import type { Reading } from './report.ts';

/** A value with more labels than those of its process; undefined is left out. */
interface Value {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number | undefined;
}
interface MetricRow {
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'info';
  readonly help: string;
}
interface ProcessMetric extends MetricRow {
  values(process: ObservedProcess, rates: Rates): readonly Value[];
}
interface HostMetric extends MetricRow {
  values(host: HostReading): readonly Value[];
}
const one = (value: number | undefined): readonly Value[] => [{ value }];

/** Rates are over this time. */
const windowMs = 15_000;

export const processMetrics: readonly ProcessMetric[] = [
  {
    name: 'trenio_process',
    type: 'info',
    help: 'A training process.',
    values: ({ identity: { pid, script, user, worldSize, threads, tag, version } }) => [
      {
        labels: { pid: `${pid}`, script, user, world_size: `${worldSize}`, threads: `${threads}`, tag, version },
        value: 1,
      },
    ],
  },
  {
    name: 'trenio_steps',
    type: 'counter',
    help: 'Training steps since the process started.',
    values: p => one(p.samples.at(-1)?.totalSteps),
  },
  {
    name: 'trenio_executions',
    type: 'counter',
    help: 'Executions of compiled programs, steps or not.',
    values: p => one(p.samples.at(-1)?.totalRuns),
  },
  {
    name: 'trenio_step_seconds',
    type: 'gauge',
    help: 'Wall-clock time of a training step.',
    values: (_, r) => one(r.stepMs === undefined ? undefined : r.stepMs / 1000),
  },
  {
    name: 'trenio_time_ratio',
    type: 'gauge',
    help: 'Share of the wall-clock time, by activity: kernels, collectives, data_wait, host (everything else).',
    values: (_, { kernels, collectives, host, dataWait }) =>
      Object.entries({
        kernels,
        collectives,
        data_wait: Math.min(dataWait, host),
        host: Math.max(0, host - dataWait),
      }).map(([activity, value]) => ({ labels: { activity }, value })),
  },
  {
    name: 'trenio_examples_per_second',
    type: 'gauge',
    help: 'Examples that the loader has returned.',
    values: (_, r) => one(r.examplesPerSecond),
  },
  {
    name: 'trenio_tokens_per_second',
    type: 'gauge',
    help: 'Tokens that the loader has returned, padding included.',
    values: (_, r) => one(r.tokensPerSecond),
  },
  {
    name: 'trenio_flops_per_second',
    type: 'gauge',
    help: 'Floating-point operations of matrix multiplies and convolutions.',
    values: (_, r) => one(r.flopsPerSecond),
  },
  {
    name: 'trenio_mfu_ratio',
    type: 'gauge',
    help: 'These operations as a share of the peak of the threads; absent until the peak has been measured.',
    values: (_, r) => one(r.mfu),
  },
  {
    name: 'trenio_loss',
    type: 'gauge',
    help: 'The latest loss that the script has read.',
    values: (_, r) => one(r.loss),
  },
  {
    name: 'trenio_memory_bytes',
    type: 'gauge',
    help: 'Memory, by kind: parameters, optimizer, arena (activations and other temporaries), host (the rest of the process).',
    values: ({ samples, system }) => {
      const last = samples.at(-1);
      if (last === undefined) return [];
      const { parameterBytes: parameters, optimizerBytes: optimizer, arenaBytes: arena } = last;
      const host = Math.max(0, (system?.residentBytes ?? last.residentBytes) - parameters - optimizer - arena);
      return Object.entries({ parameters, optimizer, arena, host }).map(([kind, value]) => ({
        labels: { kind },
        value,
      }));
    },
  },
  {
    name: 'trenio_kernel_group_seconds',
    type: 'counter',
    help: 'Time in groups of kernels; only with TRENIO_PROFILE=1.',
    values: ({ details }) =>
      (details.kernelGroups ?? []).map(({ name, totalMs }) => ({ labels: { group: name }, value: totalMs / 1000 })),
  },
];

export const hostMetrics: readonly HostMetric[] = [
  {
    name: 'trenio_host_cpu_seconds',
    type: 'counter',
    help: 'Time of all processors of the host, by mode.',
    values: ({ all }) => (all === undefined ? [] : cpuTimeKinds.map(mode => ({ labels: { mode }, value: all[mode] }))),
  },
  {
    name: 'trenio_host_memory_bytes',
    type: 'gauge',
    help: 'Memory of the host, by state: total, used.',
    values: ({ memoryTotalBytes: total, memoryUsedBytes: used }) =>
      Object.entries({ total, used }).map(([state, value]) => ({ labels: { state }, value })),
  },
];

/** The name of a metric's values: `_total` and `_info` are the format's. */
export const valueName = ({ name, type }: MetricRow): string =>
  type === 'counter' ? `${name}_total` : type === 'info' ? `${name}_info` : name;

/** @param format OpenMetrics; or the older text format, in which the types belong to the names of values */
export function metricsText({ timeMs, host, processes }: Reading, format: MetricsFormat = 'openMetrics'): string {
  const observed = processes.map(process => {
    const { run, rank, pid, host: name } = process.identity;
    return {
      process,
      rates: ratesOf(process, windowMs, timeMs),
      labels: { run, rank: `${rank}`, pid: `${pid}`, host: name },
    };
  });
  const lines: string[] = [];
  const family = (
    row: MetricRow,
    values: readonly (Value & { readonly of: Readonly<Record<string, string>> })[],
  ): void => {
    const [name, type] =
      format === 'text' ? [valueName(row), row.type === 'info' ? 'gauge' : row.type] : [row.name, row.type];
    lines.push(`# TYPE ${name} ${type}`, `# HELP ${name} ${row.help}`);
    for (const { labels, value, of } of values)
      if (value !== undefined) lines.push(`${valueName(row)}${labelText({ ...of, ...labels })} ${numberText(value)}`);
  };
  for (const metric of processMetrics)
    family(
      metric,
      observed.flatMap(({ process, rates, labels }) =>
        metric.values(process, rates).map(value => ({ ...value, of: labels })),
      ),
    );
  for (const metric of hostMetrics)
    family(
      metric,
      metric.values(host).map(value => ({ ...value, of: {} })),
    );
  return `${lines.join('\n')}\n${format === 'text' ? '' : '# EOF\n'}`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const entries = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return entries.length === 0 ? '' : `{${entries.join(',')}}`;
}
const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
const numberText = (value: number): string =>
  Number.isNaN(value)
    ? 'NaN'
    : value === Number.POSITIVE_INFINITY
      ? '+Inf'
      : value === Number.NEGATIVE_INFINITY
        ? '-Inf'
        : `${value}`;
