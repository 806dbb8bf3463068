// Opens files that the user named; all failures become one typed error. Only regular files are opened. A FIFO
// blocks until a process writes, a device may never end, and opening some devices has side effects, so the kind of the file is
// checked first. Not a cache, not a parser.
import { closeSync, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { constants, type FileHandle, open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type SourceLocation, TrenioError } from './errors.ts';
import { farFrames, userFrame } from './user-frame.ts';

/** The maximum length of text that is read as a whole, which is that of a JavaScript string. */
const longestTextBytes = 1 << 28;

/** The text of a UTF-8 file, without a byte order mark. @throws {FILE_UNREADABLE} */
export async function readTextFile(path: string): Promise<string> {
  return new TextDecoder().decode(await readBytes(path, longestTextBytes));
}

/** The content of a file of at most `maxBytes`. @throws {FILE_UNREADABLE} */
export async function readBytes(path: string, maxBytes = Number.MAX_SAFE_INTEGER): Promise<Uint8Array> {
  const { handle, bytes } = await openRegularFile(path);
  try {
    if (bytes > maxBytes)
      throw new TrenioError('FILE_UNREADABLE', { file: path, reason: `it has ${bytes} bytes, more than ${maxBytes}` });
    return await handle.readFile().catch((cause: unknown) => {
      throw unreadable(path, cause);
    });
  } finally {
    await handle.close();
  }
}

/** Like `readTextFile`, synchronously. @throws {FILE_UNREADABLE} */
export const readTextFileNow = (path: string): string => new TextDecoder().decode(readBytesNow(path, longestTextBytes));

/** The same, synchronously, which is faster by some tenths of a millisecond. @throws {FILE_UNREADABLE} */
export function readBytesNow(path: string, maxBytes = Number.MAX_SAFE_INTEGER): Uint8Array {
  let descriptor: number | undefined;
  try {
    refuseOthers(path, statSync(path));
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const info = fstatSync(descriptor);
    refuseOthers(path, info);
    const { size: bytes } = info;
    if (bytes > maxBytes)
      throw new TrenioError('FILE_UNREADABLE', { file: path, reason: `it has ${bytes} bytes, more than ${maxBytes}` });
    return readFileSync(descriptor);
  } catch (error) {
    throw error instanceof TrenioError ? error : unreadable(path, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * The bytes of a file, or of a pipe if it is the standard input of this process. @throws {FILE_UNREADABLE}
 */
export async function openInput(file: string): Promise<Readable> {
  // If stat fails, opening the file reports the reason.
  const info = file === '/dev/stdin' ? await stat(file).catch(() => undefined) : undefined;
  if (info?.isFIFO() || info?.isSocket()) return process.stdin;
  const { handle } = await openRegularFile(file);
  return handle.createReadStream();
}

/** A regular file, opened to be read, and its size. @throws {FILE_UNREADABLE} */
export async function openRegularFile(path: string): Promise<{ readonly handle: FileHandle; readonly bytes: number }> {
  await requireFile(path);
  // Non-blocking, in case the file has become a FIFO meanwhile, and for kernel files that block.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  try {
    const info = await handle.stat();
    refuseOthers(path, info);
    return { handle, bytes: info.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Returns its size in bytes. @throws {FILE_UNREADABLE} unless `path` is a regular file */
export async function requireFile(path: string): Promise<number> {
  // Determined before the first await, because later the caller may not be on the stack.
  const location = userFrame(farFrames, requireFile);
  const info = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause, location);
  });
  refuseOthers(path, info, location);
  return info.size;
}

function refuseOthers(file: string, info: Stats, location?: SourceLocation): void {
  if (info.isFile()) return;
  throw new TrenioError('FILE_UNREADABLE', { file, reason: `it is a ${kindOf(info)}, not a file` }, { location });
}

function kindOf(info: Stats): string {
  if (info.isDirectory()) return 'folder';
  if (info.isFIFO()) return 'FIFO';
  return info.isSocket() ? 'socket' : 'device';
}

export async function fileExists(path: string): Promise<boolean> {
  // If stat fails, opening the file reports the reason.
  const info = await stat(path).catch(() => undefined);
  return info !== undefined && !info.isDirectory();
}

/** Whether `path` is a folder, or a link to one. */
export async function directoryExists(path: string): Promise<boolean> {
  const info = await stat(path).catch(() => undefined);
  return info?.isDirectory() ?? false;
}

export function unreadable(file: string, cause: unknown, location?: SourceLocation): TrenioError<'FILE_UNREADABLE'> {
  return new TrenioError('FILE_UNREADABLE', { file, reason: reasonOf(cause) }, { cause, location });
}

/** Why a call of the file system failed, for messages that name the path themselves. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof TrenioError && cause.code === 'FILE_UNREADABLE')
    return (cause as TrenioError<'FILE_UNREADABLE'>).data.reason;
  const { code, message } = cause as NodeJS.ErrnoException;
  return reasons.get(code ?? '') ?? message;
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'a part of the path is a file, not a folder'],
  ['EACCES', 'permission denied'],
  ['EISDIR', 'it is a folder, not a file'],
  ['EAGAIN', 'it has nothing to read at the moment'],
  ['ELOOP', 'its symbolic links form a loop'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['EIO', 'the device reported an input/output error'],
]);
