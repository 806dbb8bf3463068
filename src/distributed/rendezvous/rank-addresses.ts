// The ranks of a run on several hosts publish their addresses through the store. Done before the script starts, since the start
// of the runtime in the script cannot wait for a reply; the addresses are put into the rank's environment.
import { once } from 'node:events';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { readVariable, setVariable, type Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { formatRankAddress, formatRankTable, parseRankAddress, type RankAddress } from '../../base/rank-table.ts';
import { listenForRanks } from '../../runtime/comm/listen-for-ranks.ts';
import type { Store } from './store.ts';
import { connectStore } from './store-client.ts';

/** Publishes the address of a rank and waits for those of all. @throws {STORE_TIMEOUT} */
async function publishAddresses(store: Store, own: RankAddress, worldSize: number): Promise<readonly RankAddress[]> {
  const keys = Array.from({ length: worldSize }, (_, rank) => `rank-address/${rank}`);
  await store.set(keys[own.rank]!, formatRankAddress(own));
  await store.wait(keys);
  return await Promise.all(
    keys.map(async (key, rank) => {
      const text = await store.get(key);
      const row = parseRankAddress(text ?? '');
      if (row?.rank === rank) return row;
      throw new TrenioError('STORE_FAILED', { action: `get ${key}`, reason: `its value is '${text}'` });
    }),
  );
}

/** Sets TRENIO_COMM_TABLE and TRENIO_COMM_LISTENER in a rank of a run on several hosts that does not have them. */
export async function learnRankAddresses(variables?: Variables): Promise<void> {
  const worldSize = readVariable('WORLD_SIZE', variables) ?? 1;
  const isOnOneHost = (readVariable('LOCAL_WORLD_SIZE', variables) ?? worldSize) === worldSize;
  if (isOnOneHost || readVariable('TRENIO_COMM_TABLE', variables) !== undefined) return;
  if (readVariable('MASTER_ADDR', variables) === undefined) return;
  const address = readVariable('TRENIO_COMM_ADDRESS', variables) ?? (await addressTowardsStore(variables));
  const { file, port } = listenForRanks(address, variables);
  const rank = readVariable('RANK', variables) ?? 0;
  // Two launchers of a run may be on one machine: their ranks share no memory.
  const host = `${hostname()}.${rank - (readVariable('LOCAL_RANK', variables) ?? 0)}`;
  const store = await connectStore(variables);
  try {
    const own = { rank, host, pid: process.pid, address, port };
    const table = await publishAddresses(store, own, worldSize);
    setVariable('TRENIO_COMM_TABLE', formatRankTable(table));
    setVariable('TRENIO_COMM_LISTENER', `${file}`);
  } finally {
    store.close();
  }
}

/** The address of this host on the network through which it reaches the store. */
async function addressTowardsStore(variables: Variables | undefined): Promise<string> {
  const host = readVariable('MASTER_ADDR', variables)!;
  const socket = connect({ host, port: readVariable('MASTER_PORT', variables) ?? 0 });
  try {
    await once(socket, 'connect');
    return socket.localAddress ?? '127.0.0.1';
  } finally {
    socket.destroy();
  }
}
