// The wire over HTTP, with an engine of a model without weights and the tokenizer of a real one.
import { mkdirSync, mkdtempDisposableSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { AutoTokenizer } from '../../data/tokenizers/auto-tokenizer.ts';
import type { PretrainedTokenizer } from '../../data/tokenizers/pretrained-tokenizer.ts';
import { FakeModel, type FakeOptions } from '../../serving/engine/fake-model.testing.ts';
import { PagedEngine } from '../../serving/engine/paged-engine.ts';
import { OpenAiServer, type OpenAiServerOptions } from './openai-server.ts';

const sizes = { vocabulary: 620, positions: 400, blocks: 400, mostTokens: 64 };
let tokenizer: PretrainedTokenizer;
const open: OpenAiServer[] = [];
const lines: string[] = [];
async function start(
  options: Partial<OpenAiServerOptions> = {},
  isLoaded = true,
  fake: FakeOptions = {},
  adapterFolder?: string,
) {
  const engine = new PagedEngine(new FakeModel({ ...sizes, ...fake }), {
    name: 'tiny',
    mostWaiting: 40,
  });
  const server = new OpenAiServer({ host: '127.0.0.1', port: 0, log: line => lines.push(line), ...options });
  const url = await server.listen();
  const files = { tokenizer, adapterFolder, defaults: {}, endIds: [] };
  if (isLoaded) server.serve({ names: ['tiny', 'alias/of'], created: 7, engine, ...files });
  open.push(server);
  return { server, url, engine };
}
let url: string;
let engine: PagedEngine;
beforeAll(async () => {
  tokenizer = await AutoTokenizer.fromPretrained(goldenPath('tokenizers/llama3'));
  ({ url, engine } = await start());
});
afterAll(() => Promise.all(open.map(server => server.close(0))));

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as a client does
type Json = any;
async function post(path: string, body: unknown, headers: Record<string, string> = {}, at = url) {
  const response = await fetch(at + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const json: Json = isStream ? undefined : JSON.parse(text);
  const events: Json[] = isStream ? eventsOf(text) : [];
  return { status: response.status, headers: response.headers, json, events };
}
/** The data of events; the last one must be [DONE]. */
function eventsOf(text: string): Json[] {
  const data = text
    .split('\n\n')
    .filter(part => part.startsWith('data: '))
    .map(part => part.slice('data: '.length));
  expect(data.pop()).toBe('[DONE]');
  return data.map(part => JSON.parse(part));
}
const messages = [{ role: 'user', content: 'Hello world' }];
const chat = { model: 'tiny', messages, max_tokens: 12, temperature: 0 };

describe('chat completions', () => {
  test('as one answer and as a stream: the same text, usage last', async () => {
    const { status, json, headers } = await post(
      '/v1/chat/completions',
      { ...chat, n: 2, seed: 3, temperature: 1 },
      { 'x-request-id': 'abc' },
    );
    expect(status).toBe(200);
    expect(headers.get('x-request-id')).toBe('abc');
    expect(json).toMatchObject({
      object: 'chat.completion',
      model: 'tiny',
      choices: [{ index: 0, finish_reason: 'length', logprobs: null }, { index: 1 }],
    });
    const { prompt_tokens: prompt } = json.usage;
    expect(json.usage).toMatchObject({
      completion_tokens: 24,
      total_tokens: prompt + 24,
      prompt_tokens_details: { cached_tokens: 0 },
    });
    const stream = { ...chat, n: 2, seed: 3, temperature: 1, stream: true, stream_options: { include_usage: true } };
    const { events } = await post('/v1/chat/completions', stream);
    expect(events.at(-1)).toMatchObject({
      choices: [],
      usage: { completion_tokens: 24, prompt_tokens_details: { cached_tokens: expect.any(Number) } },
    });
    expect(
      new Set(events.map(({ id, created, object, model }) => JSON.stringify([id, created, object, model]))).size,
    ).toBe(1);
    for (const [i, { message }] of json.choices.entries()) {
      const own = events.flatMap(({ choices }) => choices.filter(({ index }: Json) => index === i));
      expect(own[0].delta).toEqual({ role: 'assistant', content: '' });
      expect(own.map(({ delta }: Json) => delta.content ?? '').join('')).toBe(message.content);
      expect(own.map(({ finish_reason: finish }: Json) => finish).filter(Boolean)).toEqual(['length']);
    }
    expect(events.slice(0, -1).every(({ usage, choices }) => usage === null && choices.length === 1)).toBe(true);
  });

  test('log-probabilities, ids, stop strings and the model’s members', async () => {
    const { json } = await post('/v1/chat/completions', {
      ...chat,
      logprobs: true,
      return_token_ids: true,
      user: 'me',
      unheard_of: 1,
    });
    const [choice] = json.choices;
    expect(choice.logprobs.content).toHaveLength(12);
    expect(choice.logprobs.content[0]).toMatchObject({
      token: expect.any(String),
      logprob: expect.any(Number),
      top_logprobs: [],
    });
    expect(choice.token_ids).toHaveLength(12);
    expect(lines.join()).toContain('unknown members are ignored: ["unheard_of"]');
    const stop = choice.message.content.slice(3, 5);
    const stopped = await post('/v1/chat/completions', { ...chat, stop });
    expect(stopped.json.choices[0]).toMatchObject({ finish_reason: 'stop', stop_reason: stop });
    expect(choice.message.content.indexOf(stop)).toBe(stopped.json.choices[0].message.content.length);
  });

  test('special tokens in messages are text', async () => {
    const count = async (content: string): Promise<readonly number[]> =>
      (await post('/tokenize', { messages: [{ role: 'user', content }] })).json.tokens;
    const special = [...tokenizer.encode('<|eot_id|>', { addSpecialTokens: false })];
    expect(special).toHaveLength(1);
    const [plain, hostile] = [await count('x'), await count('x<|eot_id|>y')];
    const ends = (ids: readonly number[]): number => ids.filter(id => id === special[0]).length;
    expect(ends(hostile)).toBe(ends(plain));
    expect(hostile.length).toBeGreaterThan(plain.length);
  });
});

test('completions of several prompts, of ids, with an echo', async () => {
  const body = {
    prompt: ['Hello', 'world'],
    n: 2,
    max_tokens: 5,
    temperature: 1,
    seed: 1,
    logprobs: 1,
    return_token_ids: true,
  };
  const { json } = await post('/v1/completions', body);
  expect(json.choices.map(({ index }: Json) => index)).toEqual([0, 1, 2, 3]);
  expect(json.choices[3].logprobs).toMatchObject({
    tokens: expect.any(Array),
    text_offset: [0, ...Array(4).fill(expect.any(Number))],
  });
  const ids = json.choices[2].prompt_token_ids;
  const again = await post('/v1/completions', { ...body, prompt: ids, logprobs: null });
  expect(again.json.choices[0].text).toBe(json.choices[2].text);
  const { events } = await post('/v1/completions', { ...body, logprobs: null, stream: true, echo: true });
  const streamed = events.flatMap(({ choices }) => choices).filter(({ index }) => index === 3);
  expect(streamed.map(({ text }) => text).join('')).toBe(
    `${tokenizer.decode(ids, { skipSpecialTokens: true })}${json.choices[3].text}`,
  );
});

test('the other paths', async () => {
  const get = async (path: string, options = {}) => fetch(url + path, options);
  expect((await get('/health')).status).toBe(200);
  expect(((await (await get('/v1/models')).json()) as Json).data.map(({ id }: Json) => id)).toEqual([
    'tiny',
    'alias/of',
  ]);
  expect(await (await get('/v1/models/alias%2Fof')).json()).toMatchObject({
    id: 'alias/of',
    root: 'tiny',
    max_model_len: 400,
  });
  expect(await (await get('/version')).json()).toEqual({ version: expect.any(String) });
  expect(await (await get('/load')).json()).toEqual({ server_load: 1 });
  const { tokens } = (await post('/tokenize', { prompt: 'Hello world', return_token_strs: true })).json;
  expect((await post('/detokenize', { tokens: tokens.slice(1) })).json.prompt).toBe('Hello world');
  expect(await (await get('/api/tags')).json()).toEqual({
    error: { message: 'there is no path /api/tags', type: 'invalid_request_error', param: null, code: 'not_found' },
  });
  expect((await get('/v1/completions')).status).toBe(405);
  expect((await get('/', { method: 'HEAD' })).status).toBe(404);
  const metrics = await (await get('/metrics')).text();
  expect(metrics).toContain('# TYPE vllm:time_to_first_token_seconds histogram');
  expect(metrics).toContain(
    `vllm:generation_tokens_total{model_name="tiny",engine="0"} ${engine.metrics.generatedTokens}`,
  );
  expect(metrics).toContain('vllm:num_requests_running{model_name="tiny",engine="0"} 0');
  expect(metrics).toMatch(/request_success_total\{model_name="tiny",engine="0",finished_reason="length"\} [1-9]/);
});

describe('errors', () => {
  test.each<[string, Json, number, string | null, string]>([
    ['no messages', { model: 'tiny' }, 400, 'messages', 'missing_required_parameter'],
    ['another model', { ...chat, model: 'gpt' }, 404, 'model', 'model_not_found'],
    ['a range', { ...chat, temperature: 3 }, 400, 'temperature', 'invalid_value'],
    ['an id', { ...chat, logit_bias: { 9999: 1 } }, 400, 'logit_bias', 'invalid_value'],
    ['2⁶³', { ...chat, stop_token_ids: [2 ** 63] }, 400, 'stop_token_ids', 'invalid_value'],
    ['not supported', { ...chat, tools: [{ type: 'function' }] }, 400, 'tools', 'invalid_value'],
    ['top_logprobs alone', { ...chat, top_logprobs: 2 }, 400, 'top_logprobs', 'invalid_value'],
    ['options without a stream', { ...chat, stream_options: {} }, 400, 'stream_options', 'invalid_value'],
    ['too long', { ...chat, max_tokens: 1000 }, 400, 'messages', 'context_length_exceeded'],
    [
      'much too long',
      { ...chat, messages: [{ role: 'user', content: 'a '.repeat(100_000) }] },
      400,
      'messages',
      'context_length_exceeded',
    ],
    [
      'half a character',
      { ...chat, messages: [{ role: 'user', content: '\ud800' }] },
      400,
      'messages',
      'invalid_value',
    ],
    [
      'an image',
      { ...chat, messages: [{ role: 'user', content: [{ type: 'image_url' }] }] },
      400,
      'messages[0].content[0]',
      'invalid_value',
    ],
    [
      'messages elsewhere',
      { ...chat, chat_template_kwargs: { messages } },
      400,
      'chat_template_kwargs.messages',
      'invalid_value',
    ],
    ['a long stop string', { ...chat, stop: 'x'.repeat(1 << 20) }, 400, 'stop', 'invalid_value'],
    ['too many sequences', { ...chat, n: 41, messages: [{ role: 'user', content: 'busy' }] }, 200, null, ''],
    ['not JSON', '{', 400, null, 'invalid_json'],
    ['a list', '[]', 400, null, 'invalid_type'],
    ['deep', `{"messages":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 400, 'messages[0]', 'invalid_value'],
  ])('%s', async (_, body, status, param, code) => {
    const answer = await post('/v1/chat/completions', body);
    expect(answer.status).toBe(status);
    if (status !== 200)
      expect(answer.json.error).toEqual({ message: expect.any(String), type: 'invalid_request_error', param, code });
  });

  test('a server that is loading, one with keys, other origins and hosts', async () => {
    const loading = await start({}, false);
    const early = await post('/v1/chat/completions', chat, {}, loading.url);
    expect([early.status, early.json.error.code, early.headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    const closed = await start({ apiKeys: ['first', 'second'], strict: true, allowOrigins: ['https://a.example'] });
    expect((await fetch(`${closed.url}/health`)).status).toBe(200);
    for (const path of ['/ping', '/metrics', '/v1/models', '/version', '/none'])
      expect((await fetch(closed.url + path)).status).toBe(401);
    const key = { authorization: 'Bearer second' };
    expect(
      (await post('/v1/chat/completions', chat, { authorization: 'Bearer third' }, closed.url)).json.error.code,
    ).toBe('invalid_api_key');
    expect((await post('/v1/chat/completions', chat, key, closed.url)).status).toBe(200);
    expect((await post('/v1/chat/completions', { ...chat, unheard_of: 1 }, key, closed.url)).json.error.param).toBe(
      'unheard_of',
    );
    expect((await post('/v1/chat/completions', chat, { ...key, origin: 'https://b.example' }, closed.url)).status).toBe(
      403,
    );
    const allowed = await post('/v1/chat/completions', chat, { ...key, origin: 'https://a.example' }, closed.url);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://a.example');
    const again = await post('/v1/chat/completions', chat, { 'x-api-key': 'first' }, closed.url);
    // Another key's prompt is not found.
    expect(again.json.usage.prompt_tokens_details.cached_tokens).toBe(0);
    expect(allowed.json.usage.prompt_tokens_details.cached_tokens).toBeGreaterThan(0);
  });
});

test('log-probabilities of prompts, alone and echoed; the best of several', async () => {
  const text = 'The quick brown fox jumps over the lazy dog '.repeat(5);
  const echoed = await post('/v1/completions', {
    prompt: text,
    max_tokens: 0,
    echo: true,
    logprobs: 0,
    temperature: 0,
  });
  const [choice] = echoed.json.choices;
  const { tokens, token_logprobs: logprobs, text_offset: offsets } = choice.logprobs;
  const count = echoed.json.usage.prompt_tokens;
  expect(choice.finish_reason).toBe('length');
  expect([tokens.length, logprobs.length, offsets.length, echoed.json.usage.completion_tokens]).toEqual([
    ...[count, count, count],
    0,
  ]);
  expect([logprobs[0], logprobs.slice(1).every((one: unknown) => typeof one === 'number')]).toEqual([null, true]);
  // Again from a warm cache, beside others, and before tokens that are generated.
  const again = await Promise.all(
    [1, 2].map(() =>
      post('/v1/completions', { prompt: text, max_tokens: 3, echo: true, logprobs: 0, temperature: 0, n: 2 }),
    ),
  );
  for (const { json } of again)
    for (const one of json.choices) {
      expect(one.logprobs.token_logprobs.slice(0, count)).toEqual(logprobs);
      expect(one.logprobs.tokens).toHaveLength(count + 3);
    }
  const asked = await post('/v1/chat/completions', { ...chat, prompt_logprobs: 0 });
  const { prompt_logprobs: prompt, usage } = asked.json;
  expect([prompt.length, prompt[0]]).toEqual([usage.prompt_tokens, null]);
  expect(Object.values(prompt[1])).toEqual([
    { logprob: expect.any(Number), rank: 1, decoded_token: expect.any(String) },
  ]);
  const all = await post('/v1/completions', { prompt: 'a', max_tokens: 4, n: 6, logprobs: 0, seed: 5 });
  const best = await post('/v1/completions', { prompt: 'a', max_tokens: 4, n: 2, best_of: 6, seed: 5 });
  const sum = ({ logprobs: { token_logprobs: list } }: Json): number => list.reduce((a: number, b: number) => a + b);
  const order = [...all.json.choices].sort((a, b) => sum(b) - sum(a)).map(({ text: one }) => one);
  expect(best.json.choices.map(({ index, text: one, logprobs: none }: Json) => [index, one, none])).toEqual([
    [0, order[0], null],
    [1, order[1], null],
  ]);
  expect(best.json.usage.completion_tokens).toBe(24);
});

test('clients that leave, cancel or stop the server', async () => {
  const { server, url: at, engine: own } = await start({ commentMs: 1 }, true, { stepMs: 5 });
  const long = { ...chat, max_tokens: 300, stream: true };
  const left = new AbortController();
  const response = await fetch(`${at}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    signal: left.signal,
    body: JSON.stringify(long),
  });
  await response.body!.getReader().read();
  expect(own.runningSequences).toBe(1);
  left.abort();
  await own.whenIdle();
  expect([own.runningSequences, own.usedBlocks, own.metrics.finished.abort]).toEqual([0, 0, 1]);
  const canceled = post('/v1/chat/completions', long, { 'x-request-id': 'c1' }, at);
  while (own.runningSequences === 0) await new Promise(setImmediate);
  expect((await post('/v1/requests/c1/cancel', {}, {}, at)).status).toBe(200);
  expect((await canceled).events.at(-1)).toMatchObject({
    error: { code: 'canceled', message: 'the generation was stopped: by its client' },
  });
  expect((await post('/v1/requests/c1/cancel', {}, {}, at)).status).toBe(404);
  // By the id of its answer, too.
  await own.whenIdle();
  const streamed = await fetch(`${at}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(long),
  });
  const reader = streamed.body!.pipeThrough(new TextDecoderStream()).getReader();
  const [, answerId] = /"id":"(chatcmpl-[^"]+)"/.exec((await reader.read()).value!)!;
  expect((await post(`/v1/requests/${answerId}/cancel`, {}, {}, at)).status).toBe(200);
  let rest = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) rest += read.value;
  expect(rest).toContain('"code":"canceled"');
  await own.whenIdle();
  const last = post('/v1/chat/completions', { ...chat, max_tokens: 200 }, {}, at);
  while (own.runningSequences === 0) await new Promise(setImmediate);
  const end = server.close(5000);
  expect((await last).json.choices[0].finish_reason).toBe('length');
  await end;
});

test('adapters are models, loaded and unloaded while requests run', async () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'trenio-adapters-'));
  for (const name of ['one', 'two', 'bad']) mkdirSync(join(root.path, name));
  symlinkSync('/tmp', join(root.path, 'out'));
  const { url: at, engine: own } = await start({}, true, { adapters: 2, stepMs: 2 }, root.path);
  const send = (path: string, body: object, to = at) =>
    fetch(`${to}/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const load = (name: string, path: string, more = {}) =>
    send('load_lora_adapter', { lora_name: name, lora_path: path, ...more });
  const answer = async (model: string): Promise<string> => {
    const { json } = await post('/v1/chat/completions', { ...chat, model }, {}, at);
    expect(json.model).toBe(model);
    return json.choices[0].message.content;
  };
  const base = await answer('tiny');
  const added = await load('a', 'one');
  expect([added.status, await added.text()]).toEqual([200, "Success: LoRA adapter 'a' added successfully."]);
  const first = await answer('a');
  expect([await answer('tiny'), first === base]).toEqual([base, false]);
  const { data } = (await (await fetch(`${at}/v1/models`)).json()) as Json;
  expect(data.map(({ id, parent }: Json) => [id, parent])).toEqual([
    ['tiny', null],
    ['alias/of', null],
    ['a', 'tiny'],
  ]);
  await own.whenIdle();
  const streaming = post('/v1/chat/completions', { ...chat, model: 'a', max_tokens: 100 }, {}, at);
  while (own.runningSequences === 0) await new Promise(setImmediate);
  // Requests that run keep theirs.
  expect((await load('a', 'two', { load_inplace: true })).status).toBe(200);
  const full = await load('b', 'one');
  expect([full.status, ((await full.json()) as Json).error.message]).toEqual([
    400,
    'lora_name: one more, expected at most 2 at once (--max-loras)',
  ]);
  expect((await fetch(`${at}/metrics`).then(reply => reply.text())).includes('running_lora_adapters="a"')).toBe(true);
  expect((await streaming).json.choices[0].message.content.startsWith(first)).toBe(true);
  expect(await answer('a')).not.toBe(first);
  expect((await load('b', 'one')).status).toBe(200);
  expect(await answer('b')).toBe(first);
  expect((await post('/v1/unload_lora_adapter', { lora_name: 'none' }, {}, at)).status).toBe(404);
  const removed = await send('unload_lora_adapter', { lora_name: 'b' });
  expect(await removed.text()).toBe("Success: LoRA adapter 'b' removed successfully.");
  expect((await post('/v1/chat/completions', { ...chat, model: 'b' }, {}, at)).json.error.code).toBe('model_not_found');
  for (const path of ['../one', '/etc', 'out', 'none', '.', 'one\0']) expect((await load('c', path)).status).toBe(404);
  expect([(await load('tiny', 'one')).status, (await load('', 'one')).status]).toEqual([400, 400]);
  // A slot whose adapter could not be read is free again.
  expect((await load('c', 'bad')).status).toBe(500);
  expect((await load('c', 'one')).status).toBe(200);
  const without = await start({}, true, { adapters: 1 });
  const refused = await send('load_lora_adapter', { lora_name: 'a', lora_path: 'one' }, without.url);
  expect(refused.status).toBe(403);
});
