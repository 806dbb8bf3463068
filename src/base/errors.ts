// The error class. An error has a code, data and a fix: what was wrong, what was expected, where, and what to do.
// The texts are in `error-catalog.ts`, one row per code; docs/errors.md is generated from it.
import { type ErrorCode, type ErrorData, errorCatalog } from './error-catalog.ts';
import { printable, printableLine } from './printable.ts';

/** A position in the user's code. */
export interface SourceLocation {
  /** The path of the file. */
  readonly file: string;
  /** The line, starting at 1. */
  readonly line: number;
  /** The column, starting at 1. */
  readonly column: number;
  /** The layer of a model in which it ran, by its dotted name: `u2.0`. */
  readonly layer?: string;
}

/**
 * An error of Trenio: `code` identifies it, `data` has its values, `location` is the line of your script, and the message ends
 * with the fix.
 *
 * @example
 * try {
 *   zeros(2).reshape(3);
 * } catch (error) {
 *   if (isTrenioError(error, 'SHAPE_MISMATCH')) console.log(error.code, error.data);
 *   else throw error;
 * }
 */
export class TrenioError<C extends ErrorCode = ErrorCode> extends Error {
  /** The error code, listed in docs/errors.md. */
  readonly code: C;
  /** The values in the message; their names depend on the code. */
  readonly data: ErrorData<C>;
  /** The fix of the error. */
  readonly fix: string;
  /** The line of the user's program that caused the error, if it is known. */
  readonly location: SourceLocation | undefined;

  constructor(
    code: C,
    data: ErrorData<C>,
    options: {
      /** The line of the user's program that caused the error, if it is known. */
      location?: SourceLocation | undefined;
      cause?: unknown;
    } = {},
  ) {
    const row = errorCatalog[code] as { what(data: ErrorData<C>): string; fix(data: ErrorData<C>): string };
    const at = options.location ? `\n  at ${formatPlace(options.location)}` : '';
    super(
      // The data contains user input unchanged; the message is escaped for display.
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

/**
 * True for a TrenioError; if `code` is given, only for that code.
 * @example
 * const error = await Promise.try(() => zeros(2).reshape(3)).catch(error => error);
 * isTrenioError(error) // true
 * isTrenioError(error, 'DISK_FULL') // false
 */
export function isTrenioError<C extends ErrorCode>(error: unknown, code?: C): error is TrenioError<C> {
  return error instanceof TrenioError && (code === undefined || error.code === code);
}

export function formatLocation(location: SourceLocation): string {
  return `${printableLine(location.file)}:${location.line}:${location.column}`;
}

/** With the layer: `model.ts:12:3 in u2.0`. */
export function formatPlace(location: SourceLocation): string {
  const { layer } = location;
  return formatLocation(location) + (layer === undefined ? '' : ` in ${printableLine(layer)}`);
}

/** For internal invariants: a failure is a bug in Trenio, never a user error. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Trenio bug: ${message}. Please report it with the program that shows it.`);
}

export function assertNever(value: never): never {
  throw new Error(`Trenio bug: unexpected ${JSON.stringify(value)}. Please report it.`);
}
