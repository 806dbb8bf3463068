// POST /v1/embeddings over HTTP, with an embedder without weights and the tokenizer of a real model.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goldenPath } from '../../../test/golden.testing.ts';
import { AutoTokenizer } from '../../data/tokenizers/auto-tokenizer.ts';
import { OpenAiServer } from './openai-server.ts';

const server = new OpenAiServer({ host: '127.0.0.1', port: 0, log: () => {} });
let url: string;
const held = Promise.withResolvers<void>();
let isHeld = false;
beforeAll(async () => {
  const tokenizer = await AutoTokenizer.fromPretrained(goldenPath('tokenizers/llama3'));
  url = await server.listen();
  const embedder = {
    ...{ tokenizer, positions: 20, vocabulary: 620, width: 2, waiting: 1 },
    async embed(texts: readonly (readonly number[])[]) {
      isHeld = texts[0]![0] === 99;
      if (isHeld) await held.promise;
      return texts.map(ids => Float32Array.of(ids.length, ids[0]! + 0.1));
    },
    whenIdle: async () => {},
  };
  const counts = { running: 0, requests: 0, tokens: 0, stopping: false };
  server.serve({ names: ['tiny'], created: 7, embedder, mostWaiting: 8, counts });
});
afterAll(() => server.close(0));

async function post(body: unknown, path = '/v1/embeddings') {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, json: (await response.json()) as Answer };
}
interface Answer {
  readonly data: readonly { readonly index: number; readonly embedding: unknown }[];
  readonly usage: object;
  readonly error: { readonly message: string; readonly param: string; readonly code: string };
}

test('texts and ids, alone and in lists, as numbers and as base64', async () => {
  const one = await post({ model: 'tiny', input: [5, 6, 7] });
  expect(one).toMatchObject({ status: 200, json: { object: 'list', model: 'tiny' } });
  expect(one.json.data).toEqual([{ object: 'embedding', index: 0, embedding: [3, Math.fround(5.1)] }]);
  expect(one.json.usage).toEqual({ prompt_tokens: 3, total_tokens: 3, completion_tokens: 0 });
  const { json } = await post({ input: [[5], [6, 7]], encoding_format: 'base64', dimensions: 2, user: 'x' });
  const rows = json.data.map(({ embedding }) => [
    ...new Float32Array(Uint8Array.from(Buffer.from(`${embedding}`, 'base64')).buffer),
  ]);
  expect(rows).toEqual([
    [1, Math.fround(5.1)],
    [2, Math.fround(6.1)],
  ]);
  expect((await post({ input: ['hello', 'hello world'] })).json.data).toHaveLength(2);
  expect(await (await fetch(`${url}/metrics`)).text()).toContain(
    'vllm:request_success_total{model_name="tiny",engine="0",finished_reason="stop"} 3',
  );
  expect(await (await fetch(`${url}/v1/models/tiny`)).json()).toMatchObject({ id: 'tiny', max_model_len: 20 });
  expect(await post({ prompt: 'hello' }, '/tokenize')).toMatchObject({ status: 200, json: { max_model_len: 20 } });
});

test.each([
  [{ input: [] }, 400, 'input'],
  [{ input: [[]] }, 400, 'input'],
  [{ input: [620] }, 400, 'input'],
  [{ input: [0.5] }, 400, 'input'],
  [{ input: [-1] }, 400, 'input'],
  [{ input: new Array(21).fill(5) }, 400, 'input'],
  [{ input: 'x'.repeat(5000) }, 400, 'input'],
  [{ input: '\ud800' }, 400, 'input'],
  [{ input: 5 }, 400, 'input'],
  [{}, 400, 'input'],
  [{ input: 'a', dimensions: 1 }, 400, 'dimensions'],
  [{ input: 'a', encoding_format: 'int8' }, 400, 'encoding_format'],
  [{ input: 'a', truncate_prompt_tokens: 5 }, 400, 'truncate_prompt_tokens'],
  [{ input: 'a', model: 'other' }, 404, 'model'],
  [{ input: new Array(9).fill('a') }, 429, null],
])('case %# is refused', async (body, status, param) => {
  const answer = await post(body);
  expect([answer.status, answer.json.error.param]).toEqual([status, param]);
});

test('other paths say what this model does; a server that stops refuses texts and ends those that run', async () => {
  for (const [path, body] of [
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 'a' }] }],
    ['/v1/completions', { prompt: 'a' }],
  ] as const)
    expect(await post(body, path)).toMatchObject({
      status: 400,
      json: { error: { message: expect.stringContaining('/v1/embeddings') } },
    });
  const last = post({ input: [99] });
  await expect.poll(() => isHeld).toBe(true);
  const closing = server.close(5000);
  held.resolve();
  expect((await last).status).toBe(200);
  await closing;
});
