// Opening a file that the user named: the ways in which that fails, as one typed error. Not a cache, not a parser.
import { readFile, stat } from 'node:fs/promises';
import { TrenioError } from './errors.ts';

/** The text of a UTF-8 file, without a byte order mark. Throws FILE_UNREADABLE. */
export async function readTextFile(path: string): Promise<string> {
  return new TextDecoder().decode(await readBytes(path));
}

/** Throws FILE_UNREADABLE. */
export async function readBytes(path: string): Promise<Uint8Array> {
  await requireFile(path);
  return readFile(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
}

/** Throws FILE_UNREADABLE unless `path` is a file (a folder is not). Returns its size in bytes. */
export async function requireFile(path: string): Promise<number> {
  const info = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  if (info.isDirectory())
    throw new TrenioError('FILE_UNREADABLE', { file: path, reason: 'it is a folder, not a file' });
  return info.size;
}

export async function fileExists(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => undefined);
  return info !== undefined && !info.isDirectory();
}

export function unreadable(file: string, cause: unknown): TrenioError<'FILE_UNREADABLE'> {
  const { code, message } = cause as NodeJS.ErrnoException;
  const reason = reasons.get(code ?? '') ?? message;
  return new TrenioError('FILE_UNREADABLE', { file, reason }, { cause });
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'a part of the path is a file, not a folder'],
  ['EACCES', 'permission denied'],
  ['EISDIR', 'it is a folder, not a file'],
]);
