// Which of the ranks a process is, as data. comm/ranks.ts reads it from the environment.
/** Ranks that can share memory on one machine, as in native/shared.h. */
export const MAX_LOCAL_RANKS = 4096;

export interface RankInfo {
  readonly rank: number;
  readonly worldSize: number;
  readonly localRank: number;
  readonly localWorldSize: number;
  /** The name of the shared memory; undefined for a single rank. */
  readonly segment: string | undefined;
}
