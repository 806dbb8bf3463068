// Requests over keep-alive connections, each sent after the response to the previous one, with raw sockets: node:http's client
// uses more CPU time than the measured server. Only reads responses with a Content-Length. Requests are prepared before the
// measurement.
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { sign } from '../../src/client/wire/sign.ts';
import { key, region } from './server-process.ts';

export interface Times {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly answered: number;
  /** Statuses other than 200. */
  readonly failed: number;
}

let count = 0;

/** A request of the JSON 1.1 protocol as the AWS SDKs send it, signed now. */
export function jsonRequest(url: string, target: string, input: object): Buffer {
  const body = Buffer.from(JSON.stringify(input));
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': target,
    'user-agent': 'aws-sdk-js/3.1 ua/2.1 os/linux#6 lang/js md/nodejs#24 api/sagemaker#3.1 m/E,N',
    'x-amz-user-agent': 'aws-sdk-js/3.1',
    'amz-sdk-invocation-id': `00000000-0000-4000-8000-${String(count++).padStart(12, '0')}`,
    'amz-sdk-request': 'attempt=1; max=3',
  };
  const connection = { endpoint: url, region, accessKeyId: key.id, secretAccessKey: key.secret };
  const unsigned = { method: 'POST', path: '/', query: {}, headers, bodyHash: hash('sha256', body) };
  const signed = sign(unsigned, connection as Parameters<typeof sign>[1], 'sagemaker', Date.now());
  return plainRequest('/', signed.headers, body);
}

/** An unsigned request. */
export function plainRequest(path: string, headers: Readonly<Record<string, string>>, body: Buffer): Buffer {
  const lines = Object.entries({ host: 'localhost', ...headers, 'content-length': String(body.length) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n`), body]);
}

export interface RawAnswer {
  readonly status: number;
  /** The status line and the headers. */
  readonly head: string;
  readonly body: string;
  readonly ms: number;
}

/** A connection that carries one request at a time. */
export class RawConnection {
  readonly #socket: Socket;
  #received = '';
  #sent = 0;
  #waiting: PromiseWithResolvers<RawAnswer> | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#add(chunk));
    socket.on('error', error => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')));
  }

  static async open(address: { readonly port: number } | { readonly socketPath: string }): Promise<RawConnection> {
    const socket =
      'port' in address
        ? createConnection({ host: '127.0.0.1', port: address.port, noDelay: true })
        : createConnection({ path: address.socketPath });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  send(request: Buffer): Promise<RawAnswer> {
    this.#waiting = Promise.withResolvers();
    this.#sent = performance.now();
    this.#socket.write(request);
    return this.#waiting.promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #add(chunk: string): void {
    this.#received += chunk;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.slice(0, end);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < end + 4 + length) return;
    const ms = performance.now() - this.#sent;
    const body = this.#received.slice(end + 4);
    this.#received = '';
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve({ status: Number(head.slice(9, 12)), head, body, ms });
  }
}

/** Sends all requests once, or until the time is up. */
export async function sendAll(
  url: string,
  requests: readonly Buffer[],
  connections: number,
  ms = Number.POSITIVE_INFINITY,
): Promise<Times> {
  const times: number[] = [];
  let [next, failed] = [0, 0];
  const from = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = await RawConnection.open({ port: Number(new URL(url).port) });
      while (next < requests.length && performance.now() - from <= ms) {
        const answer = await connection.send(requests[next++]!);
        if (answer.status === 200) times.push(answer.ms);
        else if (failed++ === 0) console.error(`${answer.head}\n${answer.body}`);
      }
      connection.close();
    }),
  );
  const seconds = (performance.now() - from) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), answered: times.length, failed };
}
