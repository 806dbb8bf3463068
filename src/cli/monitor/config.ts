// The configuration file of `trenio monitor -c`, in the format of neuron-monitor.
import { z } from 'zod';
import { TrenioError } from '../../base/errors.ts';
import { readTextFile } from '../../base/read-file.ts';

export const runtimeMetrics = [
  'neuroncore_counters',
  'execution_stats',
  'memory_used',
  'neuron_runtime_vcpu_usage',
  'trenio',
] as const;
const systemMetrics = ['vcpu_usage', 'memory_info', 'neuron_hw_counters'] as const;
export type RuntimeMetric = (typeof runtimeMetrics)[number];
export type SystemMetric = (typeof systemMetrics)[number];

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const leastPeriodMs = 100;
const mostPeriodMs = 86_400_000;

/** `500ms`, `1s`, `2m` → milliseconds; undefined for anything else. */
export function parsePeriod(text: string): number | undefined {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  const ms = Number(digits) * unitsMs[unit ?? 's']!;
  return ms >= leastPeriodMs && ms <= mostPeriodMs ? ms : undefined;
}
export const periodExpected = 'a period such as 500ms, 5s or 1m, at least 100ms';

const period = z.string().transform((text, context) => {
  const ms = parsePeriod(text);
  if (ms !== undefined) return ms;
  context.addIssue({ code: 'custom', message: `expected ${periodExpected}, got '${text}'` });
  return z.NEVER;
});
const pattern = z.string().transform((text, context) => {
  try {
    return new RegExp(text);
  } catch {
    context.addIssue({ code: 'custom', message: `'${text}' is not a regular expression` });
    return z.NEVER;
  }
});

const configSchema = z.strictObject({
  period: period.optional(),
  neuron_runtimes: z
    .array(
      z.strictObject({
        tag_filter: pattern.optional(),
        metrics: z.array(z.strictObject({ type: z.enum(runtimeMetrics), period: period.optional() })),
      }),
    )
    .optional(),
  system_metrics: z.array(z.strictObject({ type: z.enum(systemMetrics), period: period.optional() })).optional(),
});

export interface Metric<T extends string> {
  readonly type: T;
  readonly periodMs: number;
}
export interface MonitorConfig {
  readonly periodMs: number;
  /** The first entry whose filter matches the tag of a process determines its report. */
  readonly runtimes: readonly { readonly tagFilter: RegExp; readonly metrics: readonly Metric<RuntimeMetric>[] }[];
  readonly system: readonly Metric<SystemMetric>[];
}

const defaultPeriodMs = 5000;

/** Reports everything, every `periodMs`. */
export function defaultConfig(periodMs = defaultPeriodMs): MonitorConfig {
  return {
    periodMs,
    runtimes: [{ tagFilter: /(?:)/, metrics: runtimeMetrics.map(type => ({ type, periodMs })) }],
    system: systemMetrics.map(type => ({ type, periodMs })),
  };
}

/**
 * Reads a configuration file. Omitted keys are not reported, as in neuron-monitor. `periodMs` replaces the file's period.
 * @throws {FILE_UNREADABLE}
 * @throws {MONITOR_CONFIG}
 */
export async function readConfig(file: string, periodMs: number | undefined): Promise<MonitorConfig> {
  const text = await readTextFile(file);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new TrenioError('MONITOR_CONFIG', { file, field: '', problem: (error as Error).message });
  }
  const parsed = configSchema.safeParse(json);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    throw new TrenioError('MONITOR_CONFIG', { file, field: path.join('.'), problem: message });
  }
  const { data } = parsed;
  const base = periodMs ?? data.period ?? defaultPeriodMs;
  return {
    periodMs: base,
    runtimes: (data.neuron_runtimes ?? []).map(({ tag_filter, metrics }) => ({
      tagFilter: tag_filter ?? /(?:)/,
      metrics: metrics.map(({ type, period: own }) => ({ type, periodMs: own ?? base })),
    })),
    system: (data.system_metrics ?? []).map(({ type, period: own }) => ({ type, periodMs: own ?? base })),
  };
}
