// A stream of chunks as server-sent events, at the speed of the client:
//
//   data: {"id": …}\n\n     each chunk
//   : wait\n\n              while nothing else is sent: clients and proxies give up on silent connections
//   data: {"error": …}\n\n  instead of the rest, if it fails
//   data: [DONE]\n\n
import type { ServerResponse } from 'node:http';
import type { OpenAiError } from './openai-error.ts';

export interface EventStreamOptions {
  readonly commentMs: number;
  /** A client that reads nothing for this long is disconnected. */
  readonly stallMs: number;
  readonly onError: (error: unknown) => OpenAiError;
}

export async function sendEvents(
  response: ServerResponse,
  chunks: AsyncGenerator<unknown>,
  { commentMs, stallMs, onError }: EventStreamOptions,
): Promise<void> {
  const comments = setInterval(() => response.write(': wait\n\n'), commentMs);
  const send = async (data: string): Promise<void> => {
    comments.refresh();
    if (!response.write(`data: ${data}\n\n`)) await drained(response, stallMs);
  };
  try {
    response.flushHeaders();
    try {
      for await (const chunk of chunks) {
        if (response.destroyed) return;
        await send(JSON.stringify(chunk));
      }
    } catch (error) {
      if (!response.destroyed) await send(JSON.stringify(onError(error).body));
    }
    response.end('data: [DONE]\n\n');
  } finally {
    clearInterval(comments);
    await chunks.return(undefined);
  }
}

/** Resolves when the client has read what was written, or is gone. */
async function drained(response: ServerResponse, stallMs: number): Promise<void> {
  if (response.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => response.destroy(), stallMs);
  response.once('drain', resolve).once('close', resolve);
  await promise;
  clearTimeout(timer);
  response.off('drain', resolve).off('close', resolve);
}
