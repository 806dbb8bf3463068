// Writes a file atomically: a reader, or a run after a crash, sees either the complete old file or the complete new one.
// The bytes go to a file next to the target, are synced to the disk, and only then take the target's name:
//
//   chunks → model.safetensors.<pid>-<n>.partial → fsync → rename → fsync of the folder
//
// A full disk, a quota or a signal leaves the target unchanged. Not a lock: if two processes write, the last one wins.
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isTrialRun } from './environment.ts';
import { type SourceLocation, TrenioError } from './errors.ts';
import { expectFileError } from './file-error.ts';
import { makeFolder } from './make-folder.ts';

let writes = 0;

/**
 * Writes `chunks` in order as the new content of `path`; missing folders are created. Returns the number of
 * bytes written. While `trenio compile` or `trenio plan` runs a script, nothing is written.
 * @throws {DISK_FULL} when the disk, the quota or the file-size limit is reached
 * @throws {WRITE_FAILED} on any other failure of the file system, and any error thrown by `chunks`; in each case `path` keeps
 *   its previous content and no temporary file is left
 */
export async function writeFileAtomically(
  path: string,
  chunks: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>,
  mode = 0o666,
): Promise<number> {
  // Nothing is computed then, so files saved by a real run must not be replaced.
  if (isTrialRun()) return 0;
  const folder = dirname(path);
  const partial = join(folder, `.${basename(path)}.${process.pid}-${writes++}.partial`);
  const progress = { bytes: 0 };
  let file: FileHandle | undefined;
  try {
    await onDisk(path, progress, async () => makeFolder(folder));
    const opened = await onDisk(path, progress, () => open(partial, 'wx', mode));
    file = opened;
    for await (const chunk of chunks) await onDisk(path, progress, () => writeAll(opened, chunk, progress));
    // Without the fsync, after a crash of the machine the new name could refer to a file whose bytes never reached the disk.
    await onDisk(path, progress, () => opened.sync());
    file = undefined;
    await onDisk(path, progress, () => opened.close());
    await onDisk(path, progress, () => rename(partial, path));
  } catch (error) {
    // The first error is the one to report; these steps may fail, too.
    await file?.close().catch(() => {});
    await rm(partial, { force: true }).catch(() => {});
    throw error;
  }
  await onDisk(path, progress, () => syncFolder(folder));
  return progress.bytes;
}

async function writeAll(file: FileHandle, chunk: Uint8Array | string, progress: { bytes: number }): Promise<void> {
  const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
  for (let done = 0; done < bytes.byteLength; ) {
    // Node writes less than 2 GiB at once.
    const { bytesWritten } = await file.write(bytes, done, Math.min(bytes.byteLength - done, 2 ** 30));
    done += bytesWritten;
    progress.bytes += bytesWritten;
  }
}

/**
 * Makes a rename in this folder durable. Some systems do not allow opening or syncing a folder; there the rename is as durable as
 * possible. Throws file system errors that mean that it may be lost, such as EIO.
 */
export async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder, 'r');
    await handle.sync();
  } catch (error) {
    expectFileError(error, 'EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR', 'EBADF');
  }
}

/** Runs one step on the file system and converts its failure to a typed error; errors of `chunks` are handled elsewhere. */
async function onDisk<T>(path: string, progress: { readonly bytes: number }, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    throw writeError(path, progress.bytes, cause as NodeJS.ErrnoException);
  }
}

/** The error for a write that failed after `bytesWritten` bytes. `location`: the user's line that requested it. */
export function writeError(
  file: string,
  bytesWritten: number,
  cause: { readonly code?: string | undefined; readonly message: string },
  location?: SourceLocation,
): TrenioError<'DISK_FULL' | 'WRITE_FAILED'> {
  const reason = noRoom.get(cause.code ?? '');
  return reason === undefined
    ? new TrenioError('WRITE_FAILED', { file, reason: cause.message }, { cause, location })
    : new TrenioError('DISK_FULL', { file, bytesWritten, reason }, { cause, location });
}

const noRoom: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'the file-size limit is reached'],
]);
