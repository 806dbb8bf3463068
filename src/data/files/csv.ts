// Labeled reviews in the CSV form of the Amazon-review-polarity dataset (Zhang, Zhao and LeCun, 2015): no header row, three
// columns `"label","title","text"`, quotes inside a field doubled, a line break inside a field either literal or written \n.
// Labels are numbered from 1 (1 negative, 2 positive) and returned numbered from 0. `csv-rows.ts` splits rows into fields; this
// file interprets the fields and reports each kind of invalid row with file, line and column.
import { TrenioError } from '../../base/errors.ts';
import { csvRows, shown } from './csv-rows.ts';

/** One labeled text. */
export interface ReviewExample {
  /** The class, from 0: for polarity 0 is negative and 1 positive. */
  readonly label: number;
  /** The title of the review. */
  readonly title: string;
  /** The body of the review. */
  readonly text: string;
}

/** Options of `readReviewCsv`. */
export interface ReviewCsvOptions {
  /** How many classes there are; labels in the file run from 1 to this. Default 2. */
  readonly classes?: number | undefined;
}

const columns = ['label', 'title', 'text'] as const;
const classNames = ['1 (negative)', '2 (positive)'];

/**
 * The examples of the file, one by one, without ever holding the whole file. `/dev/stdin` may be a pipe. A byte order mark
 * and blank lines are skipped; lines may end with \n, \r\n or \r, even mixed.
 * @throws {FILE_UNREADABLE}
 * @throws {CSV_INVALID} with the line and column of the first row that is malformed, lacks a column or has a label out of
 *   range, or if there are no rows at all
 * @example
 * ```ts no-run
 * for await (const { title, text, label } of readReviews('reviews.csv')) console.log(label, title, text);
 * ```
 */
export async function* readReviews(file: string, options: ReviewCsvOptions = {}): AsyncGenerator<ReviewExample> {
  const { classes = 2 } = options;
  yield* csvRows(file, {
    delimiter: ',',
    // Checked before the row ends: a row with a million columns would be held in memory until then.
    checkField: (fields, line) => {
      if (fields.length > columns.length) toExample(fields, file, line, classes);
    },
    toRow: (fields, line) => toExample(fields, file, line, classes),
  });
}

/**
 * All examples of the file. For errors see `readReviews`.
 * @example
 * ```ts no-run
 * const reviews = await loadReviews('reviews.csv');
 * console.log(reviews.length);
 * ```
 */
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

/** The dataset's own notation for a line break inside a text. */
const lineBreaks = (field: string): string => (field.includes('\\n') ? field.replaceAll('\\n', '\n') : field);
