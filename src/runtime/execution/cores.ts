// The hardware of this machine as the kernel reports it: CPUs and their features, caches, memory. For
// `trenio ls` and for records of runs; the compiler detects its target separately.
//
// Reads /proc and /sys below a given root, so that tests can provide files of other machines.
import { readdirSync } from 'node:fs';
import { cpus, freemem, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseCpuList } from '../../base/cpu-list.ts';
import { expectFileError, readIfThere } from '../../base/file-error.ts';

/** A cache of the CPU. */
export interface Cache {
  /** The level, from 1. */
  readonly level: number;
  /** Its contents. */
  readonly kind: 'data' | 'instruction' | 'unified';
  /** The size in bytes. */
  readonly bytes: number;
  /** The logical CPUs that share one such cache. */
  readonly sharedBy: number;
}
/** The CPUs, caches and vector units of this machine. */
export interface Machine {
  /** The name of the processor. */
  readonly model: string;
  /** The instruction set architecture. */
  readonly architecture: string;
  /** Logical CPUs, cores and sockets. */
  readonly cpus: number;
  /** The number of physical cores. */
  readonly cores: number;
  /** The number of processors. */
  readonly sockets: number;
  /** The CPUs that this process may use. */
  readonly allowed: readonly number[];
  /** The widest vector instructions, and the width of their registers in bits; undefined if unknown. */
  readonly vectors:
    | {
        /** The name of the processor. */
        readonly name: string;
        /** The width of a vector register in bits. */
        readonly bits: number;
      }
    | undefined;
  /** Instructions that multiply bf16, by their names. Empty if there are none. */
  readonly bf16: readonly string[];
  /** Current frequency of the first CPU, and the maximum; undefined if unknown. */
  readonly clockMHz: number | undefined;
  /** The highest clock rate in MHz, if it is known. */
  readonly maxClockMHz: number | undefined;
  /** The caches, nearest to the core first. */
  readonly caches: readonly Cache[];
  /** The memory in bytes. */
  readonly memoryBytes: number;
  /** The memory in bytes that is free to use. */
  readonly availableBytes: number;
}

/** The text of a file below a root, or undefined if it cannot be read. */
export type ReadText = (path: string) => string | undefined;
export const readBelow =
  (root: string): ReadText =>
  path =>
    readIfThere(join(root, path));

const vectorKinds: readonly (readonly [flag: string, name: string, bits: number])[] = [
  ['avx512f', 'AVX-512', 512],
  ['avx2', 'AVX2', 256],
  ['avx', 'AVX', 256],
  ['sse2', 'SSE2', 128],
  ['sve2', 'SVE2', 128],
  ['sve', 'SVE', 128],
  ['asimd', 'NEON', 128],
];
const bf16Flags = ['amx_bf16', 'avx512_bf16', 'avx_ne_convert', 'svebf16', 'bf16'];

/**
 * This machine, or the one whose /proc and /sys are below `root`.
 * @example
 * machineInfo().cpus > 0 // true
 */
export function machineInfo(root = '/'): Machine {
  const read = readBelow(root);
  const processors = (read('proc/cpuinfo') ?? '').split(/\n\s*\n/).filter(text => /^processor\s*:/m.test(text));
  const field = (text: string, name: string): string | undefined =>
    new RegExp(`^${name}\\s*:\\s*(.*)$`, 'm').exec(text)?.[1]?.trim();
  const first = processors[0] ?? '';
  const flags = new Set((field(first, 'flags') ?? field(first, 'Features') ?? '').split(' '));
  const vectors = vectorKinds.find(([flag]) => flags.has(flag));
  const sockets = new Set(processors.map(p => field(p, 'physical id') ?? '0'));
  const cores = new Set(
    processors.map(p => `${field(p, 'physical id')}/${field(p, 'core id') ?? field(p, 'processor')}`),
  );
  const memory = (name: string): number | undefined => {
    const kib = Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(read('proc/meminfo') ?? '')?.[1]);
    return Number.isNaN(kib) ? undefined : kib * 1024;
  };
  const clock = Number(field(first, 'cpu MHz'));
  const maxClock = Number(read('sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq') ?? Number.NaN) / 1000;
  const allowed = /^Cpus_allowed_list:\s*(\S+)$/m.exec(read('proc/self/status') ?? '')?.[1];
  const count = processors.length || cpus().length;
  return {
    model: field(first, 'model name') ?? cpus()[0]?.model ?? 'unknown',
    architecture: process.arch,
    cpus: count,
    cores: cores.size || count,
    sockets: sockets.size || 1,
    allowed: (allowed === undefined ? undefined : parseCpuList(allowed)) ?? Array.from({ length: count }, (_, i) => i),
    vectors: vectors && { name: vectors[1], bits: vectors[2] },
    bf16: bf16Flags.filter(flag => flags.has(flag)),
    clockMHz: Number.isNaN(clock) ? undefined : Math.round(clock),
    maxClockMHz: Number.isNaN(maxClock) ? undefined : Math.round(maxClock),
    caches: cachesOf(root, read),
    memoryBytes: memory('MemTotal') ?? totalmem(),
    availableBytes: memory('MemAvailable') ?? freemem(),
  };
}

function cachesOf(root: string, read: ReadText): readonly Cache[] {
  const directory = 'sys/devices/system/cpu/cpu0/cache';
  const units = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };
  return listBelow(root, directory).flatMap(name => {
    const value = (file: string): string => read(join(directory, name, file))?.trim() ?? '';
    const size = /^(\d+)([KMG])$/.exec(value('size'));
    const kind = value('type').toLowerCase();
    if (size === null || (kind !== 'data' && kind !== 'instruction' && kind !== 'unified')) return [];
    const bytes = Number(size[1]) * units[size[2] as keyof typeof units];
    return [
      { level: Number(value('level')), kind, bytes, sharedBy: parseCpuList(value('shared_cpu_list'))?.length ?? 1 },
    ];
  });
}

/** The names in a directory below a root, sorted; empty if it cannot be read. */
export function listBelow(root: string, directory: string): readonly string[] {
  try {
    return readdirSync(join(root, directory)).sort();
  } catch (error) {
    expectFileError(error);
    return [];
  }
}
