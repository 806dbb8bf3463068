// `trenio bench serve` against a server whose engine has a model without weights: both count the same.
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { OpenAiServer } from '../../api/openai/openai-server.ts';
import { AutoTokenizer } from '../../data/tokenizers/auto-tokenizer.ts';
import { FakeModel } from '../../serving/engine/fake-model.testing.ts';
import { PagedEngine } from '../../serving/engine/paged-engine.ts';
import { runWords } from '../run-cli.testing.ts';

const server = new OpenAiServer({ host: '127.0.0.1', port: 0, apiKeys: ['k'], log: () => {} });
let url: string;
beforeAll(async () => {
  const tokenizer = await AutoTokenizer.fromPretrained(goldenPath('tokenizers/llama3'));
  const model = new FakeModel({ vocabulary: 620, positions: 400, blocks: 400, stepMs: 1, blockSize: 4 });
  url = await server.listen();
  server.serve({ names: ['tiny'], created: 7, engine: new PagedEngine(model), tokenizer, defaults: {}, endIds: [] });
});
afterAll(() => server.close(0));

// biome-ignore lint/suspicious/noExplicitAny: results are looked into as a user does
type Json = any;
const bench = (words: string, cwd = '.') =>
  runWords(['bench', 'serve', '--base-url', url, '--api-key', 'k', ...words.split(' ')], { cwd });
async function counters(): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer k' } })).text();
  return Object.fromEntries(
    [...text.matchAll(/^vllm:(\w+_total|\w+_count)\{[^}]*\} (\d+)$/gm)].map(([, name, count]) => [name, Number(count)]),
  );
}

test('the server has counted what the bench has', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-bench-'));
  const before = await counters();
  const words =
    '--num-prompts 12 --random-input-len 33 --random-prefix-len 16 --random-output-len 9 --request-rate 200';
  const { exitCode, stdout, stderr } = await bench(`${words} --json --save-result --goodput e2el:60000`, folder.path);
  expect([exitCode, stderr]).toEqual([0, '']);
  const report: Json = JSON.parse(stdout);
  const after = await counters();
  const change = (name: string): number => after[name]! - (before[name] ?? 0);
  expect(report).toMatchObject({ completed: 12, failed: 0, total_input_tokens: 12 * 49, total_output_tokens: 108 });
  expect(report.request_goodput).toBe(report.request_throughput);
  expect(change('prompt_tokens_total')).toBe(report.total_input_tokens);
  expect(change('generation_tokens_total')).toBe(report.total_output_tokens);
  expect(change('prefix_cache_hits_total')).toBe(report.cached_input_tokens);
  expect(change('e2e_request_latency_seconds_count')).toBe(12);
  expect(JSON.parse(readFileSync(join(folder.path, 'bench-serve.json'), 'utf8'))).toEqual(report);
});

test('chats from a file; a second time, results are warm', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-bench-'));
  writeFileSync(
    join(folder.path, 'p.jsonl'),
    '{"prompt":"Hello world, how are you?","output_tokens":3}\n{"prompt":"b"}\n',
  );
  const words =
    '--backend openai-chat --dataset-name custom --dataset-path p.jsonl --num-prompts 2 --random-output-len 5';
  const first = await bench(words, folder.path);
  expect([first.exitCode, first.stdout]).toEqual([0, expect.stringMatching(/Total generated tokens: +8\n/)]);
  const second = await bench(words, folder.path);
  expect(second.stderr).toMatch(/trenio: warn: the server had \d+ of \d+ prompt tokens in its cache/);
});

test.each([
  ['--backend tgi', '--backend is tgi, expected openai or openai-chat', 2],
  ['--request-rate often', '--request-rate is often', 2],
  ['--goodput ttft', '--goodput is ttft', 2],
  ['--metric-percentiles 101', '--metric-percentiles is 101', 2],
  ['--dataset-name custom', '--dataset-path is none', 2],
  ['--model none --num-prompts 2 --random-input-len 3', 'a request failed: HTTP 404', 1],
  ['--api-key wrong', 'answers 401', 2],
])('%s', async (words, message, exitCode) => {
  const outcome = await bench(words);
  expect([outcome.exitCode, outcome.stderr]).toEqual([exitCode, expect.stringContaining(message)]);
});
