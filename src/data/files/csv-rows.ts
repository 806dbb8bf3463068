// The rows of a CSV file, one by one. csv-parse splits them into fields; this file keeps track of the line on which each row
// begins, and reports each kind of malformed row with file, line and column. Callers interpret the fields.
import { isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream';
import { CsvError, type InfoDataSet, parse } from 'csv-parse';
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import { openInput, unreadable } from '../../base/read-file.ts';
import { compressionOf } from './text-lines.ts';

/** A longer row means that a quote was never closed, or that the file is not CSV. */
const longestRowCharacters = 1 << 20;

export interface CsvForm<T> {
  readonly delimiter: string;
  /** Called with the fields of a row so far, after each of them; may throw CSV_INVALID. */
  checkField(fields: readonly string[], line: number): void;
  /** A row from its fields, and the line on which it begins, from 1; undefined skips the row. May throw CSV_INVALID. */
  toRow(fields: readonly string[], line: number): T | undefined;
}

/**
 * The rows of a file, without ever holding the whole file. `/dev/stdin` may be a pipe. A byte order mark and blank lines are
 * skipped; lines may end with \n, \r\n or \r, even mixed.
 * @throws {FILE_UNREADABLE}
 * @throws {CSV_INVALID} with the line and column of the first error, or if there are no rows at all
 */
export async function* csvRows<T>(file: string, { delimiter, checkField, toRow }: CsvForm<T>): AsyncGenerator<T> {
  const input = await openInput(file);
  // Where the last complete row ended: the next one begins there, after blank lines. `line` is counted here, because the parser
  // counts \r\n within a field twice.
  let ended = { line: 1, lines: 0, empty_lines: 0 };
  const rowBegins = (empty_lines: number): number => ended.line + empty_lines - ended.empty_lines;
  let begun: string[] = [];
  const parser = parse({
    bom: true,
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRowCharacters,
    record_delimiter: ['\r\n', '\n', '\r'],
    // Rows are checked here, in order, and not by the reader of the stream, which lags behind.
    cast: (field, { index, empty_lines }) => {
      if (index === 0) begun = [];
      begun.push(field);
      checkField(begun, rowBegins(empty_lines));
      return field;
    },
    on_record: (fields, { lines, empty_lines }) => {
      const line = rowBegins(empty_lines);
      const row = toRow(fields, line);
      ended = { line: line + 1 + lineEnds(fields), lines, empty_lines };
      // The parser's types only support records of fields.
      return row as unknown as string[];
    },
  });
  pipeline(
    input,
    chunks => utf8Only(chunks as AsyncIterable<Buffer>, file),
    parser,
    () => {},
  );
  let rows = 0;
  try {
    for await (const row of parser as AsyncIterable<T>) {
      rows++;
      yield row;
    }
  } catch (error) {
    // A new error, because the original stack leads through the parser.
    if (isTrenioError(error, 'CSV_INVALID')) throw new TrenioError('CSV_INVALID', error.data);
    if (!(error instanceof CsvError)) throw unreadable(file, error);
    const { lines, empty_lines, column } = error as CsvError & InfoDataSet;
    const endless = error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE';
    const row = rowBegins(empty_lines);
    const within = lines - ended.lines - 1 - (empty_lines - ended.empty_lines);
    const line = endless ? row : row + Math.max(0, within);
    const data = { file, line, column: Number(column) + 1, ...malformed(error.code) };
    throw new TrenioError('CSV_INVALID', data, { cause: error });
  }
  if (rows === 0) {
    throw new TrenioError('CSV_INVALID', {
      file,
      line: 1,
      column: 1,
      got: ended.line > 1 ? 'a header without rows' : 'the file is empty',
      expected: 'at least one row',
    });
  }
}

/** Passes bytes on that are UTF-8. @throws {CSV_INVALID} with the line of the first other byte */
async function* utf8Only(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  let line = 1;
  let rest: Buffer = Buffer.alloc(0);
  const check = (bytes: Buffer): void => {
    if (isUtf8(bytes)) return;
    const before = new TextDecoder().decode(bytes).split('\ufffd', 1)[0]!;
    throw new TrenioError('CSV_INVALID', {
      file,
      line: line + lineEnds([before]),
      column: 1,
      got: 'bytes that are not UTF-8',
      expected: 'UTF-8 text: convert the file, for example with iconv -f latin1 -t utf8',
    });
  };
  let isFirst = true;
  for await (const chunk of chunks) {
    const packed = isFirst ? compressionOf(chunk) : undefined;
    isFirst = false;
    if (packed !== undefined) throw new TrenioError('CSV_INVALID', { file, line: 1, column: 1, ...packed });
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    // The last character may continue in the next chunk.
    let end = bytes.length;
    while (end > Math.max(0, bytes.length - 3) && (bytes[end - 1]! & 0xc0) === 0x80) end--;
    if (end > 0 && bytes[end - 1]! >= 0xc0) end--;
    else end = bytes.length;
    const whole = bytes.subarray(0, end);
    check(whole);
    line += lineEnds([whole.toString('latin1')]);
    rest = bytes.subarray(end);
    yield whole;
  }
  check(rest);
  yield rest;
}

function malformed(code: string): { readonly got: string; readonly expected: string } {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return { got: 'a quoted field that never ends', expected: 'a closing quote' };
    case 'CSV_INVALID_CLOSING_QUOTE':
      return {
        got: 'text after a closing quote',
        expected: 'a comma or the end of the row (a quote inside a field is doubled)',
      };
    case 'INVALID_OPENING_QUOTE':
      return {
        got: 'a quote inside a field without quotes',
        expected: 'the whole field in quotes, the inner ones doubled',
      };
    case 'CSV_MAX_RECORD_SIZE':
      return { got: 'a row of more than 1 MiB', expected: 'a closing quote before that' };
    default:
      return { got: code, expected: 'a CSV row' };
  }
}

function lineEnds(fields: readonly string[]): number {
  let count = 0;
  for (const field of fields)
    if (field.includes('\n') || field.includes('\r')) count += field.match(/\r\n|\n|\r/g)!.length;
  return count;
}

/** A field formatted for a message. */
export const shown = (field: string): string => JSON.stringify(field.length > 40 ? `${field.slice(0, 40)}…` : field);
