// One line that says how far something is. On a terminal the line is rewritten in place; elsewhere (a log file, a pipe)
// a line is written every few seconds, so that logs stay short. The stream and the clock are passed in.
import { stripVTControlCharacters } from 'node:util';
import { displayWidth, truncate } from './table.ts';

/** What is written to: process.stderr, or anything with the same two facts. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressOptions {
  readonly stream: ProgressStream;
  /** Milliseconds from any fixed point, for example performance.now. */
  readonly nowMs: () => number;
  /** Not a terminal: the least time between two lines. */
  readonly logEveryMs?: number;
  /** A terminal: the least time between two drawings. */
  readonly drawEveryMs?: number;
}

const CLEAR_LINE = '\r\u001b[K';

export class ProgressLine {
  readonly #options: ProgressOptions;
  readonly #intervalMs: number;
  /** The newest text; what is on screen may be older. */
  #text = '';
  #shown = '';
  #shownAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#intervalMs = options.stream.isTTY === true ? (options.drawEveryMs ?? 50) : (options.logEveryMs ?? 5000);
  }

  /** The state of things now. Cheap: most calls write nothing. */
  update(text: string): void {
    this.#text = text;
    if (this.#options.nowMs() - this.#shownAtMs >= this.#intervalMs) this.#show();
  }

  /** Writes a line of its own (a warning, an evaluation) above the progress line. */
  print(line: string): void {
    const { stream } = this.#options;
    if (stream.isTTY !== true) {
      stream.write(`${line}\n`);
      return;
    }
    stream.write(`${CLEAR_LINE}${line}\n`);
    if (this.#shown !== '') this.#show();
  }

  /** Ends the line with its newest (or the given) text. Later updates begin a new one. */
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
      // One column is left free: a full line makes some terminals wrap, and then it cannot be rewritten.
      const width = (stream.columns ?? 80) - 1;
      stream.write(CLEAR_LINE + (displayWidth(this.#text) <= width ? this.#text : truncate(this.#text, width)));
    } else if (this.#text !== '') {
      stream.write(`${stripVTControlCharacters(this.#text)}\n`);
    }
    this.#shown = this.#text;
    this.#shownAtMs = nowMs();
  }
}
