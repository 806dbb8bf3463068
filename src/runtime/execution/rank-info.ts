// Which of the ranks a process is, as data. comm/ranks.ts reads it from the environment.
export interface RankInfo {
  readonly rank: number;
  readonly worldSize: number;
  readonly localRank: number;
  readonly localWorldSize: number;
  /** The name of the shared memory; undefined for a single rank. */
  readonly segment: string | undefined;
}
