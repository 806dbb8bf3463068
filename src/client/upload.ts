// Uploads local files and folders as objects.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { create } from 'tar';
import { TrenioError } from '../base/errors.ts';
import { unreadable } from '../base/read-file.ts';
import type { TaskProgress } from '../base/task-progress.ts';
import type { ObjectClient } from './wire/object-client.ts';

export interface LocalFile {
  readonly path: string;
  /** The path below the given folder, with slashes; the file name if the path is a file. */
  readonly name: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** A path, which may be a URL `file://…`. */
export const localPath = (text: string, cwd: string): string =>
  text.startsWith('file://') ? fileURLToPath(text) : resolve(cwd, text);

/**
 * A file, or all files of a folder. Links to files are followed; links to folders are not.
 * @throws {FILE_UNREADABLE}
 */
export async function localFiles(path: string): Promise<readonly LocalFile[]> {
  const found = await statOf(path);
  if (found === undefined)
    throw new TrenioError('FILE_UNREADABLE', { file: path, reason: 'no such file or directory' });
  if (!found.isDirectory()) return [{ path, name: basename(path), bytes: found.size, modifiedMs: found.mtimeMs }];
  const files: LocalFile[] = [];
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const one = entry.isDirectory() ? undefined : await statOf(file);
    if (one?.isFile())
      files.push({
        path: file,
        name: relative(path, file).split(sep).join('/'),
        bytes: one.size,
        modifiedMs: one.mtimeMs,
      });
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export async function statOf(path: string) {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw unreadable(path, error);
  });
}

const AT_ONCE = 4;

/** Uploads files below a key that ends with a slash. */
export async function uploadFiles(
  objects: ObjectClient,
  files: readonly LocalFile[],
  bucket: string,
  prefix: string,
  {
    signal,
    progress,
  }: { readonly signal?: AbortSignal | undefined; readonly progress?: TaskProgress | undefined } = {},
): Promise<void> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const onBytes = (bytes: number): void => {
    done += bytes;
    progress?.update({ what: `uploading to s3://${bucket}/${prefix}`, done, total, unit: 'bytes' });
  };
  const waiting = [...files];
  const worker = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
      await objects.putFile(bucket, prefix + file.name, file.path, { signal, onBytes });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Folders that contain no code of the job. Packages come from the image. */
const excluded: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Packs a folder, or a single file, as sourcedir.tar.gz, and uploads it. */
export async function uploadSource(
  objects: ObjectClient,
  source: string,
  bucket: string,
  key: string,
  signal?: AbortSignal,
): Promise<void> {
  const isFolder = (await statOf(source))?.isDirectory() === true;
  const folder = await mkdtemp(join(tmpdir(), 'trenio-source-'));
  try {
    const file = join(folder, 'sourcedir.tar.gz');
    await create(
      {
        file,
        cwd: isFolder ? source : dirname(source),
        gzip: true,
        portable: true,
        // Links are replaced by their files, because their targets do not exist in the job.
        follow: true,
        filter: path => !excluded.has(basename(path)),
      },
      isFolder ? ['.'] : [basename(source)],
    );
    await objects.putFile(bucket, key, file, { signal });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
