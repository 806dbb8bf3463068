// A folder and those above it. Not `mkdir` with `recursive`: where a file system says ENOENT for a folder that it will
// not make although the one above is there (/proc does), Node tries again for ever.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes the folder unless it is there; `mode` is that of each folder it makes. Throws what the file system says, such as ENOENT, EACCES, ENOTDIR, ENOSPC. */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above, mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Another process may have made it meanwhile; or there is a file of this name.
    if (!isFolder(path)) throw Object.assign(new Error(`ENOTDIR: not a directory, '${path}'`), { code: 'ENOTDIR' });
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
