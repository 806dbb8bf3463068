// Requests to the program of a replica, over connections that stay open.
//
//   post ─ most recently used idle connection, or a new one ─ head and body in one write ─ AnswerParser ─ ReplicaAnswer
import { validateHeaderValue } from 'node:http';
import { connect, type Socket } from 'node:net';
import { latin1, ONE_WRITE_BYTES } from '../../base/one-write.ts';
import { AnswerParser } from './answer-parser.ts';
import type { ReplicaAddress } from './ping.ts';
import { ReplicaAnswer } from './replica-answer.ts';

export interface ReplicaRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The program has not accepted the request, which may be sent to another replica. */
export class NotTakenError extends Error {}
/** The program has not answered in time. */
export class ReplicaTimeoutError extends Error {}

const UNUSED_MS = 1000;
/** The number of idle connections that are kept. */
const MAX_FREE = 64;

export class ReplicaClient {
  readonly #address: ReplicaAddress;
  readonly #all = new Set<Connection>();
  /** The most recently used one is last. */
  readonly #free: Connection[] = [];

  constructor(address: ReplicaAddress) {
    this.#address = address;
  }

  /**
   * Resolves when the head of the answer has arrived.
   * @throws {NotTakenError}
   * @throws {ReplicaTimeoutError}
   * @throws errors of the connection
   */
  post(request: ReplicaRequest): Promise<ReplicaAnswer> {
    const connection = this.#free.pop() ?? this.#open();
    return connection.post(request);
  }

  /** Connections with a request are closed, too. */
  close(): void {
    for (const connection of this.#all) connection.destroy(new Error('the replica is not asked any more'));
  }

  #open(): Connection {
    const connection = new Connection(this.#address, {
      onFree: () => {
        if (this.#free.length < MAX_FREE) this.#free.push(connection);
        else connection.destroy(undefined);
      },
      onClose: () => {
        this.#all.delete(connection);
        const at = this.#free.indexOf(connection);
        if (at >= 0) this.#free.splice(at, 1);
      },
    });
    this.#all.add(connection);
    return connection;
  }
}

interface ConnectionEvents {
  readonly onFree: () => void;
  readonly onClose: () => void;
}

/** The request that a connection carries. */
interface Exchange {
  readonly resolve: (answer: ReplicaAnswer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
  readonly signal: AbortSignal | undefined;
  /** How long the connection had been idle; undefined: it is new. */
  readonly idleMs: number | undefined;
  answer: ReplicaAnswer | undefined;
}

class Connection {
  readonly #socket: Socket;
  readonly #host: string;
  readonly #events: ConnectionEvents;
  readonly #parser: AnswerParser;
  #exchange: Exchange | undefined;
  /** The time since which it has been idle; undefined: it has had no request yet. */
  #freeSinceMs: number | undefined;

  constructor(address: ReplicaAddress, events: ConnectionEvents) {
    this.#events = events;
    this.#host = 'port' in address ? `127.0.0.1:${address.port}` : 'localhost';
    this.#socket =
      'port' in address
        ? connect({ host: '127.0.0.1', port: address.port, noDelay: true })
        : connect({ path: address.socketPath });
    this.#parser = new AnswerParser({
      onHead: head => {
        const exchange = this.#exchange!;
        // The reader of an answer may be late: the connection may already have another request.
        const isOwn = (): boolean => this.#exchange === exchange;
        exchange.answer = new ReplicaAnswer(head, {
          pause: () => {
            if (isOwn()) this.#socket.pause();
          },
          resume: () => {
            if (isOwn() && this.#socket.isPaused()) this.#socket.resume();
          },
          destroy: () => {
            if (isOwn()) this.destroy(undefined);
          },
        });
        exchange.resolve(exchange.answer);
      },
      onBody: bytes => this.#exchange?.answer?.add(bytes),
      onEnd: isReusable => this.#finish(isReusable),
    });
    this.#socket.on('data', bytes => {
      try {
        this.#parser.push(bytes);
      } catch (error) {
        this.destroy(error as Error);
      }
    });
    this.#socket.on('error', error => this.#fail(error));
    this.#socket.on('close', () => {
      if (this.#exchange !== undefined && !this.#parser.close())
        this.#fail(
          this.#exchange?.answer === undefined
            ? Object.assign(new Error('the program closed the connection'), { code: 'ECONNRESET' })
            : new Error('the program closed the connection in the middle of its answer'),
        );
      this.#events.onClose();
    });
  }

  post({ path, headers, body, timeoutMs, signal }: ReplicaRequest): Promise<ReplicaAnswer> {
    return new Promise((resolve, reject) => {
      const idleMs = this.#freeSinceMs === undefined ? undefined : performance.now() - this.#freeSinceMs;
      const timer = setTimeout(this.#onTimeout, timeoutMs);
      signal?.addEventListener('abort', this.#onAbort, { once: true });
      this.#exchange = { resolve, reject, timer, signal, idleMs, answer: undefined };
      if (signal?.aborted) return this.#onAbort();
      let head = `POST ${path} HTTP/1.1\r\nhost: ${this.#host}\r\ncontent-length: ${body.byteLength}\r\n`;
      for (const name in headers) {
        try {
          validateHeaderValue(name, headers[name]!);
        } catch (error) {
          return this.destroy(error as Error);
        }
        head += `${name}: ${headers[name]}\r\n`;
      }
      this.#parser.expect();
      const socket = this.#socket;
      if (socket.isPaused()) socket.resume();
      if (body.byteLength <= ONE_WRITE_BYTES) {
        socket.write(`${head}\r\n${latin1(body)}`, 'latin1');
        return;
      }
      socket.cork();
      socket.write(`${head}\r\n`, 'latin1');
      socket.write(body);
      socket.uncork();
    });
  }

  /** @param error for its current request; undefined: the reader has abandoned it */
  destroy(error: Error | undefined): void {
    if (this.#exchange !== undefined) this.#fail(error ?? new Error('the client closed the connection'));
    this.#socket.destroy();
  }

  readonly #onTimeout = (): void => this.destroy(new ReplicaTimeoutError('the program did not answer'));
  readonly #onAbort = (): void => this.destroy(new Error('the client closed the connection'));

  #finish(isReusable: boolean): void {
    const exchange = this.#settle();
    // A request that is still being sent will not be read.
    if (isReusable && this.#socket.writableLength === 0) {
      this.#freeSinceMs = performance.now();
      this.#events.onFree();
    } else this.#socket.destroy();
    exchange?.answer?.end();
  }

  #fail(error: NodeJS.ErrnoException): void {
    const exchange = this.#settle();
    if (exchange === undefined) return;
    if (exchange.answer !== undefined) {
      exchange.answer.fail(error);
      return;
    }
    // A program may close an idle connection just as a request is being sent.
    const isReset = error.code === 'ECONNRESET' || error.code === 'EPIPE';
    const wasClosed = exchange.idleMs !== undefined && exchange.idleMs >= UNUSED_MS && isReset;
    const isGone = error.code === 'ECONNREFUSED' || error.code === 'ENOENT';
    exchange.reject(wasClosed || isGone ? new NotTakenError(error.message, { cause: error }) : error);
  }

  #settle(): Exchange | undefined {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    if (exchange === undefined) return undefined;
    clearTimeout(exchange.timer);
    exchange.signal?.removeEventListener('abort', this.#onAbort);
    return exchange;
  }
}
