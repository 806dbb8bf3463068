// Joins the ranks of other hosts. What is sent between them is native/network.c's.
import { hostname } from 'node:os';
import { TrenioError } from '../../base/errors.ts';
import { formatRankAddress, ranksPerHost } from '../../base/rank-table.ts';
import { errnoText } from './errno-text.ts';
import type { Address, NativeLibrary } from './native-library.ts';
import type { RankInfo } from './rank-info.ts';

/** Hosts may compile for the first time when they start, one longer than another. */
const JOIN_TIMEOUT_NS = 120e9;

/** EACCES and EBADMSG are the handshake's own. */
function reasonOf(errno: number): string {
  if (errnoText(errno).includes('EACCES')) return 'it does not know the secret of this run';
  return errnoText(errno);
}

/** @throws {CONNECT_FAILED} */
export function joinNetwork(native: NativeLibrary, runtime: Address, ranks: RankInfo): void {
  const { network, rank, worldSize, localRank } = ranks;
  if (network?.kind !== 'tcp') return;
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
  const { errno, peer } = native.tcpJoin(runtime, place, text, listener, secret, JOIN_TIMEOUT_NS);
  if (errno === 0) return;
  const other = table[peer];
  const name =
    other === undefined ? 'the other ranks' : `rank ${peer} on ${other.host}, ${other.address}:${other.port}`;
  throw new TrenioError('CONNECT_FAILED', { rank, peer: name, reason: reasonOf(errno) });
}
