// Writes the lines of a program to a log stream, several at a time. Lines wait while the disk is full; if too many wait, or a
// program prints faster than they are written, lines are dropped.
import { orIfFull } from '../../base/or-if-full.ts';
import type { LogStore } from './log-store.ts';

const FLUSH_MS = 250;
const MAX_LINE_CHARACTERS = 256 * 1024;
const MAX_PENDING_CHARACTERS = 64 * 1024 * 1024;

export class LogLines {
  readonly #logs: LogStore;
  readonly #group: string;
  readonly #stream: string;
  readonly #timer: NodeJS.Timeout;
  #lines: { readonly timeMs: number; readonly message: string }[] = [];
  #characters = 0;
  #dropped = 0;

  constructor(logs: LogStore, group: string, stream: string) {
    this.#logs = logs;
    this.#group = group;
    this.#stream = stream;
    orIfFull(() => logs.createStream(group, stream, Date.now()));
    this.#timer = setInterval(() => this.flush(), FLUSH_MS);
  }

  add(line: string, timeMs = Date.now()): void {
    if (this.#characters >= MAX_PENDING_CHARACTERS) {
      this.#dropped++;
      return;
    }
    const message = line.slice(0, MAX_LINE_CHARACTERS);
    this.#characters += message.length;
    this.#lines.push({ timeMs, message });
  }

  flush(): void {
    if (this.#lines.length === 0) return;
    const notes =
      this.#dropped === 0
        ? []
        : [{ timeMs: Date.now(), message: `${this.#dropped} lines were not kept: too many at a time` }];
    if (!orIfFull(() => this.#logs.append(this.#group, this.#stream, [...this.#lines, ...notes], Date.now()))) return;
    this.#lines = [];
    this.#characters = this.#dropped = 0;
  }

  close(): void {
    clearInterval(this.#timer);
    this.flush();
  }
}
