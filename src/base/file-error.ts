// Distinguishes failures of the file system from bugs: a `catch` that continues after the former must not hide the latter.
import { readFileSync } from 'node:fs';

/** Returns if this is a file system error (with one of the given codes, if any); throws it otherwise. */
export function expectFileError(error: unknown, ...codes: readonly string[]): void {
  const { code } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  // ERR_INVALID_ARG_TYPE and similar codes come from Node, not from the system; ERR_SYSTEM_ERROR is both.
  const isSystems = code !== undefined && /^E(?!RR_)|^ERR_SYSTEM_ERROR$/.test(code);
  if (!isSystems || (codes.length > 0 && !codes.includes(code))) throw error;
}

/** The text of a file that may be missing or inaccessible, such as those of /proc and /sys; undefined if it cannot be read. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    expectFileError(error);
    return undefined;
  }
}
