// A full-screen terminal: the alternate screen, keys, and drawing only the lines that have changed. Why there is no library for
// this: docs/decisions/0011-terminal-screen.md.
import type { OutputStream } from '../../base/output-stream.ts';
import { displayWidth, truncate } from '../../base/table.ts';

/** A piece of a line in one style. */
export interface Piece {
  readonly text: string;
  readonly style?: Style;
}
export type Style = 'bold' | 'dim' | 'inverse' | 'green' | 'yellow' | 'red' | 'cyan';
export type Line = readonly Piece[];

const esc = '\u001b';
const codes: Readonly<Record<Style, number>> = {
  bold: 1,
  dim: 2,
  inverse: 7,
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
};
const enter = `${esc}[?1049h${esc}[?25l${esc}[?7l${esc}[2J`;
const leave = `${esc}[?7h${esc}[?25h${esc}[?1049l`;

const keyNames: Readonly<Record<string, string>> = {
  [`${esc}[A`]: 'up',
  [`${esc}[B`]: 'down',
  [`${esc}[C`]: 'right',
  [`${esc}[D`]: 'left',
  [`${esc}OA`]: 'up',
  [`${esc}OB`]: 'down',
  [`${esc}OC`]: 'right',
  [`${esc}OD`]: 'left',
  [`${esc}[F`]: 'end',
  [`${esc}OF`]: 'end',
  [`${esc}[4~`]: 'end',
  [esc]: 'escape',
  '\r': 'enter',
  '\n': 'enter',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0003': 'ctrl-c',
};
const keyPattern = new RegExp(`${esc}(?:\\[[0-9;]*[A-Za-z~]|O[A-Z])|[^]`, 'gu');

/** The keys in a terminal's input. Unknown control sequences are left out. */
export const keysIn = (text: string): readonly string[] =>
  (text.match(keyPattern) ?? []).flatMap(key => {
    const name = keyNames[key];
    if (name !== undefined) return [name];
    return key >= ' ' && !key.startsWith(esc) ? [key] : [];
  });

/** At most `width` columns of a line. */
export function fitted(line: Line, width: number): Line {
  let left = width;
  return line.flatMap(piece => {
    if (left <= 0) return [];
    const text = truncate(piece.text, left);
    left -= displayWidth(text);
    return [{ ...piece, text }];
  });
}

export const painted = (line: Line, hasColor: boolean): string =>
  line
    .map(({ text, style }) =>
      style === undefined || (!hasColor && style !== 'inverse') ? text : `${esc}[${codes[style]}m${text}${esc}[0m`,
    )
    .join('');

/** The part of process.stdin that `Terminal` needs. */
export type KeyStream = NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };
/** The part of process.stdout that it needs besides writing. */
export type ScreenStream = OutputStream & {
  readonly rows?: number;
  on?(event: 'resize', listener: () => void): unknown;
  off?(event: 'resize', listener: () => void): unknown;
};

export class Terminal implements Disposable {
  readonly #keys: KeyStream;
  readonly #screen: ScreenStream;
  readonly #hasColor: boolean;
  readonly #heard: { onKey(key: string): void; onResize(): void };
  #shown: string[] = [];
  #isOpen = true;

  /** Takes over the terminal until it is disposed. */
  constructor(
    keys: KeyStream,
    screen: ScreenStream,
    hasColor: boolean,
    heard: { onKey(key: string): void; onResize(): void },
  ) {
    this.#keys = keys;
    this.#screen = screen;
    this.#hasColor = hasColor;
    this.#heard = heard;
    screen.write(enter);
    keys.setRawMode?.(true);
    keys.setEncoding('utf8');
    keys.on('data', this.#onData);
    keys.resume();
    screen.on?.('resize', this.#onResize);
    // Whatever ends the process, the user's shell gets its terminal back.
    process.on('exit', this.#restore);
  }

  get columns(): number {
    return this.#screen.columns ?? 80;
  }
  get rows(): number {
    return this.#screen.rows ?? 24;
  }

  draw(lines: readonly Line[]): void {
    const { columns, rows } = this;
    let output = '';
    for (let row = 0; row < rows; row++) {
      const text = painted(fitted(lines[row] ?? [], columns), this.#hasColor);
      if (this.#shown[row] === text) continue;
      this.#shown[row] = text;
      output += `${esc}[${row + 1};1H${text}${esc}[K`;
    }
    this.#shown.length = rows;
    if (output !== '') this.#screen.write(output);
  }

  [Symbol.dispose](): void {
    this.#restore();
    process.off('exit', this.#restore);
    this.#screen.off?.('resize', this.#onResize);
    this.#keys.off('data', this.#onData);
    this.#keys.pause();
  }

  readonly #restore = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#keys.setRawMode?.(false);
    this.#screen.write(leave);
  };
  readonly #onData = (data: string | Buffer): void => {
    for (const key of keysIn(data.toString())) this.#heard.onKey(key);
  };
  readonly #onResize = (): void => {
    this.#shown = [];
    this.#screen.write(`${esc}[2J`);
    this.#heard.onResize();
  };
}
