// Programs that cannot fit in memory are rejected before any memory is allocated. The limit of a control group is tested in a
// real one, if this process may create it: without the checks, the system would end the process there.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { availableBytes } from '../../base/available-memory.ts';
import { inheritedVariables } from '../../base/environment.ts';
import { CpuBackend } from '../backends/cpu/cpu-backend.ts';
import { compiled, f32, handWritten, temporaryDirectory, testHost } from '../engine.testing.ts';
import { MemoryBudget } from './memory-budget.ts';

const directory = temporaryDirectory();
afterAll(() => directory[Symbol.dispose]());

/** A type that needs this share of the available memory. */
const shareOf = (share: number) => f32(Math.ceil((availableBytes() * share) / 4));
const outOfMemory = (what: RegExp): unknown =>
  expect.objectContaining({
    code: 'OUT_OF_MEMORY',
    message: expect.stringMatching(
      new RegExp(`^${what.source}: [\\d.]+ [GM]iB of memory needed, [\\d.]+ [GM]iB available`),
    ),
  });

test('results that do not fit, individually or together', () => {
  using host = testHost(directory.path);
  const program = (...shares: readonly number[]) => {
    const types = shares.map(shareOf);
    return compiled(host, handWritten('_exit(3);', [], types, { name: 'wide' }));
  };
  expect(() => program(1.5).run([])).toThrow(outOfMemory(/the results of wide/));
  expect(() => program(0.6, 0.6).run([])).toThrow(outOfMemory(/the results of wide/));
});

test('temporaries that do not fit', () => {
  using host = testHost(directory.path);
  const program = handWritten('_exit(3);', [], [], { name: 'deep', arenaBytes: Math.ceil(availableBytes() * 1.5) });
  expect(() => compiled(host, program)).toThrow(outOfMemory(/the temporaries of deep/));
});

test('state of zeros has no memory yet, so its first update needs it', () => {
  using host = testHost(directory.path);
  const backend = new CpuBackend(host);
  const [type, rest] = [shareOf(0.6), shareOf(0.6)];
  const state = backend.upload(type, { kind: 'zeros' });
  const update = compiled(
    host,
    handWritten('_exit(3);', [type], [type, rest], { name: 'update', donated: [0, undefined] }),
  );
  expect(() => update.run([state])).toThrow(outOfMemory(/the results of update/));
  expect(state.isReady).toBe(true);
});

test('parameters that do not fit: one, or several before any is allocated', () => {
  using host = testHost(directory.path);
  const samples = { kind: 'uniform', key: 1n, counter: 0n, low: 0, high: 1 } as const;
  for (const isStarting of [false, true]) {
    const backend = new CpuBackend(host, undefined, isStarting);
    expect(() => backend.upload(shareOf(1.2), samples)).toThrow(outOfMemory(/tensor<\d+xf32>/));
  }
  const backend = new CpuBackend(host, undefined, true);
  backend.upload(shareOf(0.6), samples);
  expect(() => backend.upload(shareOf(0.6), samples)).toThrow(outOfMemory(/tensor<\d+xf32>/));
});

test('small amounts are requested together, and other reservations count', () => {
  const budget = new MemoryBudget(() => 2 ** 60);
  for (let i = 0; i < 63; i++) budget.require(1 << 20, 'a small one');
  expect(() => budget.require(1 << 20, 'a small one')).toThrow(expect.objectContaining({ code: 'OUT_OF_MEMORY' }));
  expect(() => new MemoryBudget().require(64 << 20, 'what fits')).not.toThrow();
});

test('unused memory is freed before an allocation is refused', () => {
  let settled = 0;
  const budget = new MemoryBudget(
    () => (settled === 0 ? 2 ** 60 : 0),
    () => void settled++,
  );
  budget.require(64 << 20, 'what fits');
  expect(settled).toBe(1);
});

/** A new memory control group with a limit; undefined if this process may not create one. */
function groupWith(limitBytes: number): string | undefined {
  try {
    const own = /^\d+:memory:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
    const version2 = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
    const parent = own === undefined ? join('/sys/fs/cgroup', version2 ?? '') : join('/sys/fs/cgroup/memory', own);
    const group = join(parent, `trenio-test-${process.pid}`);
    mkdirSync(group);
    try {
      writeFileSync(join(group, own === undefined ? 'memory.max' : 'memory.limit_in_bytes'), `${limitBytes}`);
      execFileSync('/bin/sh', ['-c', `echo 0 >'${group}/cgroup.procs'`], { stdio: 'ignore' });
      return group;
    } catch {
      rmdirSync(group);
      return undefined;
    }
  } catch {
    return undefined;
  }
}
const group = groupWith(700 << 20);
afterAll(() => group !== undefined && rmdirSync(group));

test.skipIf(group === undefined)(
  'in a control group of 700 MiB on a larger machine',
  () => {
    const at = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
    const script = `
    import { Runtime } from ${at('../runtime.ts')};
    import { tensorType } from ${at('../../hlo/types.ts')};
    const backend = new Runtime().backend('cpu');
    const samples = { kind: 'uniform', key: 1n, counter: 0n, low: 0, high: 1 };
    const made = [];
    try {
      for (let i = 0; i < 20; i++) made.push(backend.upload(tensorType('f32', [25 << 20]), samples));
    } catch (error) {
      console.log(error.code, made.length < 7);
    }`;
    const node = `echo 0 >'${group}/cgroup.procs' && exec '${process.execPath}' --no-warnings --input-type=module-typescript -e "$0"`;
    const run = spawnSync('/bin/sh', ['-c', node, script], {
      encoding: 'utf8',
      env: { ...inheritedVariables(), TRENIO_CACHE_DIR: directory.path },
    });
    expect(run).toMatchObject({ stdout: 'OUT_OF_MEMORY true\n', stderr: '', signal: null, status: 0 });
  },
  60_000,
);
