// Creates a folder and its parents. Does not use `mkdir` with `recursive`: if a file system returns ENOENT although the
// parent exists (/proc does), Node retries forever.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates the folder if it does not exist; `mode` applies to each created folder. Throws file system errors such as ENOENT,
 * EACCES, ENOTDIR, ENOSPC.
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above, mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Another process may have created it meanwhile, or there is a file with this name.
    if (!isFolder(path)) throw Object.assign(new Error(`ENOTDIR: not a directory, '${path}'`), { code: 'ENOTDIR' });
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
