import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { classifierModel } from '../serving/model/classifier-model.ts';
import { Endpoint } from '../serving/model/endpoint.ts';
import type { Prediction, TextClassifier } from '../serving/model/text-classifier.ts';
import { EndpointServer } from './endpoint-server.ts';

/** Returns 'positive' for texts that contain 'good'; can be made to wait. */
class KeywordClassifier implements TextClassifier {
  readonly maxBatch = 4;
  readonly labels = ['negative', 'positive'];
  gate: Promise<void> = Promise.resolve();
  entered = Promise.withResolvers<void>();
  async classify(texts: readonly string[]): Promise<readonly Prediction[]> {
    this.entered.resolve();
    await this.gate;
    if (texts.includes('boom')) throw new Error('secret detail');
    return texts.map(text => {
      const positive = text.includes('good') ? 0.9 : 0.2;
      return {
        label: positive > 0.5 ? 'positive' : 'negative',
        score: Math.max(positive, 1 - positive),
        probabilities: { negative: 1 - positive, positive },
      };
    });
  }
}

let classifier: KeywordClassifier;
let endpoint: Endpoint;
let server: EndpointServer;
let url = '';
const logged: string[] = [];

beforeEach(async () => {
  logged.length = 0;
  classifier = new KeywordClassifier();
  endpoint = new Endpoint('reviews', { maxWaiting: 4 });
  server = new EndpointServer([endpoint], {
    host: '127.0.0.1',
    port: 0,
    maxBodyBytes: 2000,
    requestTimeoutMs: 300,
    log: line => logged.push(line),
  });
  url = await server.listen();
  await endpoint.start(async () => classifierModel(classifier));
});
afterEach(() => server.close(0));

const post = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
  path = '/endpoints/reviews/invocations',
) => fetch(url + path, { method: 'POST', body, headers });
const answer = async (response: Response) => ({
  status: response.status,
  body: (await response.json()) as { error?: { code: string; message: string; fix: string } },
});
const partialRequest = (length = 10): string =>
  `POST /endpoints/reviews/invocations HTTP/1.1\r\nhost: ${new URL(url).host}\r\ncontent-length: ${length}\r\n\r\n`;
const isFull = (full: Endpoint): boolean => {
  try {
    full.admit();
    return false;
  } catch {
    return true;
  }
};
const invoke = async (inputs: unknown) => (await post(JSON.stringify({ inputs }))).json();

/**
 * Sends raw bytes, with `host: x` replaced by the server's; returns all received bytes until the server closes the connection.
 */
async function raw(text: string, keepOpen = false): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  socket.on('data', chunk => {
    received += chunk.toString();
  });
  socket.on('error', () => {});
  socket.write(text.replace('host: x', `host: ${new URL(url).host}`));
  if (!keepOpen) socket.end();
  await once(socket, 'close');
  return received;
}

describe('answers', () => {
  test('one text, many texts, and the formats of other servers', async () => {
    const good = { label: 'positive', score: 0.9, probabilities: { negative: 0.09999999999999998, positive: 0.9 } };
    expect(await invoke('a good book')).toEqual([good]);
    expect(await invoke(['bad', 'good'])).toEqual([expect.objectContaining({ label: 'negative', score: 0.8 }), good]);
    expect(await (await post('{"instances": ["good"]}')).json()).toEqual([good]);
    expect(await (await post('{"text": "good"}')).json()).toEqual([good]);
    expect(await (await post(new TextEncoder().encode('{"text": "good"}'), {})).json()).toEqual([good]);
    expect(
      await (await post('{"text": "good"}', { 'content-type': 'application/json; charset=UTF-8' })).json(),
    ).toEqual([good]);
    expect(await invoke('')).toHaveLength(1);
  });

  test('the list of endpoints and the health check', async () => {
    expect(await (await fetch(`${url}/endpoints`)).json()).toEqual({
      endpoints: [
        {
          name: 'reviews',
          state: 'ready',
          labels: ['negative', 'positive'],
          invocations: '/endpoints/reviews/invocations',
        },
      ],
    });
    for (const path of ['/ping', '/health', '/health/', '/ping?x=1']) {
      const response = await fetch(url + path);
      expect([response.status, await response.json()]).toEqual([200, { status: 'ready' }]);
    }
    expect((await fetch(`${url}/ping`, { method: 'HEAD' })).status).toBe(200);
  });

  test('while it loads: 503 with a hint to retry', async () => {
    const loading = new Endpoint('slow');
    const other = new EndpointServer([loading], { host: '127.0.0.1', port: 0, log: () => {} });
    const otherUrl = await other.listen();
    const health = await fetch(`${otherUrl}/ping`);
    expect([health.status, health.headers.get('retry-after'), await health.json()]).toEqual([
      503,
      '1',
      { status: 'loading' },
    ]);
    const invoked = await fetch(`${otherUrl}/endpoints/slow/invocations`, { method: 'POST', body: '{"inputs":"x"}' });
    expect((await answer(invoked)).body.error).toMatchObject({
      code: 'ENDPOINT_NOT_READY',
      fix: 'retry when GET /ping returns 200',
    });
    await other.close();
  });
});

describe('bad requests get 4xx, and the server keeps running', () => {
  afterEach(async () => {
    expect(await invoke('good')).toMatchObject([{ label: 'positive' }]);
  });

  test.each([
    ['{"inputs": ', 400, 'MALFORMED_JSON'],
    ['', 400, 'MALFORMED_JSON'],
    ['['.repeat(1900), 400, 'MALFORMED_JSON'],
    ['[]', 400, 'REQUEST_INVALID'],
    ['null', 400, 'REQUEST_INVALID'],
    ['"text"', 400, 'REQUEST_INVALID'],
    ['{}', 400, 'REQUEST_INVALID'],
    ['{"input": "x"}', 400, 'REQUEST_INVALID'],
    ['{"inputs": []}', 400, 'REQUEST_INVALID'],
    ['{"inputs": null}', 400, 'REQUEST_INVALID'],
    ['{"inputs": ["x", 1]}', 400, 'REQUEST_INVALID'],
    ['{"inputs": ["1","2","3","4","5"]}', 400, 'REQUEST_INVALID'],
    ['{"inputs": "x", "text": "y"}', 400, 'REQUEST_INVALID'],
    [JSON.stringify({ inputs: 'x'.repeat(3000) }), 413, 'REQUEST_TOO_LARGE'],
  ])('%.30s: %d %s', async (body, status, code) => {
    const got = await answer(await post(body));
    expect(got).toMatchObject({ status, body: { error: { code } } });
    expect(got.body.error!.message).not.toBe('');
    expect(got.body.error!.fix).not.toBe('');
  });

  test('messages name the location', async () => {
    const message = async (body: string) => (await answer(await post(body))).body.error?.message;
    expect(await message('{"inputs": ["x", 1]}')).toBe('inputs: item 1 is not a text');
    expect(await message('{"inputs": 7}')).toBe('inputs: expected a text or a list of texts, got a number');
    expect(await message('{"inputs": ["1","2","3","4","5"]}')).toBe('inputs: 5 texts, at most 4 in one request');
    expect(await message('{"inputs": "x", "top_k": 1}')).toBe('top_k: there is no such field');
    expect(await message('{"prompt": "x"}')).toBe("the body: 'inputs' is missing");
  });

  test('bytes that are not UTF-8, other types, other encodings', async () => {
    expect(await answer(await post(new Uint8Array([0x22, 0xff, 0x22])))).toMatchObject({
      status: 400,
      body: { error: { code: 'MALFORMED_JSON' } },
    });
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/json; charset=latin1' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    ]) {
      expect(await answer(await post('{"inputs":"x"}', headers as Record<string, string>))).toMatchObject({
        status: 415,
        body: { error: { code: 'CONTENT_TYPE_UNSUPPORTED' } },
      });
    }
  });

  test('unknown paths and endpoints, wrong methods', async () => {
    const at = async (path: string, method = 'GET') => {
      const response = await fetch(url + path, { method });
      return [response.status, response.headers.get('allow'), (await answer(response)).body.error?.code];
    };
    expect(await at('/')).toEqual([404, null, 'PATH_NOT_FOUND']);
    expect(await at('/endpoints/reviews')).toEqual([404, null, 'PATH_NOT_FOUND']);
    expect(await at('/%E0%A4%A')).toEqual([404, null, 'PATH_NOT_FOUND']);
    expect(await at('/endpoints/other/invocations', 'POST')).toEqual([404, null, 'ENDPOINT_NOT_FOUND']);
    expect(await at('/endpoints/reviews/invocations')).toEqual([405, 'POST', 'METHOD_NOT_ALLOWED']);
    expect(await at('/ping', 'POST')).toEqual([405, 'GET, HEAD', 'METHOD_NOT_ALLOWED']);
    expect(await at('/endpoints', 'DELETE')).toEqual([405, 'GET, HEAD', 'METHOD_NOT_ALLOWED']);
  });

  test('an endless body of unknown length is cut off with 413', async () => {
    const request = httpRequest(`${url}/endpoints/reviews/invocations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    request.on('error', () => {});
    const timer = setInterval(() => request.write('x'.repeat(1000)), 1);
    const [response] = await once(request, 'response');
    expect(response.statusCode).toBe(413);
    response.resume();
    // The server closes the connection although we continue writing.
    await once(request, 'close');
    clearInterval(timer);
  });

  test('a client that expects 100 Continue for a body that is too large gets 413', async () => {
    const received = await raw(
      'POST /endpoints/reviews/invocations HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\nexpect: 100-continue\r\n\r\n',
      true,
    );
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
    expect(received).toContain('REQUEST_TOO_LARGE');
  });

  test('a client that expects 100 Continue for a valid body gets a response', async () => {
    const received = await raw(
      'POST /endpoints/reviews/invocations HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 17\r\nexpect: 100-continue\r\n\r\n{"inputs":"good"}',
      true,
    );
    expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  });

  test('a missing body: 408', async () => {
    const received = await raw(
      'POST /endpoints/reviews/invocations HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{"in',
      true,
    );
    expect(received).toMatch(/^HTTP\/1\.1 408 /);
    expect(received).toContain('REQUEST_TOO_SLOW');
  });

  test('incomplete headers: 408', async () => {
    expect(await raw('GET /ping HTTP/1.1\r\nhost:', true)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('a request without a Host: 400', async () => {
    expect(await raw('GET /ping HTTP/1.1\r\nconnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 Bad Request[\s\S]*REQUEST_NOT_HTTP[\s\S]*the Host header is missing/,
    );
  });

  test('bytes that are not HTTP: 400', async () => {
    expect(await raw('hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 Bad Request[\s\S]*REQUEST_NOT_HTTP/);
    expect(await raw(`GET / HTTP/1.1\r\nhost: x\r\nlong: ${'x'.repeat(40_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400/);
  });

  test('a rejected client can continue to use its connection', async () => {
    const gate = Promise.withResolvers<void>();
    classifier.gate = gate.promise;
    const taken = [invoke(['1', '2', '3', '4']), invoke(['5', '6', '7', '8']), invoke(['9', '10', '11', '12'])];
    while (!isFull(endpoint)) await setImmediate();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const answers: string[] = [];
    const body = '{"inputs":"good"}';
    const requests = [
      partialRequest(body.length) + body,
      `GET /ping HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`,
      partialRequest(body.length).replace('reviews', 'nothing') + body,
    ];
    for (const request of requests) {
      socket.write(request);
      answers.push(String((await once(socket, 'data'))[0]));
    }
    expect(answers.map(answer => answer.slice(9, 12))).toEqual(['503', '200', '404']);
    for (const answer of answers) expect(answer).toMatch(/connection: keep-alive/i);
    socket.destroy();
    gate.resolve();
    await Promise.all(taken);
  });

  test('a client that disconnects while waiting frees its slot at once, and is not run', async () => {
    const gate = Promise.withResolvers<void>();
    classifier.gate = gate.promise;
    const taken = [invoke(['1', '2', '3', '4']), invoke(['5', '6', '7', '8'])];
    await classifier.entered.promise;
    const body = '{"inputs":["boom","boom","boom","boom"]}';
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(partialRequest(body.length) + body);
    while (!isFull(endpoint)) await setImmediate();
    socket.resetAndDestroy();
    while (isFull(endpoint)) await setImmediate();
    gate.resolve();
    await Promise.all(taken);
    expect(logged).toEqual([]);
  });

  test('a client that disconnects in the middle', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(`${partialRequest()}{"in`);
    await once(socket, 'connect');
    socket.resetAndDestroy();
    await once(socket, 'close');
  });

  test('arbitrary bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async body => {
        const { status } = await post(body);
        expect([200, 400, 413]).toContain(status);
      }),
      { numRuns: 30 },
    );
  });

  test('a model error is a 500 without details, which are logged', async () => {
    const got = await answer(await post('{"inputs": "boom"}'));
    expect(got).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL_ERROR' } } });
    expect(JSON.stringify(got)).not.toContain('secret');
    expect(logged.join()).toContain('secret detail');
  });

  test('more requests than the queue holds: 503 with Retry-After', async () => {
    const gate = Promise.withResolvers<void>();
    classifier.gate = gate.promise;
    // A running batch, one that is being submitted, and a full queue.
    const taken = [invoke(['1', '2', '3', '4']), invoke(['5', '6', '7', '8']), invoke(['9', '10', '11', '12'])];
    while (!isFull(endpoint)) await setImmediate();
    const refused = await post('{"inputs": "13"}');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await answer(refused)).toMatchObject({ status: 503, body: { error: { code: 'ENDPOINT_OVERLOADED' } } });
    gate.resolve();
    await Promise.all(taken);
  });
});

describe('stopping', () => {
  test('completes pending requests, rejects new ones, then closes', async () => {
    const gate = Promise.withResolvers<void>();
    classifier.gate = gate.promise;
    const running = post('{"inputs": "good"}');
    await classifier.entered.promise;
    const closed = server.close();
    const isRefused = async (): Promise<boolean> => {
      // Connections that were established before the listening socket is closed get a response.
      const late = await fetch(`${url}/ping`).catch(() => undefined);
      if (late !== undefined) expect(late.status).toBe(503);
      return late === undefined;
    };
    while (!(await isRefused()));
    gate.resolve();
    const response = await running;
    expect(response.status).toBe(200);
    expect(response.headers.get('connection')).toBe('close');
    await response.json();
    await closed;
    expect(endpoint.state).toBe('stopped');
  });

  test('a request in flight on an open connection is answered, not cut off', async () => {
    const gate = Promise.withResolvers<void>();
    classifier.gate = gate.promise;
    const body = '{"inputs":"good"}';
    const sockets = [0, 1].map(() => connect(Number(new URL(url).port), '127.0.0.1'));
    await Promise.all(sockets.map(socket => once(socket, 'connect')));
    const [busy, idle] = sockets as [Socket, Socket];
    let [fromBusy, fromIdle] = ['', ''];
    busy.on('data', chunk => {
      fromBusy += chunk.toString();
    });
    idle.on('data', chunk => {
      fromIdle += chunk.toString();
    });
    const ended = Promise.all(sockets.map(socket => once(socket, 'close')));
    // One is being answered; the other has sent one request before, and sends the next while the server is stopping.
    idle.write(`GET /ping HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`);
    await once(idle, 'data');
    busy.write(partialRequest(body.length) + body);
    await classifier.entered.promise;
    const closed = server.close();
    idle.write(partialRequest(body.length) + body);
    await setImmediate();
    gate.resolve();
    await Promise.all([closed, ended]);
    expect(fromBusy).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*connection: close[\s\S]*"label":"positive"/i);
    expect(fromIdle).toMatch(/HTTP\/1\.1 503 Service Unavailable[\s\S]*connection: close[\s\S]*ENDPOINT_NOT_READY/i);
  });

  test.each([0, 50])(
    'connections that are still in the accept queue get a response, not a reset, also if the server was busy for %i ms',
    async busyMs => {
      // All are connected and have sent their requests before this process can accept one: libuv accepts one connection per turn.
      const request = `GET /ping HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`;
      const answers = Array.from({ length: 20 }, () => raw(request, true));
      await setImmediate();
      const closed = server.close();
      const until = performance.now() + busyMs;
      while (performance.now() < until);
      const [, ...texts] = await Promise.all([closed, ...answers]);
      for (const text of texts) expect(text).toMatch(/^HTTP\/1\.1 (200|503) /);
    },
  );

  test('a client that ignores Retry-After gets the next rejection later; other clients and stopping are not delayed', async () => {
    const gate = Promise.withResolvers<void>();
    classifier.gate = gate.promise;
    const taken = [invoke(['1', '2', '3', '4']), invoke(['5', '6', '7', '8']), invoke(['9', '10', '11', '12'])];
    while (!isFull(endpoint)) await setImmediate();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const body = '{"inputs":"good"}';
    let received = '';
    socket.on('data', chunk => {
      received += chunk.toString();
    });
    const ended = once(socket, 'close');
    socket.write(partialRequest(body.length) + body);
    await once(socket, 'data');
    expect(received).toMatch(/^HTTP\/1\.1 503 /);
    received = '';
    socket.write(partialRequest(body.length) + body);
    expect((await post(body)).status).toBe(503);
    expect(received).toBe('');
    const closed = server.close();
    await ended;
    expect(received).toMatch(/^HTTP\/1\.1 503 /);
    gate.resolve();
    await Promise.all([closed, ...taken]);
  });

  test('a client that never finishes does not keep the server open', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`${partialRequest()}{"in`);
    socket.resume();
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    await server.close(50);
    await closed;
  });
});

test('a port in use, and an address of another machine', async () => {
  const port = Number(new URL(url).port);
  const second = new EndpointServer([endpoint], { host: '127.0.0.1', port, log: () => {} });
  await expect(second.listen()).rejects.toThrow(
    `port ${port} on 127.0.0.1 is already in use\n  fix: choose another with --port (trenio run: --rdzv-endpoint; 0 picks any free port), or stop the program that uses it (lsof -i :${port} shows it)`,
  );
  const elsewhere = new EndpointServer([endpoint], { host: '203.0.113.1', port: 0, log: () => {} });
  await expect(elsewhere.listen()).rejects.toMatchObject({ code: 'CANNOT_LISTEN' });
  await second.close();
});
