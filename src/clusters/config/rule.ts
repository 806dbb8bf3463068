// A rule that involves several keys, each of which is valid by itself.
import type { ClusterFile } from './cluster-file.ts';
import type { ConfigProblem } from './problem.ts';

export type Finding = Pick<ConfigProblem, 'path' | 'message'> & { readonly level?: ConfigProblem['level'] };

export interface Rule {
  /** The name of ParallelCluster's corresponding validator, if there is one. */
  readonly type: string;
  check(file: ClusterFile, clusterName: string): Iterable<Finding>;
}

/** The names that occur more than once. */
export const repeated = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, i) => names.indexOf(name) !== i)),
];
