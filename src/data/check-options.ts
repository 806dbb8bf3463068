// Options and errors about them, shared by the data folder.
import { TrenioError } from '../base/errors.ts';
import { refuseUnknownOptions } from '../base/known-options.ts';
import { settle } from '../tensor/settings.ts';

/** Options given in PyTorch's order or by name. @throws {NO_SUCH_OPTION} @throws {WRONG_ARGUMENT} for too many arguments */
export const optionsOf = <O extends object>(
  what: string,
  positional: readonly (keyof O & string)[],
  rest: readonly unknown[],
  named: readonly (keyof O & string)[] = [],
): O => settle<O>(what, positional, rest, named, refuseUnknownOptions);

/** A value formatted for a message. */
function shown(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean')
    return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name = (Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null)?.constructor?.name;
  return name === undefined || name === 'Object' ? 'an object' : `of class ${name}`;
}

/** `got`, formatted for a message. */
export const invalidOption = (
  what: string,
  option: string,
  got: string,
  expected: string,
): TrenioError<'INVALID_OPTION'> => new TrenioError('INVALID_OPTION', { what, option, got, expected });

/** `got` as the value that was given. */
export const wrongOption = (
  what: string,
  option: string,
  got: unknown,
  expected: string,
): TrenioError<'INVALID_OPTION'> => invalidOption(what, option, shown(got), expected);

/** @throws {INVALID_OPTION} unless `value` is an integer of at least `min` */
export function requireCount(what: string, option: string, value: unknown, min: number): void {
  if (!Number.isSafeInteger(value) || (value as number) < min)
    throw wrongOption(what, option, value, `an integer, ${min} or more`);
}
