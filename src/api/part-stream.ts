// A stream of parts over HTTP, one JSON value each, written at the speed of the client. The Accept header selects the format:
//
//   application/x-ndjson   {"token": "a"}\n                     the default; a failed stream ends with {"error": {…}}\n
//   text/event-stream      data: {"token": "a"}\n\n             if Accept names it; event: error\ndata: {"error": {…}}\n\n
//
// A complete stream ends normally. A failed one sends the error and is then aborted, so that clients cannot mistake it for
// complete.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StreamReply } from './endpoint-routes.ts';
import { toWireError } from './http-errors.ts';

export interface StreamOptions {
  /** A client that reads nothing for this long is disconnected. */
  readonly stallMs: number;
  readonly isStopping: () => boolean;
  /** Logs internal errors, not those of clients. */
  readonly onFault: (error: unknown) => void;
}

interface Format {
  readonly contentType: string;
  readonly part: (json: string) => string;
  readonly error: (json: string) => string;
}
const LINES: Format = {
  contentType: 'application/x-ndjson; charset=utf-8',
  part: json => `${json}\n`,
  error: json => `${json}\n`,
};
const EVENTS: Format = {
  contentType: 'text/event-stream; charset=utf-8',
  part: json => `data: ${json}\n\n`,
  error: json => `event: error\ndata: ${json}\n\n`,
};

/** Resolves when the last part was written or the client has disconnected; the model's stream has then ended. */
export async function sendParts(
  request: IncomingMessage,
  response: ServerResponse,
  { first, rest, headers }: StreamReply,
  { stallMs, isStopping, onFault }: StreamOptions,
): Promise<void> {
  const format = formatFor(request.headers.accept);
  try {
    if (response.destroyed) return;
    response.writeHead(200, {
      'content-type': format.contentType,
      'cache-control': 'no-store',
      // Buffering proxies would hold back the parts.
      'x-accel-buffering': 'no',
      ...(isStopping() ? { connection: 'close' } : {}),
      ...headers,
    });
    for (let next = first; !next.done; next = await rest.next()) {
      // JSON cannot represent undefined.
      const hasRoom = response.write(format.part(JSON.stringify(next.value) ?? 'null'));
      if (!hasRoom && !(await drained(response, stallMs))) {
        response.destroy();
        return;
      }
    }
    // If the server has begun to stop in the meantime, the connection must close after the response.
    response.end(() => {
      if (isStopping()) request.socket.destroySoon();
    });
  } catch (error) {
    if (response.destroyed) return;
    const { status, body } = toWireError(error);
    if (status === 500) onFault(error);
    response.write(format.error(JSON.stringify(body)));
    request.socket.destroySoon();
  } finally {
    await rest.return();
  }
}

/** Whether an Accept header names event streams (and does not give them a weight of 0). */
function formatFor(accept = ''): Format {
  const named = accept
    .toLowerCase()
    .split(',')
    .some(range => /^\s*text\/event-stream\s*(;(?!.*\bq=0(\.0*)?\s*$)|$)/.test(range));
  return named ? EVENTS : LINES;
}

/** Whether the client has read what was written. False: it has disconnected, or does not read. */
async function drained(response: ServerResponse, stallMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const onDrain = (): void => resolve(true);
  const onClose = (): void => resolve(false);
  // After the sockets have been read and written once more, because this thread may have been busy for that long.
  const timer = setTimeout(() => setImmediate(onClose), stallMs);
  response.once('drain', onDrain).once('close', onClose);
  try {
    return !response.destroyed && (await promise);
  } finally {
    clearTimeout(timer);
    response.off('drain', onDrain).off('close', onClose);
  }
}
