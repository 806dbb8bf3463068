// Warnings about likely mistakes, each printed once in a process.

import { formatLocation, type SourceLocation } from './errors.ts';
import { loggerFrom } from './logger.ts';

const printed = new Set<string>();

/** Prints a warning, unless one with this key was printed before. */
export function warnOnce(key: string, message: string, location?: SourceLocation): void {
  if (printed.has(key)) return;
  printed.add(key);
  loggerFrom().warn(location === undefined ? message : `${message}\n  at ${formatLocation(location)}`);
}
