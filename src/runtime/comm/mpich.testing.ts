// For tests: MPICH's compiler under the name `mpicc`, in case that name belongs to Open MPI.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** A directory to prepend to PATH, in `folder`; undefined if there is no MPICH with its headers. */
export function mpichPath(folder: string): string | undefined {
  const found = spawnSync('sh', ['-c', 'command -v mpicc.mpich'], { encoding: 'utf8' }).stdout.trim();
  if (found === '') return undefined;
  const directory = join(folder, 'mpich');
  mkdirSync(directory, { recursive: true });
  if (!existsSync(join(directory, 'mpicc'))) symlinkSync(found, join(directory, 'mpicc'));
  return directory;
}
