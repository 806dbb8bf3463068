// `trenio run` under real MPI launchers on this machine: no options, ranks that are the job's, collectives in shared memory.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { inheritedVariables } from '../../base/environment.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const script = fileURLToPath(new URL('../../distributed/launch/fixtures/collectives.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'trenio-mpi-'));
afterAll(() => rmSync(folder, { recursive: true }));

const launchers = [
  ['mpirun.openmpi', ['--oversubscribe', '--bind-to', 'none', '-n', '2']],
  ['mpiexec.mpich', ['-n', '2']],
] as const;

describe.each(launchers)('%s', (command, args) => {
  const isMissing = spawnSync(command, ['--version']).error !== undefined;

  // Not skipped where CI is set: .ci/run installs both.
  test.skipIf(isMissing && inheritedVariables().CI === undefined)(
    'two tasks are two ranks',
    { timeout: 180_000 },
    async () => {
      const child = spawn(command, [...args, process.execPath, main, 'run', '--json', script], {
        env: {
          ...inheritedVariables(),
          OMPI_ALLOW_RUN_AS_ROOT: '1',
          OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1',
          TRENIO_RDZV_SECRET: 'of this test and no other',
          TMPDIR: folder,
        },
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString();
        });
      const exitCode = await new Promise(resolve => child.once('close', resolve));
      expect(exitCode, output).toBe(0);
      for (const rank of [0, 1]) expect(output).toContain(`{"rank":${rank},"localRank":${rank},"worldSize":2`);
      expect(output.match(/after the barrier/g)).toHaveLength(2);
      expect(output.match(/"exitCode":0,"reason":null,"restarts":0/g)).toHaveLength(2);
    },
  );
});
