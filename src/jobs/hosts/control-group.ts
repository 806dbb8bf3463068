// Limits for the programs of one host: memory, CPU time, processes. With Linux control groups of either
// version if this process may create them; otherwise with limits per process (`describeLimits` tells which).
//
//   version 2   /sys/fs/cgroup/OWN/trenio-ID-NAME           memory.max, cpu.max, pids.max
//   version 1   /sys/fs/cgroup/memory/OWN/trenio-ID-NAME    memory.limit_in_bytes, …; one folder for each controller
//
import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectFileError } from '../../base/file-error.ts';
import { formatIdentity, lifeOf, ownIdentity, parseIdentity } from '../../base/process-identity.ts';

export interface HostLimits {
  readonly memoryBytes: number;
  /** May be fractional; undefined: all cores. */
  readonly cores: number | undefined;
  /** Processes and threads. */
  readonly tasks: number;
}

export interface HostUse {
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
}

const CONTROLLERS = ['memory', 'cpu', 'pids'] as const;
const PREFIX = 'trenio-';
/** `trenio-<pid>-<start>-<realm>-<name>`, with the identity of the process that made it. */
const OWNED = /^trenio-(\d+-[a-z0-9]*-[a-f0-9]{12})-/;
const MOUNT = '/sys/fs/cgroup';
const PERIOD_US = 100_000;
const MOST_TASKS = 4096;
/** The share of the machine's memory for jobs; the rest is for the server and the system. */
const MEMORY_SHARE = 0.9;
const REMOVE_ATTEMPTS = 50;
const REMOVE_EVERY_MS = 20;

/**
 * The limits of a host.
 * @param instanceMemoryBytes of the simulated instance type, if known
 */
export const limitsOf = (cores: number, instanceMemoryBytes: number | undefined): HostLimits => ({
  memoryBytes: Math.floor(Math.min(instanceMemoryBytes ?? Number.POSITIVE_INFINITY, totalmem() * MEMORY_SHARE)),
  cores: cores < availableParallelism() ? cores : undefined,
  tasks: MOST_TASKS,
});

export class ControlGroup {
  readonly #version: 1 | 2;
  /** By controller; version 2 has one folder for all. */
  readonly #folders: ReadonlyMap<string, string>;

  private constructor(version: 1 | 2, folders: ReadonlyMap<string, string>) {
    this.#version = version;
    this.#folders = folders;
  }

  /** Undefined if groups cannot be created. */
  static make(name: string, limits: HostLimits): ControlGroup | undefined {
    const own = readFileSync('/proc/self/cgroup', 'utf8');
    const owned = `${formatIdentity(ownIdentity())}-${name}`;
    return makeSecond(own, owned, limits) ?? makeFirst(own, owned, limits);
  }

  static of(version: 1 | 2, folders: ReadonlyMap<string, string>): ControlGroup {
    return new ControlGroup(version, folders);
  }

  /** A command prefix that runs a command and its descendants in the group. */
  get enter(): readonly string[] {
    const folders = [...new Set(this.#folders.values())];
    return ['sh', '-euc', ENTER, 'sh', String(folders.length), ...folders];
  }

  /** Undefined if the group no longer exists. */
  use(): HostUse | undefined {
    const isSecond = this.#version === 2;
    const cpu = isSecond
      ? fieldOf(this.#read('cpu', 'cpu.stat'), 'usage_usec') / 1e6
      : Number(this.#read('cpuacct', 'cpuacct.usage') ?? Number.NaN) / 1e9;
    const memoryBytes = fieldOf(this.#read('memory', 'memory.stat'), isSecond ? 'anon' : 'total_rss');
    return Number.isNaN(cpu + memoryBytes) ? undefined : { cpuSeconds: cpu, memoryBytes };
  }

  /** The number of processes that the system has killed because the group ran out of memory. */
  get memoryKills(): number {
    const file = this.#version === 2 ? 'memory.events' : 'memory.oom_control';
    return fieldOf(this.#read('memory', file), 'oom_kill') || 0;
  }

  /** Removes the group once its killed processes have ended. */
  async remove(): Promise<void> {
    for (const folder of new Set(this.#folders.values()))
      for (let attempt = 0; attempt < REMOVE_ATTEMPTS && !removed(folder); attempt++) await sleep(REMOVE_EVERY_MS);
  }

  #read(controller: string, file: string): string | undefined {
    const folder = this.#folders.get(this.#version === 2 ? 'all' : controller);
    if (folder === undefined) return undefined;
    try {
      return readFileSync(join(folder, file), 'utf8');
    } catch (error) {
      expectFileError(error, 'ENOENT', 'ENODEV');
      return undefined;
    }
  }
}

// $1 is the number of folders; the folders and the command follow.
const ENTER = `
count=$1; shift
while [ "$count" -gt 0 ]; do echo $$ > "$1/cgroup.procs"; shift; count=$((count - 1)); done
exec "$@"
`;

/** A command prefix for machines without groups: limits the memory of each process. */
export const withoutGroup = ({ memoryBytes }: HostLimits): readonly string[] => ['prlimit', `--data=${memoryBytes}`];

/** A message to a job about limits that are not enforced; undefined if all are. */
export const describeLimits = (group: ControlGroup | undefined): string | undefined =>
  group === undefined
    ? 'This machine does not allow control groups: memory is limited per process instead of per host, and cores and the number of processes are not limited.'
    : undefined;

function makeSecond(own: string, name: string, { memoryBytes, cores, tasks }: HostLimits): ControlGroup | undefined {
  const path = /^0::(.*)$/m.exec(own)?.[1];
  if (path === undefined) return undefined;
  // A group with processes cannot enable controllers for its subgroups, except for the root.
  for (const parent of new Set([join(MOUNT, path), MOUNT])) {
    const folder = join(parent, PREFIX + name);
    const isMade = attempt(() => {
      const has = readFileSync(join(parent, 'cgroup.controllers'), 'utf8').trim().split(' ');
      if (!CONTROLLERS.every(one => has.includes(one))) return false;
      writeFileSync(join(parent, 'cgroup.subtree_control'), CONTROLLERS.map(one => `+${one}`).join(' '));
      removeLeft(parent);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'memory.max'), String(memoryBytes));
      writeFileSync(join(folder, 'pids.max'), String(tasks));
      if (cores !== undefined) writeFileSync(join(folder, 'cpu.max'), `${Math.round(cores * PERIOD_US)} ${PERIOD_US}`);
      return true;
    });
    if (isMade) return ControlGroup.of(2, new Map([['all', folder]]));
  }
  return undefined;
}

function makeFirst(own: string, name: string, { memoryBytes, cores, tasks }: HostLimits): ControlGroup | undefined {
  const folders = new Map<string, string>();
  const isMade = attempt(() => {
    for (const controller of [...CONTROLLERS, 'cpuacct']) {
      const path = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm').exec(own)?.[1];
      if (path === undefined) return false;
      // In a container, the path may be the host's, while only the container's part is mounted.
      const parent = [join(MOUNT, controller, path), join(MOUNT, controller)].find(one =>
        statSync(one, { throwIfNoEntry: false })?.isDirectory(),
      );
      if (parent === undefined) return false;
      removeLeft(parent);
      mkdirSync(join(parent, PREFIX + name), { recursive: true });
      folders.set(controller, join(parent, PREFIX + name));
    }
    writeFileSync(join(folders.get('memory')!, 'memory.limit_in_bytes'), String(memoryBytes));
    writeFileSync(join(folders.get('pids')!, 'pids.max'), String(tasks));
    if (cores !== undefined) {
      writeFileSync(join(folders.get('cpu')!, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(folders.get('cpu')!, 'cpu.cfs_quota_us'), String(Math.round(cores * PERIOD_US)));
    }
    return true;
  });
  if (isMade) return ControlGroup.of(1, folders);
  for (const folder of folders.values()) removed(folder);
  return undefined;
}

/** Also false if access is denied or the file does not exist. */
function attempt(make: () => boolean): boolean {
  try {
    return make();
  } catch (error) {
    expectFileError(error, 'EACCES', 'EPERM', 'EROFS', 'ENOENT', 'EBUSY', 'EINVAL', 'EOPNOTSUPP', 'ENOTSUP', 'EEXIST');
    return false;
  }
}

/** Removes groups of killed runners, whose identities are in the names; groups with processes cannot be removed. */
function removeLeft(parent: string): void {
  for (const name of readdirSync(parent)) {
    const owner = parseIdentity(OWNED.exec(name)?.[1] ?? '');
    if (owner !== undefined && lifeOf(owner) === 'ended') removed(join(parent, name));
  }
}

function removed(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    expectFileError(error, 'ENOENT', 'EBUSY');
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

const fieldOf = (text: string | undefined, name: string): number => {
  const line = text?.split('\n').find(one => one.startsWith(`${name} `));
  return line === undefined ? Number.NaN : Number(line.slice(name.length));
};
