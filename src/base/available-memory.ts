// The bytes that this process can still allocate before the system kills it: the minimum over the machine and each control group
// above the process (containers, Slurm, systemd). The page cache counts as available, because the system drops it when
// memory is short; so does swap. Node's own `process.availableMemory()` counts neither, and checks only the innermost group.
import { join } from 'node:path';
import { readIfThere } from './file-error.ts';

/** @param root for tests: the location of /proc and /sys */
export function availableBytes(root = '/'): number {
  const read = (path: string): string | undefined => readIfThere(join(root, path));
  const info = read('proc/meminfo');
  if (info === undefined) return process.availableMemory();
  const free = fieldOf(info, 'MemAvailable:') * 1024 + (fieldOf(info, 'SwapFree:') || 0) * 1024;
  const left = groupsOf(read).map(directory => leftIn(read, directory));
  return Math.max(0, Math.min(Number.isNaN(free) ? process.availableMemory() : free, ...left));
}

type Read = (path: string) => string | undefined;

/** The directories of the control groups of this process, of both versions. */
function groupsOf(read: Read): readonly string[] {
  return (read('proc/self/cgroup') ?? '').split('\n').flatMap(line => {
    // `0::/path` in version 2, `4:memory:/path` in version 1.
    const [, number, controllers, path] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? [];
    if (path === undefined) return [];
    const isSecond = number === '0' && controllers === '';
    if (!isSecond && !controllers!.split(',').includes('memory')) return [];
    const mount = isSecond ? 'sys/fs/cgroup' : 'sys/fs/cgroup/memory';
    // In a container the path may be that of the host, while only the container's part of it is mounted.
    const parts = path.split('/').filter(part => part !== '');
    return Array.from({ length: parts.length + 1 }, (_, n) => join(mount, ...parts.slice(0, n)));
  });
}

/** The memory still available in a group: infinite if it has no limit or does not exist. */
function leftIn(read: Read, directory: string): number {
  const number = (name: string): number => Number.parseFloat(read(join(directory, name)) ?? '');
  const isSecond = read(join(directory, 'memory.max')) !== undefined;
  const limit = number(isSecond ? 'memory.max' : 'memory.limit_in_bytes');
  if (!(limit < unlimited)) return Number.POSITIVE_INFINITY; // `max` is not a number
  const used = number(isSecond ? 'memory.current' : 'memory.usage_in_bytes');
  const statistics = read(join(directory, 'memory.stat')) ?? '';
  const prefix = isSecond ? '' : 'total_';
  const files = ['active_file', 'inactive_file'].map(name => fieldOf(statistics, `${prefix}${name}`) || 0);
  return Number.isNaN(used) ? Number.POSITIVE_INFINITY : limit - used + files[0]! + files[1]!;
}
/** Version 1 represents no limit as a number near 2^63. */
const unlimited = 2 ** 60;

const fieldOf = (text: string, name: string): number => {
  const line = text.split('\n').find(each => each.startsWith(`${name} `));
  return line === undefined ? Number.NaN : Number.parseInt(line.slice(name.length), 10);
};
