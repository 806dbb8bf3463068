// The disk space of the files in a folder: the allocated size, so that holes of sparse files do not count.
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { expectFileError } from '../../base/file-error.ts';

const BLOCK_BYTES = 512;

/**
 * Stops counting beyond `limit`. Files created or removed in the meantime may be missed; mounts in other namespaces are not seen.
 */
export async function diskUse(folder: string, limit: number): Promise<number> {
  let bytes = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined && bytes <= limit; next = folders.pop()) {
    try {
      for await (const entry of await opendir(next)) {
        const path = join(next, entry.name);
        if (entry.isDirectory()) folders.push(path);
        bytes += (await lstat(path)).blocks * BLOCK_BYTES;
      }
    } catch (error) {
      expectFileError(error, 'ENOENT', 'ENOTDIR', 'EACCES');
    }
  }
  return bytes;
}
