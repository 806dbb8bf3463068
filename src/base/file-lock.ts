// A lock that a process holds until it releases it or exits, even if it crashes. The lock is a file with a system lock
// (flock); its content names the holder, for error messages and for file systems without flock.
//
//   open → flock ─ refused ─────────────────────────────▶ held, by the holder named in the file
//             └─ granted ─ the file names a holder that may still run ─▶ held (a file system with machine-local locks)
//                      └─ else: write our identity ─────▶ ours, until release() or the end of the process
//
// The kernel releases the lock when its holder dies, so a killed holder never blocks anyone, and reused process ids
// are not a problem. There is no waiting: if the lock is held, the call returns immediately.
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { constants, hostname } from 'node:os';
import koffi from 'koffi';
import * as z from 'zod';
import { TrenioError } from './errors.ts';
import { expectFileError } from './file-error.ts';
import { formatIdentity, lifeOf, ownIdentity, parseIdentity } from './process-identity.ts';
import { currentBoot } from './process-stat.ts';

const holderSchema = z.object({
  host: z.string(),
  pid: z.int().min(1),
  /** In the format of `formatIdentity`. */
  identity: z.string(),
  /** Identifies the boot of the machine; null if the system does not report it. */
  boot: z.string().nullable(),
  /** The time at which it acquired the lock. */
  since: z.iso.datetime(),
});
export type LockHolder = Readonly<z.output<typeof holderSchema>>;

export interface FileLock extends Disposable {
  readonly file: string;
  /** Removes the file and releases the lock. May be called twice. */
  release(): void;
}

/** A holder on another machine cannot be inspected, so it shows that it is alive by touching the file. */
const signOfLifeMs = 15_000;
const silentAfterMs = 120_000;

/**
 * Acquires the lock, or returns its holder (undefined if that cannot be read). The folder must exist.
 * @param local whether only processes of this machine use the file: then a disk too full for the holder's name is no problem
 * @throws {WRITE_FAILED} if the file cannot be written
 */
export function takeFileLock(
  file: string,
  { local = false } = {},
): FileLock | { readonly heldBy: LockHolder | undefined } {
  for (;;) {
    const descriptor = onFile(file, () => openSync(file, 'a+'));
    try {
      const answer = systemLock(descriptor);
      if (answer === 'held') {
        const heldBy = readHolder(descriptor);
        closeSync(descriptor);
        return { heldBy };
      }
      // The previous holder may have removed the file between our open and our lock.
      if (!isStillAt(file, descriptor)) {
        closeSync(descriptor);
        continue;
      }
      const holder = readHolder(descriptor);
      if (holder !== undefined && mayRun(holder, answer, descriptor)) {
        closeSync(descriptor);
        return { heldBy: holder };
      }
      onFile(file, () => {
        const own = ownIdentity();
        const me: LockHolder = {
          host: hostname(),
          pid: own.pid,
          identity: formatIdentity(own),
          boot: currentBoot() ?? null,
          since: new Date().toISOString(),
        };
        ftruncateSync(descriptor);
        try {
          writeSync(descriptor, `${JSON.stringify(me)}\n`);
        } catch (error) {
          if (local && answer === 'ours') return expectFileError(error, 'ENOSPC');
          rmSync(file, { force: true });
          throw error;
        }
      });
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    return held(file, descriptor);
  }
}

function held(file: string, descriptor: number): FileLock {
  const timer = setInterval(() => {
    const now = new Date();
    futimesSync(descriptor, now, now);
  }, signOfLifeMs).unref();
  let released = false;
  const release = (): void => {
    if (released) return;
    released = true;
    clearInterval(timer);
    process.off('exit', release);
    if (isStillAt(file, descriptor)) rmSync(file, { force: true });
    closeSync(descriptor);
  };
  process.once('exit', release);
  return { file, release, [Symbol.dispose]: release };
}

/** Whether the holder named in the file may still run although the system granted us the lock. */
function mayRun(holder: LockHolder, answer: 'ours' | 'not known here', descriptor: number): boolean {
  const boot = currentBoot();
  // The same kernel, perhaps in another container, reports that the lock is free.
  if (answer === 'ours' && boot !== undefined && holder.boot === boot) return false;
  // This machine before a restart, which ended its processes.
  if (holder.host === hostname() && holder.boot !== null && boot !== undefined && holder.boot !== boot) return false;
  const identity = parseIdentity(holder.identity);
  const life = identity === undefined ? 'unknown' : lifeOf(identity);
  if (life !== 'unknown') return life !== 'ended';
  return Date.now() - fstatSync(descriptor).mtimeMs < silentAfterMs;
}

function readHolder(descriptor: number): LockHolder | undefined {
  const bytes = Buffer.alloc(4096);
  const length = readSync(descriptor, bytes, 0, bytes.length, 0);
  try {
    return holderSchema.safeParse(JSON.parse(bytes.toString('utf8', 0, length))).data;
  } catch {
    return undefined; // just created, or written by another program
  }
}

function isStillAt(file: string, descriptor: number): boolean {
  const [there, ours] = [statSync(file, { throwIfNoEntry: false }), fstatSync(descriptor)];
  return there !== undefined && there.ino === ours.ino && there.dev === ours.dev;
}

const LOCK_EX = 2;
const LOCK_NB = 4;
type SystemLock = (descriptor: number, operation: number) => number;
let flock: SystemLock | undefined;

function systemLock(descriptor: number): 'ours' | 'held' | 'not known here' {
  flock ??= koffi.load(null).func('int flock(int fd, int operation)') as SystemLock;
  if (flock(descriptor, LOCK_EX | LOCK_NB) === 0) return 'ours';
  const { EWOULDBLOCK, EAGAIN, EINTR } = constants.errno;
  const error = koffi.errno();
  if (error === EINTR) return systemLock(descriptor);
  return error === EWOULDBLOCK || error === EAGAIN ? 'held' : 'not known here';
}

function onFile<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw new TrenioError('WRITE_FAILED', { file, reason: (cause as Error).message }, { cause });
  }
}

/** The name of a holder in error messages: `process 4711 on host a`. */
export const describeHolder = ({ pid, host }: LockHolder): string => `process ${pid} on ${host}`;
