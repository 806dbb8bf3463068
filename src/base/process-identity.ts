// Which process this is, in a form that another process can check later: "is it still running?". A process id alone does not
// answer that. Ids are reused within a boot, start again after one, and mean different processes on different machines and
// in different containers. So an identity also says when the process started and where its id applies.
//
// The answer is 'unknown' where this process cannot see the other one: on another machine, or in another container of this
// machine. Callers decide what that means to them: a run's lock must then count as held.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod';

export const processIdentitySchema = z.object({
  host: z.string(),
  pid: z.int().min(1),
  /** Clock ticks from the boot to the start of the process; null where the system does not tell (other than Linux). */
  startTicks: z.int().min(0).nullable(),
  /** Which boot of the machine; null where the system does not tell. */
  boot: z.string().nullable(),
  /** Where `pid` is counted: containers each have their own numbers. Null where the system does not tell. */
  pidNamespace: z.string().nullable(),
});
export type ProcessIdentity = Readonly<z.output<typeof processIdentitySchema>>;
export type ProcessState = 'running' | 'ended' | 'unknown';

/** The identity of this process. */
export function thisProcess(): ProcessIdentity {
  return {
    host: hostname(),
    pid: process.pid,
    startTicks: processStat(process.pid)?.startTicks ?? null,
    boot: currentBoot(),
    pidNamespace: currentPidNamespace(),
  };
}

/** Whether the process with this identity runs. */
export function stateOf(identity: ProcessIdentity): ProcessState {
  if (identity.host !== hostname()) return 'unknown';
  // The same name, another boot: this machine before it was restarted. Its processes have ended with it.
  if (identity.boot !== currentBoot()) return identity.boot === null ? 'unknown' : 'ended';
  if (identity.pidNamespace !== currentPidNamespace()) return 'unknown';
  if (identity.startTicks === null) return isAlive(identity.pid) ? 'running' : 'ended';
  const stat = processStat(identity.pid);
  if (stat === undefined) return 'ended';
  return stat.startTicks === identity.startTicks && !stat.zombie ? 'running' : 'ended';
}

export function sameProcess(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return (
    a.host === b.host &&
    a.boot === b.boot &&
    a.pidNamespace === b.pidNamespace &&
    a.pid === b.pid &&
    a.startTicks === b.startTicks
  );
}

/** What Linux says of a process that this one can see. */
export interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startTicks: number;
  /** Ended, and its parent has not asked for its exit code yet. */
  readonly zombie: boolean;
  /** The name of the program, at most 15 characters; Node's `process.title` changes it. */
  readonly name: string;
}

/** Undefined if there is no such process, or on another system than Linux. */
export function processStat(pid: number): ProcessStat | undefined {
  const text = readSystemFile(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name stands in parentheses and may hold any character, parentheses and spaces included.
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  return {
    pid,
    name: text.slice(text.indexOf('(') + 1, end),
    zombie: fields[0] === 'Z' || fields[0] === 'X',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    startTicks: Number(fields[19]),
  };
}

/** The command line of a process, words joined by spaces (or its `process.title`); '' where it cannot be seen. */
export const commandLine = (pid: number): string =>
  (readSystemFile(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim();

/** Whether a process has this number, of whichever user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const currentBoot = (): string | null => readSystemFile('/proc/sys/kernel/random/boot_id')?.trim() ?? null;

function currentPidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null; // not Linux, or /proc is hidden
  }
}

function readSystemFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // not Linux, or the process has ended
  }
}
