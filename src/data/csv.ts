// Labelled reviews in the CSV form of the Amazon-review-polarity data set (Zhang, Zhao and LeCun, 2015): no header
// row, three columns `"label","title","text"`, quotes inside a field doubled, a new line inside a field either as it
// is or written \n. Labels are numbered from 1 (1 negative, 2 positive) and come out numbered from 0. Cutting rows
// into fields is csv-parse's work; here is what the fields mean, and an error with file, line and column for each way
// in which a row can be wrong.
import { stat } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { CsvError, type InfoDataSet, parse } from 'csv-parse';
import { isTrenioError, TrenioError } from '../base/errors.ts';
import { openRegularFile, unreadable } from '../base/read-file.ts';

/** One labelled text. */
export interface ReviewExample {
  /** The class, from 0: for polarity 0 is negative and 1 positive. */
  readonly label: number;
  readonly title: string;
  readonly text: string;
}

export interface ReviewCsvOptions {
  /** How many classes there are; labels in the file run from 1 to this. Default 2. */
  readonly classes?: number | undefined;
}

const columns = ['label', 'title', 'text'] as const;
const classNames = ['1 (negative)', '2 (positive)'];
/** A row longer than this is a quote that was never closed, or not a CSV file at all. */
const longestRowCharacters = 1 << 20;

/**
 * The examples of the file, one by one, without ever holding the whole file. `/dev/stdin` may be a pipe. A byte order mark
 * and blank lines are passed over; lines end with \n, \r\n or \r, also mixed.
 * @throws {FILE_UNREADABLE}
 * @throws {CSV_INVALID} with the line and column of the first row that is malformed, lacks a column or has a label out of
 *   range, or if there are no rows at all
 */
export async function* readReviews(file: string, options: ReviewCsvOptions = {}): AsyncGenerator<ReviewExample> {
  const { classes = 2 } = options;
  const input = await openInput(file);
  // Where the last complete row ended: the next one begins there, after blank lines. `line` is counted here, because the parser
  // counts \r\n within a field twice.
  let ended = { line: 1, lines: 0, empty_lines: 0 };
  const rowBegins = (empty_lines: number): number => ended.line + empty_lines - ended.empty_lines;
  let begun: string[] = [];
  const parser = parse({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRowCharacters,
    record_delimiter: ['\r\n', '\n', '\r'],
    // Rows are checked here, in their order, and not by the reader of the stream, which lags behind.
    cast: (field, { index, empty_lines }) => {
      if (index === 0) begun = [];
      begun.push(field);
      // Not only when the row ends: one of a million columns would be held until then.
      if (index >= columns.length) toExample(begun, file, rowBegins(empty_lines), classes);
      return field;
    },
    on_record: (fields, { lines, empty_lines }) => {
      const line = rowBegins(empty_lines);
      const example = toExample(fields, file, line, classes);
      ended = { line: line + 1 + lineEnds(fields), lines, empty_lines };
      // The parser's types know only records of fields.
      return example as unknown as string[];
    },
  });
  pipeline(input, parser, () => {});
  let rows = 0;
  try {
    for await (const example of parser as AsyncIterable<ReviewExample>) {
      rows++;
      yield example;
    }
  } catch (error) {
    // Thrown anew: its stack would lead through the parser.
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
      got: 'the file is empty',
      expected: 'at least one row',
    });
  }
}

/** The bytes of a file; of a pipe only if it is this process's standard input, where a pipe is what is meant. */
async function openInput(file: string): Promise<Readable> {
  const info = file === '/dev/stdin' ? await stat(file).catch(() => undefined) : undefined;
  if (info?.isFIFO() || info?.isSocket()) return process.stdin;
  const { handle } = await openRegularFile(file);
  return handle.createReadStream();
}

/** All examples of the file. For errors see `readReviews`. */
export async function loadReviews(file: string, options: ReviewCsvOptions = {}): Promise<ReviewExample[]> {
  return Array.fromAsync(readReviews(file, options));
}

/** `line` is the one on which the row begins, from 1. */
function toExample(fields: readonly string[], file: string, line: number, classes: number): ReviewExample {
  const wrong = (column: number, got: string, expected: string): TrenioError =>
    new TrenioError('CSV_INVALID', { file, line, column, got, expected });
  const [label, title, text] = fields;
  const index = classLabel(label ?? '', classes);
  if (index === undefined) throw wrong(1, `the label is ${shown(label ?? '')}`, expectedLabels(classes));
  if (title === undefined || text === undefined) {
    throw wrong(fields.length + 1, `the row ends after ${fields.length} of 3 columns`, `the ${columns[fields.length]}`);
  }
  if (fields.length > columns.length) throw wrong(4, `a fourth column, ${shown(fields[3]!)}`, 'the end of the row');
  return { label: index, title: lineBreaks(title), text: lineBreaks(text) };
}

function classLabel(label: string, classes: number): number | undefined {
  const n = Number(label);
  return /^\d{1,9}$/.test(label) && n >= 1 && n <= classes ? n - 1 : undefined;
}

const expectedLabels = (classes: number): string =>
  classes === 2 ? classNames.join(' or ') : `an integer from 1 to ${classes}`;

/** The data set's own notation for a line break inside a text. */
const lineBreaks = (field: string): string => (field.includes('\\n') ? field.replaceAll('\\n', '\n') : field);

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

const shown = (field: string): string => JSON.stringify(field.length > 40 ? `${field.slice(0, 40)}…` : field);
