// How collectives split the grid of processes (replicas × partitions) into groups. Specification: "Collective ops". A
// process is identified by its flattened id, replica · numPartitions + partition.
import type { Channel, Collective } from './attributes.ts';
import type { Module, Op } from './program.ts';
import { meshGroups } from './sharding/of-module.ts';

/** The size of the grid. */
export interface GridShape {
  /** The number of replicas. */
  readonly numReplicas: number;
  /** The number of partitions. */
  readonly numPartitions: number;
}
export type GroupStrategy = 'cross_replica' | 'cross_partition' | 'cross_replica_and_partition' | 'flattened_ids';

/** For ops that may span both axes of the grid. */
export function reducingStrategy({ channelId = 0, useGlobalDeviceIds = false }: Collective): GroupStrategy {
  if (useGlobalDeviceIds) return 'flattened_ids';
  return channelId > 0 ? 'cross_replica_and_partition' : 'cross_replica';
}
/** For ops that span one axis of the grid. */
export const movingStrategy = ({ channelId = 0 }: Channel): GroupStrategy =>
  channelId > 0 ? 'cross_partition' : 'cross_replica';

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

/** The processes of groups of ids. Ids below 0 are padding of shorter groups, and ignored. */
export function processGroups(
  groups: readonly (readonly number[])[],
  { numReplicas, numPartitions }: GridShape,
  strategy: GroupStrategy,
): readonly (readonly number[])[] {
  const given = groups.map(group => group.filter(id => id >= 0)).filter(group => group.length > 0);
  const orAll = (count: number): readonly (readonly number[])[] => (given.length > 0 ? given : [upTo(count)]);
  const idOf = (replica: number, partition: number): number => replica * numPartitions + partition;
  switch (strategy) {
    case 'cross_replica':
      return orAll(numReplicas).flatMap(group => upTo(numPartitions).map(p => group.map(r => idOf(r, p))));
    case 'cross_partition':
      return orAll(numPartitions).flatMap(group => upTo(numReplicas).map(r => group.map(p => idOf(r, p))));
    case 'cross_replica_and_partition':
      return orAll(numReplicas).map(group => upTo(numPartitions).flatMap(p => group.map(r => idOf(r, p))));
    case 'flattened_ids':
      return orAll(numReplicas * numPartitions);
  }
}

export type GroupOp = Op<
  'all_reduce' | 'all_gather' | 'reduce_scatter' | 'all_to_all' | 'collective_broadcast' | 'collective_reduce'
>;
export type Groups = readonly (readonly number[])[];

/** How ids become groups; the specification defines it for each op. */
const strategies: { readonly [N in GroupOp['name']]: (attributes: Collective) => GroupStrategy } = {
  all_reduce: reducingStrategy,
  all_gather: reducingStrategy,
  reduce_scatter: reducingStrategy,
  collective_reduce: reducingStrategy,
  all_to_all: movingStrategy,
  collective_broadcast: movingStrategy,
};

export function groupsOf(op: GroupOp, module: Module): Groups {
  const { meshAxes, replicaGroups } = op.attributes;
  return meshAxes === undefined
    ? processGroups(replicaGroups, module, strategies[op.name](op.attributes))
    : processGroups(meshGroups(meshAxes, module), module, 'flattened_ids');
}
