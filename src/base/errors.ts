// The one error class. An error is a code, its data and a fix: what was wrong, what was expected, where, what to do.
// The texts live in `error-catalogue.ts`, one row a code; docs/errors.md is kept equal to it by a test.
import { type ErrorCode, type ErrorData, errorCatalogue } from './error-catalogue.ts';
import { printable, printableLine } from './printable.ts';

/** Where in the user's code something was written. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export class TrenioError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly data: ErrorData<C>;
  readonly fix: string;
  readonly location: SourceLocation | undefined;

  constructor(code: C, data: ErrorData<C>, options: { location?: SourceLocation | undefined; cause?: unknown } = {}) {
    const row = errorCatalogue[code] as { what(data: ErrorData<C>): string; fix(data: ErrorData<C>): string };
    const at = options.location ? `\n  at ${formatLocation(options.location)}` : '';
    super(
      // The data hold what the user gave, as it is; the text is to be shown.
      printable(`${row.what(data)}${at}\n  fix: ${row.fix(data)}`),
      options.cause === undefined ? {} : { cause: options.cause },
    );
    this.name = `TrenioError [${code}]`;
    this.code = code;
    this.data = data;
    this.fix = printable(row.fix(data));
    this.location = options.location;
  }
}

/** True for a TrenioError, of the given code if one is given. */
export function isTrenioError<C extends ErrorCode>(error: unknown, code?: C): error is TrenioError<C> {
  return error instanceof TrenioError && (code === undefined || error.code === code);
}

export function formatLocation(location: SourceLocation): string {
  return `${printableLine(location.file)}:${location.line}:${location.column}`;
}

/** For our own invariants: a failure is a bug in Trenio, never the user's mistake. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Trenio bug: ${message}. Please report it with the program that shows it.`);
}

export function assertNever(value: never): never {
  throw new Error(`Trenio bug: unexpected ${JSON.stringify(value)}. Please report it.`);
}
