// Signed HTTP requests to the job server, retried if that is safe. Uses node:http, because fetch would normalize paths (keys may
// contain `..`) and decode bodies by their Content-Encoding.
import { randomUUID } from 'node:crypto';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../../api/aws/signature/signature-v4.ts';
import { TrenioError } from '../../base/errors.ts';
import { version } from '../../base/version.ts';
import type { Connection } from './connection.ts';
import { sign } from './sign.ts';

/** A body that is reopened for each attempt. */
export interface StreamBody {
  readonly bytes: number;
  /** SHA-256, in hexadecimal digits. */
  readonly sha256: string;
  open(): Readable;
}

export interface WireRequest {
  /** The service name in the scope of the signature. */
  readonly service: 'sagemaker' | 'logs' | 's3' | 'sts' | 'trenio';
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Percent-encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | StreamBody;
  readonly signal?: AbortSignal | undefined;
  /** Do not retry after a server error: the model has processed the request. */
  readonly once?: boolean;
}

/** An answer whose body has not been read. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: IncomingMessage;
}

const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 100;

export class Wire implements Disposable {
  readonly connection: Connection;
  readonly #agent: Agent;

  constructor(connection: Connection) {
    this.connection = connection;
    this.#agent = connection.endpoint.startsWith('https:')
      ? new TlsAgent({ keepAlive: true })
      : new Agent({ keepAlive: true });
  }

  /** Closes idle connections, which otherwise end with the process. */
  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /**
   * The answer, of any status. Attempts without an answer, or with a retryable one, are repeated under one invocation id.
   * @throws {JOB_SERVER_UNREACHABLE}
   */
  async send(request: WireRequest): Promise<WireAnswer> {
    const id = randomUUID();
    for (let attempt = 1; ; attempt++) {
      request.signal?.throwIfAborted();
      try {
        const answer = await this.#attempt(request, id, attempt);
        if (attempt === ATTEMPTS || request.once === true || ![429, 500, 502, 503, 504].includes(answer.status))
          return answer;
        answer.body.resume();
      } catch (error) {
        request.signal?.throwIfAborted();
        if (!isNetworkError(error)) throw error;
        const { endpoint } = this.connection;
        if (attempt === ATTEMPTS)
          throw new TrenioError('JOB_SERVER_UNREACHABLE', { endpoint, reason: reasonOf(error) }, { cause: error });
      }
      await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, { signal: request.signal });
    }
  }

  async #attempt(request: WireRequest, id: string, attempt: number): Promise<WireAnswer> {
    const { method, path, query = {}, headers = {}, body = '', signal } = request;
    const isStream = typeof body === 'object' && 'open' in body;
    const { target, headers: signed } = sign(
      {
        method,
        path,
        query,
        headers: { ...headers, 'amz-sdk-invocation-id': id, 'amz-sdk-request': `attempt=${attempt}; max=${ATTEMPTS}` },
        bodyHash: isStream ? body.sha256 : sha256(body),
      },
      this.connection,
      request.service,
      Date.now(),
    );
    const { protocol, hostname, port } = new URL(this.connection.endpoint);
    const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
    const open = protocol === 'https:' ? httpsRequest : httpRequest;
    const sending = open(
      {
        agent: this.#agent,
        hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
        port,
        method,
        path: target,
        headers: {
          ...signed,
          'user-agent': `trenio/${version}`,
          'content-length': String(isStream ? body.bytes : Buffer.byteLength(body)),
        },
        ...(signal === undefined ? {} : { signal }),
      },
      response => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response }),
    );
    sending.on('error', reject);
    if (!isStream) sending.end(body);
    // An error response may arrive, and the connection close, before everything is sent.
    else pipeline(body.open(), sending).catch(reject);
    return promise;
  }
}

/** The whole body of an answer. */
export async function readWhole({ body }: WireAnswer): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part as Uint8Array);
  return Buffer.concat(parts);
}

const networkErrors: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/** A name with several addresses fails with the errors of all of them. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof AggregateError ? codeOf(error.errors[0]) : (error as NodeJS.ErrnoException).code;
const isNetworkError = (error: unknown): boolean => networkErrors.has(codeOf(error));
const reasonOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : (codeOf(error) ?? String(error));
