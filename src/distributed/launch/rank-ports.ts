// The sockets on which the ranks of a run on several machines listen: one per rank, which the launcher keeps open and its ranks
// inherit, so that no other process can take the port between two attempts; and the table of all.
import { closeSync } from 'node:fs';
import { createServer } from 'node:net';
import { isTrenioError, TrenioError } from '../../base/errors.ts';
import { formatRankTable } from '../../base/rank-table.ts';
import type { NodePlace } from './messages.ts';

/** The sockets at which the ranks of this machine listen. */
export interface RankListeners {
  readonly ports: readonly number[];
  /** Their file descriptors; undefined if the ranks must open them themselves. */
  readonly files: readonly number[] | undefined;
  close(): void;
}

/** @throws {CANNOT_LISTEN} */
export async function listenersForRanks(
  address: string,
  count: number,
  listen: (address: string) => Promise<{ readonly file: number; readonly port: number }>,
): Promise<RankListeners> {
  const files: number[] = [];
  const ports: number[] = [];
  const close = (): void => {
    for (const file of files.splice(0)) closeSync(file);
  };
  try {
    for (let i = 0; i < count; i++) {
      const { file, port } = await listen(address);
      files.push(file);
      ports.push(port);
    }
    return { ports, files, close };
  } catch (error) {
    close();
    // Scripts without tensors need no compiler, and nothing listens for them.
    if (isTrenioError(error, 'NO_C_COMPILER'))
      return { ports: await freePorts(address, count), files: undefined, close };
    if (isTrenioError(error, 'CONNECT_FAILED'))
      throw new TrenioError('CANNOT_LISTEN', { host: address, port: 0, reason: error.data.reason });
    throw error;
  }
}

/** Ports at which nothing listens now; the ranks listen there when they start. @throws {CANNOT_LISTEN} */
async function freePorts(address: string, count: number): Promise<readonly number[]> {
  // All are opened at the same time, so that they differ.
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
      // Nodes of one machine are distinguished unless their ranks share memory.
      .flatMap(({ host, address, ports }, node) =>
        ports.map(port => ({ host: isDistinct ? host : `${host}.${node}`, address, port })),
      )
      .map((row, rank) => ({ ...row, rank, pid: 0 })),
  );
}
