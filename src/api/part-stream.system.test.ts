// Streamed responses over real HTTP: formats, readers that are slow, stall or disconnect, models that fail, servers that stop.
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TrenioError } from '../base/errors.ts';
import { Endpoint } from '../serving/model/endpoint.ts';
import type { ServedModel } from '../serving/model/served-model.ts';
import { EndpointServer } from './endpoint-server.ts';

interface Prompt {
  readonly words: number;
  readonly size: number;
  readonly failAt: number | undefined;
}

/** "Generates" words `0`, `1`, …, each padded to a size; waits at `gate` before each word except the first. */
class WordModel implements ServedModel<Prompt> {
  readonly description = { context: 1e9 };
  readonly unit = 'requests';
  gate: Promise<void> = Promise.resolve();
  made = 0;
  aborted = Promise.withResolvers<void>();
  closed = Promise.withResolvers<void>();

  parse(body: unknown): Prompt {
    const { words, size = 1, failAt } = body as Partial<Prompt>;
    if (typeof words !== 'number') throw new TrenioError('REQUEST_INVALID', { field: 'words', problem: 'is missing' });
    return { words, size, failAt };
  }

  async *run({ words, size, failAt }: Prompt, signal: AbortSignal): AsyncGenerator<unknown> {
    signal.addEventListener('abort', () => this.aborted.resolve());
    try {
      for (let i = 0; i < words; i++) {
        if (i > 0) await this.gate;
        if (i === failAt) throw new Error('secret detail');
        this.made++;
        yield { word: `${i}`.padEnd(size, '\n') };
      }
    } finally {
      this.closed.resolve();
    }
  }
}

let model: WordModel;
let endpoint: Endpoint;
let server: EndpointServer;
let url = '';
const logged: string[] = [];

async function start(requestTimeoutMs: number): Promise<void> {
  logged.length = 0;
  model = new WordModel();
  endpoint = new Endpoint('words', { maxWaiting: 2 });
  server = new EndpointServer([endpoint], {
    host: '127.0.0.1',
    port: 0,
    requestTimeoutMs,
    log: line => logged.push(line),
  });
  url = await server.listen();
  await endpoint.start(async () => model);
}
beforeEach(() => start(200));
afterEach(() => server.close(0));

const ask = (body: object, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${url}/endpoints/words/invocations`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
    ...(signal === undefined ? {} : { signal }),
  });

/** The response as read with node:http: the received text, and whether it was complete. */
async function read(body: object, headers: Record<string, string> = {}) {
  const request = httpRequest(`${url}/endpoints/words/invocations`, { method: 'POST', headers, agent: false });
  request.end(JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8').on('data', chunk => {
    text += chunk;
  });
  response.on('error', () => {});
  await new Promise(resolve => response.once('close', resolve));
  return { status: response.statusCode, text, isWhole: response.complete };
}

/** A connection that has sent a request and does not read. */
async function deafClient(body: object) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  const json = JSON.stringify(body);
  socket.write(
    `POST /endpoints/words/invocations HTTP/1.1\r\nhost: ${new URL(url).host}\r\ncontent-length: ${json.length}\r\n\r\n${json}`,
  );
  socket.pause();
  await once(socket, 'connect');
  return socket;
}

describe('formats', () => {
  test('JSON lines, by default and for any other Accept header', async () => {
    for (const accept of ['*/*', 'application/x-ndjson', 'application/json', 'text/event-stream;q=0, */*', '']) {
      const response = await ask({ words: 2 }, { accept });
      expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
      expect(await response.text()).toBe('{"word":"0"}\n{"word":"1"}\n');
    }
  });

  test('events, if Accept names them', async () => {
    for (const accept of ['text/event-stream', 'application/json;q=0.5, Text/Event-Stream;q=0.9']) {
      const response = await ask({ words: 2, size: 2 }, { accept });
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      expect(await response.text()).toBe('data: {"word":"0\\n"}\n\ndata: {"word":"1\\n"}\n\n');
    }
  });

  test('a response without parts, and the description of the endpoint', async () => {
    expect(await read({ words: 0 })).toEqual({ status: 200, text: '', isWhole: true });
    expect(await (await fetch(`${url}/endpoints`)).json()).toMatchObject({ endpoints: [{ context: 1e9 }] });
  });

  test('each part arrives when it is computed', async () => {
    const gate = Promise.withResolvers<void>();
    model.gate = gate.promise;
    const response = await ask({ words: 2 });
    const reader = response.body!.getReader();
    const text = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await text()).toBe('{"word":"0"}\n');
    gate.resolve();
    expect(await text()).toBe('{"word":"1"}\n');
    expect((await reader.read()).done).toBe(true);
  });
});

describe('errors', () => {
  test('before the first part: an error status', async () => {
    const invalid = await ask({});
    expect([invalid.status, await invalid.json()]).toMatchObject([400, { error: { code: 'REQUEST_INVALID' } }]);
    const failed = await ask({ words: 2, failAt: 0 });
    expect([failed.status, await failed.json()]).toMatchObject([500, { error: { code: 'INTERNAL_ERROR' } }]);
    expect(logged.join()).toContain('secret detail');
    endpoint.admit();
  });

  test('in the middle: the parts so far, the error, and an aborted connection', async () => {
    const lines = await read({ words: 3, failAt: 2 });
    expect(lines.isWhole).toBe(false);
    const [first, second, last, rest] = lines.text.split('\n');
    expect([first, second, rest]).toEqual(['{"word":"0"}', '{"word":"1"}', '']);
    expect(JSON.parse(last!)).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
    const events = await read({ words: 3, failAt: 1 }, { accept: 'text/event-stream' });
    expect(events).toMatchObject({ status: 200, isWhole: false });
    expect(events.text).toMatch(
      /^data: \{"word":"0"\}\n\nevent: error\ndata: \{"error":\{"code":"INTERNAL_ERROR".*\}\}\n\n$/,
    );
    expect(lines.text + events.text).not.toContain('secret');
    expect(logged).toHaveLength(2);
  });

  test('a client that disconnects midway cancels the model’s work', async () => {
    const gate = Promise.withResolvers<void>();
    model.gate = gate.promise;
    const leaving = new AbortController();
    const response = await ask({ words: 1e9 }, {}, leaving.signal);
    expect(response.status).toBe(200);
    leaving.abort();
    await model.aborted.promise;
    gate.resolve();
    await model.closed.promise;
    expect(model.made).toBeLessThan(10);
    expect(logged).toEqual([]);
  });

  test('a client that does not read: the model waits for it, and it is disconnected', async () => {
    const socket = await deafClient({ words: 1e9, size: 100_000 });
    await model.closed.promise;
    // Only as much as fits into the buffers of both sides.
    expect(model.made).toBeLessThan(1000);
    let tail = '';
    socket.on('data', chunk => {
      tail = (tail + chunk.toString('latin1')).slice(-5);
    });
    socket.resume();
    await once(socket, 'close');
    expect(tail).not.toBe('0\r\n\r\n');
    expect(logged).toEqual([]);
  });

  test('a client that reads slowly gets all of it', async () => {
    // On a busy machine, this process itself may read nothing for a while.
    await server.close(0);
    await start(60_000);
    const socket = await deafClient({ words: 50, size: 100_000 });
    let bytes = 0;
    let tail = '';
    const whole = Promise.withResolvers<void>();
    socket.once('close', () => whole.reject(new Error(`cut off after ${bytes} bytes`)));
    socket.on('data', chunk => {
      bytes += chunk.byteLength;
      tail = (tail + chunk.toString('latin1')).slice(-5);
      if (tail === '0\r\n\r\n') whole.resolve();
      socket.pause();
      setImmediate(() => socket.resume());
    });
    socket.resume();
    await whole.promise;
    expect(bytes).toBeGreaterThan(50 * 100_000);
    socket.destroy();
  });

  test('active streams count as load', async () => {
    const gate = Promise.withResolvers<void>();
    model.gate = gate.promise;
    const two = [await ask({ words: 2 }), await ask({ words: 2 })];
    const refused = await ask({ words: 2 });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toMatchObject({ error: { code: 'ENDPOINT_OVERLOADED' } });
    gate.resolve();
    for (const response of two) await response.text();
    expect((await ask({ words: 1 })).status).toBe(200);
  });
});

describe('stopping', () => {
  test('a stream completes, and its connection closes with it', async () => {
    const gate = Promise.withResolvers<void>();
    model.gate = gate.promise;
    const response = await ask({ words: 3 });
    const closed = server.close();
    gate.resolve();
    expect((await response.text()).split('\n')).toHaveLength(4);
    await closed;
    expect(endpoint.state).toBe('stopped');
  });

  test('a long stream is cut off after the grace period', async () => {
    model.gate = new Promise(() => {});
    const response = await ask({ words: 3 });
    await server.close(20);
    await model.aborted.promise;
    await expect(response.text()).rejects.toThrow();
    expect(endpoint.state).toBe('stopped');
  });
});
