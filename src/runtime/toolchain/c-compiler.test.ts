import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findMpiCompiler } from './c-compiler.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-mpicc-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('where several MPIs are installed, the compiler is that of the one that has started the process', () => {
  const found = (variables: Readonly<Record<string, string>>): string =>
    basename(findMpiCompiler({ PATH: folder, ...variables })?.path ?? 'none');
  expect(found({})).toBe('none');
  writeFileSync(join(folder, 'mpicc'), '', { mode: 0o755 });
  expect(found({ PMI_SIZE: '2' })).toBe('mpicc');
  for (const name of ['mpicc.openmpi', 'mpicc.mpich']) writeFileSync(join(folder, name), '', { mode: 0o755 });
  expect(found({})).toBe('mpicc');
  expect(found({ OMPI_COMM_WORLD_SIZE: '2' })).toBe('mpicc.openmpi');
  expect(found({ PMI_SIZE: '2' })).toBe('mpicc.mpich');
  expect(found({ PMI_SIZE: '2', SLURM_PROCID: '0' })).toBe('mpicc');
});
