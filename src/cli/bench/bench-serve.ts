// `trenio bench serve`: reads the options, makes the requests, and prints the results.
import { resolve } from 'node:path';
import { writeFileAtomically } from '../../base/atomic-write.ts';
import { TrenioError } from '../../base/errors.ts';
import { ProgressLine } from '../../base/progress.ts';
import { type Latency, latencies, loadReport, reportText } from '../../client/load/load-report.ts';
import { randomPrompts } from '../../client/load/random-prompts.ts';
import { runLoad } from '../../client/load/run-load.ts';
import type { StreamTarget } from '../../client/load/stream-request.ts';
import { readJsonLines } from '../../data/files/json-lines.ts';
import type { CliContext } from '../command/command.ts';
import type { BenchServeInput } from './bench-options.ts';

const paths = { openai: '/v1/completions', 'openai-chat': '/v1/chat/completions' } as const;
/** The share of prompts in the cache of a server from which results are called warm. */
const WARM_SHARE = 0.05;

export async function benchServe({ options }: BenchServeInput, context: CliContext): Promise<number> {
  const { stdout, stderr, cwd, environment, signal } = context;
  const backend = options.backend;
  if (backend !== 'openai' && backend !== 'openai-chat') throw bad('backend', backend, 'openai or openai-chat');
  const requestRate = options['request-rate'] === 'inf' ? Number.POSITIVE_INFINITY : numberOf('request-rate', options);
  const burstiness = numberOf('burstiness', options);
  const percentiles = options['metric-percentiles'].split(',').map(text => {
    const p = Number(text);
    if (text === '' || !(p >= 0 && p <= 100)) throw bad('metric-percentiles', text, 'numbers from 0 to 100');
    return p;
  });
  const shown = options['percentile-metrics'].split(',').map(name => latencyOf('percentile-metrics', name));
  const goodput = options.goodput.map(text => {
    const [name = '', ms] = text.split(':');
    if (!(Number(ms) > 0)) throw bad('goodput', text, 'NAME:MS, such as ttft:500');
    return [latencyOf('goodput', name), Number(ms)] as const;
  });
  const base = options['base-url'].replace(/\/+$/, '');
  if (!URL.canParse(base)) throw bad('base-url', base, 'a URL');
  const key = options['api-key'] ?? environment.OPENAI_API_KEY;
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const target: StreamTarget = { url: base + (options.endpoint ?? paths[backend]), headers, signal };
  const progress = new ProgressLine({ stream: stderr, nowMs: () => performance.now(), afterMs: 2000 });
  const model = options.model ?? (await firstModel(base, target));
  const requests = await requestsOf({ options }, base, target, cwd, made => {
    if (!options.json) progress.update(`${made} prompts made`);
  });
  const models = options['lora-modules'].length > 0 ? options['lora-modules'] : [model];
  const all = requests.map(({ text, ids, output }, i) => ({
    model: models[i % models.length],
    ...(backend === 'openai' ? { prompt: ids ?? text } : { messages: [{ role: 'user', content: text }] }),
    ...(backend === 'openai' ? { max_tokens: output } : { max_completion_tokens: output }),
    temperature: numberOf('temperature', options, 0),
    stream: true,
    stream_options: { include_usage: true },
    ...(options['ignore-eos'] ? { ignore_eos: true } : {}),
  }));
  const load = { target, burstiness, seed: options.seed, mostAtOnce: options['max-concurrency'] ?? Infinity };
  const bodies = all.slice(options['num-warmups']);
  await runLoad(all.slice(0, options['num-warmups']), { ...load, requestRate: Number.POSITIVE_INFINITY });
  const results = await runLoad(bodies, {
    ...load,
    requestRate,
    onDone: (done, failed) => {
      if (!options.json)
        progress.update(`${done} of ${bodies.length} requests${failed > 0 ? `, ${failed} failed` : ''}`);
    },
  });
  if (!options.json) progress.done();
  const measured = loadReport(results, {
    percentiles,
    goodput: goodput.length === 0 ? undefined : Object.fromEntries(goodput),
  });
  const report = {
    ...{ date: new Date().toISOString(), backend, model_id: model, num_prompts: bodies.length },
    ...{ request_rate: options['request-rate'], burstiness, max_concurrency: options['max-concurrency'] ?? null },
    ...measured,
  };
  stdout.write(options.json ? `${JSON.stringify(report)}\n` : reportText(measured, percentiles, shown));
  if (options['save-result'])
    await writeFileAtomically(resolve(cwd, options['result-filename']), [`${JSON.stringify(report, null, 2)}\n`]);
  const [cached, input] = [Number(measured.cached_input_tokens), Number(measured.total_input_tokens)];
  const shared = options['random-prefix-len'] * bodies.length;
  if (cached - shared > WARM_SHARE * input)
    stderr.write(
      `trenio: warn: the server had ${cached} of ${input} prompt tokens in its cache: these are times of a warm cache; use another --seed\n`,
    );
  for (const error of measured.errors as readonly string[]) stderr.write(`trenio: warn: a request failed: ${error}\n`);
  return Number(measured.completed) > 0 ? 0 : 1;
}

interface Request {
  readonly text: string;
  readonly ids: readonly number[] | undefined;
  readonly output: number;
}

async function requestsOf(
  { options }: Pick<BenchServeInput, 'options'>,
  base: string,
  target: StreamTarget,
  cwd: string,
  onPrompt: (made: number) => void,
): Promise<readonly Request[]> {
  const {
    seed,
    'num-prompts': measured,
    'num-warmups': before,
    'random-output-len': output,
    'dataset-path': path,
  } = options;
  const count = before + measured;
  const name = options['dataset-name'];
  if (name === 'random') {
    const spread = numberOf('random-range-ratio', options, 0);
    if (spread >= 1) throw bad('random-range-ratio', String(spread), 'a number below 1');
    const [length, prefix] = [options['random-input-len'], options['random-prefix-len']];
    const prompts = await randomPrompts(base, target, { count, length, prefix, spread, seed, onPrompt }).catch(
      unreachable(base),
    );
    return prompts.map(prompt => ({ ...prompt, output }));
  }
  if (name !== 'custom') throw bad('dataset-name', name, 'random or custom');
  if (path === undefined) throw bad('dataset-path', 'none', 'a file of JSON lines');
  const file = resolve(cwd, path);
  const rows: Request[] = [];
  for await (const row of readJsonLines<{ prompt?: unknown; output_tokens?: unknown } | null>(file)) {
    const expected = 'objects with "prompt", a text, and optionally "output_tokens", a number';
    const tokens = row?.output_tokens ?? output;
    if (typeof row?.prompt !== 'string' || typeof tokens !== 'number')
      throw new TrenioError('JSONL_INVALID', {
        file,
        line: rows.length + 1,
        column: 1,
        got: 'another value',
        expected,
      });
    rows.push({ text: row.prompt, ids: undefined, output: tokens });
  }
  if (rows.length === 0)
    throw new TrenioError('JSONL_INVALID', {
      file,
      line: 1,
      column: 1,
      got: 'nothing',
      expected: 'at least one prompt',
    });
  return Array.from({ length: count }, (_, i) => rows[i % rows.length]!);
}

async function firstModel(base: string, { headers, signal }: StreamTarget): Promise<string> {
  const response = await fetch(`${base}/v1/models`, { headers, signal }).catch(unreachable(base));
  const body = (await response.json().catch(() => undefined)) as { data?: readonly { id?: string }[] } | undefined;
  const id = body?.data?.[0]?.id;
  if (id === undefined)
    throw bad('model', `none, and ${base}/v1/models answers ${response.status}`, 'the name of a model');
  return id;
}

const unreachable =
  (base: string) =>
  (error: unknown): never => {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    throw bad('base-url', base, 'a server that can be reached');
  };

function numberOf(
  name: 'request-rate' | 'burstiness' | 'temperature' | 'random-range-ratio',
  options: BenchServeInput['options'],
  least = 1e-9,
): number {
  const value = Number(options[name]);
  if (options[name].trim() !== '' && value >= least && Number.isFinite(value)) return value;
  throw bad(name, options[name], least === 0 ? 'a number from 0 on' : 'a number above 0');
}

function latencyOf(option: string, name: string): Latency {
  const found = latencies.find(one => one === name);
  if (found === undefined) throw bad(option, name, latencies.join(', '));
  return found;
}

const bad = (option: string, got: string, expected: string): TrenioError =>
  new TrenioError('BAD_ARGUMENT', { command: 'bench serve', argument: `--${option}`, got, expected });
