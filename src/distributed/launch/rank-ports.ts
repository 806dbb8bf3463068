// Where the ranks of a run on several machines listen for each other: a free port for each, and the table of all.
import { createServer } from 'node:net';
import { TrenioError } from '../../base/errors.ts';
import { formatRankTable } from '../../base/rank-table.ts';
import type { NodePlace } from './messages.ts';

/** Ports at which nothing listens now; the ranks listen there when they start. @throws {CANNOT_LISTEN} */
export async function freePorts(address: string, count: number): Promise<readonly number[]> {
  // All at once, so that they differ.
  const servers = Array.from({ length: count }, () => createServer());
  try {
    return await Promise.all(
      servers.map(async server => {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        server.once('error', reject);
        server.listen({ host: address, port: 0 }, resolve);
        await promise;
        const bound = server.address();
        return typeof bound === 'object' && bound !== null ? bound.port : 0;
      }),
    );
  } catch (error) {
    throw new TrenioError('CANNOT_LISTEN', { host: address, port: 0, reason: (error as Error).message });
  } finally {
    await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
  }
}

/** TRENIO_COMM_TABLE: a row for each rank of all nodes. */
export function rankTable(nodes: readonly NodePlace[], sharesMemory: boolean): string {
  const names = nodes.map(({ host }) => host);
  const isDistinct = sharesMemory || new Set(names).size === names.length;
  return formatRankTable(
    nodes
      // Nodes of one machine are told apart unless their ranks share memory.
      .flatMap(({ host, address, ports }, node) =>
        ports.map(port => ({ host: isDistinct ? host : `${host}.${node}`, address, port })),
      )
      .map((row, rank) => ({ ...row, rank, pid: 0 })),
  );
}
