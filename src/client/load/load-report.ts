// The results of a load in the definitions and names of `vllm bench serve`. Times are in milliseconds.
//
//   ttft  from sending to the first output       tpot  (e2el − ttft) / (output tokens − 1)
//   itl   between outputs                         e2el  from sending to the end
import type { RequestResult } from './stream-request.ts';

export const latencies = ['ttft', 'tpot', 'itl', 'e2el'] as const;
export type Latency = (typeof latencies)[number];

export interface ReportOptions {
  readonly percentiles: readonly number[];
  /** The limits that a request must meet to count as good; undefined: none are given. */
  readonly goodput: Partial<Record<Latency, number>> | undefined;
}

/** The members of the JSON file of results. */
export type LoadReport = Readonly<Record<string, number | string | null | readonly string[]>>;

export function loadReport(results: readonly RequestResult[], { percentiles, goodput }: ReportOptions): LoadReport {
  const good = results.filter(({ error }) => error === undefined);
  const startMs = Math.min(...results.map(one => one.startMs));
  const seconds = (Math.max(...results.map(one => one.endMs)) - startMs) / 1000;
  const sum = (of: (one: RequestResult) => number): number => good.reduce((total, one) => total + of(one), 0);
  const [input, output] = [sum(one => one.promptTokens), sum(one => one.outputTokens)];
  const measured = good.map(latenciesOf);
  const meets = (one: (typeof measured)[number]): boolean =>
    Object.entries(goodput ?? {}).every(([name, limit]) => {
      const times = one[name as Latency];
      return times.every(time => time <= limit);
    });
  const report: Record<string, number | string | null | readonly string[]> = {
    duration: seconds,
    completed: good.length,
    failed: results.length - good.length,
    total_input_tokens: input,
    total_output_tokens: output,
    cached_input_tokens: sum(one => one.cachedTokens),
    request_throughput: good.length / seconds,
    request_goodput: goodput === undefined ? null : measured.filter(meets).length / seconds,
    output_throughput: output / seconds,
    total_token_throughput: (input + output) / seconds,
    max_output_tokens_per_s: mostPerSecond(good, startMs),
    max_concurrent_requests: mostAtOnce(good),
  };
  for (const name of latencies) {
    const times = measured.flatMap(one => one[name]).sort((a, b) => a - b);
    const mean = times.reduce((total, time) => total + time, 0) / Math.max(1, times.length);
    const variance = times.reduce((total, time) => total + (time - mean) ** 2, 0) / Math.max(1, times.length);
    report[`mean_${name}_ms`] = mean;
    report[`median_${name}_ms`] = percentile(times, 50);
    report[`std_${name}_ms`] = Math.sqrt(variance);
    for (const p of percentiles) report[`p${p}_${name}_ms`] = percentile(times, p);
  }
  report.errors = [...new Set(results.flatMap(({ error }) => error ?? []))].slice(0, 10);
  return report;
}

function latenciesOf({ startMs, endMs, outputMs, outputTokens }: RequestResult): Record<Latency, readonly number[]> {
  const [first] = outputMs;
  return {
    ttft: first === undefined ? [] : [first - startMs],
    tpot: first === undefined || outputTokens < 2 ? [] : [(outputMs.at(-1)! - first) / (outputTokens - 1)],
    itl: outputMs.slice(1).map((at, i) => at - outputMs[i]!),
    e2el: [endMs - startMs],
  };
}

/** With linear interpolation, as in NumPy; 0 for no numbers. */
export function percentile(sorted: readonly number[], p: number): number {
  if (sorted.length === 0) return 0;
  const at = (p / 100) * (sorted.length - 1);
  const low = Math.floor(at);
  return sorted[low]! + (at - low) * ((sorted[low + 1] ?? sorted[low]!) - sorted[low]!);
}

/** Outputs in the busiest second. */
function mostPerSecond(results: readonly RequestResult[], startMs: number): number {
  const counts = new Map<number, number>();
  for (const { outputMs, outputTokens } of results)
    for (const at of outputMs) {
      const second = Math.floor((at - startMs) / 1000);
      // Events may have several tokens.
      counts.set(second, (counts.get(second) ?? 0) + outputTokens / outputMs.length);
    }
  return Math.max(0, ...counts.values());
}

function mostAtOnce(results: readonly RequestResult[]): number {
  const changes = results.flatMap(({ startMs, endMs }) => [[startMs, 1] as const, [endMs, -1] as const]);
  changes.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let [now, most] = [0, 0];
  for (const [, change] of changes) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}

/** The block of text that `vllm bench serve` prints. */
export function reportText(report: LoadReport, percentiles: readonly number[], shown: readonly Latency[]): string {
  const number = (name: string): number => Number(report[name] ?? 0);
  const row = (name: string, value: string): string => `${`${name}:`.padEnd(41)}${value}`;
  const count = (name: string, member: string): string => row(name, String(number(member)));
  const real = (name: string, member: string): string => row(name, number(member).toFixed(2));
  const title = (text: string, fill: string): string =>
    ` ${text} `.padStart((50 + text.length + 2) / 2, fill).padEnd(50, fill);
  const titles = {
    ttft: 'Time to First Token',
    tpot: 'Time per Output Token (excl. 1st token)',
    itl: 'Inter-token Latency',
    e2el: 'End-to-end Latency',
  };
  const lines = [
    title('Serving Benchmark Result', '='),
    count('Successful requests', 'completed'),
    count('Failed requests', 'failed'),
    real('Benchmark duration (s)', 'duration'),
    count('Total input tokens', 'total_input_tokens'),
    count('Total generated tokens', 'total_output_tokens'),
    real('Request throughput (req/s)', 'request_throughput'),
    ...(report.request_goodput === null ? [] : [real('Request goodput (req/s)', 'request_goodput')]),
    real('Output token throughput (tok/s)', 'output_throughput'),
    real('Peak output token throughput (tok/s)', 'max_output_tokens_per_s'),
    count('Peak concurrent requests', 'max_concurrent_requests'),
    real('Total token throughput (tok/s)', 'total_token_throughput'),
  ];
  for (const name of shown)
    lines.push(
      title(titles[name], '-'),
      real(`Mean ${name.toUpperCase()} (ms)`, `mean_${name}_ms`),
      real(`Median ${name.toUpperCase()} (ms)`, `median_${name}_ms`),
      ...percentiles.map(p => real(`P${p} ${name.toUpperCase()} (ms)`, `p${p}_${name}_ms`)),
    );
  return `${[...lines, '='.repeat(50)].join('\n')}\n`;
}
