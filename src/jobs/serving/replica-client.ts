// Requests to the program of a replica, over connections that stay open.
import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ReplicaAddress } from './serving-program.ts';

export interface ReplicaRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface ReplicaAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: IncomingMessage;
}

/** The program has not taken the request: another replica may be asked. */
export class NotTakenError extends Error {}
/** The program has not answered in time. */
export class ReplicaTimeoutError extends Error {}

const UNUSED_MS = 1000;

export class ReplicaClient {
  readonly #address: ReplicaAddress;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: 'lifo' });

  /** Since when a connection has not been used. */
  readonly #freeSince = new WeakMap<Duplex, number>();

  constructor(address: ReplicaAddress) {
    this.#address = address;
    this.#agent.on('free', (socket: Duplex) => this.#freeSince.set(socket, performance.now()));
  }

  /**
   * Resolves when the head of the answer is there.
   * @throws {NotTakenError}
   * @throws {ReplicaTimeoutError}
   * @throws errors of the connection
   */
  post({ path, headers, body, timeoutMs, signal }: ReplicaRequest): Promise<ReplicaAnswer> {
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        host: '127.0.0.1',
        ...this.#address,
        path,
        method: 'POST',
        agent: this.#agent,
        headers: { ...headers, 'content-length': body.byteLength },
      });
      request.setNoDelay(true);
      const timer = setTimeout(() => request.destroy(new ReplicaTimeoutError('the program did not answer')), timeoutMs);
      const onAbort = (): void => void request.destroy(new Error('the client closed the connection'));
      signal?.addEventListener('abort', onAbort, { once: true });
      let idleMs = 0;
      request.once('socket', socket => {
        idleMs = performance.now() - (this.#freeSince.get(socket) ?? Number.POSITIVE_INFINITY);
      });
      request.once('response', answer => {
        answer.once('close', () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
        });
        resolve({ status: answer.statusCode!, headers: answer.headers, body: answer });
      });
      request.once('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        // A program may close a connection that has not been used for a while, just as a request is on its way.
        const isReset = error.code === 'ECONNRESET' || error.code === 'EPIPE';
        const wasClosed = request.reusedSocket && idleMs >= UNUSED_MS && isReset;
        const isGone = error.code === 'ECONNREFUSED' || error.code === 'ENOENT';
        reject(wasClosed || isGone ? new NotTakenError(error.message, { cause: error }) : error);
      });
      request.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
