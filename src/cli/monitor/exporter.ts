// The Prometheus endpoint of `trenio monitor`: GET /metrics. Values are read on each request.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AllowedHosts } from '../../api/allowed-hosts.ts';
import { isTrenioError, TrenioError } from '../../base/errors.ts';

/** Prometheus' two formats; OpenMetrics, the newer one, is the default. */
const contentTypes = {
  openMetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  text: 'text/plain; version=0.0.4; charset=utf-8',
} as const;
export type MetricsFormat = keyof typeof contentTypes;

/** The format that a client prefers. @param accept its header: types with weights */
export function preferredFormat(accept = ''): MetricsFormat {
  const weightOf = (type: string): number => {
    const range = accept.split(',').find(one => one.trim().startsWith(type));
    return range === undefined ? 0 : Number(/;\s*q=([\d.]+)/.exec(range)?.[1] ?? 1);
  };
  return weightOf('text/plain') > weightOf('application/openmetrics-text') ? 'text' : 'openMetrics';
}

export class Exporter {
  readonly #server: Server;
  readonly #allowed = new AllowedHosts({});
  readonly #text: (format: MetricsFormat) => Promise<string>;

  constructor(text: (format: MetricsFormat) => Promise<string>) {
    this.#text = text;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.headersTimeout = 5000;
    this.#server.requestTimeout = 5000;
  }

  /**
   * Returns the port: one that is free if `port` is 0.
   * @throws {PORT_IN_USE}
   * @throws {CANNOT_LISTEN}
   */
  async listen(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          error.code === 'EADDRINUSE'
            ? new TrenioError('PORT_IN_USE', { host, port }, { cause: error })
            : new TrenioError('CANNOT_LISTEN', { host, port, reason: error.message }, { cause: error }),
        ),
      );
      this.#server.listen(port, host, resolve);
    });
    const { address, port: bound } = this.#server.address() as AddressInfo;
    this.#allowed.bind(address, bound);
    return bound;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>(resolve => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
      response.end(request.method === 'HEAD' ? undefined : text);
    };
    try {
      this.#allowed.check(request.headers.host, request.headers.origin);
      const path = (request.url ?? '').split('?')[0];
      if (request.method !== 'GET' && request.method !== 'HEAD') send(405, 'only GET\n');
      else if (path === '/metrics') {
        const format = preferredFormat(request.headers.accept);
        send(200, await this.#text(format), contentTypes[format]);
      } else if (path === '/') send(200, 'trenio monitor: the metrics are at /metrics\n');
      else send(404, 'not found: the metrics are at /metrics\n');
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      send(isTrenioError(error) ? 403 : 500, `${text}\n`);
    }
  }
}
