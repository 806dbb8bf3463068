// Joins the ranks of other hosts. native/network.c defines the messages between them.
import { hostname } from 'node:os';
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import { formatRankAddress, ranksPerHost } from '../../base/rank-table.ts';
import { errnoText } from './errno-text.ts';
import type { Address, NativeLibrary } from './native-library.ts';
import type { RankInfo } from './rank-info.ts';
import { newSegmentName } from './segment-name.ts';

/** Seconds that a rank waits for connections. Hosts may have to compile first when they start, some longer than others. */
const JOIN_SECONDS = { least: 30, most: 120 };

/** EACCES and ECANCELED are defined by native/tcp.c. */
function reasonOf(errno: number, seconds: number): string {
  const text = errnoText(errno);
  if (text.includes('EACCES')) return 'it does not know the secret of this run';
  if (text.includes('ECANCELED')) return 'the launcher or a rank of this host has ended';
  if (text.includes('ETIMEDOUT')) return `no connection after ${seconds} s`;
  return text;
}

/**
 * `mpiLibrary`: the library that mpicc compiled from native/mpi_shim.c.
 * @throws {CONNECT_FAILED}
 * @throws {MPI_FAILED}
 */
export function joinNetwork(
  native: NativeLibrary,
  runtime: Address,
  ranks: RankInfo,
  mpiLibrary: (() => string) | undefined,
): void {
  const { network, rank, worldSize, localRank } = ranks;
  if (network === undefined) return;
  if (network.kind === 'mpi') {
    joinMpi(native, runtime, ranks, mpiLibrary);
    return;
  }
  const { table, secret } = network;
  const own = table[rank]!;
  native.hostName(runtime, own.host || hostname());
  let { listener } = network;
  if (listener === undefined) {
    const opened = native.tcpListen(own.address, own.port);
    if (opened.errno !== 0) {
      const peer = `the other ranks: it cannot listen at ${own.address}:${own.port}`;
      throw new TrenioError('CONNECT_FAILED', { rank, peer, reason: errnoText(opened.errno) });
    }
    listener = opened.file;
  }
  const place = {
    rank,
    worldSize,
    firstLocal: rank - localRank,
    locals: ranks.localWorldSize,
    alike: ranksPerHost(table),
  };
  const text = table.map(row => `${formatRankAddress(row)}\n`).join('');
  const limit = ranks.timeoutSeconds || JOIN_SECONDS.most;
  const seconds = Math.min(Math.max(limit, JOIN_SECONDS.least), JOIN_SECONDS.most);
  const { errno, peers } = native.tcpJoin(runtime, place, text, listener, secret, seconds * 1e9);
  if (errno === 0) return;
  const names = peers.slice(0, 8).map(peer => {
    const { host, address, port } = table[peer]!;
    // Higher ranks connect to this one.
    return peer > rank ? `rank ${peer} on ${host}` : `rank ${peer} on ${host}, ${address}:${port}`;
  });
  if (peers.length > 8) names.push(`${peers.length - 8} more`);
  const peer = names.length === 0 ? 'the other ranks' : names.join(' and ');
  throw new TrenioError('CONNECT_FAILED', { rank, peer, reason: reasonOf(errno, seconds) });
}

/** Debian has mpicc in another package than the headers and libraries that it uses. */
function mpiShim(library: () => string): string {
  try {
    return library();
  } catch (error) {
    const lacks =
      isTrenioError(error, 'C_COMPILER_FAILED') && /mpi\.h|cannot find -l|wrapper compiler/.test(error.data.output);
    if (!lacks) throw error;
    throw new TrenioError('MPI_FAILED', {
      action: 'start',
      reason: `mpicc (${error.data.compiler}) does not find mpi.h or its library: install libopenmpi-dev, or libmpich-dev for MPICH`,
    });
  }
}

function joinMpi(
  native: NativeLibrary,
  runtime: Address,
  { rank, worldSize }: RankInfo,
  library: (() => string) | undefined,
): void {
  if (library === undefined) throw new TrenioError('MPI_FAILED', { action: 'start', reason: 'there is no mpicc' });
  const mpi = native.mpiOpen(mpiShim(library));
  const reason = mpi.error === -1 ? mpi.name : `error ${mpi.error}`;
  if (mpi.error !== 0) throw new TrenioError('MPI_FAILED', { action: 'start', reason });
  if (mpi.rank !== rank || mpi.worldSize !== worldSize) {
    const counted = `${mpi.name} reports rank ${mpi.rank} of ${mpi.worldSize}, the job's environment as rank ${rank} of ${worldSize}`;
    throw new TrenioError('MPI_FAILED', { action: 'find the ranks of the job', reason: counted });
  }
  native.hostName(runtime, hostname());
  const own = formatRankAddress({ rank, host: hostname(), pid: process.pid, address: '-', port: 0 });
  const error = native.mpiJoin(runtime, rank, worldSize, `${own}\n`, newSegmentName());
  if (error !== 0) throw new TrenioError('MPI_FAILED', { action: 'connect the ranks', reason: `error ${error}` });
}
