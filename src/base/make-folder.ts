// A folder and those above it. Not `mkdir` with `recursive`: where a file system says ENOENT for a folder that it will
// not make although the one above is there (/proc does), Node tries again for ever.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Makes the folder unless it is there. Throws what the file system says, such as ENOENT, EACCES, ENOTDIR, ENOSPC. */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above);
  try {
    await mkdir(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isFolder(path))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isDirectory(),
    () => false,
  );
}
