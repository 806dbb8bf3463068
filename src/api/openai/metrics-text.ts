// GET /metrics: the counters of an engine in the text format of Prometheus, with vLLM's names.
import type { EngineMetrics, Histogram } from '../../serving/engine/engine-metrics.ts';
import type { EmbeddingModel } from './embeddings.ts';
import type { LanguageModel } from './language-model.ts';

type Labels = Readonly<Record<string, string | number>>;
type Sample = readonly [labels: Labels, value: number];

const histograms: Readonly<Record<string, (metrics: EngineMetrics) => Histogram>> = {
  time_to_first_token_seconds: m => m.timeToFirstToken,
  inter_token_latency_seconds: m => m.interTokenLatency,
  request_time_per_output_token_seconds: m => m.timePerOutputToken,
  e2e_request_latency_seconds: m => m.requestLatency,
  request_queue_time_seconds: m => m.queueTime,
  request_prefill_time_seconds: m => m.prefillTime,
  request_decode_time_seconds: m => m.decodeTime,
  request_inference_time_seconds: m => m.inferenceTime,
  request_prompt_tokens: m => m.requestPromptTokens,
  request_generation_tokens: m => m.requestGeneratedTokens,
  request_max_num_generation_tokens: m => m.requestLongestTokens,
  request_params_max_tokens: m => m.requestMaxTokens,
  request_params_n: m => m.requestN,
  iteration_tokens_total: m => m.stepTokens,
};

const counters: Readonly<Record<string, (metrics: EngineMetrics) => number | readonly Sample[]>> = {
  prompt_tokens_total: m => m.promptTokens,
  generation_tokens_total: m => m.generatedTokens,
  prompt_tokens_cached_total: m => m.cachedTokens,
  prompt_tokens_recomputed_total: m => m.recomputedTokens,
  prompt_tokens_by_source_total: m => [
    [{ source: 'local_compute' }, m.lookedUpTokens - m.cachedTokens],
    [{ source: 'local_cache_hit' }, m.cachedTokens],
    [{ source: 'external_kv_transfer' }, 0],
  ],
  request_success_total: m => Object.entries(m.finished).map(([reason, count]) => [{ finished_reason: reason }, count]),
  num_preemptions_total: m => m.preemptions,
  prefix_cache_queries_total: m => m.lookedUpTokens,
  prefix_cache_hits_total: m => m.cachedTokens,
  spec_decode_num_drafts_total: m => m.drafts,
  spec_decode_num_draft_tokens_total: m => m.draftTokens,
  spec_decode_num_accepted_tokens_total: m => m.acceptedTokens,
  spec_decode_num_accepted_tokens_per_pos_total: m =>
    m.acceptedByPosition.map((count, position) => [{ position }, count]),
};

function writer(model: string) {
  const lines: string[] = [];
  const base = { model_name: model, engine: 0 };
  const add = (name: string, type: string, samples: readonly (readonly [suffix: string, ...Sample])[]): void => {
    lines.push(`# HELP vllm:${name} ${name.replaceAll('_', ' ')}.`, `# TYPE vllm:${name} ${type}`);
    for (const [suffix, labels, value] of samples)
      lines.push(`vllm:${name}${suffix}${labelText({ ...base, ...labels })} ${value}`);
  };
  const gauge = (name: string, value: number, labels: Labels = {}): void => add(name, 'gauge', [['', labels, value]]);
  return { lines, add, gauge };
}

export function embedderMetricsText({ names, embedder, counts }: EmbeddingModel): string {
  const { lines, add, gauge } = writer(names[0]!);
  gauge('num_requests_running', counts.running);
  gauge('num_requests_waiting', embedder.waiting);
  add('prompt_tokens_total', 'counter', [['', {}, counts.tokens]]);
  add('request_success_total', 'counter', [['', { finished_reason: 'stop' }, counts.requests]]);
  return `${lines.join('\n')}\n`;
}

export function metricsText({ names, engine, checks }: Pick<LanguageModel, 'names' | 'engine' | 'checks'>): string {
  const { metrics, blocks, blockSize, usedBlocks, runningSequences, waitingSequences } = engine;
  const { lines, add, gauge } = writer(names[0]!);
  gauge('num_requests_running', runningSequences);
  gauge('num_requests_waiting', waitingSequences);
  gauge('num_requests_waiting_by_reason', waitingSequences, { reason: 'capacity' });
  gauge('kv_cache_usage_perc', usedBlocks / blocks);
  if (engine.adapters.count > 0)
    gauge('lora_requests_info', Date.now() / 1000, {
      max_lora: engine.adapters.count,
      running_lora_adapters: engine.adapters.used.map(({ name }) => name).join(','),
      waiting_lora_adapters: '',
    });
  gauge('cache_config_info', 1, { block_size: blockSize, num_gpu_blocks: blocks });
  for (const [name, of] of Object.entries(counters)) {
    const value = of(metrics);
    const samples: readonly Sample[] = typeof value === 'number' ? [[{}, value]] : value;
    add(
      name,
      'counter',
      samples.map(([labels, count]) => ['', labels, count]),
    );
  }
  for (const [name, of] of Object.entries(histograms)) {
    const { bounds, counts, sum, count } = of(metrics);
    let total = 0;
    const buckets = bounds.map((bound, i): readonly [string, ...Sample] => {
      total += counts[i]!;
      return ['_bucket', { le: bound }, total];
    });
    const all = [...buckets, ['_bucket', { le: '+Inf' }, count], ['_sum', {}, sum], ['_count', {}, count]] as const;
    add(name, 'histogram', all);
  }
  if (checks !== undefined) {
    add('invariance_checks_total', 'counter', [['', {}, checks.checked]]);
    add('invariance_differences_total', 'counter', [['', {}, checks.differing]]);
  }
  return `${lines.join('\n')}\n`;
}

const labelText = (labels: Labels): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${String(value).replaceAll(/[\\"\n]/g, c => (c === '\n' ? '\\n' : `\\${c}`))}"`)
    .join(',')}}`;
