// The database of a cluster's jobs: a MariaDB in the cluster's folder, reachable only through a socket, and slurmdbd on top.
import type { ClusterPlan } from '../cluster-plan.ts';
import type { SlurmSite } from './slurm-site.ts';

/** The port after those of slurmctld and slurmd. */
const slurmdbdPort = (port: number): number => port + 2;
export const databaseSocket = (runFolder: string): string => `${runFolder}/db.sock`;

/** Readable only by its owner, as slurmdbd requires. */
export const SLURMDBD_CONF_MODE = 0o600;

export function slurmdbdConf(plan: ClusterPlan, { folder, runFolder, port, user }: SlurmSite): string {
  const lines = {
    AuthType: 'auth/munge',
    AuthInfo: `socket=${runFolder}/munge/munge.sock`,
    DbdHost: 'localhost',
    DbdPort: slurmdbdPort(port),
    // Only on the address of DbdHost, which other machines and the nodes cannot reach.
    CommunicationParameters: 'NoInAddrAny',
    SlurmUser: user,
    StorageType: 'accounting_storage/mysql',
    // Through the socket in MYSQL_UNIX_PORT, as the system user.
    StorageHost: 'localhost',
    StorageUser: 'root',
    StorageLoc: plan.database ?? 'slurm_acct_db',
    PidFile: `${runFolder}/slurmdbd.pid`,
    LogFile: `${folder}/log/slurmdbd.log`,
  };
  return Object.entries(lines)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}

/** Lines of slurm.conf. @param resources generic resources that are counted */
export function accountingLines(
  plan: ClusterPlan,
  { folder, runFolder, port }: SlurmSite,
  resources: readonly string[],
): readonly (readonly [string, string | number])[] {
  if (plan.database === undefined)
    return [
      ['AccountingStorageType', 'accounting_storage/none'],
      ['JobCompType', 'jobcomp/filetxt'],
      ['JobCompLoc', `${folder}/log/jobcomp.txt`],
    ];
  return [
    ['AccountingStorageType', 'accounting_storage/slurmdbd'],
    ['AccountingStorageHost', '127.0.0.1'],
    ['AccountingStoragePort', slurmdbdPort(port)],
    ['AccountingStoragePass', `${runFolder}/munge/munge.sock`],
    ...(resources.length === 0
      ? []
      : ([['AccountingStorageTRES', resources.map(name => `gres/${name}`).join(',')]] as const)),
    ['JobCompType', 'jobcomp/filetxt'],
    ['JobCompLoc', `${folder}/log/jobcomp.txt`],
  ];
}

/** Creates the tables of an empty MariaDB. */
export const installDatabase = (program: string, dataFolder: string, user: string): readonly string[] => [
  program,
  '--no-defaults',
  `--datadir=${dataFolder}`,
  `--user=${user}`,
  '--auth-root-authentication-method=socket',
  `--auth-root-socket-user=${user}`,
  '--skip-test-db',
];

export const databaseServer = (
  program: string,
  dataFolder: string,
  runFolder: string,
  user: string,
): readonly string[] => [
  program,
  '--no-defaults',
  `--datadir=${dataFolder}`,
  `--user=${user}`,
  // No port.
  '--skip-networking',
  `--socket=${databaseSocket(runFolder)}`,
  `--pid-file=${runFolder}/db.pid`,
  // Settings that slurmdbd requires, with small values for a single cluster.
  '--innodb-buffer-pool-size=64M',
  '--innodb-log-file-size=16M',
  '--innodb-lock-wait-timeout=900',
];
