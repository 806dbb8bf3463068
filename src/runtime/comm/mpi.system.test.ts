// Ranks that mpirun or mpiexec has started: those of a host share memory, others reach each other through MPI. Hosts are
// processes with different host names. Skipped where there is no MPI, but not in CI.
import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { inheritedVariables } from '../../base/environment.ts';
import { temporaryCache } from '../engine.testing.ts';
import { findMpiCompiler } from '../toolchain/c-compiler.ts';
import { mpichPath } from './mpich.testing.ts';

const cache = temporaryCache();
afterAll(() => cache[Symbol.dispose]());
const launchers = [
  // By default, Open MPI refuses to run more ranks than cores, and to run as root.
  {
    name: 'Open MPI',
    command: 'mpirun.openmpi',
    flags: ['--oversubscribe', '--bind-to', 'none', ...(process.getuid?.() === 0 ? ['--allow-run-as-root'] : [])],
    compilers: undefined,
  },
  { name: 'MPICH', command: 'mpiexec.mpich', flags: [], compilers: mpichPath(cache.path) },
];

const hasHostNames = spawnSync('unshare', ['--uts', 'true']).status === 0;
/** A rank whose host's name has the number of its host, if there are `perHost` ranks a host. */
const onHost = (perHost: number): string[] => [
  'unshare',
  '--uts',
  'sh',
  '-c',
  `hostname host$((\${OMPI_COMM_WORLD_RANK:-$PMI_RANK} / ${perHost})); exec "$@"`,
  'sh',
];
const layouts = [
  { where: 'one host', ranks: 3, wrapper: [] },
  { where: 'two hosts', ranks: 2, wrapper: onHost(1) },
  { where: 'two hosts of two ranks', ranks: 4, wrapper: onHost(2) },
];
const cases = launchers.flatMap(launcher => layouts.map(layout => ({ ...launcher, ...layout })));

// Not skipped where CI is set: .ci/run installs both.
test.for(cases)(
  'sums and parts of all ranks, threads on separate CPUs, and a clean exit: $name, $where',
  { timeout: 180_000 },
  ({ name, command, flags, compilers, ranks, wrapper }, context) => {
    const path = [compilers, process.env.PATH].filter(part => part !== undefined).join(':');
    const variables = { ...inheritedVariables(), PATH: path };
    const isMissing =
      spawnSync(command, ['--version']).error !== undefined || (name === 'MPICH' && compilers === undefined);
    const isUnfit = isMissing || findMpiCompiler(variables) === undefined || (wrapper.length > 0 && !hasHostNames);
    if (process.env.CI === undefined && isUnfit) context.skip();
    const runtime = new URL('../index.ts', import.meta.url);
    const script = `
    import { defaultRuntime } from '${runtime}';
    import { literal, toNumbers } from '${new URL('../../hlo/literal.ts', import.meta.url)}';
    import { threadPlan } from '${new URL('../execution/threads.ts', import.meta.url)}';
    const runtime = defaultRuntime();
    const { rank, worldSize } = runtime.ranks;
    const ofRanks = worldSize * (worldSize - 1) / 2;
    let wrong = 0;
    // Also where messages over MPI begin to consist of one more piece, or of long data.
    for (const n of [0, 1, 5, 512, 513, 1040, 1041, 2048, 2049, 3000, 4160, 4161, 8192, 8193, 100000, 700000]) {
      const own = literal('f32', [n], Float32Array.from({ length: n }, (_, i) => rank + (i % 1000)));
      toNumbers(runtime.allReduce(own, 'add')).forEach((x, i) => { if (x !== worldSize * (i % 1000) + ofRanks) wrong++; });
      const parts = runtime.allGather(new Uint8Array(n).fill(rank + 1));
      if (!parts.every((bytes, k) => bytes.length === n && bytes.every(byte => byte === k + 1))) wrong++;
    }
    for (let i = 0; i < 100; i++) runtime.barrier();
    console.log(JSON.stringify({ rank, wrong, cpus: [...threadPlan(process.env, runtime.ranks)] }));`;
    const { status, stdout, stderr } = spawnSync(
      command,
      [...flags, '-n', `${ranks}`, ...wrapper, process.execPath, '--input-type=module-typescript', '-e', script],
      { encoding: 'utf8', env: { ...variables, TRENIO_CACHE_DIR: cache.path }, timeout: 150_000 },
    );
    expect(status, stderr).toBe(0);
    const lines = stdout.trim().split('\n');
    const said = lines.map(line => JSON.parse(line) as { rank: number; wrong: number; cpus: readonly number[] });
    said.sort((a, b) => a.rank - b.rank);
    expect(said.map(({ rank, wrong }) => [rank, wrong])).toEqual(Array.from({ length: ranks }, (_, rank) => [rank, 0]));
    // Two ranks pinned to one CPU would starve each other.
    const pinned = said.flatMap(({ cpus }) => cpus).filter(cpu => cpu >= 0);
    expect(pinned).toEqual([...new Set(pinned)]);
  },
);
