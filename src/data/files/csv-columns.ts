// CSV files with any columns: each row becomes an object, with its fields converted to the given types.
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { nearestName } from '../../base/nearest.ts';
import { invalidOption, wrongOption } from '../check-options.ts';
import { csvRows, shown } from './csv-rows.ts';

const converters = {
  text: { convert: (field: string): string | undefined => field, expected: 'a text' },
  number: {
    convert: (field: string): number | undefined => {
      const value = field.trim() === '' ? Number.NaN : Number(field);
      return Number.isNaN(value) && field.trim().toLowerCase() !== 'nan' ? undefined : value;
    },
    expected: 'a number',
  },
  integer: {
    convert: (field: string): number | undefined =>
      /^\s*[+-]?\d+\s*$/.test(field) && Number.isSafeInteger(Number(field)) ? Number(field) : undefined,
    expected: 'an integer',
  },
  boolean: {
    convert: (field: string): boolean | undefined =>
      ({ true: true, false: false, 1: true, 0: false })[field.trim().toLowerCase()],
    expected: 'true, false, 1 or 0',
  },
} as const;
/** The type of the fields of a column. */
export type CsvColumnType = keyof typeof converters;
/** The values of the column types. */
export interface Values {
  /** A column of strings. */
  readonly text: string;
  /** A column of numbers. */
  readonly number: number;
  /** A column of integers. */
  readonly integer: number;
  /** A column of booleans. */
  readonly boolean: boolean;
}
/** A row with these columns. */
export type CsvRow<C extends Readonly<Record<string, CsvColumnType>>> = { readonly [K in keyof C]: Values[C[K]] };

/** Options of `readCsv`. */
export interface CsvOptions<C extends Readonly<Record<string, CsvColumnType>>> {
  /** The columns to read, and their types. Default: all, as strings. */
  readonly columns?: C | undefined;
  /** The names of the columns, for a file without a header row. Default: they are in the first row. */
  readonly header?: readonly string[] | undefined;
  /** The separator of fields. Default: a comma. */
  readonly delimiter?: string | undefined;
}

/**
 * The rows of a CSV file as objects, one by one, without loading the whole file. The type of a row follows from `columns`.
 * @throws {FILE_UNREADABLE}
 * @throws {NO_SUCH_COLUMN} with the nearest name
 * @throws {CSV_INVALID} with line and column
 * @throws {INVALID_OPTION}
 * @throws {NO_SUCH_OPTION}
 * @example
 * ```ts no-run
 * for await (const row of readCsv('reviews.csv', { columns: { text: 'text', label: 'integer' } }))
 *   console.log(row.text, row.label);
 * ```
 */
export async function* readCsv<
  const C extends Readonly<Record<string, CsvColumnType>> = Readonly<Record<string, 'text'>>,
>(file: string, options: CsvOptions<C> = {}): AsyncGenerator<CsvRow<C>> {
  const what = 'readCsv';
  refuseUnknownOptions(what, options, ['columns', 'header', 'delimiter']);
  const { columns, delimiter = ',' } = options;
  if (typeof delimiter !== 'string' || delimiter.length !== 1 || /["\r\n]/.test(delimiter))
    throw wrongOption(what, 'delimiter', delimiter, 'one character, no quote and no line end');
  for (const [name, type] of Object.entries(columns ?? {}))
    if (!Object.hasOwn(converters, type))
      throw invalidOption(what, `columns.${name}`, String(type), Object.keys(converters).join(', '));
  const selectFrom = (header: readonly string[]): readonly Selected[] => select(file, header, columns);
  let header = options.header;
  let selected = header && selectFrom(header);
  yield* csvRows<CsvRow<C>>(file, {
    delimiter,
    checkField: (fields, line) => {
      if (header !== undefined && fields.length > header.length)
        throw new TrenioError('CSV_INVALID', {
          file,
          line,
          column: fields.length,
          got: `one column too many, ${shown(fields.at(-1)!)}`,
          expected: `${header.length} columns`,
        });
    },
    toRow: (fields, line) => {
      if (header === undefined || selected === undefined) {
        header = [...fields];
        selected = selectFrom(header);
        return undefined;
      }
      return toRow(fields, header, selected, file, line) as CsvRow<C>;
    },
  });
}

interface Selected {
  readonly name: string;
  readonly index: number;
  readonly type: CsvColumnType;
}
function select(
  file: string,
  header: readonly string[],
  columns: Readonly<Record<string, CsvColumnType>> | undefined,
): readonly Selected[] {
  const twice = header.findIndex((name, i) => header.indexOf(name) < i);
  if (twice >= 0)
    throw new TrenioError('CSV_INVALID', {
      file,
      line: 1,
      column: twice + 1,
      got: `a second column ${shown(header[twice]!)}`,
      expected: 'a name for each column',
    });
  if (columns === undefined) return header.map((name, index) => ({ name, index, type: 'text' }));
  return Object.entries(columns).map(([name, type]) => {
    const index = header.indexOf(name);
    if (index < 0)
      throw new TrenioError('NO_SUCH_COLUMN', {
        file,
        column: name,
        nearest: nearestName(name, header),
        known: header,
      });
    return { name, index, type };
  });
}

function toRow(
  fields: readonly string[],
  header: readonly string[],
  selected: readonly Selected[],
  file: string,
  line: number,
): Readonly<Record<string, string | number | boolean>> {
  if (fields.length < header.length)
    throw new TrenioError('CSV_INVALID', {
      file,
      line,
      column: fields.length + 1,
      got: `the row ends after ${fields.length} of ${header.length} columns`,
      expected: `the column ${header[fields.length]}`,
    });
  const row: Record<string, string | number | boolean> = Object.create(null) as Record<string, never>;
  for (const { name, index, type } of selected) {
    const { convert, expected } = converters[type];
    const value = convert(fields[index]!);
    if (value === undefined)
      throw new TrenioError('CSV_INVALID', {
        file,
        line,
        column: index + 1,
        got: `${name} is ${shown(fields[index]!)}`,
        expected,
      });
    row[name] = value;
  }
  return row;
}
