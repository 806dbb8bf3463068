// Distinguishes failures of the file system from bugs: a `catch` that continues after the former must not hide the latter.
import { readFileSync } from 'node:fs';

/** Returns if the error is one of the file system, with one of these codes if any are given; throws it otherwise. */
export function expectFileError(error: unknown, ...codes: readonly string[]): void {
  const { code } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  // ERR_INVALID_ARG_TYPE and the like are of Node, not of the system; ERR_SYSTEM_ERROR is both.
  const isSystems = code !== undefined && /^E(?!RR_)|^ERR_SYSTEM_ERROR$/.test(code);
  if (!isSystems || (codes.length > 0 && !codes.includes(code))) throw error;
}

/** The text of a file that may be missing or hidden, as those of /proc and /sys: undefined if it cannot be read. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    expectFileError(error);
    return undefined;
  }
}
