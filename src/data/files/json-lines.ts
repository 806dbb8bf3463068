// JSON Lines: one JSON value per line.
import { TrenioError } from '../../base/errors.ts';
import { type LineOptions, readTextLines } from './text-lines.ts';

/**
 * The values of a JSON Lines file, one by one. Blank lines are skipped. Integers beyond 2^53 are bigints. The type is not
 * checked: pass each value through a schema if the file is not your own.
 * @throws {FILE_UNREADABLE}
 * @throws {TEXT_INVALID}
 * @throws {JSONL_INVALID} with the line and column of the first error
 * @example
 * ```ts no-run
 * for await (const { text } of readJsonLines<{ text: string }>('train.jsonl')) console.log(text);
 * ```
 */
export async function* readJsonLines<T = unknown>(file: string, options: LineOptions = {}): AsyncGenerator<T> {
  let line = 0;
  for await (const text of readTextLines(file, options)) {
    line++;
    if (text.trim() !== '') yield parseJsonLine(text, file, line) as T;
  }
}

/** Integers that a number cannot hold are bigints, as in Parquet. */
const exactIntegers = (_: string, value: unknown, { source }: { readonly source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
    ? BigInt(source)
    : value;
/** A value of JSON with exact integers. @throws {SyntaxError} */
export const parseJson = (text: string): unknown =>
  // Looking for long numbers is faster than a reviver.
  JSON.parse(text, /\d{16}/.test(text) ? (exactIntegers as (key: string, value: unknown) => unknown) : undefined);

/** The value of one line. @throws {JSONL_INVALID} */
export function parseJsonLine(text: string, file: string, line: number): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    const { message } = cause as SyntaxError;
    const position = /at position (\d+)/.exec(message)?.[1];
    throw new TrenioError(
      'JSONL_INVALID',
      {
        file,
        line,
        // An error at the end of the input has no position.
        column:
          position === undefined
            ? (message.includes('end of') ? text.length : firstUnexpected(message, text)) + 1
            : Number(position) + 1,
        got: message.replace(/ \(line \d+ column \d+\)/, '').replace(/, ".*" is not valid JSON$|, \.{3}.*$/s, ''),
        expected: 'one JSON value in the line',
      },
      { cause },
    );
  }
}

/** V8 names the token if it does not report the position. */
function firstUnexpected(message: string, text: string): number {
  const token = /Unexpected token '(.+?)'/su.exec(message)?.[1];
  const at = token === undefined ? 0 : text.indexOf(token);
  return Math.max(at, 0);
}
