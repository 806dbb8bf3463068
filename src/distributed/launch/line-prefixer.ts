// Copies a rank's output to ours line by line, each with the rank's name before it, so that the lines of several ranks
// never mix within a line. Keeps the last lines for the report of a rank that died.
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import type { OutputStream } from '../../base/output-stream.ts';

// A line that never ends must not fill our memory, so it is cut at this length.
const MAX_LINE_CHARACTERS = 64 * 1024;

export class LinePrefixer {
  readonly #prefix: () => string;
  readonly #target: OutputStream;
  readonly #keep: number;
  readonly #decoder = new StringDecoder('utf8');
  #partial = '';
  readonly #lastLines: string[] = [];

  /** @param keep the number of last lines to keep. */
  constructor(prefix: () => string, target: OutputStream, keep = 0) {
    this.#prefix = prefix;
    this.#target = target;
    this.#keep = keep;
  }

  get lastLines(): readonly string[] {
    return this.#lastLines;
  }

  /** Copies until the source ends. Stops reading while the target is full. */
  follow(source: Readable): Promise<void> {
    return new Promise(resolve => {
      source.on('data', (chunk: Buffer) => {
        if (this.write(this.#decoder.write(chunk))) return;
        source.pause();
        this.#target.once('drain', () => source.resume());
      });
      const end = (): void => {
        this.#partial += this.#decoder.end();
        this.end();
        resolve();
      };
      source.once('close', end);
    });
  }

  /** Complete lines are written in one call; text after the last newline waits. False if the target is full. */
  write(text: string): boolean {
    const lines = (this.#partial + text).split('\n');
    this.#partial = lines.pop()!;
    while (this.#partial.length > MAX_LINE_CHARACTERS) {
      lines.push(this.#partial.slice(0, MAX_LINE_CHARACTERS));
      this.#partial = this.#partial.slice(MAX_LINE_CHARACTERS);
    }
    if (lines.length === 0) return true;
    this.#remember(lines);
    const prefix = this.#prefix();
    return this.#target.write(lines.map(line => `${prefix}${line}\n`).join(''));
  }

  /** A last line without a newline gets one. */
  end(): void {
    if (this.#partial !== '') this.write('\n');
  }

  #remember(lines: readonly string[]): void {
    if (this.#keep === 0) return;
    // A report escapes control characters, so colors would be unreadable there.
    this.#lastLines.push(...lines.slice(-this.#keep).map(stripVTControlCharacters));
    this.#lastLines.splice(0, Math.max(0, this.#lastLines.length - this.#keep));
  }
}
