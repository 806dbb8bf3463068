// Text that a job has written for the server, such as the reason of a failure. The job controls the file: anything other than a
// regular file is ignored, and only the part that is shown is read.
import { constants, open } from 'node:fs/promises';
import { expectFileError } from '../../base/file-error.ts';

/** The start of the text; undefined for a file that is empty, missing, or not a regular file. */
export async function writtenText(path: string, maxCharacters: number): Promise<string | undefined> {
  try {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!(await file.stat()).isFile()) return undefined;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4 * maxCharacters), 0);
    const text = buffer.toString('utf8', 0, bytesRead).slice(0, maxCharacters).trim();
    return text === '' ? undefined : text;
  } catch (error) {
    expectFileError(error, 'ENOENT', 'ELOOP', 'ENOTDIR', 'EACCES', 'ENXIO');
    return undefined;
  }
}
