// Requests over keep-alive connections, each sent after the response to the previous one, with raw sockets: node:http's client
// uses more CPU time than the measured server. Only reads responses with a Content-Length. Requests are prepared before the
// measurement.
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createConnection } from 'node:net';
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
  const lines = Object.entries({ ...signed.headers, 'content-length': String(body.length) });
  return Buffer.concat([
    Buffer.from(`POST / HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`),
    body,
  ]);
}

/** Sends all requests once, or until the time is up. */
export async function sendAll(
  url: string,
  requests: readonly Buffer[],
  connections: number,
  ms = Number.POSITIVE_INFINITY,
): Promise<Times> {
  const { hostname, port } = new URL(url);
  const times: number[] = [];
  let [next, failed] = [0, 0];
  const from = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = createConnection({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, 'connect');
      socket.setEncoding('latin1');
      const done = Promise.withResolvers<void>();
      let [sent, received] = [0, ''];
      const send = (): void => {
        sent = performance.now();
        const request = requests[next++];
        if (request === undefined || sent - from > ms) done.resolve();
        else socket.write(request);
      };
      socket.on('data', (chunk: string) => {
        received += chunk;
        const end = received.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = Number(/\r\ncontent-length: *(\d+)/i.exec(received.slice(0, end))?.[1] ?? 0);
        if (received.length < end + 4 + length) return;
        if (received.startsWith('HTTP/1.1 200')) times.push(performance.now() - sent);
        else {
          if (failed === 0) console.error(received);
          failed++;
        }
        received = '';
        send();
      });
      socket.once('error', done.reject);
      socket.once('close', () => done.reject(new Error('the server closed the connection')));
      send();
      await done.promise;
      socket.removeAllListeners('close').destroy();
    }),
  );
  const seconds = (performance.now() - from) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), answered: times.length, failed };
}
