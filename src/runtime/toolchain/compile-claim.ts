// One process compiles, the others wait: ranks ask for the same program at the same moment, and compiling it once with
// every core is faster than once per rank. A claim only saves work. Nothing depends on it: where it cannot be written, or is
// believed abandoned and is not, a program is compiled twice and the first result is used.
//
//   claim-<key>/                       a claim that is held has exactly one file, named by its holder:
//     <identity>-<random>@<host>       its modification time changes four times a second while the holder lives (claim-beat.ts)
//
// Every change is one rename, which is atomic on all file systems, including NFS; there are no locks.
//
//   take       rename tmp-…/ ────────────▶ claim-<key>/      fails while the claim has a file; an empty directory is replaced
//   take over  rename claim-<key>/HOLDER ▶ claim-<key>/ME    fails unless exactly this holder still has it
//   release    unlink claim-<key>/ME, rmdir claim-<key>/     rmdir fails when another process has taken it in between
//
//   two waiters, A dead             A was only stopped               A lets go while C takes
//   B: A looks dead                 B: A looks dead                  A: unlink claim/A     (empty: free)
//   C: A looks dead                 B: rename A → B: mine            C: rename tmp → claim: mine
//   C: rename A → C: mine           A: continues, compiles, releases: A: rmdir claim: not empty, so C keeps it
//   B: rename A → B: ENOENT            unlink claim/A: ENOENT,
//   B: waits for C                     so B keeps it
//
// A name is never used twice, so an action decided for one holder is never applied to another. A process that dies between two
// of these steps leaves an empty directory, a `tmp-…` directory, or a claim under its name: each is handled as above.
//
// Whether a holder is alive: its process identity is conclusive if it is from the same boot and PID namespace.
// Otherwise, and for a stopped process, its file decides: it is abandoned if its modification time has not changed for a
// while *by our clock*; the clocks of two machines are never compared.
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { expectFileError } from '../../base/file-error.ts';
import { lifeOf, ownIdentity, type ProcessIdentity, parseIdentity } from '../../base/process-identity.ts';
import { processStat } from '../../base/process-stat.ts';
import { beat, stopBeating } from './claim-beat.ts';
import { workDirectory } from './work-directory.ts';

/** The interval of polling. */
const pollShare = 0.03;
const pollMs = { least: 5, most: 250 };
/** How long a holder's file may stay unchanged; it should change four times a second. */
const silentMs = { runs: 15_000, stopped: 2000, unknown: 2000 } as const;
/** The longest wait: after that, compiling twice costs less. */
const longestWaitMs = 10 * 60_000;
const announceMs = 1000;
/** Ranks of one run wait for each other at each new program; only a long wait is worth a message. */
const announceSiblingMs = 10_000;
const sleeper = new Int32Array(new SharedArrayBuffer(4));
const errnoOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** A claim that this process holds. */
export interface Claim {
  readonly directory: string;
  /** The file in the claim; without it, the claim has ended. */
  readonly holder: string;
}
/** Who holds a claim. */
interface Holder {
  readonly name: string;
  readonly identity: ProcessIdentity | undefined;
  readonly host: string;
}
export interface WaitOptions {
  /** Called once, with a message, when a wait takes longer than a moment, and when waiting is given up. */
  readonly announce: (text: string) => void;
  /** The thing that is waited for: `the program step`. */
  readonly what: string;
  readonly share?: ShareClaim;
}
/** Gives others the right to take over a claim that is about to be taken. */
type ShareClaim = (path: string) => void;

/** Claims of this thread: waiting for one of them would never end. */
const held = new Set<string>();

/**
 * Calls `make` with the claim held, or with undefined if claims are not possible. While another process holds it, waits, and
 * returns the result of `ready` as soon as it is defined.
 */
export function underClaim<T>(
  directory: string,
  options: WaitOptions,
  ready: () => T | undefined,
  make: (claim: Claim | undefined) => T,
): T {
  for (;;) {
    let claim: Claim | undefined;
    const taken = takeClaim(directory, options.share);
    if (taken === 'held') {
      const outcome = wait(directory, options);
      if (outcome === 'free') {
        const found = ready();
        if (found !== undefined) return found;
        continue;
      }
      claim = outcome === 'hopeless' ? undefined : outcome;
    } else claim = taken === 'impossible' ? undefined : taken;
    try {
      // It may have become ready between the caller's check and the claim.
      return ready() ?? make(claim);
    } finally {
      if (claim !== undefined) releaseClaim(claim);
    }
  }
}

/** Takes the claim if it is free. */
export function takeClaim(directory: string, share: ShareClaim = () => {}): Claim | 'held' | 'impossible' {
  let work: string | undefined;
  try {
    const name = ownName();
    work = workDirectory(dirname(directory));
    fs.writeFileSync(join(work, name), '');
    share(work);
    return rename(work, directory, join(directory, name)) ? hold(directory, name) : 'held';
  } catch (error) {
    expectFileError(error);
    return 'impossible';
  } finally {
    if (work !== undefined) fs.rmSync(work, { recursive: true, force: true });
  }
}

/** Releases a claim, unless another process has taken it over. */
export function releaseClaim({ directory, holder }: Claim): void {
  held.delete(holder);
  stopBeating(holder);
  try {
    fs.unlinkSync(holder);
    fs.rmdirSync(directory);
  } catch (error) {
    expectFileError(error);
    // Taken over, or taken as soon as it was free.
  }
}

/** Removes the claim of a process that has certainly ended. */
export function removeEndedClaim(directory: string): void {
  const holder = holderOf(directory);
  if (holder?.identity === undefined || lifeOf(holder.identity) !== 'ended') return;
  const claim = takeOver(directory, holder);
  if (typeof claim === 'object') releaseClaim(claim);
}

/** Waits until the claim is free, or has been taken over from a holder that has ended. `hopeless`: waiting longer is useless. */
function wait(directory: string, { announce, what }: WaitOptions): Claim | 'free' | 'hopeless' {
  const watch = new ClaimWatch(directory);
  const start = performance.now();
  let announced = false;
  for (;;) {
    const found = watch.look();
    if (typeof found !== 'object' || 'holder' in found) return found;
    const waited = performance.now() - start;
    if (!announced && waited > (found.isSibling ? announceSiblingMs : announceMs)) {
      announced = true;
      announce(`waiting for ${what}, which ${found.name} is compiling${found.isStopped ? ' (it is stopped)' : ''}`);
    }
    if (waited > longestWaitMs) {
      announce(`${found.name} has not compiled ${what} in ${longestWaitMs / 60_000} minutes; compiling it here, too`);
      return 'hopeless';
    }
    Atomics.wait(sleeper, 0, 0, Math.min(pollMs.most, Math.max(pollMs.least, waited * pollShare)));
  }
}

/** The process that holds a claim and appears to be alive. */
interface LiveHolder {
  /** `process 1234 on host-2` */
  readonly name: string;
  readonly isStopped: boolean;
  readonly isSibling: boolean;
}

/** Polls a claim; whether its holder is alive can only be determined from several observations. */
export class ClaimWatch {
  readonly #directory: string;
  #seen = '';
  #since = performance.now();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** A claim taken over from a holder that has ended. `hopeless`: it will not become free. */
  look(): Claim | LiveHolder | 'free' | 'hopeless' {
    const holder = holderOf(this.#directory);
    if (holder === undefined) return 'free';
    const path = join(this.#directory, holder.name);
    if (held.has(path)) return 'hopeless';
    const now = performance.now();
    const life = holder.identity === undefined ? 'unknown' : lifeOf(holder.identity);
    const sign = `${holder.name} ${beatOf(path)}`;
    if (sign !== this.#seen) [this.#seen, this.#since] = [sign, now];
    if (life === 'ended' || now - this.#since > silentMs[life]) {
      const claim = takeOver(this.#directory, holder);
      if (claim !== 'lost') return claim;
    }
    return { name: nameOf(holder), isStopped: life === 'stopped', isSibling: isSibling(holder, life) };
  }
}

/** The first file of a claim, which has one unless something went wrong; undefined if the claim is free. */
function holderOf(directory: string): Holder | undefined {
  let names: readonly string[];
  try {
    // A claim is never a file or a link, so this cannot remove a claim.
    if (!fs.lstatSync(directory).isDirectory()) fs.unlinkSync(directory);
    // NFS keeps a file that is open somewhere under such a name for a moment after it was removed.
    names = fs.readdirSync(directory).filter(name => !name.startsWith('.nfs'));
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? undefined : { name: '.', identity: undefined, host: 'unknown' };
  }
  const [name] = names;
  if (name === undefined) {
    // Its holder ended while it released the claim. Not every file system replaces an empty directory by a rename.
    attempt(() => fs.rmdirSync(directory));
    return undefined;
  }
  const [, identity = '', host = 'unknown'] = /^(.*)-[0-9a-f]+@(.*)$/.exec(name) ?? [];
  return { name, identity: parseIdentity(identity), host };
}

/** Takes the claim from this holder. `lost`: another process was faster. */
function takeOver(directory: string, holder: Holder): Claim | 'lost' | 'hopeless' {
  const name = ownName();
  try {
    if (!rename(join(directory, holder.name), join(directory, name), join(directory, name))) return 'lost';
    // Other files in the directory would make the claim look held forever.
    for (const other of fs.readdirSync(directory))
      if (other !== name) attempt(() => fs.unlinkSync(join(directory, other)));
    return hold(directory, name);
  } catch (error) {
    expectFileError(error);
    return 'hopeless';
  }
}

function hold(directory: string, name: string): Claim {
  const holder = join(directory, name);
  held.add(holder);
  beat(holder);
  return { directory, holder };
}

/**
 * Renames; returns false if another process was faster. Over NFS the reply to a rename may be lost: `proof` exists if it was
 * done.
 */
function rename(from: string, to: string, proof: string): boolean {
  try {
    fs.renameSync(from, to);
    return true;
  } catch (error) {
    if (fs.existsSync(proof)) return true;
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(errnoOf(error))) return false;
    throw error;
  }
}

/** The last heartbeat. The file is opened because network file systems only query the server then. */
function beatOf(path: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    return `${fs.fstatSync(descriptor, { bigint: true }).mtimeNs}`;
  } catch (error) {
    expectFileError(error);
    return '';
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

const ownName = (): string => {
  const { pid, started, realm } = ownIdentity();
  const host = hostname()
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 64);
  return `${pid}-${started}-${realm}-${randomBytes(6).toString('hex')}@${host}`;
};
function nameOf({ identity, host }: Holder): string {
  if (identity === undefined) return 'another process';
  return `process ${identity.pid}${host === hostname() ? '' : ` on ${host}`}`;
}
const isSibling = ({ identity }: Holder, life: string): boolean =>
  identity !== undefined && life === 'runs' && processStat(identity.pid)?.parent === process.ppid;

function attempt(action: () => void): void {
  try {
    action();
  } catch (error) {
    expectFileError(error);
    // It no longer exists, or belongs to another user.
  }
}
