// Information about the processes of this machine from Linux's /proc. On other systems everything is unknown. Whether a process
// is still the same one is decided in process-identity.ts.
import { join } from 'node:path';
import { readIfThere } from './file-error.ts';

export interface ProcessStat {
  readonly pid: number;
  /** The name of the program, at most 15 characters; Node's `process.title` changes it. */
  readonly name: string;
  /** One letter: R running, S sleeping, T stopped, Z ended but not yet waited for … */
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Clock ticks from the boot to its start, as a string of digits. */
  readonly started: string;
}

/** Undefined if there is no such process, or no /proc. @param proc for tests: the location of /proc */
export function processStat(pid: number | 'self', proc = '/proc'): ProcessStat | undefined {
  const text = readIfThere(join(proc, `${pid}`, 'stat'));
  if (text === undefined) return undefined;
  // The name is in parentheses and may contain any character, including parentheses and spaces.
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  const started = fields[19];
  if (started === undefined) return undefined;
  return {
    pid: Number.parseInt(text, 10),
    name: text.slice(text.indexOf('(') + 1, end),
    state: fields[0]!,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    started,
  };
}

/** The command line of a process, words joined by spaces (or its `process.title`); '' if it cannot be read. */
export const commandLine = (pid: number): string =>
  (readIfThere(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim();

/** Identifies the boot of this machine; undefined if the system does not report it. */
export const currentBoot = (proc = '/proc'): string | undefined =>
  readIfThere(join(proc, 'sys/kernel/random/boot_id'))?.trim();
