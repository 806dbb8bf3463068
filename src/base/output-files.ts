// Creates output folders and files that the user named; file system failures become typed errors.
// Not durable: a file that must survive a crash is written by atomic-write.ts.
import { writeFileSync } from 'node:fs';
import { writeError } from './atomic-write.ts';
import { makeFolder } from './make-folder.ts';

/**
 * Makes the folder and its parents if they are missing.
 * @throws {DISK_FULL}
 * @throws {WRITE_FAILED}
 */
export function makeOutputFolder(folder: string): void {
  onDisk(folder, () => makeFolder(folder));
}

/**
 * Replaces the file. Its folder must exist.
 * @throws {DISK_FULL}
 * @throws {WRITE_FAILED}
 */
export function writeOutputFile(file: string, text: string): void {
  onDisk(file, () => writeFileSync(file, text));
}

/** Runs one step on the file system. @throws {DISK_FULL} @throws {WRITE_FAILED} */
export function onDisk<T>(file: string, step: () => T): T {
  try {
    return step();
  } catch (cause) {
    // Errors without a code do not come from the file system.
    if ((cause as NodeJS.ErrnoException).code === undefined) throw cause;
    throw writeError(file, 0, cause as NodeJS.ErrnoException);
  }
}
