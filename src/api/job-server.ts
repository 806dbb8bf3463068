// The HTTP server of `trenio server`: one port for all AWS services. Fastify listens and routes; the AWS services use the
// raw request, because signatures cover its bytes and objects are streamed (docs/decisions/0012).
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { TrenioError } from '../base/errors.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import type { AwsFront } from './aws/aws-front.ts';
import { ALGORITHM } from './aws/signature/signature-v4.ts';
import { CONSOLE_PATH } from './console/console-routes.ts';

export interface JobServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly aws: AwsFront;
  readonly console: {
    readonly plugin: (app: FastifyInstance) => Promise<void>;
    readonly hosts: AllowedHosts;
  };
}

// Pollers keep connections open for a minute.
const KEEP_ALIVE_MS = 75_000;
const HEADERS_TIMEOUT_MS = 30_000;
// The timeout of a connection on which nothing arrives in the middle of a request.
const IDLE_TIMEOUT_MS = 120_000;
/** Further connections are closed at once, because each uses a file descriptor and memory. */
const MAX_CONNECTIONS = 8192;
const MAX_HEADER_BYTES = 32 * 1024;

/** Whether a request is for an AWS service: it is signed, or its path is outside the console, as in a presigned URL. */
function isForServices({ headers, url = '/' }: IncomingMessage): boolean {
  const [path = '/'] = url.split('?', 1);
  return (
    headers.authorization?.startsWith(ALGORITHM) === true ||
    (path !== '/' && path !== CONSOLE_PATH && !path.startsWith(`${CONSOLE_PATH}/`))
  );
}

export class JobServer {
  readonly #app: FastifyInstance;
  readonly #options: JobServerOptions;
  #isClosing = false;

  constructor(options: JobServerOptions) {
    this.#options = options;
    const { aws, console } = options;
    this.#app = fastify({
      serverFactory: handler => {
        const server = createServer(
          {
            keepAliveTimeout: KEEP_ALIVE_MS,
            headersTimeout: HEADERS_TIMEOUT_MS,
            // Large objects take long, but a stalled connection is closed.
            requestTimeout: 0,
            maxHeaderSize: MAX_HEADER_BYTES,
          },
          (request, response) => {
            // The router is the console's, and rejects content types that objects may have.
            if (!this.#isClosing && isForServices(request)) void aws.handle(request, response, false);
            else handler(request, response);
          },
        );
        server.timeout = IDLE_TIMEOUT_MS;
        server.maxConnections = MAX_CONNECTIONS;
        server.on('checkContinue', (request, response) => void aws.handle(request, response, true));
        return server;
      },
      exposeHeadRoutes: false,
      forceCloseConnections: 'idle',
    });
    this.#app.removeAllContentTypeParsers();
    this.#app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    this.#app.register(console.plugin, { prefix: CONSOLE_PATH });
    this.#app.get('/', async (request, reply) => {
      // A browser; S3 clients list their buckets with this path.
      const { authorization, accept = '' } = request.headers;
      if (authorization === undefined && accept.includes('text/html')) return reply.redirect(`${CONSOLE_PATH}/`);
      reply.hijack();
      await aws.handle(request.raw, reply.raw, false);
      return reply;
    });
    this.#app.setNotFoundHandler(async (request, reply) => {
      reply.hijack();
      await aws.handle(request.raw, reply.raw, false);
    });
  }

  /**
   * Resolves with the address, such as `http://127.0.0.1:7070`.
   * @throws {PORT_IN_USE}
   * @throws {CANNOT_LISTEN}
   */
  async listen(): Promise<string> {
    const { host, port } = this.#options;
    try {
      await this.#app.listen({ host, port });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EADDRINUSE') throw new TrenioError('PORT_IN_USE', { host, port }, { cause: error });
      throw new TrenioError('CANNOT_LISTEN', { host, port, reason: message }, { cause: error });
    }
    const address = this.#app.server.address() as AddressInfo;
    this.#options.console.hosts.bind(address.address, address.port);
    return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
  }

  /** Stops accepting connections, and waits for pending requests. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#app.close();
  }
}
