// The files that a job has written into a folder, to be uploaded. A link that stays in the folder counts as its file, or is kept
// in an archive; others, and entries that are neither file nor folder, are reported by name. The job may still run and change its
// files, so a file is opened first, and then its place is checked.
import { constants, readlinkSync } from 'node:fs';
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, sep } from 'node:path';
import { expectFileError } from '../../base/file-error.ts';

export interface WrittenFolder {
  readonly path: string;
  /** As the job sees it, such as /opt/ml/model: links may be absolute. */
  readonly seenAs: string;
}

/** Called with a line about what is not uploaded. */
export type Report = (line: string) => void;

const MAX_LINKS = 8;
/** A pipe without a writer does not block. */
const OPEN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The target of a link, relative to the folder; undefined if it is outside. */
export function targetInside({ path, seenAs }: WrittenFolder, link: string): string | undefined {
  const text = readlinkSync(join(path, link));
  const root = [seenAs, path].find(one => text === one || text.startsWith(`${one}/`));
  if (posix.isAbsolute(text) && root === undefined) return undefined;
  const target = root === undefined ? posix.join(posix.dirname(link), text) : posix.join('.', text.slice(root.length));
  return target === '..' || target.startsWith('../') ? undefined : target;
}

/** Whether no part of the path is a link: a job may replace a folder by a link to one of the server. */
export async function isOwnFolder(folder: string): Promise<boolean> {
  try {
    return (await realpath(folder)) === folder;
  } catch (error) {
    expectFileError(error, 'ENOENT', 'ELOOP', 'ENOTDIR', 'EACCES');
    return false;
  }
}

/** The files of a folder, by their paths in it. None if the job has replaced the folder by a link. */
export async function* writtenFiles(
  folder: WrittenFolder,
  report: Report = () => {},
): AsyncGenerator<{ readonly path: string; readonly file: string }> {
  if (!(await isOwnFolder(folder.path))) return;
  for (const entry of await readdir(folder.path, { recursive: true, withFileTypes: true })) {
    const path = relative(folder.path, join(entry.parentPath, entry.name));
    if (entry.isFile()) yield { path, file: path };
    else if (entry.isSymbolicLink()) {
      const file = await fileOf(folder, path);
      if (file === undefined) report(`${path} is not uploaded: it is a link, but not to a file in ${folder.seenAs}`);
      else yield { path, file };
    } else if (!entry.isDirectory()) report(`${path} is not uploaded: it is not a file`);
  }
}

/** The file that a link refers to. */
async function fileOf(folder: WrittenFolder, link: string): Promise<string | undefined> {
  let path: string | undefined = link;
  for (let i = 0; i < MAX_LINKS && path !== undefined; i++) {
    const handle = await openInside(folder, path);
    if (handle !== undefined) {
      await using file = handle;
      return (await file.stat()).isFile() ? path : undefined;
    }
    try {
      path = targetInside(folder, path);
    } catch (error) {
      expectFileError(error, 'EINVAL', 'ENOENT', 'ENOTDIR');
      return undefined;
    }
  }
  return undefined;
}

/** Opens a file of the folder; undefined if it does not exist any more, is a link, or is outside. */
export async function openInside({ path: folder }: WrittenFolder, path: string): Promise<FileHandle | undefined> {
  try {
    const file = await open(join(folder, path), OPEN);
    // Also a folder of the path may have become a link.
    const place = await realpath(process.platform === 'linux' ? `/proc/self/fd/${file.fd}` : join(folder, path));
    if (place.startsWith(folder + sep)) return file;
    await file.close();
    return undefined;
  } catch (error) {
    expectFileError(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EACCES');
    return undefined;
  }
}

/** Opens a regular file that a job has written; undefined for anything else, and for a path with links. */
export async function openWritten(path: string): Promise<FileHandle | undefined> {
  const file = await openInside({ path: dirname(path), seenAs: '' }, basename(path));
  if (file === undefined || (await file.stat()).isFile()) return file;
  await file.close();
  return undefined;
}
