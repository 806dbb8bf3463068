// Reads the body of a request with three checks: its type, its size, and the time it takes. A body that violates a limit is not
// kept in memory.
import type { IncomingMessage } from 'node:http';
import { TrenioError } from '../base/errors.ts';

export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON of a request.
 * @throws {CONTENT_TYPE_UNSUPPORTED}
 * @throws {REQUEST_TOO_LARGE}
 * @throws {REQUEST_TOO_SLOW}
 * @throws {MALFORMED_JSON}
 * @throws the client's own abort
 */
export async function readJson(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  checkContentType(request);
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limits.maxBytes) throw new TrenioError('REQUEST_TOO_LARGE', { limitBytes: limits.maxBytes });
  const bytes = await readBytes(request, limits);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const problem = bytes.byteLength === 0 ? 'it is empty' : error instanceof Error ? error.message : String(error);
    throw new TrenioError('MALFORMED_JSON', { problem }, { cause: error });
  }
}

/** Reads and discards a body, if its declared length is small; resolves when it has ended, or after `ms`. */
export async function discardBody(request: IncomingMessage, maxBytes: number, ms: number): Promise<void> {
  const { 'content-length': declared = '0', 'transfer-encoding': chunked } = request.headers;
  if (request.complete || request.destroyed || chunked !== undefined || Number(declared) > maxBytes) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  request.once('end', resolve).once('close', resolve).resume();
  await promise;
  clearTimeout(timer);
}

function checkContentType(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new TrenioError('CONTENT_TYPE_UNSUPPORTED', { got: `${encoding}-compressed` });
  const type = request.headers['content-type'];
  // Without a type, the body is parsed; if it is malformed, that is the error.
  if (type === undefined) return;
  const [media, ...parameters] = type
    .toLowerCase()
    .split(';')
    .map(part => part.trim());
  const charset = parameters
    .find(p => p.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  const isJson = media === 'application/json' || /^application\/[\w.+-]+\+json$/.test(media ?? '');
  if (!isJson || (charset !== undefined && !['utf-8', 'utf8', 'us-ascii'].includes(charset))) {
    throw new TrenioError('CONTENT_TYPE_UNSUPPORTED', { got: type });
  }
}

function readBytes(request: IncomingMessage, { maxBytes, timeoutMs }: BodyLimits): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (): void => {
      clearTimeout(timer);
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    };
    const fail = (error: Error): void => {
      clearTimeout(timer);
      request.off('data', onData);
      request.pause();
      chunks.length = 0;
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.byteLength;
      if (size > maxBytes) fail(new TrenioError('REQUEST_TOO_LARGE', { limitBytes: maxBytes }));
      else chunks.push(chunk);
    };
    const timer = setTimeout(() => fail(new TrenioError('REQUEST_TOO_SLOW', { seconds: timeoutMs / 1000 })), timeoutMs);
    request.on('data', onData);
    request.once('end', done);
    request.once('error', fail);
    // Comes after each request, complete or not.
    request.once('close', () => {
      if (!request.complete) fail(new Error('the client closed the connection'));
    });
  });
}
