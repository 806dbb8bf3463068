// A report of `trenio monitor`: the keys of neuron-monitor's JSON, with CPUs as NeuronCores, and Trenio's own under `trenio`.
// docs/monitor.md describes each key.
import {
  type CpuTimes,
  cpuPercent,
  cpuTimeKinds,
  type HostReading,
  type ObservedProcess,
  ratesOf,
  type Sample,
} from '../../observe/index.ts';
import type { Metric, MonitorConfig, RuntimeMetric, SystemMetric } from './config.ts';

export interface Reading {
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  readonly host: HostReading;
  readonly processes: readonly ObservedProcess[];
}

/** The metrics that are due after `elapsedMs` of the whole run. The first report has everything. */
const isDue = ({ periodMs }: Metric<string>, elapsedMs: number, stepMs: number): boolean =>
  elapsedMs < stepMs || Math.floor((elapsedMs + 1) / periodMs) > Math.floor((elapsedMs - stepMs + 1) / periodMs);

export function reportOf(
  config: MonitorConfig,
  before: Reading | undefined,
  now: Reading,
  elapsedMs: number,
): Readonly<Record<string, unknown>> {
  const due = <T extends string>(metrics: readonly Metric<T>[]): readonly Metric<T>[] =>
    metrics.filter(metric => isDue(metric, elapsedMs, config.periodMs));
  return {
    neuron_runtime_data: now.processes.flatMap(process => {
      const { identity } = process;
      const chosen = config.runtimes.find(({ tagFilter }) => tagFilter.test(identity.tag));
      if (chosen === undefined) return [];
      return [
        {
          pid: identity.pid,
          address: '',
          neuron_runtime_tag: identity.tag,
          error: '',
          report: Object.fromEntries(due(chosen.metrics).map(m => [m.type, runtimeMetric(m, process, before, now)])),
        },
      ];
    }),
    system_data: Object.fromEntries(due(config.system).map(m => [m.type, systemMetric(m, before, now)])),
    instance_info: {
      instance_name: '',
      instance_id: '',
      instance_type: '',
      instance_availability_zone: '',
      instance_availability_zone_id: '',
      instance_region: '',
      ami_id: '',
      subnet_id: '',
      error: 'the metadata of the instance are not read',
    },
    neuron_hardware_info: {
      neuron_device_type: 'cpu',
      neuron_device_version: '',
      neuroncore_version: '',
      neuron_device_count: 1,
      neuron_device_memory_size: now.host.memoryTotalBytes,
      neuroncore_per_device_count: now.host.byCpu.size,
      logical_neuroncore_config: 1,
      error: '',
    },
  };
}

function runtimeMetric(
  { type, periodMs }: Metric<RuntimeMetric>,
  process: ObservedProcess,
  before: Reading | undefined,
  now: Reading,
): object {
  const { identity, samples } = process;
  const rates = ratesOf(process, periodMs, now.timeMs);
  const within = samples.filter(({ timeMs }) => timeMs > now.timeMs - periodMs);
  const period = periodMs / 1000;
  switch (type) {
    case 'neuroncore_counters':
      return {
        period,
        neuroncores_in_use: Object.fromEntries(
          coresOf(process).map(cpu => [
            `${cpu}`,
            {
              neuroncore_utilization: round(100 * rates.kernels),
              flops: round(rates.flopsPerSecond / identity.threads),
            },
          ]),
        ),
        error: '',
      };
    case 'execution_stats':
      return {
        period,
        error_summary: zeros(['generic', 'numerical', 'transient', 'model', 'runtime', 'hardware']),
        execution_summary: {
          completed: within.reduce((sum, { runs }) => sum + runs, 0),
          ...zeros(['completed_with_err', 'completed_with_num_err', 'timed_out', 'incorrect_input', 'failed_to_queue']),
        },
        latency_stats: { total_latency: latencies(within), device_latency: latencies(within) },
        error: '',
      };
    case 'memory_used': {
      const last = samples.at(-1);
      const { parameterBytes = 0, optimizerBytes = 0, arenaBytes = 0 } = last ?? {};
      const device = parameterBytes + optimizerBytes + arenaBytes;
      const resident = process.system?.residentBytes ?? last?.residentBytes ?? 0;
      return {
        period,
        neuron_runtime_used_bytes: {
          host: Math.max(0, resident - device),
          neuron_device: device,
          usage_breakdown: {
            host: {
              application_memory: Math.max(0, resident - device),
              ...zeros(['constants', 'dma_buffers', 'tensors']),
            },
            // The cores share one memory: it is listed under the first.
            neuroncore_memory_usage: {
              [`${coresOf(process)[0] ?? 0}`]: {
                ...zeros(['constants', 'model_code']),
                model_shared_scratchpad: arenaBytes,
                runtime_memory: 0,
                tensors: parameterBytes + optimizerBytes,
              },
            },
          },
        },
        loaded_models: process.details.programs.map(({ id, name }) => ({
          name,
          uuid: '',
          model_id: id,
          is_running: rates.kernels > 0,
          subgraphs: {},
        })),
        error: '',
      };
    }
    case 'neuron_runtime_vcpu_usage': {
      const earlier = before?.processes.find(other => other.identity.pid === identity.pid)?.system;
      const seconds = before === undefined ? 0 : (now.timeMs - before.timeMs) / 1000;
      const cpus = Math.max(1, now.host.byCpu.size);
      const percent = (field: 'userSeconds' | 'systemSeconds'): number =>
        earlier === undefined || process.system === undefined || seconds <= 0
          ? 0
          : round((100 * (process.system[field] - earlier[field])) / seconds / cpus);
      return { period, vcpu_usage: { user: percent('userSeconds'), system: percent('systemSeconds') }, error: '' };
    }
    case 'trenio': {
      const last = samples.at(-1);
      return {
        period,
        script: identity.script,
        args: identity.args,
        user: identity.user,
        host: identity.host,
        run: identity.run,
        rank: identity.rank,
        world_size: identity.worldSize,
        started: new Date(identity.startedMs).toISOString(),
        steps: last?.totalSteps ?? 0,
        steps_per_second: round(rates.stepsPerSecond),
        step_ms: rates.stepMs === undefined ? null : round(rates.stepMs),
        kernels_percent: round(100 * rates.kernels),
        collectives_percent: round(100 * rates.collectives),
        host_percent: round(100 * rates.host),
        data_wait_percent: round(100 * rates.dataWait),
        examples_per_second: round(rates.examplesPerSecond),
        tokens_per_second: round(rates.tokensPerSecond),
        flops_per_second: Math.round(rates.flopsPerSecond),
        mfu_percent: rates.mfu === undefined ? null : round(100 * rates.mfu),
        loss: jsonNumber(rates.loss),
        memory_bytes: {
          parameters: last?.parameterBytes ?? 0,
          optimizer: last?.optimizerBytes ?? 0,
          arena: last?.arenaBytes ?? 0,
          resident: process.system?.residentBytes ?? last?.residentBytes ?? 0,
        },
        kernel_groups: process.details.kernelGroups ?? null,
        error: '',
      };
    }
  }
}

function systemMetric({ type, periodMs }: Metric<SystemMetric>, before: Reading | undefined, now: Reading): object {
  const period = periodMs / 1000;
  const { host } = now;
  switch (type) {
    case 'memory_info':
      return {
        period,
        memory_total_bytes: host.memoryTotalBytes,
        memory_used_bytes: host.memoryUsedBytes,
        swap_total_bytes: host.swapTotalBytes,
        swap_used_bytes: host.swapUsedBytes,
        error: '',
      };
    case 'neuron_hw_counters':
      return { period, neuron_devices: [], error: '' };
    case 'vcpu_usage':
      return {
        period,
        average_usage: rounded(cpuPercent(before?.host.all, host.all)),
        usage_data: Object.fromEntries(
          [...host.byCpu].map(([cpu, times]) => [`${cpu}`, rounded(cpuPercent(before?.host.byCpu.get(cpu), times))]),
        ),
        context_switch_count: before === undefined ? 0 : host.contextSwitches - before.host.contextSwitches,
        error: '',
      };
  }
}

/** The CPUs that a process computes on: as many as it has threads. */
const coresOf = ({ identity }: ObservedProcess): readonly number[] => identity.cpus.slice(0, identity.threads);

/**
 * Seconds of one execution. Between the extremes, each span of the recorder is represented by its mean, weighted by the number
 * of programs it ran.
 */
function latencies(samples: readonly Sample[]): object {
  const spans = samples.filter(({ runs }) => runs > 0).map(({ runs, busyMs }) => ({ runs, ms: busyMs / runs }));
  const sorted = spans.toSorted((a, b) => a.ms - b.ms);
  const total = sorted.reduce((sum, { runs }) => sum + runs, 0);
  const at = (share: number): number => {
    let seen = 0;
    for (const { runs, ms } of sorted) {
      seen += runs;
      if (seen >= share * total) return ms;
    }
    return 0;
  };
  const known = (field: 'fastestMs' | 'slowestMs'): number[] => samples.map(s => s[field]).filter(Number.isFinite);
  const values = {
    p0: Math.min(at(0), ...known('fastestMs')),
    p1: at(0.01),
    p25: at(0.25),
    p50: at(0.5),
    p75: at(0.75),
    p99: at(0.99),
    p100: Math.max(at(1), ...known('slowestMs')),
  };
  return Object.fromEntries(Object.entries(values).map(([name, ms]) => [name, round(ms / 1000, 6)]));
}

const zeros = (names: readonly string[]): Readonly<Record<string, 0>> =>
  Object.fromEntries(names.map(name => [name, 0 as const]));
const round = (value: number, digits = 3): number => Number(value.toFixed(digits));
const rounded = (times: CpuTimes): object =>
  Object.fromEntries(cpuTimeKinds.map(kind => [kind, round(times[kind], 2)]));

/** JSON has no NaN and infinities: they are written as text, as in Prometheus; null if there is no value. */
const jsonNumber = (value: number | undefined): number | string | null =>
  value === undefined ? null : Number.isFinite(value) ? value : `${value}`;
