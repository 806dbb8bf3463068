// The load of this host from Linux's /proc: processors, memory, a process. Elsewhere everything is unknown. Amounts of time are
// since the boot; a rate needs two readings.
import { join } from 'node:path';
import { readIfThere } from '../base/file-error.ts';

/** Seconds that a processor has spent, by activity. */
export interface CpuTimes {
  readonly user: number;
  readonly nice: number;
  readonly system: number;
  readonly idle: number;
  readonly io_wait: number;
  readonly irq: number;
  readonly soft_irq: number;
}
export const cpuTimeKinds = [
  'user',
  'nice',
  'system',
  'idle',
  'io_wait',
  'irq',
  'soft_irq',
] as const satisfies readonly (keyof CpuTimes)[];

export interface HostReading {
  readonly all: CpuTimes | undefined;
  /** By CPU number. */
  readonly byCpu: ReadonlyMap<number, CpuTimes>;
  readonly contextSwitches: number;
  readonly memoryTotalBytes: number;
  readonly memoryUsedBytes: number;
  readonly swapTotalBytes: number;
  readonly swapUsedBytes: number;
}
export interface ProcessReading {
  readonly parent: number;
  /** One letter: R running, S sleeping, T stopped … */
  readonly state: string;
  readonly userSeconds: number;
  readonly systemSeconds: number;
  readonly residentBytes: number;
}

const ticksPerSecond = 100; // USER_HZ: fixed in the kernel's interface
const pageBytes = 4096;

/** @param proc for tests: the location of /proc */
export function readHost(proc = '/proc'): HostReading {
  const stat = readIfThere(join(proc, 'stat')) ?? '';
  const byCpu = new Map<number, CpuTimes>();
  for (const [, cpu, numbers] of stat.matchAll(/^cpu(\d+) (.*)$/gm)) byCpu.set(Number(cpu), timesOf(numbers!));
  const all = /^cpu +(.*)$/m.exec(stat)?.[1];
  const memory = readIfThere(join(proc, 'meminfo')) ?? '';
  const bytes = (name: string): number => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(memory)?.[1] ?? 0);
  return {
    all: all === undefined ? undefined : timesOf(all),
    byCpu,
    contextSwitches: Number(/^ctxt (\d+)$/m.exec(stat)?.[1] ?? 0),
    memoryTotalBytes: bytes('MemTotal'),
    memoryUsedBytes: bytes('MemTotal') - bytes('MemAvailable'),
    swapTotalBytes: bytes('SwapTotal'),
    swapUsedBytes: bytes('SwapTotal') - bytes('SwapFree'),
  };
}

function timesOf(numbers: string): CpuTimes {
  const [user, nice, system, idle, wait, irq, soft] = numbers
    .trim()
    .split(/\s+/)
    .map(ticks => Number(ticks) / ticksPerSecond);
  return {
    user: user ?? 0,
    nice: nice ?? 0,
    system: system ?? 0,
    idle: idle ?? 0,
    io_wait: wait ?? 0,
    irq: irq ?? 0,
    soft_irq: soft ?? 0,
  };
}

/** The share of each kind between two readings, in percent; all zero if no time has passed. */
export function cpuPercent(before: CpuTimes | undefined, now: CpuTimes | undefined): CpuTimes {
  const spent = cpuTimeKinds.map(kind => Math.max(0, (now?.[kind] ?? 0) - (before?.[kind] ?? 0)));
  const total = spent.reduce((sum, seconds) => sum + seconds, 0);
  const entries = cpuTimeKinds.map((kind, i) => [kind, total > 0 ? (100 * spent[i]!) / total : 0] as const);
  return Object.fromEntries(entries) as unknown as CpuTimes; // every kind is in the list
}

/** Undefined if the process has ended or is not visible. @param proc for tests: the location of /proc */
export function readProcess(pid: number, proc = '/proc'): ProcessReading | undefined {
  const text = readIfThere(join(proc, `${pid}`, 'stat'));
  if (text === undefined) return undefined;
  // The name is in parentheses and may contain any character.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    state: fields[0] ?? '?',
    parent: Number(fields[1]),
    userSeconds: Number(fields[11]) / ticksPerSecond,
    systemSeconds: Number(fields[12]) / ticksPerSecond,
    residentBytes: Number(fields[21]) * pageBytes,
  };
}
