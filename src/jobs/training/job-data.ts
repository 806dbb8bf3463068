// Transfers data between the object store and the folders of a job: channels and code in, checkpoints both ways, artifacts out.
import { createReadStream, createWriteStream } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { create } from 'tar';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { DiskBudget } from './disk-budget.ts';
import { JobDataError } from './job-data-error.ts';
import type { Channel } from './training-job.ts';
import { unpackUntrusted } from './untrusted-archive.ts';

export { JobDataError } from './job-data-error.ts';

const PAGE = 1000;

/** The keys under a prefix, in order. */
export function* keysUnder(store: ObjectStore, bucket: string, prefix: string): Generator<string> {
  let after: string | undefined = '';
  while (after !== undefined) {
    const page = store.list(bucket, { prefix, delimiter: '', maxKeys: PAGE, after });
    for (const { key } of page.objects) yield key;
    after = page.next;
  }
}

/**
 * Downloads a channel for one of `count` hosts. Returns the number of files.
 * @throws {JobDataError} for keys that are not valid paths
 */
export async function downloadChannel(
  store: ObjectStore,
  { bucket, prefix, distribution, gzip }: Omit<Channel, 'name' | 'contentType'>,
  folder: string,
  host: { readonly index: number; readonly count: number },
  budget?: DiskBudget,
): Promise<number> {
  await mkdir(folder, { recursive: true });
  const base = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  let files = 0;
  let i = 0;
  for (const key of keysUnder(store, bucket, prefix)) {
    if (key.endsWith('/')) continue;
    const mine = distribution === 'FullyReplicated' || i % host.count === host.index;
    i++;
    if (!mine) continue;
    // `s3://bucket/data` names the folder `data` and also the file `data.csv`.
    const path = key.startsWith(`${prefix}/`) ? key.slice(prefix.length + 1) : key.slice(base.length);
    await download(store, bucket, key, insideOf(folder, gzip ? path.replace(/\.gz$/, '') : path), gzip, budget);
    files++;
  }
  return files;
}

/** Downloads all objects below a prefix, keeping their relative paths. */
export async function downloadFolder(
  store: ObjectStore,
  bucket: string,
  prefix: string,
  folder: string,
  budget?: DiskBudget,
): Promise<void> {
  for (const key of keysUnder(store, bucket, prefix))
    if (!key.endsWith('/'))
      await download(store, bucket, key, insideOf(folder, key.slice(prefix.length)), false, budget);
}

export async function download(
  store: ObjectStore,
  bucket: string,
  key: string,
  path: string,
  gzip: boolean,
  budget?: DiskBudget,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const { bytes } = await store.read(bucket, key);
  const stream = Readable.from(bytes, { objectMode: false });
  const file = createWriteStream(path);
  const counter = budget?.counter() ?? new PassThrough();
  if (gzip) await pipeline(stream, createGunzip(), counter, file);
  else await pipeline(stream, counter, file);
}

/** @throws {JobDataError} if the path leaves the folder */
export function insideOf(folder: string, path: string): string {
  const joined = join(folder, path);
  const inside = relative(folder, joined);
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`))
    throw new JobDataError(`the key '${path}' is not a path inside of its channel`);
  return joined;
}

/** Unpacks an archive of code. @throws {JobDataError} for one with links or paths that leave the folder, or a bomb */
export async function unpackArchive(store: ObjectStore, bucket: string, key: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { bytes, object } = await store.read(bucket, key);
  const what = `The archive s3://${bucket}/${key}`;
  await unpackUntrusted({ what, bytes, size: object.size, allowsLinks: true }, folder);
}

/** Whether the folder has any file. */
export async function hasFiles(folder: string): Promise<boolean> {
  for await (const _ of filesIn(folder)) return true;
  return false;
}

/** Paths of the regular files of a folder, relative to it. */
export async function* filesIn(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) yield relative(folder, join(entry.parentPath, entry.name));
}

/** Uploads one archive of the folders' files; if two have a file of the same name, that of the first folder is used. */
export async function uploadArchive(
  store: ObjectStore,
  folders: readonly string[],
  bucket: string,
  key: string,
): Promise<void> {
  await withMerged(folders, async folder => {
    const archive = create({ cwd: folder, gzip: true, portable: true }, ['.']);
    await store.put(bucket, key, Readable.from(archive));
  });
}

/** Uploads the folders' files one by one, below a prefix that ends with a slash. */
export async function uploadFiles(
  store: ObjectStore,
  folders: readonly string[],
  bucket: string,
  prefix: string,
): Promise<void> {
  await withMerged(folders, async folder => {
    for await (const path of filesIn(folder))
      await store.put(bucket, prefix + path, createReadStream(join(folder, path)));
  });
}

async function withMerged(folders: readonly string[], use: (folder: string) => Promise<void>): Promise<void> {
  if (folders.length === 1) return use(folders[0]!);
  const merged = await mkdtemp(join(dirname(folders[0]!), 'merged-'));
  try {
    for (const folder of folders.toReversed()) await cp(folder, merged, { recursive: true, verbatimSymlinks: true });
    await use(merged);
  } finally {
    await rm(merged, { recursive: true, force: true });
  }
}

/** Mirrors a folder of checkpoints to a prefix of the store; deleted files stay in the store. */
export class FolderUpload {
  readonly #store: ObjectStore;
  readonly #folder: string;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #uploaded = new Map<string, string>();

  constructor(store: ObjectStore, folder: string, bucket: string, prefix: string) {
    this.#store = store;
    this.#folder = folder;
    this.#bucket = bucket;
    this.#prefix = prefix;
  }

  /** Uploads changed files, except those written within the last `quietMs`. */
  async sync(quietMs: number, nowMs: number): Promise<void> {
    for await (const path of filesIn(this.#folder)) {
      const file = join(this.#folder, path);
      const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
        // Deleted or renamed since it was listed.
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      // A file from the future was written before the clock was set back.
      const ageMs = found === undefined ? 0 : nowMs - found.mtimeMs;
      if (found === undefined || (ageMs >= 0 && ageMs < quietMs)) continue;
      const version = `${found.mtimeMs} ${found.size} ${found.ino}`;
      if (this.#uploaded.get(path) === version) continue;
      await this.#store.put(this.#bucket, this.#prefix + path, createReadStream(file));
      this.#uploaded.set(path, version);
    }
  }
}
