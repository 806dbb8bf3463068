// The bytes of a request's body: streamed, if it may not fit in memory, or whole. Reading is lazy.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AwsError } from './aws-error.ts';

export interface RequestBody extends AsyncIterable<Uint8Array> {
  /**
   * The whole body. Does not use iterators, whose overhead is larger than a small request.
   * @throws {AwsError} RequestEntityTooLarge
   */
  whole?(maxBytes: number): Promise<Buffer>;
}

/** Bodies up to this size arrive with their heads, and are collected from the start: starting the stream later takes longer. */
const EAGER_BYTES = 64 * 1024;

/** A body as sent. `100 Continue` is sent to a client that waits for it when the body is first read. */
export class IncomingBody implements RequestBody {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #waits: boolean;
  readonly #timeoutMs: number;
  readonly #early: Promise<Buffer> | undefined;
  isRead = false;

  /** @param timeoutMs how long a body that is read whole may take to arrive; streams have no limit */
  constructor(request: IncomingMessage, response: ServerResponse, waits: boolean, timeoutMs: number) {
    this.#request = request;
    this.#response = response;
    this.#waits = waits;
    this.#timeoutMs = timeoutMs;
    if (!waits && Number(request.headers['content-length'] ?? Number.NaN) <= EAGER_BYTES) {
      this.#early = this.#collect(EAGER_BYTES);
      // A request may be rejected before its body is needed.
      this.#early.catch(() => {});
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    this.#begin();
    if (this.#early !== undefined) yield await this.#early;
    else for await (const bytes of this.#request) yield bytes as Uint8Array;
  }

  async whole(maxBytes: number): Promise<Buffer> {
    this.#begin();
    const bytes = await (this.#early ?? this.#collect(maxBytes));
    if (bytes.length > maxBytes) throw tooLarge(maxBytes);
    return bytes;
  }

  #collect(maxBytes: number): Promise<Buffer> {
    const request = this.#request;
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      let size = 0;
      const timer = setTimeout(() => fail(tooSlow(this.#timeoutMs)), this.#timeoutMs);
      const fail = (error: Error): void => {
        clearTimeout(timer);
        request.off('data', onData).pause();
        reject(error);
      };
      const onData = (part: Buffer): void => {
        size += part.length;
        if (size > maxBytes) fail(tooLarge(maxBytes));
        else parts.push(part);
      };
      request.on('data', onData);
      request.once('end', () => {
        clearTimeout(timer);
        resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts));
      });
      request.once('error', fail);
      request.once('close', () => {
        if (!request.complete) fail(new Error('the client closed the connection'));
      });
    });
  }

  #begin(): void {
    this.isRead = true;
    if (this.#waits) this.#response.writeContinue();
  }
}

/** A body that is already in memory. */
export const bodyOfBytes = (bytes: Buffer): RequestBody => ({
  async *[Symbol.asyncIterator]() {
    yield bytes;
  },
  whole: async maxBytes => {
    if (bytes.length > maxBytes) throw tooLarge(maxBytes);
    return bytes;
  },
});

export const tooLarge = (maxBytes: number): AwsError =>
  new AwsError('RequestEntityTooLargeException', `The request body is larger than ${maxBytes} bytes.`, 413);

export const tooSlow = (timeoutMs: number): AwsError =>
  new AwsError('RequestTimeout', `The body of the request did not arrive within ${timeoutMs / 1000} seconds.`, 408);
