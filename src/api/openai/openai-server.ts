// A language model over HTTP: node:http around routes.ts. Host and Origin are checked first, then the key, then the path; the
// body is read last. No client can crash the server.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { TrenioError } from '../../base/errors.ts';
import { AllowedHosts, type HostOptions } from '../allowed-hosts.ts';
import { discardBody, readJson } from '../read-body.ts';
import { pathOf } from '../request-path.ts';
import { ApiKeys } from './api-keys.ts';
import type { EmbeddingModel } from './embeddings.ts';
import { sendEvents } from './event-stream.ts';
import type { LanguageModel } from './language-model.ts';
import { type OpenAiError, toOpenAiError } from './openai-error.ts';
import { type RouteReply, route, type Served } from './routes.ts';
import { memberOf } from './sampling-request.ts';

export interface OpenAiServerOptions extends HostOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Empty: no key is needed. */
  readonly apiKeys?: readonly string[] | undefined;
  /** Refuses unknown members of requests. */
  readonly strict?: boolean | undefined;
  readonly maxBodyBytes?: number | undefined;
  /** For the headers and for the body separately. */
  readonly requestTimeoutMs?: number | undefined;
  /** The time between comments in a stream that has nothing to send. */
  readonly commentMs?: number | undefined;
  readonly log: (line: string) => void;
  /** Called after each request, without its text. */
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}

export interface RequestRecord {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
}

const MIB = 1 << 20;
const LINGER_MS = 1000;
const MOST_CONNECTIONS = 8192;

export class OpenAiServer {
  readonly #options: OpenAiServerOptions;
  readonly #keys: ApiKeys;
  readonly #allowed: AllowedHosts;
  readonly #server: Server;
  readonly #served: Served;
  readonly #limits: { readonly maxBytes: number; readonly timeoutMs: number };
  /** Members that were logged as unknown. */
  readonly #noted = new Set<string>();

  constructor(options: OpenAiServerOptions) {
    const { requestTimeoutMs: timeoutMs = 30_000, maxBodyBytes: maxBytes = 16 * MIB, strict = false } = options;
    this.#options = options;
    this.#keys = new ApiKeys(options.apiKeys ?? []);
    this.#allowed = new AllowedHosts(options);
    this.#limits = { maxBytes, timeoutMs };
    const members = { strict, onUnknown: (names: readonly string[]) => this.#noteUnknown(names) };
    this.#served = { model: undefined, members, log: options.log, load: 0, running: new Map() };
    const times = { headersTimeout: timeoutMs, requestTimeout: 0, keepAliveTimeout: 75_000 };
    this.#server = createServer({ ...times, requireHostHeader: false }, (request, response) => {
      void this.#handle(request, response);
    });
    this.#server.maxConnections = MOST_CONNECTIONS;
    this.#server.on('checkContinue', (request, response) => {
      if (Number(request.headers['content-length'] ?? 0) <= maxBytes) response.writeContinue();
      void this.#handle(request, response);
    });
  }

  /** Until then, requests are answered with 503. */
  serve(model: LanguageModel | EmbeddingModel): void {
    this.#served.model = model;
  }

  /** Resolves with the address. @throws {PORT_IN_USE} @throws {CANNOT_LISTEN} */
  async listen(): Promise<string> {
    const { host, port } = this.#options;
    this.#server.listen({ port, host });
    try {
      await once(this.#server, 'listening');
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EADDRINUSE') throw new TrenioError('PORT_IN_USE', { host, port }, { cause: error });
      throw new TrenioError('CANNOT_LISTEN', { host, port, reason: message }, { cause: error });
    }
    const { address, port: bound, family } = this.#server.address() as AddressInfo;
    this.#allowed.bind(address, bound);
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`;
  }

  /** Refuses new requests, lets those that run end for this time, and closes. */
  async close(graceMs: number): Promise<void> {
    await this.#drain(graceMs);
    const closed = once(this.#server, 'close');
    this.#server.close();
    // The last bytes of answers are still being sent.
    const force = setTimeout(() => this.#server.closeAllConnections(), LINGER_MS);
    await closed;
    clearTimeout(force);
  }

  async #drain(graceMs: number): Promise<void> {
    const { model } = this.#served;
    if (model === undefined) return;
    if ('engine' in model) return model.engine.drain(graceMs);
    model.counts.stopping = true;
    await Promise.race([model.embedder.whenIdle(), setTimeoutPromise(graceMs, undefined, { ref: false })]);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startMs = performance.now();
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(new Error('the client closed the connection'));
    });
    // Errors of the socket while writing can be ignored.
    response.on('error', () => {});
    const { method = 'GET', url = '/', headers } = request;
    const path = pathOf(url);
    const requestId = requestIdOf(headers['x-request-id']);
    response.setHeader('x-request-id', requestId);
    response.setHeader('cache-control', 'no-store');
    this.#served.load++;
    try {
      this.#allowed.check(headers.host, headers.origin);
      if (headers.origin !== undefined && this.#allowed.allowsOrigin(headers.origin)) {
        response.setHeader('access-control-allow-origin', headers.origin);
        response.setHeader('vary', 'origin');
        response.setHeader('access-control-expose-headers', 'x-request-id, retry-after');
        if (method === 'OPTIONS') {
          response.writeHead(204, preflight).end();
          return;
        }
      }
      const tenant = path === '/health' ? '' : this.#keys.tenantOf(headers);
      const json = (): Promise<unknown> => readJson(request, this.#limits);
      const reply = await route(this.#served, method, { path, headers, requestId, tenant, signal: gone.signal, json });
      await this.#send(request, response, reply);
    } catch (error) {
      if (!gone.signal.aborted) await this.#refuse(request, response, error);
    } finally {
      this.#served.load--;
      const { statusCode: status } = response;
      this.#options.onRequest?.({ id: requestId, method, path, status, ms: performance.now() - startMs });
    }
  }

  async #send(request: IncomingMessage, response: ServerResponse, reply: RouteReply): Promise<void> {
    await discardBody(request, this.#limits.maxBytes, LINGER_MS);
    if (response.destroyed) {
      if (reply.kind === 'stream') await reply.chunks.return(undefined);
      return;
    }
    if (reply.kind === 'stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
      await sendEvents(response, reply.chunks, {
        commentMs: this.#options.commentMs ?? 15_000,
        stallMs: 60_000,
        onError: error => this.#noted500(error),
      });
      return;
    }
    const [type, body] =
      reply.kind === 'text' ? [reply.type, reply.text] : ['application/json', `${JSON.stringify(reply.body)}\n`];
    response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  async #refuse(request: IncomingMessage, response: ServerResponse, error: unknown): Promise<void> {
    const wire = this.#noted500(error);
    // The client reads the answer only after it has sent a small body.
    await discardBody(request, this.#limits.maxBytes, LINGER_MS);
    if (response.destroyed || response.headersSent) return;
    const body = `${JSON.stringify(wire.body)}\n`;
    response.writeHead(wire.status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(request.complete ? {} : { connection: 'close' }),
      ...wire.headers,
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  /** The error for the client; internal ones are logged. */
  #noted500(error: unknown): OpenAiError {
    const wire = toOpenAiError(error, memberOf);
    if (wire.status >= 500 && wire.status !== 503)
      this.#options.log(`serve: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return wire;
  }

  #noteUnknown(names: readonly string[]): void {
    const fresh = names.filter(name => !this.#noted.has(name) && this.#noted.size < 1000);
    for (const name of fresh) this.#noted.add(name);
    if (fresh.length > 0)
      this.#options.log(`serve: unknown members are ignored: ${JSON.stringify(fresh.slice(0, 10))}`);
  }
}

const preflight = {
  'access-control-allow-methods': 'GET, HEAD, POST',
  'access-control-allow-headers': 'authorization, content-type, x-api-key, x-request-id',
  'access-control-max-age': '600',
};

const requestIdOf = (given: string | string[] | undefined): string =>
  typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : `req-${randomUUID()}`;
