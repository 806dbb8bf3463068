// Identifies the process that a file refers to, and whether it still runs. A process id alone is not enough: ids
// are reused (the first process of every container has id 1), and the same id is another process in another
// container or on another machine. An identity therefore has three parts:
//
//   <number>-<start>-<realm>     start: the start time of the process, from the kernel or `ps`
//                                realm: the scope of the number: this boot of this machine, this PID namespace
//
// Within a realm the answer is certain. For a process of another realm it is 'unknown', and a heartbeat is needed instead.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expectFileError } from './file-error.ts';
import { currentBoot, processStat } from './process-stat.ts';

export interface ProcessIdentity {
  readonly pid: number;
  /** Letters and digits; empty if the system does not report it. */
  readonly started: string;
  readonly realm: string;
}
/** `stopped`: it exists and does nothing until it is continued (SIGSTOP, a debugger). */
export type ProcessLife = 'runs' | 'stopped' | 'ended' | 'unknown';

export const formatIdentity = ({ pid, started, realm }: ProcessIdentity): string => `${pid}-${started}-${realm}`;

/** Parses the output of `formatIdentity`; undefined for any other text. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  const [, pid, started, realm] = /^([1-9]\d{0,9})-([a-z0-9]*)-([a-f0-9]{12})$/.exec(text) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), started: started!, realm: realm! };
}

let own: ProcessIdentity | undefined;
/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  // Cached, because Node never forks without starting a new program.
  own ??= { pid: process.pid, started: processStat('self')?.started ?? startByPs(process.pid), realm: realm() };
  return own;
}

/** The identity of another process of this realm, such as a child. */
export const identityOf = (pid: number): ProcessIdentity => ({
  pid,
  started: processStat(pid)?.started ?? startByPs(pid),
  realm: ownIdentity().realm,
});

/** The realm of this process. @param proc for tests: the location of /proc */
export function realm(proc = '/proc'): string {
  const told = [
    currentBoot(proc) ?? `host ${hostname()}`,
    // A time namespace shifts the start times of processes.
    ...['pid', 'time'].map(kind => readLink(join(proc, 'self/ns', kind)) ?? ''),
  ];
  return createHash('sha256').update(told.join('\n')).digest('hex').slice(0, 12);
}

/** Whether a process is still running. @param proc for tests: the location of /proc */
export function lifeOf({ pid, started, realm: where }: ProcessIdentity, proc = '/proc'): ProcessLife {
  if (where !== (proc === '/proc' ? ownIdentity().realm : realm(proc))) return 'unknown';
  if (!exists(pid)) return 'ended';
  // If /proc belongs to another PID namespace, its entries describe other processes.
  const sees = readLink(join(proc, 'self')) === `${process.pid}`;
  const stat = sees ? processStat(pid, proc) : undefined;
  const start = stat?.started ?? (sees ? '' : startByPs(pid));
  if (start === '' || started === '') return 'unknown';
  if (start !== started) return 'ended';
  switch (stat?.state) {
    case 'Z':
    case 'X':
      return 'ended';
    case 'T':
    case 't':
      return 'stopped';
    default:
      return 'runs';
  }
}

/** The body of a /bin/sh function that succeeds while this process is running. */
export function aliveInShell(): string {
  const { pid, started } = ownIdentity();
  const exists = `kill -0 ${pid} 2>/dev/null`;
  if (readLink('/proc/self') !== `${pid}`) return exists;
  // The 1st and the 20th field after the command, as in `processStat`.
  return `read -r line 2>/dev/null </proc/${pid}/stat && set -- \${line##*) } && [ "$1" != Z ] && [ "\${20}" = ${started} ]`;
}

/** The portable way: the start time in seconds. Empty if there is no `ps`. */
function startByPs(pid: number): string {
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', `${pid}`], {
    encoding: 'utf8',
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
  });
  const at = Date.parse(`${stdout?.trim()} UTC`);
  return Number.isNaN(at) ? '' : `${at / 1000}`;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    expectFileError(error);
    return undefined;
  }
}
