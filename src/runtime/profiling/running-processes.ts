// The processes on this machine that compute with Trenio: those that have one of its compiled programs in memory, or
// that `trenio run` has started. Linux only; elsewhere, and for processes of other users, nothing is seen.
import { join } from 'node:path';
import { parseCpuList } from '../../base/cpu-list.ts';
import { listBelow, readBelow } from '../execution/cores.ts';
import { libraryName } from '../toolchain/cache-entries.ts';

export interface RunningProcess {
  readonly pid: number;
  /** The name of its user, or its number if it has no name. */
  readonly user: string;
  /** The script, as in the command; undefined if there is none. */
  readonly script: string | undefined;
  readonly command: readonly string[];
  /** The rank, for processes of `trenio run`. */
  readonly rank: number | undefined;
  readonly worldSize: number | undefined;
  /** The CPUs its threads are pinned to, or else those it may use. */
  readonly cpus: readonly number[];
  readonly threads: number;
  readonly residentBytes: number;
  /** Processor time used so far. */
  readonly cpuSeconds: number;
}

const ticksPerSecond = 100; // USER_HZ: fixed in the kernel's interface

/** By process id. */
export function runningProcesses(root = '/'): readonly RunningProcess[] {
  const lines = (readBelow(root)('etc/passwd') ?? '').split('\n').map(line => line.split(':'));
  const users = new Map(lines.map(([name = '', , uid = '']) => [uid, name]));
  return listBelow(root, 'proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b)
    .flatMap(pid => processOf(root, pid, users) ?? []);
}

function processOf(root: string, pid: number, users: ReadonlyMap<string, string>): RunningProcess | undefined {
  const readProc = readBelow(join(root, 'proc', `${pid}`));
  const command = readProc('cmdline')?.split('\0').slice(0, -1);
  if (command === undefined || command.length === 0) return undefined; // a kernel thread, or a process that has ended
  const variables = new Map(
    (readProc('environ') ?? '').split('\0').map(entry => {
      const at = entry.indexOf('=');
      return [entry.slice(0, at), entry.slice(at + 1)] as const;
    }),
  );
  if (!variables.has('TRENIO_LAUNCHER_PID') && !readProc('maps')?.includes(`/${libraryName}`)) return undefined;
  const status = readProc('status') ?? '';
  const field = (name: string): string => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '';
  const number = (name: string): number | undefined => {
    const value = variables.get(name);
    return value === undefined || !/^\d+$/.test(value) ? undefined : Number(value);
  };
  const stat = readProc('stat') ?? '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // from the third, the state
  return {
    pid,
    user: users.get(field('Uid')) ?? field('Uid'),
    script: scriptOf(command),
    command,
    rank: number('RANK'),
    worldSize: number('WORLD_SIZE'),
    cpus: parseCpuList(variables.get('TRENIO_CPUS') ?? '') ?? parseCpuList(field('Cpus_allowed_list')) ?? [],
    threads: Number(field('Threads')),
    residentBytes: Number(field('VmRSS')) * 1024,
    cpuSeconds: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond,
  };
}

/** The first argument that is a file of JavaScript or TypeScript and not the value of an option, such as `--import`. */
const scriptOf = (command: readonly string[]): string | undefined =>
  command.find(
    (word, i) => i > 0 && /\.[cm]?[jt]sx?$/.test(word) && !word.startsWith('-') && !command[i - 1]!.startsWith('-'),
  );
