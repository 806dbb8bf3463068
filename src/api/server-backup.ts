// A consistent copy of a server's folder, as a folder or a tar archive, made while servers and job runners use it. To restore
// it, start a server with the copy.
//
//   all databases locked ─ a snapshot of each ─ links to the blobs ─ unlocked ─ copies of snapshots and blobs ─ renamed to DIR
//
// There are no writes while the snapshots are taken, so they are consistent; the slow copying needs no locks. Blobs
// never change, but may be deleted: links keep them until they are copied. The files of running jobs (DATA/runs) are not copied:
// after a restore, a running job has lost its runner. Endpoint replicas are processes of the original server: the copy has
// none, and starts new ones.
import { chmodSync, constants, existsSync, linkSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { copyFile, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { create } from 'tar';
import { syncFolder, writeError } from '../base/atomic-write.ts';
import { TrenioError } from '../base/errors.ts';
import { expectFileError } from '../base/file-error.ts';
import { takeFileLock } from '../base/file-lock.ts';
import { makeFolder } from '../base/make-folder.ts';

export interface ServerBackup {
  readonly databases: number;
  readonly blobs: number;
  readonly bytes: number;
}

const KEYS = 'keys.json';
const BLOBS = join('objects', 'blobs');
const AUDIT = 'audit';
const isArchive = (target: string): boolean => /\.(?:tar|tar\.gz|tgz)$/.test(target);
const LOCK_TIMEOUT_MS = 60_000;
const LOCK_RETRY_MS = 20;
const PAGES_PER_STEP = 1000;

/**
 * Copies the folder of a server to a new or empty folder, or to an archive, if the name ends with .tar,
 * .tar.gz or .tgz.
 * @throws {INVALID_OPTION}
 * @throws {DISK_FULL}
 * @throws {WRITE_FAILED}
 * @throws {DATABASE_DAMAGED}
 */
export async function backUpServer(data: string, target: string): Promise<ServerBackup> {
  checkFolders(data, target);
  const lock = takeFileLock(join(data, 'backup.lock'));
  if ('heldBy' in lock) throw refused('DIR', target, 'that no other backup of this server is running');
  const staging = join(data, 'backup-links');
  const partial = join(dirname(target), `.${basename(target)}.${process.pid}.partial`);
  try {
    // From a backup that was killed.
    rmSync(staging, { recursive: true, force: true });
    rmSync(partial, { recursive: true, force: true });
    makeFolder(partial, 0o700);
    const files = databasesIn(data);
    const snapshots = await snapshot(files, () => linkBlobs(join(data, BLOBS), staging));
    try {
      for (const { file, database } of snapshots) {
        const copy = join(partial, relative(data, file));
        makeFolder(dirname(copy), 0o700);
        await backup(database, copy, { rate: PAGES_PER_STEP });
        finish(copy);
        await toDisk(copy);
      }
    } finally {
      for (const { database } of snapshots) database.close();
    }
    const blobs = await copyBlobs(staging, join(partial, BLOBS));
    await copy(join(data, KEYS), join(partial, KEYS));
    makeFolder(join(partial, AUDIT), 0o700);
    for (const name of existsSync(join(data, AUDIT)) ? readdirSync(join(data, AUDIT)) : [])
      await copy(join(data, AUDIT, name), join(partial, AUDIT, name));
    const bytes =
      blobs.bytes + files.reduce((sum, file) => sum + statSync(join(partial, relative(data, file))).size, 0);
    if (isArchive(target)) await packed(partial, target);
    else {
      await rm(target, { recursive: true, force: true });
      await rename(partial, target);
    }
    await syncFolder(dirname(target));
    return { databases: files.length, blobs: blobs.count, bytes };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error instanceof TrenioError ? error : failure(target, error);
  } finally {
    rmSync(staging, { recursive: true, force: true });
    lock.release();
  }
}

function checkFolders(data: string, target: string): void {
  if (!existsSync(join(data, KEYS))) throw refused('--data', data, 'the folder of a server');
  const from = relative(data, resolve(target));
  if (from === '' || !(from === '..' || from.startsWith(`..${sep}`)))
    throw refused('DIR', target, `a folder outside of ${data}`);
  if (isArchive(target)) {
    if (existsSync(target)) throw refused('DIR', target, 'a file that does not exist');
    return;
  }
  try {
    if (readdirSync(target).length > 0) throw refused('DIR', target, 'a folder that does not exist, or is empty');
  } catch (error) {
    if (error instanceof TrenioError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') throw refused('DIR', target, 'a folder, not a file');
    if (code !== 'ENOENT') throw writeError(target, 0, error as NodeJS.ErrnoException);
  }
}

const refused = (option: string, got: string, expected: string): TrenioError =>
  new TrenioError('INVALID_OPTION', { what: 'trenio server backup', option, got, expected });

const databasesIn = (data: string): readonly string[] =>
  [data, join(data, 'objects')].flatMap(folder =>
    (existsSync(folder) ? readdirSync(folder) : [])
      .filter(name => name.endsWith('.sqlite'))
      .map(name => join(folder, name)),
  );

interface Snapshot {
  readonly file: string;
  /** In a read transaction, which is not affected by concurrent writes. */
  readonly database: DatabaseSync;
}

/** Consistent snapshots of all databases. @param meanwhile runs while there are no writes */
async function snapshot(files: readonly string[], meanwhile: () => void): Promise<readonly Snapshot[]> {
  const readers: Snapshot[] = [];
  const writers: DatabaseSync[] = [];
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  try {
    for (const file of files) {
      readers.push({ file, database: opened(file) });
      writers.push(opened(file));
    }
    // All or none, because waiting for one lock while holding others could deadlock.
    while (!lockAll(writers)) {
      if (performance.now() > deadline)
        throw new TrenioError('WRITE_FAILED', {
          file: dirname(files[0]!),
          reason: `its databases were in use for ${LOCK_TIMEOUT_MS / 1000} seconds`,
        });
      await sleep(LOCK_RETRY_MS);
    }
    for (const { database } of readers) {
      database.exec('BEGIN');
      database.prepare('SELECT count(*) FROM sqlite_schema').get();
    }
    meanwhile();
    return readers;
  } catch (error) {
    for (const { database } of readers) database.close();
    throw error;
  } finally {
    for (const database of writers) database.close();
  }
}

function opened(file: string): DatabaseSync {
  try {
    const database = new DatabaseSync(file);
    database.exec('PRAGMA busy_timeout = 0');
    return database;
  } catch (cause) {
    throw new TrenioError('DATABASE_DAMAGED', { file, reason: String(cause) }, { cause });
  }
}

function lockAll(databases: readonly DatabaseSync[]): boolean {
  for (const [i, database] of databases.entries()) {
    try {
      database.exec('BEGIN IMMEDIATE');
    } catch (error) {
      for (const locked of databases.slice(0, i)) locked.exec('ROLLBACK');
      if (isBusy(error)) return false;
      throw error;
    }
  }
  return true;
}

const SQLITE_BUSY = 5;
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;

function linkBlobs(from: string, staging: string): void {
  mkdirSync(staging, { mode: 0o700 });
  if (!existsSync(from)) return;
  for (const folder of readdirSync(from))
    for (const blob of readdirSync(join(from, folder))) {
      try {
        linkSync(join(from, folder, blob), join(staging, blob));
      } catch (error) {
        // A replaced blob was being deleted.
        expectFileError(error, 'ENOENT');
      }
    }
}

async function copyBlobs(staging: string, to: string): Promise<{ readonly count: number; readonly bytes: number }> {
  makeFolder(to, 0o700);
  const blobs = readdirSync(staging);
  let bytes = 0;
  for (const blob of blobs) {
    const folder = join(to, blob.slice(0, 2));
    makeFolder(folder, 0o700);
    await copy(join(staging, blob), join(folder, blob));
    bytes += statSync(join(folder, blob)).size;
  }
  return { count: blobs.length, bytes };
}

/** Checks a copy, and removes records of the original's processes from it. */
function finish(file: string): void {
  const database = opened(file);
  try {
    const [result] = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {});
    if (result !== 'ok') throw new TrenioError('DATABASE_DAMAGED', { file, reason: String(result) });
    if (basename(file) === 'endpoints.sqlite') database.exec('DELETE FROM replicas');
  } finally {
    database.close();
  }
}

/** The archive of a folder, which is removed. */
async function packed(folder: string, target: string): Promise<void> {
  const archive = `${folder}.tar`;
  try {
    await create({ cwd: folder, file: archive, gzip: !target.endsWith('.tar'), portable: true }, ['.']);
    chmodSync(archive, 0o600);
    await toDisk(archive);
    await rename(archive, target);
  } finally {
    await rm(archive, { force: true });
    await rm(folder, { recursive: true, force: true });
  }
}

async function copy(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await toDisk(to);
}

async function toDisk(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync();
  await file.close();
}

/** The error for a failure of the file system, or of SQLite on it. */
function failure(target: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return writeError(target, 0, error as NodeJS.ErrnoException);
}
