import { expect, test } from 'vitest';
import { coreRows } from '../../distributed/launch/core-rows.ts';
import type { Machine } from '../../runtime/execution/cores.ts';
import type { RunningProcess } from '../../runtime/profiling/running-processes.ts';
import { trenio } from '../process.testing.ts';
import { describeMachine } from './list-machine.ts';

const machine: Machine = {
  model: 'Some Processor 8480',
  architecture: 'x64',
  cpus: 4,
  cores: 2,
  sockets: 1,
  allowed: [0, 1, 2, 3],
  vectors: { name: 'AVX-512', bits: 512 },
  bf16: ['amx_bf16', 'avx512_bf16'],
  clockMHz: 2000,
  maxClockMHz: undefined,
  caches: [
    { level: 1, kind: 'data', bytes: 48 * 1024, sharedBy: 2 },
    { level: 3, kind: 'unified', bytes: 105 * 1024 ** 2, sharedBy: 4 },
  ],
  memoryBytes: 16 * 1024 ** 3,
  availableBytes: 12 * 1024 ** 3,
};
const process: RunningProcess = {
  pid: 4242,
  user: 'someone',
  script: 'train.ts',
  command: ['node', 'train.ts'],
  rank: 1,
  worldSize: 2,
  cpus: [1, 3],
  threads: 9,
  residentBytes: 512 * 1024 ** 2,
  cpuSeconds: 61,
};
const places = [0, 1, 2, 3].map(cpu => ({ cpu, core: cpu % 2, package: 0 }));

test('a machine with a process', () => {
  expect(describeMachine(machine, coreRows(places, [process]), [process])).toMatchInlineSnapshot(`
    "processor  Some Processor 8480 (x64), 2.00 GHz
    cores      2 cores, 4 CPUs, 1 socket
    vectors    AVX-512 (512 bit)
    bf16       amx_bf16, avx512_bf16
    caches     L1d 48.0 KiB, L3 105.0 MiB
    memory     16.0 GiB, 12.0 GiB available

    core  socket  CPUs  vectors  bf16                   processes
    ────  ──────  ────  ───────  ─────────────────────  ─────────
       0       0  0,2   AVX-512  amx_bf16, avx512_bf16  -
       1       0  1,3   AVX-512  amx_bf16, avx512_bf16  4242

    process    rank  CPUs  threads     memory    CPU time  user     script    command
    ───────  ──────  ────  ───────  ─────────  ──────────  ───────  ────────  ─────────────
       4242  1 of 2  1,3         9  512.0 MiB  1 min 01 s  someone  train.ts  node train.ts"
  `);
});

test('a machine with unknown properties and no ranks', () => {
  const unknown: Machine = { ...machine, vectors: undefined, bf16: [], caches: [], clockMHz: undefined };
  const text = describeMachine(unknown, coreRows(places.slice(0, 1), []), []);
  expect(text).toContain('No Trenio processes are running.');
  expect(text).toContain('bf16       none');
});

test('this machine, as a table and as JSON', async () => {
  const { exitCode, stdout } = await trenio('ls');
  expect([exitCode, stdout]).toEqual([
    0,
    expect.stringMatching(/^processor {2}[\s\S]*\nmemory {5}[\s\S]*\ncore {2}socket {2}CPUs/),
  ]);
  const json = JSON.parse((await trenio('ls', '--json')).stdout) as {
    machine: Machine;
    cores: unknown[];
    processes: unknown[];
  };
  expect(json.machine.memoryBytes).toBeGreaterThan(0);
  expect(json.cores.length).toBeGreaterThan(0);
  expect(Array.isArray(json.processes)).toBe(true);
});
