// Slurm clusters on this machine, from ParallelCluster configuration files.
export { ClusterFolder, clustersFolder, findCluster } from './cluster-folder.ts';
export { createCluster, deleteCluster, setFleet } from './cluster-life.ts';
export { planCluster } from './cluster-plan.ts';
export { type ParsedConfig, parseConfig } from './config/parse-config.ts';
export type { ConfigProblem } from './config/problem.ts';
export {
  type ClusterDescription,
  describeCluster,
  describeInstances,
  type NodeInstance,
  summarize,
  summarizeClusters,
} from './describe-cluster.ts';
export { ensureSupervisor } from './supervisor-life.ts';
