// Transfers data between the object store and the folders of a job: channels and code in, checkpoints both ways, artifacts out.
import { createWriteStream, readlinkSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, posix, relative, sep } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { create } from 'tar';
import type { ObjectStore } from '../../objects/object-store.ts';
import { ClientFault } from '../client-fault.ts';
import type { DiskBudget } from './disk-budget.ts';
import type { Channel } from './training-job.ts';
import { unpackUntrusted } from './untrusted-archive.ts';
import {
  isOwnFolder,
  openInside,
  type Report,
  targetInside,
  type WrittenFolder,
  writtenFiles,
} from './written-files.ts';

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
 * @throws {ClientFault} for keys that are not valid paths
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

/** @throws {ClientFault} if the path leaves the folder */
export function insideOf(folder: string, path: string): string {
  const joined = join(folder, path);
  const inside = relative(folder, joined);
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`))
    throw new ClientFault(`the key '${path}' is not a path inside of its channel`);
  return joined;
}

/** Unpacks an archive of code. @throws {ClientFault} for one with links or paths that leave the folder, or a bomb */
export async function unpackArchive(store: ObjectStore, bucket: string, key: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { bytes, object } = await store.read(bucket, key);
  const what = `The archive s3://${bucket}/${key}`;
  await unpackUntrusted({ what, bytes, size: object.size }, folder);
}

/** Uploads one archive of the folders' files; if two have a file of the same name, that of the first folder is used. */
export async function uploadArchive(
  store: ObjectStore,
  folders: readonly WrittenFolder[],
  bucket: string,
  key: string,
  report: Report,
): Promise<void> {
  await withMerged(folders, async folder => {
    const targets = new Map<string, string>();
    const archive = create(
      {
        cwd: folder.path,
        gzip: true,
        portable: true,
        filter: (path, stat) => {
          if (!('isSymbolicLink' in stat)) return true;
          if (!stat.isSymbolicLink()) {
            if (!stat.isFile() && !stat.isDirectory()) report(`${path} is not in the archive: it is not a file`);
            return stat.isFile() || stat.isDirectory();
          }
          const name = posix.normalize(path);
          const target = targetInside(folder, name);
          if (target === undefined)
            report(
              `${name} is not in the archive: it is a link to ${readlinkSync(join(folder.path, name))}, outside of ${folder.seenAs}`,
            );
          else targets.set(name, posix.relative(posix.dirname(name), target) || '.');
          return target !== undefined;
        },
        onWriteEntry: entry => {
          // Absolute links are valid only where the job ran.
          const target = targets.get(posix.normalize(entry.path));
          if (target !== undefined) entry.linkpath = target;
        },
      },
      ['.'],
    );
    await store.put(bucket, key, Readable.from(archive));
  });
}

/** Uploads the folders' files one by one, below a prefix that ends with a slash. */
export async function uploadFiles(
  store: ObjectStore,
  folders: readonly WrittenFolder[],
  bucket: string,
  prefix: string,
  report: Report,
): Promise<void> {
  await withMerged(folders, async folder => {
    for await (const { path, file } of writtenFiles(folder, report)) {
      const handle = await openInside(folder, file);
      if (handle !== undefined) await store.put(bucket, prefix + path, handle.createReadStream());
    }
  });
}

async function withMerged(
  folders: readonly WrittenFolder[],
  use: (folder: WrittenFolder) => Promise<void>,
): Promise<void> {
  const [first] = folders;
  const own: WrittenFolder[] = [];
  for (const folder of folders) if (await isOwnFolder(folder.path)) own.push(folder);
  if (own.length === 1) return use(own[0]!);
  const merged = await mkdtemp(join(dirname(first!.path), 'merged-'));
  try {
    for (const { path } of own.toReversed()) await cp(path, merged, { recursive: true, verbatimSymlinks: true });
    await use({ path: merged, seenAs: first!.seenAs });
  } finally {
    await rm(merged, { recursive: true, force: true });
  }
}

/** Mirrors a folder of checkpoints to a prefix of the store; deleted files stay in the store. */
export class FolderUpload {
  readonly #store: ObjectStore;
  readonly #folder: WrittenFolder;
  readonly #report: Report;
  readonly #reported = new Set<string>();
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #uploaded = new Map<string, string>();

  /** @param report called once for each line */
  constructor(store: ObjectStore, folder: WrittenFolder, bucket: string, prefix: string, report: Report) {
    this.#store = store;
    this.#folder = folder;
    this.#report = line => {
      if (!this.#reported.has(line)) report(line);
      this.#reported.add(line);
    };
    this.#bucket = bucket;
    this.#prefix = prefix;
  }

  /** Uploads changed files, except those written within the last `quietMs`. */
  async sync(quietMs: number, nowMs: number): Promise<void> {
    for await (const { path, file } of writtenFiles(this.#folder, this.#report)) {
      const handle = await openInside(this.#folder, file);
      // Deleted or renamed since it was listed.
      if (handle === undefined) continue;
      await using opened = handle;
      const found = await opened.stat();
      // A file from the future was written before the clock was set back.
      const ageMs = nowMs - found.mtimeMs;
      if (ageMs >= 0 && ageMs < quietMs) continue;
      const version = `${found.mtimeMs} ${found.size} ${found.ino}`;
      if (this.#uploaded.get(path) === version) continue;
      await this.#store.put(this.#bucket, this.#prefix + path, opened.createReadStream({ autoClose: false }));
      this.#uploaded.set(path, version);
    }
  }
}
