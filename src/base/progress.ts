// A progress line. On a terminal and in a notebook it is rewritten in place; elsewhere (a log file, a pipe, the terminal of a CI
// service, which is kept as a log) a line is written every few seconds.
// The stream and the clock are passed in.
import { stripVTControlCharacters } from 'node:util';
import { readVariable, type Variables } from './environment.ts';
import { displayWidth, truncate } from './table.ts';

/** `notebook`: rewritten in place with a carriage return, the only control sequence that notebooks support. */
export type ProgressMedium = 'terminal' | 'notebook' | 'log';

/** The kind of output behind a stream. */
export function mediumOf(stream: ProgressStream, variables?: Variables): ProgressMedium {
  if (readVariable('JPY_PARENT_PID', variables) !== undefined) return 'notebook';
  if (stream.isTTY !== true || readVariable('CI', variables) !== undefined) return 'log';
  // A terminal that cannot clear a line, such as one in an editor.
  return readVariable('TERM', variables) === 'dumb' ? 'log' : 'terminal';
}

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
  readonly logEveryMs?: number | (() => number);
  /** Minimum time between two updates on a terminal. */
  readonly drawEveryMs?: number;
  /** Show nothing before this time has passed, for work that is often quick. */
  readonly afterMs?: number;
  /** The kind of output; by default derived from the stream and the environment. */
  readonly medium?: ProgressMedium;
}

const CLEAR_LINE = '\r\u001b[K';

/**
 * A progress line that is rewritten in place on a terminal, and printed at intervals elsewhere.
 * @example
 * ```ts no-run
 * const line = new ProgressLine({ stream: process.stderr, nowMs: () => performance.now() });
 * for (let i = 1; i <= 100; i++) line.update(`${i} of 100 files`);
 * line.done();
 * ```
 */
export class ProgressLine {
  readonly #options: ProgressOptions;
  readonly #medium: ProgressMedium;
  readonly #intervalMs: () => number;
  readonly #hiddenUntilMs: number;
  /** The latest text; the text on screen may be older. */
  #text = '';
  #shown = '';
  #shownAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#medium = options.medium ?? mediumOf(options.stream);
    const { logEveryMs = 5000, drawEveryMs = 50 } = options;
    const everyMs = this.#medium === 'log' ? logEveryMs : drawEveryMs;
    this.#intervalMs = typeof everyMs === 'function' ? everyMs : () => everyMs;
    this.#hiddenUntilMs = options.afterMs === undefined ? Number.NEGATIVE_INFINITY : options.nowMs() + options.afterMs;
  }

  /** Updates the text. Cheap: most calls write nothing. */
  update(text: string): void {
    this.#text = text;
    const nowMs = this.#options.nowMs();
    if (nowMs >= this.#hiddenUntilMs && nowMs - this.#shownAtMs >= this.#intervalMs()) this.#show();
  }

  /** Writes a separate line (a warning, an evaluation) above the progress line. */
  print(line: string): void {
    const { stream } = this.#options;
    if (this.#medium === 'log') {
      stream.write(`${line}\n`);
      return;
    }
    stream.write(this.#shown === '' ? `${line}\n` : `${this.#clear}${line}\n`);
    if (this.#shown !== '') this.#show();
  }

  /** Removes the line from a terminal, so that the result replaces it. A log keeps its lines. */
  clear(): void {
    if (this.#medium !== 'log' && this.#shown !== '') this.#options.stream.write(this.#clear);
    this.#text = '';
    this.#shown = '';
    this.#shownAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Ends the line with the latest (or the given) text. Later updates start a new line. */
  done(text: string = this.#text): void {
    this.#text = text;
    const { stream, nowMs } = this.#options;
    if (nowMs() < this.#hiddenUntilMs) {
      // The work was quick, so nothing was shown.
    } else if (this.#medium !== 'log') {
      this.#show();
      if (this.#shown !== '') stream.write('\n');
    } else if (this.#text !== this.#shown) {
      this.#show();
    }
    this.#text = '';
    this.#shown = '';
    this.#shownAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Clears the line on the screen. */
  get #clear(): string {
    return this.#medium === 'notebook' ? `\r${' '.repeat(displayWidth(this.#shown))}\r` : CLEAR_LINE;
  }

  #show(): void {
    const { stream, nowMs } = this.#options;
    if (this.#medium !== 'log') {
      // Leave one column free: some terminals wrap a full line, which then cannot be rewritten. A terminal without a set size
      // has 0 columns.
      const width = (stream.columns || 80) - 1;
      const cut = displayWidth(this.#text) <= width ? this.#text : truncate(this.#text, width);
      stream.write(this.#clear + (this.#medium === 'notebook' ? stripVTControlCharacters(cut) : cut));
    } else if (this.#text !== '') {
      stream.write(`${stripVTControlCharacters(this.#text)}\n`);
    }
    this.#shown = this.#text;
    this.#shownAtMs = nowMs();
  }
}
