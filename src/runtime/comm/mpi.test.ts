// Ranks that mpirun or mpiexec has started reach each other through MPI. Skipped where there is no MPI, but not in CI.
import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { inheritedVariables } from '../../base/environment.ts';
import { temporaryDirectory } from '../engine.testing.ts';
import { findMpiCompiler } from '../toolchain/c-compiler.ts';
import { mpichPath } from './mpich.testing.ts';

const cache = temporaryDirectory();
afterAll(() => cache[Symbol.dispose]());
const launchers = [
  // Open MPI refuses more ranks than cores, and root.
  {
    name: 'Open MPI',
    command: 'mpirun.openmpi',
    flags: ['--oversubscribe', ...(process.getuid?.() === 0 ? ['--allow-run-as-root'] : [])],
    compilers: undefined,
  },
  { name: 'MPICH', command: 'mpiexec.mpich', flags: [], compilers: mpichPath(cache.path) },
];

// Not skipped where CI is set: .ci/run installs both.
test.for(launchers)(
  'sums and parts of all ranks, and a clean end: $name',
  { timeout: 60_000 },
  ({ name, command, flags, compilers }, context) => {
    const path = [compilers, process.env.PATH].filter(part => part !== undefined).join(':');
    const variables = { ...inheritedVariables(), PATH: path };
    const isMissing =
      spawnSync(command, ['--version']).error !== undefined || (name === 'MPICH' && compilers === undefined);
    if (process.env.CI === undefined && (isMissing || findMpiCompiler(variables) === undefined)) context.skip();
    const runtime = new URL('../index.ts', import.meta.url);
    const script = `
    import { defaultRuntime } from '${runtime}';
    import { literal, toNumbers } from '${new URL('../../hlo/literal.ts', import.meta.url)}';
    const runtime = defaultRuntime();
    const { rank, worldSize } = runtime.ranks;
    let wrong = 0;
    for (const n of [0, 1, 5, 3000, 100000, 700000]) {
      const own = literal('f32', [n], Float32Array.from({ length: n }, (_, i) => rank + (i % 1000)));
      toNumbers(runtime.allReduce(own, 'add')).forEach((x, i) => { if (x !== 3 * (i % 1000) + 3) wrong++; });
      const parts = runtime.allGather(new Uint8Array(n).fill(rank + 1));
      if (!parts.every((bytes, k) => bytes.length === n && bytes.every(byte => byte === k + 1))) wrong++;
    }
    for (let i = 0; i < 100; i++) runtime.barrier();
    console.log('rank ' + rank + ' of ' + worldSize + ': ' + wrong + ' wrong');`;
    const { status, stdout, stderr } = spawnSync(
      command,
      [...flags, '-n', '3', process.execPath, '--input-type=module-typescript', '-e', script],
      {
        encoding: 'utf8',
        env: { ...variables, TRENIO_CACHE_DIR: cache.path, TRENIO_NUM_THREADS: '1' },
        timeout: 50_000,
      },
    );
    expect([status, stdout.trim().split('\n').sort()], stderr).toEqual([
      0,
      [0, 1, 2].map(rank => `rank ${rank} of 3: 0 wrong`),
    ]);
  },
);
