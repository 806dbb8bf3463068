// Slurm's and munge's programs on this machine, and the package that each is from.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { inheritedVariables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';

const packages = {
  slurmctld: 'slurmctld',
  slurmd: 'slurmd',
  scontrol: 'slurm-client',
  sinfo: 'slurm-client',
  munged: 'munge',
} as const;
export type SlurmProgram = keyof typeof packages;

/** Debian keeps daemons where the PATH of ordinary users does not lead. */
const folders = (): readonly string[] => [
  ...(inheritedVariables().PATH ?? '').split(delimiter),
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
];

function find(program: string): string | undefined {
  for (const folder of folders()) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder, or not a program.
    }
  }
  return undefined;
}

/**
 * The path of each program.
 * @throws {SLURM_NOT_INSTALLED} with what to install
 */
export function slurmPrograms(): Readonly<Record<SlurmProgram, string>> {
  const found = Object.keys(packages).map(name => [name, find(name)] as const);
  const missing = found.flatMap(([name, path]) => (path === undefined ? [name as SlurmProgram] : []));
  if (missing.length > 0)
    throw new TrenioError('SLURM_NOT_INSTALLED', {
      programs: missing,
      packages: [...new Set(['slurm-wlm-basic-plugins', ...missing.map(name => packages[name])])].sort(),
    });
  return Object.fromEntries(found) as Record<SlurmProgram, string>;
}

/** Set for the daemons of a cluster, and so found in /proc: the folder of their cluster. Jobs do not inherit it. */
export const CLUSTER_MARK = 'TRENIO_CLUSTER_FOLDER';

/** The environment of Slurm's clients. */
export const slurmVariables = (conf: string): NodeJS.ProcessEnv => ({
  ...inheritedVariables(),
  PATH: folders().join(delimiter),
  SLURM_CONF: conf,
});
