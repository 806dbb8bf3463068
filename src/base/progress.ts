// A progress line. On a terminal it is rewritten in place; elsewhere (a log file, a pipe) a line is written every few seconds.
// The stream and the clock are passed in.
import { stripVTControlCharacters } from 'node:util';
import { displayWidth, truncate } from './table.ts';

/** The output: process.stderr, or an object with the same members. */
export interface ProgressStream {
  /** Whether the stream is a terminal. */
  readonly isTTY?: boolean;
  /** The width of the terminal in characters. */
  readonly columns?: number;
  /** Writes text. */
  write(text: string): unknown;
}

/** Options of `ProgressLine`. */
export interface ProgressOptions {
  /** Where the progress line is written. Default: standard error. */
  readonly stream: ProgressStream;
  /** Milliseconds from any fixed point, for example performance.now. */
  readonly nowMs: () => number;
  /** Minimum time between two lines if the stream is not a terminal. */
  readonly logEveryMs?: number;
  /** Minimum time between two updates on a terminal. */
  readonly drawEveryMs?: number;
}

const CLEAR_LINE = '\r\u001b[K';

/** A line of progress that is rewritten in place on a terminal, and printed now and then elsewhere. */
export class ProgressLine {
  readonly #options: ProgressOptions;
  readonly #intervalMs: number;
  /** The latest text; the text on screen may be older. */
  #text = '';
  #shown = '';
  #shownAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#intervalMs = options.stream.isTTY === true ? (options.drawEveryMs ?? 50) : (options.logEveryMs ?? 5000);
  }

  /** Updates the text. Cheap: most calls write nothing. */
  update(text: string): void {
    this.#text = text;
    if (this.#options.nowMs() - this.#shownAtMs >= this.#intervalMs) this.#show();
  }

  /** Writes a separate line (a warning, an evaluation) above the progress line. */
  print(line: string): void {
    const { stream } = this.#options;
    if (stream.isTTY !== true) {
      stream.write(`${line}\n`);
      return;
    }
    stream.write(`${CLEAR_LINE}${line}\n`);
    if (this.#shown !== '') this.#show();
  }

  /** Ends the line with the latest (or the given) text. Later updates start a new line. */
  done(text: string = this.#text): void {
    this.#text = text;
    const { stream } = this.#options;
    if (stream.isTTY === true) {
      this.#show();
      if (this.#shown !== '') stream.write('\n');
    } else if (this.#text !== this.#shown) {
      this.#show();
    }
    this.#text = '';
    this.#shown = '';
    this.#shownAtMs = Number.NEGATIVE_INFINITY;
  }

  #show(): void {
    const { stream, nowMs } = this.#options;
    if (stream.isTTY === true) {
      // Leave one column free: some terminals wrap a full line, which then cannot be rewritten.
      const width = (stream.columns ?? 80) - 1;
      stream.write(CLEAR_LINE + (displayWidth(this.#text) <= width ? this.#text : truncate(this.#text, width)));
    } else if (this.#text !== '') {
      stream.write(`${stripVTControlCharacters(this.#text)}\n`);
    }
    this.#shown = this.#text;
    this.#shownAtMs = nowMs();
  }
}
