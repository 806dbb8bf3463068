// `trenio bench latency` and `trenio bench throughput`: an engine in this process, without a server.
import { resolve } from 'node:path';
import { BlockedProgress } from '../../base/blocked-progress.ts';
import { ProgressLine } from '../../base/progress.ts';
import { percentile } from '../../client/load/load-report.ts';
import { randomFraction } from '../../models/generation/sample-token.ts';
import { loadEngine } from '../../serving/engine/load-engine.ts';
import type { PagedEngine } from '../../serving/engine/paged-engine.ts';
import { samplingParameters } from '../../serving/engine/sampling-parameters.ts';
import type { CliContext } from '../command/command.ts';
import { weightsOf } from '../serve/model-options.ts';
import type { BenchLatencyInput, BenchThroughputInput } from './bench-options.ts';

type Input = BenchLatencyInput | BenchThroughputInput;

export async function benchLatency(input: BenchLatencyInput, context: CliContext): Promise<number> {
  const { options } = input;
  const engine = await engineFor(input, context, 'bench latency');
  const { 'batch-size': batch, 'num-iters-warmup': warmups, 'num-iters': count } = options;
  const progress = new ProgressLine({ stream: context.stderr, nowMs: () => performance.now(), afterMs: 2000 });
  const seconds: number[] = [];
  for (let i = 0; i < warmups + count; i++) {
    const elapsed = await generate(engine, input, batch, i, context.signal);
    if (i >= warmups) seconds.push(elapsed);
    if (!options.json) progress.update(`batch ${i + 1} of ${warmups + count}`);
  }
  if (!options.json) progress.done();
  const sorted = [...seconds].sort((a, b) => a - b);
  const percentiles = Object.fromEntries([10, 25, 50, 75, 90, 99].map(p => [p, percentile(sorted, p)]));
  const average = seconds.reduce((sum, one) => sum + one, 0) / seconds.length;
  const report = { avg_latency: average, latencies: seconds, percentiles };
  context.stdout.write(
    options.json
      ? `${JSON.stringify(report)}\n`
      : `Avg latency: ${average.toFixed(3)} seconds\n${Object.entries(percentiles)
          .map(([p, one]) => `${p}% percentile latency: ${one.toFixed(3)} seconds\n`)
          .join('')}`,
  );
  return 0;
}

export async function benchThroughput(input: BenchThroughputInput, context: CliContext): Promise<number> {
  const { options } = input;
  const { 'num-prompts': count, 'input-len': inputs, 'output-len': outputs } = options;
  const engine = await engineFor(input, context, 'bench throughput');
  // The first step of a process is slower.
  await generate(engine, input, 1, 0, context.signal);
  const seconds = await generate(engine, input, count, 1, context.signal);
  const tokens = count * (inputs + outputs);
  const report = {
    elapsed_time: seconds,
    num_requests: count,
    total_num_tokens: tokens,
    requests_per_second: count / seconds,
    tokens_per_second: tokens / seconds,
    output_tokens_per_second: (count * outputs) / seconds,
  };
  context.stdout.write(
    options.json
      ? `${JSON.stringify(report)}\n`
      : `Throughput: ${report.requests_per_second.toFixed(2)} requests/s, ${report.tokens_per_second.toFixed(2)} total tokens/s, ${report.output_tokens_per_second.toFixed(2)} output tokens/s\n`,
  );
  return 0;
}

async function engineFor(
  { options, positionals }: Input,
  { cwd, stderr }: CliContext,
  command: string,
): Promise<PagedEngine> {
  const { 'input-len': inputs, 'output-len': outputs } = options;
  const weights = weightsOf(command, options);
  using progress = new BlockedProgress('loading the weights and compiling', { stream: stderr, quiet: options.json });
  const { engine } = await loadEngine(resolve(cwd, positionals[0]!), {
    ...weights,
    sizes: {
      sequences: options['max-num-seqs'],
      tokens: options['max-num-batched-tokens'],
      positions: inputs + outputs,
    },
    mostWaiting: Number.POSITIVE_INFINITY,
    prefixCache: false,
    speculation: false,
    log: line => void stderr.write(`${line}\n`),
  });
  progress.done();
  return engine;
}

/** Generates sequences after random tokens. Returns the seconds. */
async function generate(
  engine: PagedEngine,
  { options }: Input,
  count: number,
  turn: number,
  signal: AbortSignal,
): Promise<number> {
  const { seed, 'input-len': inputs, 'output-len': maxTokens } = options;
  const sampling = samplingParameters({ temperature: 0, maxTokens }, engine.vocabulary);
  const startMs = performance.now();
  const all = Array.from({ length: count }, async (_, i) => {
    const prompt = Array.from({ length: inputs }, (__, at) =>
      Math.floor(randomFraction(seed, turn * 65_536 + i, at) * engine.vocabulary),
    );
    for await (const event of engine.submit({ id: `${turn}-${i}`, prompt, sampling })) void event;
  });
  const stop = (): void => {
    for (let i = 0; i < count; i++) engine.cancel(`${turn}-${i}`);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.all(all);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return (performance.now() - startMs) / 1000;
}
