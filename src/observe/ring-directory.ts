// The directory of the ring files of this user's processes: a directory on this host that only the user can enter, in memory if
// the system has such a place. Files are named after the identity of their process, so that files of ended processes are known.
import { accessSync, constants, lstatSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readVariable, type Variables } from '../base/environment.ts';
import { expectFileError } from '../base/file-error.ts';
import { lifeOf, ownIdentity, parseIdentity } from '../base/process-identity.ts';

const sharedMemory = '/dev/shm';
const suffix = '.ring';
/** A file of a process that cannot be inspected (another container) is considered alive if it has changed this recently. */
const recentMs = 60_000;

/**
 * The directory, whether or not it exists. Not $XDG_RUNTIME_DIR: batch jobs do not have it, and it is removed when the user
 * logs out.
 */
export function ringDirectory(variables?: Variables): string {
  return readVariable('TRENIO_OBSERVE_DIR', variables) ?? join(inMemory() ?? tmpdir(), `trenio-observe-${userId()}`);
}

const userId = (): number => process.getuid?.() ?? 0;

function inMemory(): string | undefined {
  try {
    accessSync(sharedMemory, constants.W_OK | constants.X_OK);
    return sharedMemory;
  } catch (error) {
    expectFileError(error);
    return undefined; // not Linux, or a container without it
  }
}

/** Whether a directory exists and only this user can enter it. */
function isPrivate(directory: string): boolean {
  const status = lstatSync(directory, { throwIfNoEntry: false });
  return status?.isDirectory() === true && status.uid === userId() && (status.mode & 0o077) === 0;
}

/** Creates the directory. False if it is accessible to others: then nothing is written to it. */
export function makeRingDirectory(directory: string): boolean {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return isPrivate(directory);
}

const watchedName = 'watched';
/** Records that a user is watching the processes of this directory: launchers then fetch those of other hosts. */
export function noteWatched(directory: string): void {
  try {
    if (isPrivate(directory)) writeFileSync(join(directory, watchedName), '');
  } catch (error) {
    expectFileError(error); // a full file system: other hosts are not shown
  }
}
/** Whether a user was watching in the last `withinMs`. */
export function isWatched(directory: string, withinMs: number): boolean {
  const status = statSync(join(directory, watchedName), { throwIfNoEntry: false });
  return status !== undefined && Date.now() - status.mtimeMs < withinMs;
}

/** Whether the process of a ring file runs on this host, and not elsewhere (distributed/launch/share-observations.ts). */
export function isRingOfThisHost(path: string): boolean {
  const name = basename(path);
  return parseIdentity(name.slice(0, name.indexOf('.')))?.realm === ownIdentity().realm;
}

export const ringName = (identity: string, thread: number): string =>
  `${identity}${thread === 0 ? '' : `.${thread}`}${suffix}`;

/** Removes the files of processes that were killed before they could do so themselves. */
export function removeEndedRings(variables?: Variables): void {
  liveRings(ringDirectory(variables));
}

/** The ring files of live processes, oldest process id first. Files of ended processes are removed. */
export function liveRings(directory: string, nowMs = Date.now()): readonly string[] {
  if (!isPrivate(directory)) return [];
  return readdirSync(directory)
    .filter(name => name.endsWith(suffix))
    .map(name => ({ path: join(directory, name), process: parseIdentity(name.slice(0, name.indexOf('.'))) }))
    .filter(({ path, process }) => {
      const life = process === undefined ? 'unknown' : lifeOf(process);
      if (life === 'ended') rmSync(path, { force: true });
      if (life === 'unknown') return nowMs - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < recentMs;
      return life !== 'ended';
    })
    .sort((a, b) => (a.process?.pid ?? 0) - (b.process?.pid ?? 0))
    .map(({ path }) => path);
}
