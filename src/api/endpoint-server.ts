// The endpoints over HTTP: node:http around endpoint-routes.ts. No client can crash the server.
//
//   POST /endpoints/<name>/invocations   JSON, as the model expects it  →  JSON, or a stream of parts (part-stream.ts)
//                                        a classifier: {"inputs": "text" | ["text", …]}  →  [{label, score, probabilities}, …]
//   POST /invocations                    the same, if there is one endpoint: the path of SageMaker's serving containers
//   GET  /endpoints                      the deployed endpoints
//   GET  /ping, /health                  200 when ready, 503 while loading or stopping
//
// Host and Origin are checked first: allowed-hosts.ts.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { isTrenioError, TrenioError } from '../base/errors.ts';
import type { Endpoint } from '../serving/model/endpoint.ts';
import { AllowedHosts, type HostOptions } from './allowed-hosts.ts';
import { type Reply, route, type WholeReply } from './endpoint-routes.ts';
import { toWireError } from './http-errors.ts';
import { sendParts } from './part-stream.ts';
import { type BodyLimits, discardBody, readJson } from './read-body.ts';
import { RefusalPace } from './refusal-pace.ts';
import { pathOf } from './request-path.ts';

export interface ServerOptions extends HostOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** A Unix socket to listen on, instead of the host and port. Its folder's permissions decide who can connect. */
  readonly socketPath?: string | undefined;
  readonly maxBodyBytes?: number;
  /** For the headers and for the body separately. */
  readonly requestTimeoutMs?: number;
  /** Logs internal errors, not those of clients. */
  readonly log: (line: string) => void;
}

const MIB = 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 10_000;
// How long a rejected body is read and discarded, so that the client can read the error.
const LINGER_MS = 1000;
// How long an idle connection stays open when the server stops, for a request that may be in flight.
const IDLE_GRACE_MS = 300;
// How long no connection may arrive before the server stops listening.
const QUIET_MS = 10;

export class EndpointServer {
  readonly #endpoints: readonly Endpoint[];
  readonly #options: ServerOptions;
  readonly #limits: BodyLimits;
  readonly #server: Server;
  /** The accepted hosts and origins. */
  readonly #allowed: AllowedHosts;
  readonly #pace = new RefusalPace();
  #stopping = false;

  constructor(endpoints: readonly Endpoint[], options: ServerOptions) {
    this.#endpoints = endpoints;
    this.#options = options;
    this.#allowed = new AllowedHosts(options);
    const timeoutMs = options.requestTimeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#limits = { maxBytes: options.maxBodyBytes ?? MIB, timeoutMs };
    this.#server = createServer(
      // read-body.ts limits the time of the body; Node would close the connection without a response.
      {
        headersTimeout: timeoutMs,
        requestTimeout: 0,
        connectionsCheckingInterval: Math.min(1000, timeoutMs),
        keepAliveTimeout: 5000,
        // Errors are sent as JSON.
        requireHostHeader: false,
      },
      (request, response) => void this.#handle(request, response),
    );
    // Expect: 100-continue is answered before the body is sent.
    this.#server.on('checkContinue', (request, response) => {
      if (Number(request.headers['content-length'] ?? 0) <= this.#limits.maxBytes) response.writeContinue();
      void this.#handle(request, response);
    });
    this.#server.on('clientError', (error, socket) => answerBrokenRequest(error, socket as Socket, timeoutMs));
  }

  /**
   * Resolves with the address, such as `http://127.0.0.1:8080`, or the path of the socket.
   * @throws {PORT_IN_USE}
   * @throws {CANNOT_LISTEN}
   */
  async listen(): Promise<string> {
    const { host, port, socketPath } = this.#options;
    this.#server.listen(socketPath === undefined ? { port, host } : { path: socketPath });
    try {
      await once(this.#server, 'listening');
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EADDRINUSE') throw new TrenioError('PORT_IN_USE', { host, port }, { cause: error });
      const reason =
        code === 'EACCES'
          ? 'not allowed for this user'
          : code === 'EADDRNOTAVAIL'
            ? 'not an address of this machine'
            : message;
      throw new TrenioError('CANNOT_LISTEN', { host, port, reason }, { cause: error });
    }
    this.#server.on('error', error => this.#options.log(`endpoint server: ${error.message}`));
    // Web pages cannot reach a Unix socket: every Host is allowed.
    if (socketPath !== undefined) return socketPath;
    const address = this.#server.address() as AddressInfo;
    this.#allowed.bind(address.address, address.port);
    return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
  }

  /**
   * Stops accepting connections, waits up to `graceMs` for pending requests, and closes every connection.
   * Idle connections stay open a moment longer, because a request in flight would be lost.
   */
  async close(graceMs = 10_000): Promise<void> {
    this.#stopping = true;
    this.#pace.release();
    if (!this.#server.listening) return;
    const stopped = Promise.all(this.#endpoints.map(endpoint => endpoint.stop()));
    await this.#acceptPending(Math.min(IDLE_GRACE_MS, graceMs));
    if (!this.#server.listening) {
      await stopped;
      return;
    }
    const closed = once(this.#server, 'close');
    // Not http's close(), which closes idle connections at once.
    NetServer.prototype.close.call(this.#server);
    // After the sockets have been read once more, because this thread may have been busy for that long.
    const closeIdle = (): void => void setImmediate(() => this.#server.closeIdleConnections());
    const idle = setTimeout(closeIdle, Math.min(IDLE_GRACE_MS, graceMs));
    const force = setTimeout(() => this.#server.closeAllConnections(), graceMs);
    await Promise.all([closed, stopped]);
    clearTimeout(idle);
    clearTimeout(force);
    // Also stops its timer for slow headers.
    this.#server.close();
  }

  /**
   * Accepts the connections that the system has already established. Closing the listening socket would reset them, and their
   * requests would be lost. Returns after a moment without a new connection, or after `limitMs`: a busy system establishes
   * connections a little later than clients ask for them.
   */
  async #acceptPending(limitMs: number): Promise<void> {
    const end = performance.now() + limitMs;
    let isNew: boolean;
    const note = (): void => {
      isNew = true;
    };
    this.#server.on('connection', note);
    do {
      isNew = false;
      await delay(Math.min(QUIET_MS, limitMs));
      // Timers come before sockets: this thread may have been busy for that long, and have accepted nothing.
      await nextTurn();
    } while (isNew && performance.now() < end);
    this.#server.off('connection', note);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(new Error('the client closed the connection'));
    });
    // Errors of the socket while we write can be ignored.
    response.on('error', () => {});
    const { socket } = request;
    const { host, origin } = request.headers;
    let reply: Reply;
    let isRead = false;
    try {
      this.#allowed.check(host, origin);
      reply = isPreflight(request)
        ? PREFLIGHT
        : await route(
            {
              method: request.method ?? 'GET',
              path: pathOf(request.url ?? '/'),
              json: () => {
                isRead = true;
                return readJson(request, this.#limits);
              },
              signal: gone.signal,
            },
            this.#endpoints,
          );
    } catch (error) {
      if (isTrenioError(error, 'ENDPOINT_OVERLOADED'))
        await this.#pace.wait(socket, error.data.retryAfterSeconds, gone.signal);
      if (gone.signal.aborted) return;
      const wireError = toWireError(error);
      if (wireError.status === 500) this.#logFault(request, error);
      reply = wireError;
    }
    // Rejecting is cheap only if the client can reuse the connection.
    if (!isRead) await discardBody(request, this.#limits.maxBytes, LINGER_MS);
    if (origin !== undefined && this.#allowed.allowsOrigin(origin)) reply = readableBy(origin, reply);
    if (reply.kind === 'whole') {
      send(request, response, reply, this.#stopping);
      return;
    }
    await sendParts(request, response, reply, {
      stallMs: this.#limits.timeoutMs,
      isStopping: () => this.#stopping,
      onFault: error => this.#logFault(request, error),
    });
  }

  #logFault({ method, url }: IncomingMessage, error: unknown): void {
    this.#options.log(`endpoint server: ${method} ${url}: ${describe(error)}`);
  }
}

/**
 * A preflight request, sent by browsers before a page of another origin may send JSON. `AllowedHosts` has been checked already.
 */
const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
const PREFLIGHT: Reply = {
  kind: 'whole',
  status: 204,
  headers: {
    'access-control-allow-methods': 'GET, HEAD, POST',
    'access-control-allow-headers': 'content-type',
    'access-control-allow-private-network': 'true',
    'access-control-max-age': '600',
  },
  body: undefined,
};

/** Allows the browser to pass the response to a page of another origin. */
function readableBy(origin: string, reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, 'access-control-allow-origin': origin, vary: 'origin' } };
}

function send(request: IncomingMessage, response: ServerResponse, reply: WholeReply, close: boolean): void {
  if (response.destroyed) return;
  const body = reply.body === undefined ? '' : `${JSON.stringify(reply.body)}\n`;
  const unread = !request.complete;
  response.writeHead(reply.status, {
    ...(reply.body === undefined
      ? {}
      : { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }),
    'cache-control': 'no-store',
    ...(close || unread ? { connection: 'close' } : {}),
    ...reply.headers,
  });
  if (!unread) {
    response.end(request.method === 'HEAD' ? undefined : body);
    return;
  }
  // The client is still sending. Closing now would reset the connection, and the client might never read the response. So the
  // response is sent completely, and further input is discarded for a moment.
  if (request.method !== 'HEAD') response.write(body);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
    request.destroy();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once('end', end);
  request.once('close', end);
  request.resume();
}

/** Handles requests that are not HTTP, or that end within their headers, for which there is no response object. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, timeoutMs: number): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const { status, body } = toWireError(
    slow
      ? new TrenioError('REQUEST_TOO_SLOW', { seconds: timeoutMs / 1000 })
      : new TrenioError('REQUEST_NOT_HTTP', { reason: error.message }),
  );
  const text = `${JSON.stringify(body)}\n`;
  const reason = slow ? 'Request Timeout' : 'Bad Request';
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}

function describe(error: unknown): string {
  return isTrenioError(error) || !(error instanceof Error) ? String(error) : (error.stack ?? error.message);
}
