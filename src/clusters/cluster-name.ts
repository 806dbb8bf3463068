// The names that a new cluster can have: those of ParallelCluster, which are also valid names of folders and of Slurm's clusters.

const CLUSTER_NAME = /^[a-zA-Z][a-zA-Z0-9-]{0,59}$/;

/** The rule for names, for messages. */
export const clusterNameRule = 'a letter, then letters, digits and hyphens; at most 60 characters in all';

export const isClusterName = (name: string): boolean => CLUSTER_NAME.test(name);
