// The answer of a program while it arrives: read as a whole, or part by part at the speed of its reader.
import type { AnswerHead } from './answer-parser.ts';

/** The answer is larger than its reader allows. */
export class AnswerTooLargeError extends Error {}

/** The connection of an answer. */
export interface AnswerSource {
  pause(): void;
  resume(): void;
  /** Closes the connection. */
  destroy(): void;
}

/** Bytes that may wait for the reader; with more, the connection is paused. */
const MAX_WAITING_BYTES = 256 * 1024;

export class ReplicaAnswer implements AsyncIterable<Buffer> {
  readonly status: number;
  readonly headers: AnswerHead['headers'];
  readonly #source: AnswerSource;
  readonly #parts: Buffer[] = [];
  #bytes = 0;
  #isComplete = false;
  #error: Error | undefined;
  /** Wakes the reader that waits. */
  #wake: (() => void) | undefined;
  #limit = Number.POSITIVE_INFINITY;
  #isWhole = false;

  constructor({ status, headers }: AnswerHead, source: AnswerSource) {
    this.status = status;
    this.headers = headers;
    this.#source = source;
  }

  /**
   * The whole body.
   * @throws {AnswerTooLargeError}
   * @throws errors of the connection
   */
  async whole(maxBytes: number): Promise<Buffer> {
    this.#isWhole = true;
    this.#limit = maxBytes;
    this.#check();
    while (!this.#isComplete && this.#error === undefined) await this.#change();
    if (this.#error !== undefined) throw this.#error;
    return this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
  }

  /** The parts as they arrive. Ending the iteration early closes the connection. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    let isRead = false;
    try {
      for (;;) {
        const part = this.#parts.shift();
        if (part !== undefined) {
          this.#bytes -= part.length;
          if (this.#bytes < MAX_WAITING_BYTES) this.#source.resume();
          yield part;
          continue;
        }
        isRead = this.#isComplete || this.#error !== undefined;
        if (this.#error !== undefined) throw this.#error;
        if (isRead) return;
        await this.#change();
      }
    } finally {
      if (!isRead) this.#source.destroy();
    }
  }

  add(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    this.#check();
    if (!this.#isWhole && this.#bytes >= MAX_WAITING_BYTES) this.#source.pause();
    this.#notify();
  }

  end(): void {
    this.#isComplete = true;
    this.#notify();
  }

  fail(error: Error): void {
    if (this.#isComplete) return;
    this.#error ??= error;
    this.#notify();
  }

  #check(): void {
    if (this.#isWhole) this.#source.resume();
    if (this.#bytes <= this.#limit) return;
    this.#error ??= new AnswerTooLargeError(`the answer has more than ${this.#limit} bytes`);
    if (!this.#isComplete) this.#source.destroy();
  }

  #change(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve;
    });
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
