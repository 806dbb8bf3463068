// The client of the endpoint load test, forked by bench/endpoint.ts: keep-alive connections that each send the next
// request after the response to the previous one. Uses raw sockets, because the client of node:http uses more CPU time than the
// measured server. Not a general HTTP client: it only reads responses with a Content-Length.
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';

export interface Load {
  readonly url: string;
  readonly texts: readonly string[];
  readonly connections: number;
  /** Not counted. */
  readonly warmUpMs: number;
  readonly ms: number;
  /** Wait for Retry-After before the next request; otherwise send it immediately. */
  readonly obedient: boolean;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Latencies of successful requests, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
  readonly answered: number;
  /** 503 and 429. */
  readonly refused: number;
  /** Rejected without Retry-After. */
  readonly unexplained: number;
  /** Other statuses, and connections that broke. */
  readonly failed: number;
}

async function measure({ url, texts, connections, warmUpMs, ms, obedient }: Load): Promise<LoadResult> {
  const { hostname, port, host, pathname } = new URL(url);
  const requests = texts.map(inputs => {
    const body = Buffer.from(JSON.stringify({ inputs }));
    const head = `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), body]);
  });
  const sockets: Socket[] = [];
  // Connect gradually: the kernel's accept queue is bounded.
  while (sockets.length < connections) {
    const some = Array.from({ length: Math.min(100, connections - sockets.length) }, () =>
      createConnection({ host: hostname, port: Number(port), noDelay: true }),
    );
    await Promise.all(some.map(socket => once(socket, 'connect')));
    sockets.push(...some);
  }
  const times: number[] = [];
  let [refused, unexplained, failed, next] = [0, 0, 0, 0];
  const from = performance.now() + warmUpMs;
  const until = from + ms;
  await Promise.all(
    sockets.map(socket => {
      const done = Promise.withResolvers<void>();
      let [sent, received, body] = [0, '', -1];
      const send = (): void => {
        sent = performance.now();
        if (sent >= until) {
          socket.destroy();
          done.resolve();
        } else socket.write(requests[next++ % requests.length]!);
      };
      const answered = (head: string): void => {
        const now = performance.now();
        const status = Number(head.slice(9, 12));
        const retryAfter = /\r\nretry-after: *(\d+)/i.exec(head)?.[1];
        if (now >= from && now < until) {
          if (status === 200) times.push(now - sent);
          else if (status === 503 || status === 429) refused++;
          else failed++;
          if ((status === 503 || status === 429) && retryAfter === undefined) unexplained++;
        }
        if (obedient && retryAfter !== undefined)
          setTimeout(send, Math.min(Number(retryAfter) * 1000, Math.max(0, until - now)));
        else send();
      };
      socket.setEncoding('latin1');
      socket.on('data', (chunk: string) => {
        received += chunk;
        const end = received.indexOf('\r\n\r\n');
        if (end < 0) return;
        if (body < 0) body = Number(/\r\ncontent-length: *(\d+)/i.exec(received)?.[1] ?? 0);
        if (received.length < end + 4 + body) return;
        const head = received.slice(0, end);
        [received, body] = ['', -1];
        answered(head);
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        if (performance.now() < until) failed++;
        done.resolve();
      });
      send();
      return done.promise;
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return {
    perSecond: (times.length / ms) * 1000,
    p50: at(0.5),
    p99: at(0.99),
    slowest: at(1),
    answered: times.length,
    refused,
    unexplained,
    failed,
  };
}

process.on('message', async (load: Load) => process.send?.(await measure(load)));
