// The programs of Slurm and munge on this machine, and the package of each.
import { accessSync, constants } from 'node:fs';
import { userInfo } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { inheritedVariables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';

const packages = {
  slurmctld: 'slurmctld',
  slurmd: 'slurmd',
  scontrol: 'slurm-client',
  sinfo: 'slurm-client',
  munged: 'munge',
} as const;
/** For accounting. */
const databasePackages = {
  mariadbd: 'mariadb-server',
  'mariadb-install-db': 'mariadb-server',
  slurmdbd: 'slurmdbd',
  sacctmgr: 'slurm-client',
} as const;
export type SlurmProgram = keyof typeof packages;

/** Debian installs daemons in folders that are not in the PATH of ordinary users. */
const folders = (): readonly string[] => [
  ...(inheritedVariables().PATH ?? '').split(delimiter),
  '/usr/local/sbin',
  '/usr/sbin',
  '/sbin',
];

function findProgram(program: string): string | undefined {
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

function findAll<T extends string>(
  packagesOf: Readonly<Record<T, string>>,
  besides: readonly string[],
): Readonly<Record<T, string>> {
  const found = (Object.keys(packagesOf) as T[]).map(name => [name, findProgram(name)] as const);
  const missing = found.flatMap(([name, path]) => (path === undefined ? [name] : []));
  if (missing.length > 0)
    throw new TrenioError('SLURM_NOT_INSTALLED', {
      programs: missing,
      packages: [...new Set([...besides, ...missing.map(name => packagesOf[name])])].sort(),
    });
  return Object.fromEntries(found) as Record<T, string>;
}

/**
 * The path of each program.
 * @throws {SLURM_NOT_INSTALLED} with the packages to install
 */
export const slurmPrograms = (): Readonly<Record<SlurmProgram, string>> =>
  findAll(packages, ['slurm-wlm-basic-plugins']);

/**
 * The programs of the accounting database.
 * @throws {SLURM_NOT_INSTALLED}
 */
export const databasePrograms = (): Readonly<Record<keyof typeof databasePackages, string>> =>
  findAll(databasePackages, ['slurm-wlm-mysql-plugin']);

/**
 * The server of Slurm's REST interface.
 * @throws {SLURM_NOT_INSTALLED}
 */
export const restProgram = (): string => findAll({ slurmrestd: 'slurmrestd' }, []).slurmrestd;

/** A variable of a cluster's daemons with the folder of the cluster, by which they are found in /proc. Jobs do not inherit it. */
export const CLUSTER_MARK = 'TRENIO_CLUSTER_FOLDER';

/** The name of this user, which Slurm looks up. @throws {UNSUPPORTED} for a user without a name, as in some containers */
export function slurmUser(): string {
  try {
    return userInfo().username;
  } catch {
    throw new TrenioError('UNSUPPORTED', {
      what: `user ${process.getuid?.() ?? ''} without an entry in /etc/passwd`,
      where: 'Slurm, which looks up the names of its users',
      instead: `add one: useradd --uid ${process.getuid?.() ?? ''} NAME (as root); trenio run works without`,
    });
  }
}

/** The folder of a cluster with `ssh` for its nodes and the commands of Neuron, which is first on the PATH of its jobs. */
export const commandFolder = (conf: string): string => join(dirname(dirname(conf)), 'commands');

/** The environment of Slurm's clients. */
export const slurmVariables = (conf: string): NodeJS.ProcessEnv => ({
  ...inheritedVariables(),
  PATH: [commandFolder(conf), ...folders()].join(delimiter),
  SLURM_CONF: conf,
});
