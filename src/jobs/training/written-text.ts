// Text that a job has written for the server, such as the reason of a failure: only the part that is shown is read.
import { openWritten } from './written-files.ts';

/** The start of the text; undefined for a file that is empty, missing, or not a regular file. */
export async function writtenText(path: string, maxCharacters: number): Promise<string | undefined> {
  await using file = await openWritten(path);
  if (file === undefined) return undefined;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4 * maxCharacters), 0);
  const text = buffer.toString('utf8', 0, bytesRead).slice(0, maxCharacters).trim();
  return text === '' ? undefined : text;
}
