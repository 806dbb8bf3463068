// A rule about several keys of a file that each are right by themselves.
import type { ClusterFile } from './cluster-file.ts';
import type { ConfigProblem } from './problem.ts';

export type Finding = Pick<ConfigProblem, 'path' | 'message'> & { readonly level?: ConfigProblem['level'] };

export interface Rule {
  /** Named as ParallelCluster names its validators, where it has one. */
  readonly type: string;
  check(file: ClusterFile, clusterName: string): Iterable<Finding>;
}

/** The names that occur more than once. */
export const repeated = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, i) => names.indexOf(name) !== i)),
];
