import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { compiled, f32, handWritten, temporaryDirectory, testHost } from '../engine.testing.ts';
import { runningProcesses } from '../profiling/running-processes.ts';
import { machineInfo } from './cores.ts';

function writeAll(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
const cache = (index: number, level: number, type: string, size: string, shared: string): Record<string, string> => {
  const directory = `sys/devices/system/cpu/cpu0/cache/index${index}`;
  return Object.fromEntries(
    Object.entries({ level: `${level}`, type, size, shared_cpu_list: shared }).map(([file, text]) => [
      `${directory}/${file}`,
      `${text}\n`,
    ]),
  );
};

test('a server with two sockets', () => {
  using root = temporaryDirectory();
  const processor = (n: number, socket: number, core: number): string =>
    `processor\t: ${n}\nmodel name\t: AMD EPYC 9R14\ncpu MHz\t\t: 3699.95\nphysical id\t: ${socket}\ncore id\t\t: ${core}\nflags\t\t: fpu sse2 avx avx2 avx512f avx512_bf16 avx512_vnni\n`;
  writeAll(root.path, {
    'proc/cpuinfo': [processor(0, 0, 0), processor(1, 0, 0), processor(2, 1, 0), processor(3, 1, 0)].join('\n'),
    'proc/meminfo': 'MemTotal:       24000000 kB\nMemFree:  1 kB\nMemAvailable:   20000000 kB\n',
    'proc/self/status': 'Name:\tnode\nCpus_allowed_list:\t0,2-3\n',
    'sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq': '3700000\n',
    ...cache(0, 1, 'Data', '32K', '0-1'),
    ...cache(1, 1, 'Instruction', '32K', '0-1'),
    ...cache(3, 3, 'Unified', '32M', '0-3'),
  });
  expect(machineInfo(root.path)).toEqual({
    model: 'AMD EPYC 9R14',
    architecture: process.arch,
    cpus: 4,
    cores: 2,
    sockets: 2,
    allowed: [0, 2, 3],
    vectors: { name: 'AVX-512', bits: 512 },
    bf16: ['avx512_bf16'],
    clockMHz: 3700,
    maxClockMHz: 3700,
    caches: [
      { level: 1, kind: 'data', bytes: 32768, sharedBy: 2 },
      { level: 1, kind: 'instruction', bytes: 32768, sharedBy: 2 },
      { level: 3, kind: 'unified', bytes: 33554432, sharedBy: 4 },
    ],
    memoryBytes: 24000000 * 1024,
    availableBytes: 20000000 * 1024,
  });
});

test('an ARM machine, whose kernel reports less', () => {
  using root = temporaryDirectory();
  const processor = (n: number): string =>
    `processor\t: ${n}\nBogoMIPS\t: 2100.00\nFeatures\t: fp asimd sve bf16 i8mm\nCPU implementer\t: 0x41\n`;
  writeAll(root.path, { 'proc/cpuinfo': `${processor(0)}\n${processor(1)}\n` });
  expect(machineInfo(root.path)).toMatchObject({
    cpus: 2,
    cores: 2,
    sockets: 1,
    allowed: [0, 1],
    vectors: { name: 'SVE', bits: 128 },
    bf16: ['bf16'],
    clockMHz: undefined,
    maxClockMHz: undefined,
    caches: [],
  });
});

test('a system that reports nothing still has processors and memory', () => {
  using root = temporaryDirectory();
  const machine = machineInfo(root.path);
  expect(machine.cpus).toBeGreaterThan(0);
  expect(machine.memoryBytes).toBeGreaterThan(0);
  expect(machine.vectors).toBeUndefined();
  expect(runningProcesses(root.path)).toEqual([]);
});

test('processes are recognized by the variables of ranks, or by the libraries they have loaded', () => {
  using root = temporaryDirectory();
  const status = 'Name:\tnode\nVmRSS:\t  1000 kB\nThreads:\t7\nCpus_allowed_list:\t0-3\n';
  const stat = (pid: number): string => `${pid} (a) b) S 1 1 1 0 -1 0 0 0 0 0 250 50 0 0 20 0 7 0 100 0 0\n`;
  writeAll(root.path, {
    'proc/12/cmdline': 'node\0train.ts\0--lr=1\0',
    'proc/12/environ': 'HOME=/root\0RANK=1\0WORLD_SIZE=2\0TRENIO_LAUNCHER_PID=1\0TRENIO_CPUS=2-3\0',
    'proc/12/status': status,
    'proc/12/stat': stat(12),
    'proc/7/cmdline': 'node\0serve.ts\0',
    'proc/7/environ': 'HOME=/root\0',
    'proc/7/maps': '7f00-7f01 r-xp 00000000 fe:00 1  /root/.cache/trenio/abc/trenio_program.so\n',
    'proc/7/status': status,
    'proc/7/stat': stat(7),
    'proc/9/cmdline': 'node\0other.ts\0',
    'proc/9/maps': '7f00-7f01 r-xp 00000000 fe:00 1  /usr/lib/libc.so\n',
    'proc/2/cmdline': '',
    'proc/version': 'Linux',
  });
  const common = { threads: 7, residentBytes: 1024000, cpuSeconds: 3, user: '' };
  const [serve, train] = ['serve.ts', 'train.ts'];
  expect(runningProcesses(root.path)).toEqual([
    {
      ...{ pid: 7, command: ['node', serve], script: serve, rank: undefined, worldSize: undefined, cpus: [0, 1, 2, 3] },
      ...common,
    },
    { pid: 12, command: ['node', train, '--lr=1'], script: train, rank: 1, worldSize: 2, cpus: [2, 3], ...common },
  ]);
});

test.runIf(process.platform === 'linux')('this machine, and this process on it', () => {
  const machine = machineInfo();
  expect(machine.cpus).toBeGreaterThanOrEqual(machine.cores);
  expect(machine.availableBytes).toBeLessThanOrEqual(machine.memoryBytes);
  using directory = temporaryDirectory();
  using host = testHost(directory.path, 1);
  compiled(host, handWritten('', [], [f32()]))
    .run([])[0]!
    .wait();
  expect(runningProcesses().map(({ pid }) => pid)).toContain(process.pid);
});
