// A text that a job has written for the server, such as why it failed. The file is the job's: anything but a regular file is
// ignored, and no more is read than is shown.
import { constants, open } from 'node:fs/promises';
import { expectFileError } from '../../base/file-error.ts';

/** Its start; undefined for a file that is empty, not there, or not a regular file. */
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
