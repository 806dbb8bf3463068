// The text to parse, and its syntax errors: expected and found text, and the line with a caret.
import { type SourceLocation, TrenioError } from '../../base/errors.ts';

/** Columns shown of a long line, around the place of the error. */
const shownColumns = 120;

export class Source {
  readonly text: string;
  readonly file: string;
  /** Offsets of line starts, as far as they have been needed. */
  readonly #lines: number[] = [0];

  constructor(text: string, file = 'text') {
    this.text = text;
    this.file = file;
  }

  /** @throws {HLO_SYNTAX} at an offset; `found` is the token there by default */
  fail(at: number, expected: string, found = tokenAt(this.text, at)): never {
    const { line, column } = this.locate(at);
    throw new TrenioError('HLO_SYNTAX', {
      file: this.file,
      line,
      column,
      found,
      expected,
      excerpt: excerpt(this.text, at),
    });
  }

  locate(at: number): SourceLocation {
    const lines = this.#lines;
    while (lines.at(-1)! <= at) {
      const end = this.text.indexOf('\n', lines.at(-1)!);
      lines.push(end < 0 ? Number.POSITIVE_INFINITY : end + 1);
    }
    let low = 0;
    let high = lines.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (lines[middle]! <= at) low = middle;
      else high = middle;
    }
    return { file: this.file, line: low + 1, column: at - lines[low]! + 1 };
  }
}

function tokenAt(text: string, at: number): string {
  const start = at + (/^\s*/.exec(text.slice(at, at + 200))?.[0].length ?? 0);
  if (start >= text.length) return 'the end of the text';
  const [token = ''] = /^(?:"[^"\n]*"?|[%@#!^]?[\w.$-]+|->|.)/.exec(text.slice(start, start + 40)) ?? [];
  return `'${token}'`;
}

function excerpt(text: string, at: number): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const lineEnd = text.indexOf('\n', at);
  const start = Math.max(lineStart, at - shownColumns / 2);
  const end = Math.min(lineEnd < 0 ? text.length : lineEnd, start + shownColumns);
  const before = start > lineStart ? '…' : '';
  // Tabs before the caret are kept, so that the caret is below its column.
  const indent = `${before}${text.slice(start, at)}`.replace(/[^\t]/g, ' ');
  return `${before}${text.slice(start, end)}\n${indent}^`;
}
