import { expect, test } from 'vitest';
import { arrivals } from './arrivals.ts';
import { loadReport, reportText } from './load-report.ts';
import type { RequestResult } from './stream-request.ts';

const result = (startMs: number, outputMs: readonly number[], more: Partial<RequestResult> = {}): RequestResult => ({
  startMs,
  endMs: (outputMs.at(-1) ?? startMs) + 1,
  outputMs,
  promptTokens: 10,
  cachedTokens: 0,
  outputTokens: outputMs.length,
  text: '',
  ...more,
});

test('latencies, throughput and goodput by their definitions', () => {
  const results = [
    result(0, [100, 120, 160]),
    result(500, [800, 810, 820, 999]),
    result(600, [], { endMs: 700, error: 'HTTP 429: full' }),
  ];
  const report = loadReport(results, { percentiles: [50, 99], goodput: { ttft: 200, itl: 50 } });
  expect(report).toMatchObject({
    duration: 1,
    completed: 2,
    failed: 1,
    total_input_tokens: 20,
    total_output_tokens: 7,
    request_throughput: 2,
    request_goodput: 1,
    output_throughput: 7,
    max_output_tokens_per_s: 7,
    max_concurrent_requests: 1,
    mean_ttft_ms: 200,
    std_ttft_ms: 100,
    median_ttft_ms: 200,
    errors: ['HTTP 429: full'],
  });
  expect(report.mean_tpot_ms).toBeCloseTo((60 / 2 + 199 / 3) / 2);
  expect(report.median_itl_ms).toBe(20);
  // With linear interpolation, as in NumPy.
  expect(report.p99_itl_ms).toBeCloseTo(173.44);
  expect(loadReport([results[2]!], { percentiles: [99], goodput: undefined })).toMatchObject({
    completed: 0,
    request_goodput: null,
    p99_ttft_ms: 0,
  });
  const lines = reportText(report, [99], ['ttft']).split('\n');
  expect(lines[0]).toBe('============ Serving Benchmark Result ============');
  expect(lines).toContain('P99 TTFT (ms):                           298.00');
});

test.each([0.3, 1, 5])('arrivals of burstiness %f have their rate and their spread', burstiness => {
  const times = arrivals(4000, { requestRate: 20, burstiness, seed: 3 });
  expect(times.at(-1)).toBeCloseTo(200);
  const gaps = times.map((time, i) => time - (times[i - 1] ?? 0));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
  // The variance of the gamma distribution, in squares of its mean.
  expect(Math.abs((variance / mean ** 2) * burstiness - 1)).toBeLessThan(0.2);
  expect(arrivals(3, { requestRate: Number.POSITIVE_INFINITY, burstiness, seed: 3 })).toEqual([0, 0, 0]);
});
