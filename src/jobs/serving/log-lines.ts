// Writes the lines of a program to a log stream, several at a time. If a program prints faster than that, lines are dropped.
import type { LogStore } from '../logs/log-store.ts';

const FLUSH_MS = 250;
const MAX_LINE_CHARACTERS = 256 * 1024;
const MAX_PENDING = 10_000;

export class LogLines {
  readonly #logs: LogStore;
  readonly #group: string;
  readonly #stream: string;
  readonly #timer: NodeJS.Timeout;
  #lines: { readonly timeMs: number; readonly message: string }[] = [];
  #dropped = 0;

  constructor(logs: LogStore, group: string, stream: string) {
    this.#logs = logs;
    this.#group = group;
    this.#stream = stream;
    logs.createStream(group, stream, Date.now());
    this.#timer = setInterval(() => this.flush(), FLUSH_MS);
  }

  add(line: string): void {
    if (this.#lines.length >= MAX_PENDING) this.#dropped++;
    else this.#lines.push({ timeMs: Date.now(), message: line.slice(0, MAX_LINE_CHARACTERS) });
  }

  flush(): void {
    if (this.#dropped > 0) {
      this.#lines.push({ timeMs: Date.now(), message: `${this.#dropped} lines were not kept: too many at a time` });
      this.#dropped = 0;
    }
    if (this.#lines.length === 0) return;
    const lines = this.#lines;
    this.#lines = [];
    this.#logs.append(this.#group, this.#stream, lines, Date.now());
  }

  close(): void {
    clearInterval(this.#timer);
    this.flush();
  }
}
