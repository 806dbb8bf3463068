// The rank of this process, and its connections to the others: shared memory and, to other hosts, a network.
import { readVariable, type Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { formatRankTable } from '../../base/rank-table.ts';
import type { RankInfo, RankNetwork } from '../execution/rank-info.ts';
import { findMpiCompiler } from '../toolchain/c-compiler.ts';

/** The rank of this process, from the environment. @throws {BAD_ENVIRONMENT} for inconsistent numbers */
export function rankInfo(variables?: Variables): RankInfo {
  const traced = readVariable('TRENIO_TRACE_RANKS', variables);
  if (traced !== undefined) return firstOf(traced);
  const job = mpiJob(variables);
  if (job !== undefined) return job;
  const worldSize = readVariable('WORLD_SIZE', variables) ?? 1;
  const localWorldSize = readVariable('LOCAL_WORLD_SIZE', variables) ?? worldSize;
  const rank = readVariable('RANK', variables) ?? 0;
  const localRank = readVariable('LOCAL_RANK', variables) ?? rank;
  const segment = readVariable('TRENIO_SHM', variables);
  const check = (holds: boolean, name: string, value: string, expected: string): void => {
    if (!holds) throw new TrenioError('BAD_ENVIRONMENT', { name, value, expected });
  };
  check(rank < worldSize, 'RANK', `${rank}`, `a number below WORLD_SIZE, which is ${worldSize}`);
  check(
    localWorldSize <= worldSize,
    'LOCAL_WORLD_SIZE',
    `${localWorldSize}`,
    `at most WORLD_SIZE, which is ${worldSize}`,
  );
  check(
    localRank < localWorldSize,
    'LOCAL_RANK',
    `${localRank}`,
    `a number below LOCAL_WORLD_SIZE, which is ${localWorldSize}`,
  );
  const isSingle = worldSize === 1;
  const network = networkOf(rank, worldSize, localWorldSize, variables);
  check(
    localWorldSize === 1 || segment !== undefined,
    'TRENIO_SHM',
    '',
    'the value set by trenio run, since there are several ranks',
  );
  if (network?.kind === 'tcp') {
    const first = rank - localRank;
    const here = network.table.map(({ host }) => host === network.table[rank]?.host);
    const fits = here.every((isHere, k) => isHere === (k >= first && k < first + localWorldSize));
    const expected = `a row for each of ${worldSize} ranks, and ranks ${first} to ${first + localWorldSize - 1} of the same host`;
    check(network.table.length === worldSize && fits, 'TRENIO_COMM_TABLE', formatRankTable(network.table), expected);
  }
  return {
    rank,
    worldSize,
    localRank,
    localWorldSize,
    segment: isSingle ? undefined : segment,
    network,
    timeoutSeconds: readVariable('TRENIO_COMM_TIMEOUT', variables) ?? DEFAULT_TIMEOUT_SECONDS,
  };
}

/** A script that is traced has no peers: no program runs, so nothing is exchanged. */
const firstOf = (worldSize: number): RankInfo => ({
  rank: 0,
  worldSize,
  localRank: 0,
  localWorldSize: worldSize,
  segment: undefined,
});

/**
 * The ranks of a job started by mpirun or srun, without our launcher: they find each other through MPI.
 * Undefined if `trenio run` has started them, or if there is no MPI compiler.
 */
function mpiJob(variables: Variables | undefined): RankInfo | undefined {
  const transport = readVariable('TRENIO_TRANSPORT', variables);
  const openMpi = readVariable('OMPI_COMM_WORLD_RANK', variables);
  const rank = openMpi ?? readVariable('PMI_RANK', variables) ?? readVariable('PMIX_RANK', variables);
  const worldSize =
    readVariable('OMPI_COMM_WORLD_SIZE', variables) ??
    readVariable('PMI_SIZE', variables) ??
    readVariable('SLURM_STEP_NUM_TASKS', variables) ??
    1;
  const isOurs = readVariable('TRENIO_SHM', variables) ?? readVariable('WORLD_SIZE', variables);
  if (rank === undefined || worldSize === 1 || isOurs !== undefined || transport === 'tcp') return undefined;
  if (transport === undefined && findMpiCompiler(variables) === undefined) return undefined;
  return {
    rank,
    worldSize,
    localRank:
      readVariable('OMPI_COMM_WORLD_LOCAL_RANK', variables) ??
      readVariable('MPI_LOCALRANKID', variables) ??
      readVariable('SLURM_LOCALID', variables) ??
      0,
    localWorldSize:
      readVariable('OMPI_COMM_WORLD_LOCAL_SIZE', variables) ??
      readVariable('MPI_LOCALNRANKS', variables) ??
      Math.ceil(worldSize / (readVariable('SLURM_STEP_NUM_NODES', variables) ?? worldSize)),
    segment: undefined,
    network: { kind: 'mpi' },
    timeoutSeconds: readVariable('TRENIO_COMM_TIMEOUT', variables) ?? DEFAULT_TIMEOUT_SECONDS,
  };
}

/**
 * The number of tasks of the MPI job or Slurm step of this process, if there are several although it is the only rank of its
 * run. Each task then trains alone.
 */
export function unconnectedTasks(variables?: Variables): number | undefined {
  if (readVariable('WORLD_SIZE', variables) !== undefined || rankInfo(variables).worldSize > 1) return undefined;
  const tasks =
    readVariable('OMPI_COMM_WORLD_SIZE', variables) ??
    readVariable('PMI_SIZE', variables) ??
    readVariable('SLURM_STEP_NUM_TASKS', variables) ??
    1;
  return tasks === 1 ? undefined : tasks;
}

/** Half an hour, as in PyTorch. */
const DEFAULT_TIMEOUT_SECONDS = 1800;

function networkOf(
  rank: number,
  worldSize: number,
  localWorldSize: number,
  variables: Variables | undefined,
): RankNetwork | undefined {
  const table = readVariable('TRENIO_COMM_TABLE', variables);
  if (worldSize === localWorldSize && table === undefined) return undefined;
  if (table === undefined) {
    const name = 'TRENIO_COMM_TABLE';
    const expected = `what trenio run sets, as rank ${rank} is one of ${worldSize} and ${localWorldSize} of them are on this host`;
    throw new TrenioError('BAD_ENVIRONMENT', { name, value: '', expected });
  }
  const secret = readVariable('TRENIO_RDZV_SECRET', variables);
  if (secret === undefined) {
    const expected = 'the value set by trenio run, since there are ranks on several hosts';
    throw new TrenioError('BAD_ENVIRONMENT', { name: 'TRENIO_RDZV_SECRET', value: '', expected });
  }
  return { kind: 'tcp', table, listener: readVariable('TRENIO_COMM_LISTENER', variables), secret };
}
