// The rank of a process and its neighbors, as data. comm/ranks.ts reads it from the environment.
import type { RankAddress } from '../../base/rank-table.ts';

/** The maximum number of ranks that can share memory on one machine, as in native/shared.h. */
export const MAX_LOCAL_RANKS = 4096;

export interface RankInfo {
  readonly rank: number;
  readonly worldSize: number;
  readonly localRank: number;
  readonly localWorldSize: number;
  /** The name of the shared memory; undefined for a single rank, or the only one on this host. */
  readonly segment: string | undefined;
  /** The transport to ranks on other hosts; undefined if there are none. */
  readonly network?: RankNetwork | undefined;
  /** Seconds that a collective waits for other ranks; 0: no limit. */
  readonly timeoutSeconds?: number | undefined;
}

export type RankNetwork =
  | {
      readonly kind: 'tcp';
      /** The addresses of all ranks. */
      readonly table: readonly RankAddress[];
      /** The socket at which this rank listens; undefined if it opens one itself. */
      readonly listener: number | undefined;
      readonly secret: string;
    }
  | { readonly kind: 'mpi' };
